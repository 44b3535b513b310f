"""Reading a revealed game: what it was asked to be, its seed, its actions, and what it tells of chance."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engine.actions import Action
from engine.editions import EDITIONS
from engine.errors import Invalid, InvalidAction, Problem
from engine.fields import Reader
from engine.params import read_action
from engine.state import PLAYER_ID, RESERVED

GAME_ID = re.compile(r"g_[A-Za-z0-9]{1,64}")
HASH = re.compile(r"[0-9a-f]{64}")
CLIENT_SEED = re.compile(r"[ -~]{1,128}")
NAME_LENGTH = 64
MANY = 1_000_000  # whoever takes documents from strangers sets a limit of his own

_NEEDED = frozenset({"game_id", "commitment", "seed", "game", "actions", "states", "deck", "rolls", "reshuffles"})
_ALLOWED = _NEEDED | {"client_seed"}
_GAME = frozenset({"players"})
_GAME_MAY = frozenset({"edition", "players", "first_player", "options"})
_PLAYER = frozenset({"id"})
_PLAYER_MAY = frozenset({"id", "name", "monster"})
_WORDS = {
    "dice": ("server", "client"), "secrets": ("open", "sealed"), "history": ("free", "anchored"),
    "auth": ("none", "seats"),
}  # fmt: skip
_OPTIONS_MAY = frozenset({"bay", *_WORDS})


class Revealed(NamedTuple):
    """A game whose seed is known; `deck`, `rolls` and `reshuffles` are what chance is said to have done."""

    game_id: str
    commitment: str
    seed: str
    client_seed: str | None
    game: dict[str, Any]
    actions: list[Action]
    states: list[Any]
    deck: list[Any]
    rolls: list[Any]
    reshuffles: list[Any]


class InvalidProof(Invalid):
    """This is no revealed game."""


def read_revealed(document: Any) -> Revealed:
    """A revealed game from JSON values; InvalidProof lists every problem. Whether it is true is proof.py's to find."""
    reader = Reader()
    if not reader.fields(document, "", _NEEDED, _ALLOWED):
        raise InvalidProof(reader.problems)
    for name in ("commitment", "seed"):
        _matching(reader, document[name], HASH, f"/{name}", "must be 64 hexadecimal digits")
    client_seed = document.get("client_seed")
    if "client_seed" in document:
        _matching(reader, client_seed, CLIENT_SEED, "/client_seed", "must be 1 to 128 printable ASCII characters")
    _matching(reader, document["game_id"], GAME_ID, "/game_id", "must be the id of a game")
    _check_game(reader, document["game"])
    actions = _read_actions(reader, document["actions"])
    for name in ("states", "deck", "rolls", "reshuffles"):
        reader.array(document[name], MANY, f"/{name}")
    if reader.problems:
        raise InvalidProof(reader.problems)
    return Revealed(**{**document, "client_seed": client_seed, "actions": actions})


def _matching(reader: Reader, value: Any, pattern: re.Pattern[str], at: str, detail: str) -> None:
    if type(value) is not str or not pattern.fullmatch(value):
        reader.wrong(at, detail)


def _read_actions(reader: Reader, values: Any) -> list[Action]:
    actions = []
    for index, value in enumerate(reader.array(values, MANY, "/actions")):
        try:
            actions.append(read_action(value))
        except InvalidAction as error:
            reader.problems.extend(Problem(f"/actions/{index}{each.pointer}", each.detail) for each in error.problems)
    return actions


# What was asked for


def _check_game(reader: Reader, game: Any) -> None:
    """The game has the shape that engine.new_game relies on; whether it is possible is for that to say."""
    if not reader.fields(game, "/game", _GAME, _GAME_MAY):
        return
    if "edition" in game:
        reader.word(game["edition"], EDITIONS, "/game/edition")
    if "first_player" in game:
        reader.text(game["first_player"], "/game/first_player")
    players = reader.array(game["players"], 6, "/game/players")
    if len(players) < 2:
        reader.wrong("/game/players", "must be at least two")
    for index, player in enumerate(players):
        _check_player(reader, player, f"/game/players/{index}")
    _check_options(reader, game.get("options", {}))


def _check_player(reader: Reader, player: Any, at: str) -> None:
    if not reader.fields(player, at, _PLAYER, _PLAYER_MAY):
        return
    for name in player.keys() & {"id", "monster"}:
        value = player[name]
        if type(value) is not str or not PLAYER_ID.fullmatch(value) or (name == "id" and value in RESERVED):
            reader.wrong(f"{at}/{name}", "must be 1 to 32 of a-z, 0-9, _ and -, and not " + ", ".join(sorted(RESERVED)))
    if "name" in player:
        reader.text(player["name"], f"{at}/name", NAME_LENGTH)


def _check_options(reader: Reader, options: Any) -> None:
    if not reader.fields(options, "/game/options", frozenset(), _OPTIONS_MAY):
        return
    for name, words in _WORDS.items():
        if name in options:
            reader.word(options[name], words, f"/game/options/{name}")
    if "bay" in options:
        reader.boolean(options["bay"], "/game/options/bay")
