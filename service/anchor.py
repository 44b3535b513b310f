"""Anchored games: the first accepted action on a state fixes its successor, and the chain of a game remembers them all.

An entry of a chain (chains.py) says after its digests, in JSON, what everybody may know of the step, and on the next
line what not everybody may: the events with the private ones, and of the first entry what was asked for. In sealed
games that line is encrypted: who can read the store shall not learn from it what a player has seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property, partial
from typing import NamedTuple, TypeVar

import orjson
from flask import current_app

import engine
from engine import Action
from service import metrics, seal, states
from service.chains import DIGEST, PREFIX, Chains, Step, Verdict, digest_of, state_of
from service.problems import PROBLEMS, Refusal, unavailable
from service.seal import BrokenSeal
from service.shelf import Told
from service.states import Loaded, Values
from service.store import StoreUnavailable
from service.wire import canonical

NO_ACTION = b"0" * DIGEST
PAGE = 500  # entries that are read at once
ALWAYS = ("action", "decision", "outcome")

Found = TypeVar("Found")


class Entry(NamedTuple):
    """A step of a game: the state it led to, and what is known of it. `told` of the first is what the game is."""

    version: int
    state_id: str
    action: Values | None
    decision: Values | None
    outcome: Values | None
    told: Values
    hidden: Callable[[], Values]

    @property
    def events(self) -> list[Values]:
        """All events of the step, the private ones included."""
        events: list[Values] = self.hidden()["events"]
        return events

    @property
    def asked(self) -> Values:
        """What was asked for when the game was made, but for its seed; only the first entry has it."""
        asked: Values = self.hidden()["asked"]
        return asked


# Fixing


def begin(made: engine.Result, asked: Values, opening: Values | None = None) -> Told:
    """The first state of a new game, once its chain is begun; `opening` is what else its first entry shows to all."""
    document, told = states.written(made.state)
    shown = {"options": document["options"], **(opening or {})}
    hidden = {"events": made.events, "asked": {name: asked[name] for name in asked if name != "seed"}}
    entry = _write(document, told, None, shown, hidden)
    _judge(reached(lambda: chains().begin(Step(entry, told.state_id, told.content))))
    states.shelf().remember(told)
    return told


def advance(left: Loaded, action: Action, result: engine.Result) -> Told:
    """The state that an action leads to, once it is fixed as the successor of the one that is left."""
    document, told = states.written(result.state, left.key)
    entry = _write(document, told, engine.write_action(action), {}, {"events": result.events})
    step = Step(entry, told.state_id, told.content, left.state_id, left.state.version)
    verdict = reached(lambda: chains().advance(step))
    metrics.adjudicated(action.type, metrics.ACCEPTED if verdict.fixed else verdict.word)
    _judge(verdict)
    states.shelf().remember(told)
    return told


def _judge(verdict: Verdict) -> None:
    if verdict.word == "superseded":
        raise superseded(verdict.head)
    if verdict.word == "lost":
        raise lost()


def superseded(head: str) -> Refusal:
    return Refusal("state-superseded", PROBLEMS["state-superseded"].meaning, head=head)


def lost() -> Refusal:
    return Refusal("anchor-lost", PROBLEMS["anchor-lost"].meaning)


def chains() -> Chains:
    found: Chains = current_app.extensions["kaijudge.chains"]
    return found


def reached(ask: Callable[[], Found]) -> Found:
    """What the chains answer; a refusal while they cannot be reached."""
    try:
        return ask()
    except StoreUnavailable:
        raise unavailable("anchor-unavailable", PROBLEMS["anchor-unavailable"].meaning) from None


# Looking back


class Path:
    """The recorded way on from a state, along which alone an anchored game can be played again.

    It is looked up when an action is found legal, or when there is none: what the rules forbid is refused first.
    """

    def __init__(self, start: Loaded, steps: int) -> None:
        self._start = start
        self._steps = steps

    @cached_property
    def _way(self) -> list[bytes]:
        state = self._start.state
        found = reached(lambda: chains().prefixes(state.game_id, state.version, state.version + self._steps))
        if not found:
            raise lost()
        return found

    def check_start(self) -> None:
        """Refuse a state that the game never came to."""
        here = self._way[1:2]
        if not here or here[0][:DIGEST] != digest_of(self._start.state_id):
            raise superseded(self._head)

    def check(self, index: int, action: Action) -> None:
        """Refuse an action that is not the recorded one of this step."""
        self.check_start()
        taken = self._way[index + 2 : index + 3]
        if not taken or taken[0][DIGEST:] != _digest(engine.write_action(action)):
            raise superseded(self._head)

    @property
    def _head(self) -> str:
        return state_of(self._start.state.game_id, self._way[0])


def read_ends(game_id: str) -> tuple[Entry, Entry] | None:
    """The first and the last entry of a chain; None if there is none."""
    ends = reached(lambda: chains().ends(game_id))
    return ends and (_read(game_id, 0, ends.first), _read(game_id, ends.version, ends.last))


def read_chain(game_id: str, first: int = 0, count: int | None = None) -> list[Entry]:
    """So many entries of a chain, or all of them, from a version on; none if there is no chain."""
    found: list[Entry] = []
    while count is None or len(found) < count:
        start = first + len(found)
        size = PAGE if count is None else min(PAGE, count - len(found))
        page = _read_page(game_id, start, size)
        found.extend(page)
        if len(page) < size:
            break
    return found


def _read_page(game_id: str, start: int, size: int) -> list[Entry]:
    page = reached(lambda: chains().entries(game_id, start, start + size - 1))
    return [_read(game_id, start + number, entry) for number, entry in enumerate(page)]


# Entries


def _write(document: Values, told: Told, action: Values | None, shown: Values, hidden: Values) -> bytes:
    """The bytes of an entry."""
    digest = NO_ACTION if action is None else _digest(action)
    prefix = digest_of(told.state_id) + digest
    public = {"action": action, "decision": document["decision"], "outcome": document["outcome"], **shown}
    private = orjson.dumps(hidden)
    if told.key:
        private = seal.wrap(states.sealing_key(told.key), private, _purpose(document["game_id"], prefix))
    return prefix + orjson.dumps(public) + b"\n" + private


def _read(game_id: str, version: int, entry: bytes) -> Entry:
    prefix, (public, _, private) = entry[:PREFIX], entry[PREFIX:].partition(b"\n")
    told = orjson.loads(public)
    action, decision, outcome = (told.pop(name) for name in ALWAYS)
    hidden = partial(_open, private, _purpose(game_id, prefix))
    return Entry(version, state_of(game_id, entry), action, decision, outcome, told, hidden)


def _open(private: bytes, purpose: bytes) -> Values:
    """What not everybody may know of a step; a refusal without the key it was encrypted with."""
    try:
        plain = private if private.startswith(b"{") else seal.unwrap(states.ring(), private, purpose)
    except BrokenSeal:
        raise states.refuse_seal() from None
    opened: Values = orjson.loads(plain)
    return opened


def _purpose(game_id: str, prefix: bytes) -> bytes:
    """What an encrypted part belongs to: it cannot be moved to another step, or another game."""
    return b"chain " + game_id.encode() + prefix


def _digest(action: Values) -> bytes:
    """What tells actions in normal form apart."""
    return hashlib.sha256(canonical(action)).hexdigest()[:DIGEST].encode()
