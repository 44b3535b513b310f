"""Seats: in a game whose `auth` is `seats` an action needs the token of its player, sent as `Kaijudge-Seat`.

A token is the MAC of a game and a player under a key of the ring, so none has to be kept: whoever has the key can make
and check them all. Who plays several seats from one place sends several tokens, with commas between.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from flask import current_app, request

from engine import State
from engine.state import Options
from service.keyring import Key, KeyRing
from service.problems import PROBLEMS, Refusal

HEADER = "Kaijudge-Seat"
SENT = "HTTP_KAIJUDGE_SEAT"
CHALLENGE = 'Kaijudge-Seat realm="kaijudge"'
PARTS = 4
MOST = 6  # tokens of one game that are looked at: there are no more seats
NOBODY: frozenset[str] = frozenset()

Event = dict[str, Any]


def given(state: State) -> dict[str, dict[str, str]]:
    """What whoever sets up a game is given: the token of each player, if the game has seats."""
    key = ring().newest
    if state.options.auth != "seats" or key is None:
        return {}
    return {"seats": {player.id: token(key, state.game_id, player.id) for player in state.players}}


def token(key: Key, game_id: str, player: str) -> str:
    """The token of one seat: the key's id, the game, the player and the MAC, none of which has a full stop in it."""
    mac = hmac.digest(key.seats, f"{game_id} {player}".encode(), hashlib.sha256)
    return f"{key.id}.{game_id}.{player}.{urlsafe_b64encode(mac).decode().rstrip('=')}"


def callers(game_id: str) -> frozenset[str]:
    """The players of this game whose tokens the request has."""
    sent: str | None = request.environ.get(SENT)
    if sent is None:
        return NOBODY
    of_game = (each for each in map(str.strip, sent.split(",")) if each.split(".")[1:2] == [game_id])
    return frozenset(_proven(game_id, islice(of_game, MOST)))


def _proven(game_id: str, sent: Iterable[str]) -> Iterator[str]:
    """The players whose tokens are among these."""
    for each in sent:
        parts = each.split(".")
        if len(parts) != PARTS:
            continue
        key, player = ring().get(parts[0]), parts[2]
        if key is not None and hmac.compare_digest(token(key, game_id, player).encode(), each.encode()):
            yield player


def ring() -> KeyRing:
    found: KeyRing = current_app.extensions["kaijudge.keys"]
    return found


def admit(state: State, player: str) -> None:
    """Let a request do what only this player may; refuse it without the player's token, where the game has seats."""
    if state.options.auth == "seats" and player not in admit_any(state.game_id):
        raise Refusal("forbidden", PROBLEMS["forbidden"].meaning)


def admit_any(game_id: str) -> frozenset[str]:
    """Let a request do what each player of a game with seats may, and say who asks; refuse it without any token."""
    seated = callers(game_id)
    if not seated:
        raise Refusal("unauthenticated", PROBLEMS["unauthenticated"].meaning, {"WWW-Authenticate": CHALLENGE})
    return seated


def visible(events: list[Event], options: Options, viewers: frozenset[str]) -> list[Event]:
    """The events that these players may see together; where nothing is hidden, all."""
    if options.secrets == "open" and options.auth == "none":
        return events
    return seen_by(events, viewers)


def seen_by(events: list[Event], viewers: frozenset[str]) -> list[Event]:
    """The public events, and the private ones of these players."""
    seen = [each for each in events if "visible_to" not in each or not viewers.isdisjoint(each["visible_to"])]
    return events if len(seen) == len(events) else [{**each, "seq": seq} for seq, each in enumerate(seen)]
