"""Anchored games: how far one has come, how it came there, and forgetting it."""

from __future__ import annotations

import re

from flask import Blueprint, Response, current_app

from service import anchor, seats
from service.anchor import Entry
from service.config import Config
from service.documents import GAME_ID
from service.operation import operation
from service.problems import Refusal
from service.replies import GameSchema, HistorySchema
from service.states import Values
from service.waiting import Waiters
from service.wire import FLAGS, read_query, reply, whole

routes = Blueprint("anchored", __name__)

ID = re.compile(GAME_ID)
PAGE = 500  # entries of an answer
GONE = "No anchored game of this id is recorded here"
PASSING = {"Cache-Control": "no-store"}  # the game may move on at any time
REFUSALS = ("bad-parameter", "not-found", "anchor-unavailable")


@routes.get("/v1/games/<game_id>")
@operation(GameSchema, "play", refusals=REFUSALS, query=("after", "wait"))
def game(game_id: str) -> Response:
    """How far an anchored game has come; with `after` and `wait`, as soon as it has come further than that."""
    wait_for_move(game_id)
    first, last = find_ends(game_id)
    shown = {name: first.told[name] for name in first.told if name != "options"}
    head = {"state_id": last.state_id, "version": last.version, "decision": last.decision, "outcome": last.outcome}
    return reply({"game_id": game_id, **head, **shown}, 200, **PASSING)


@routes.get("/v1/games/<game_id>/history")
@operation(HistorySchema, "play", refusals=(*REFUSALS, "seal-invalid"), query=("later", "limit", "events", "seat"))
def history(game_id: str) -> Response:
    """How an anchored game came to where it is, with `events=true` the events that the caller may see."""
    asked = read_query(after=None, limit=None, events=FLAGS)
    first, count = whole(asked, "after", -1) + 1, min(whole(asked, "limit", PAGE), PAGE)
    check_id(game_id)
    entries = anchor.read_chain(game_id, first, count)
    opening, last = find_ends(game_id)
    viewers = viewers_of(opening, game_id) if asked.get("events") == "true" else None
    told = [write_entry(each, viewers) for each in entries]
    return reply({"game_id": game_id, "version": last.version, "entries": told}, 200, **PASSING)


@routes.delete("/v1/games/<game_id>")
@operation(None, "play", refusals=(*REFUSALS, "unauthenticated"), query=("seat",), status=204)
def forget(game_id: str) -> Response:
    """Forget an anchored game and its states: none of them can be continued then. With seats, any of them may do it."""
    read_query()
    first, _ = find_ends(game_id)
    if has_seats(first):
        seats.admit_any(game_id)
    if not anchor.reached(lambda: anchor.chains().forget(game_id)):
        raise Refusal("not-found", GONE)
    return Response(status=204)


def check_id(game_id: str) -> None:
    if not ID.fullmatch(game_id):
        raise Refusal("not-found", GONE)


def find_ends(game_id: str) -> tuple[Entry, Entry]:
    """The first and the last entry of a game that is recorded."""
    check_id(game_id)
    ends = anchor.read_ends(game_id)
    if ends is None:
        raise Refusal("not-found", GONE)
    return ends


def wait_for_move(game_id: str) -> None:
    """Wait as long as was asked for, and may be, or until the game has moved on, or is gone."""
    asked = read_query(after=None, wait=None)
    if "wait" in asked and "after" not in asked:
        raise Refusal("bad-parameter", "'wait' needs 'after': the version that is known", parameter="wait")
    config: Config = current_app.extensions["kaijudge"]
    after, seconds = whole(asked, "after", 0), min(whole(asked, "wait", 0), config.game_wait)
    check_id(game_id)
    chains, waiters = anchor.chains(), current_app.extensions["kaijudge.waiters"]
    assert isinstance(waiters, Waiters)

    def over() -> bool:
        version = anchor.reached(lambda: chains.version(game_id))
        return version is None or version > after

    waiters.wait(over, seconds)


def has_seats(first: Entry) -> bool:
    options: Values = first.told["options"]
    return options.get("auth") == "seats"


def viewers_of(first: Entry, game_id: str) -> frozenset[str]:
    """Whose private events the caller may see: those of the seats it has."""
    return seats.callers(game_id) if has_seats(first) else seats.NOBODY


def write_entry(entry: Entry, viewers: frozenset[str] | None) -> Values:
    """A step as it is told: with its events, if they are told to somebody."""
    told: Values = {"version": entry.version, "state_id": entry.state_id, "action": entry.action}
    return told if viewers is None else {**told, "events": seats.seen_by(entry.events, viewers)}
