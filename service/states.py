"""State documents: how they come in, and how they go out with their id."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from flask import current_app, request

import engine
from engine import Action, Problem, State
from service import metrics, record, schemas
from service.problems import Refusal, refuse_document, unavailable
from service.record import timed
from service.schemas import StateEnvelope
from service.shelf import Shelf, Told, belongs
from service.store import StoreUnavailable

Values = dict[str, Any]

STATE_ID = re.compile(schemas.STATE_ID)
NO_STORE = "States cannot be looked up just now: send the whole state"
WAITING, LAST = "kaijudge.waiting", "kaijudge.last"  # what a request remembers: states to be kept, the state last read
GONE = "No state of this id is kept here: send the whole state"

# What the engine may stumble over in a document that was written by hand.
FAULTS = (engine.Bug, AssertionError, ArithmeticError, LookupError, StopIteration, TypeError, ValueError)
logger = logging.getLogger("kaijudge.states")

canonical = partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A state, and how it came: as a document, or by its id."""

    state: State
    told: Values | None = None
    told_id: str | None = None

    @property
    def document(self) -> Values:
        return write_document(self.state) if self.told is None else self.told

    @property
    def decision(self) -> Values | None:
        """What is awaited; None when the game is over."""
        if self.told is not None:
            decision: Values | None = self.told["decision"]
            return decision
        return None if self.state.decision is None else engine.write_decision(self.state, self.state.decision)

    @property
    def state_id(self) -> str:
        return self.told_id or engine.state_id(self.document, canonical)


# Coming in


def load_state(body: Any, envelope: StateEnvelope = schemas.STATE) -> Loaded:
    """The state of a request's body."""
    if type(body) is not dict or body.keys() not in envelope.usual:
        schemas.check(envelope, body)
    if "state" in body:
        return read_document(body["state"])
    state_id = body["state_id"]
    if type(state_id) is not str or not STATE_ID.fullmatch(state_id):
        schemas.check(envelope, body)
    return find_state(state_id)


def load_move(body: Any) -> tuple[Loaded, Action]:
    """The state and the action of a request's body."""
    loaded = load_state(body, schemas.MOVE)
    try:
        return loaded, engine.read_action(body["action"])
    except engine.InvalidAction as error:
        raise refuse_document("schema-violation", error.problems, "/action") from None


def find_state(state_id: str) -> Loaded:
    """A state by its id, which was checked when it was told; a refusal when it is gone or cannot be looked up."""
    try:
        state = shelf().find(state_id)
    except StoreUnavailable:
        raise unavailable("store-unavailable", NO_STORE) from None
    if state is None:
        raise Refusal("state-not-found", GONE)
    return Loaded(state, None, state_id)


def find_content(state_id: str) -> bytes:
    """The document of a state by its id, as bytes; a refusal when it is gone or cannot be looked up."""
    try:
        content = shelf().content(state_id) if STATE_ID.fullmatch(state_id) else None
    except StoreUnavailable:
        raise unavailable("store-unavailable", NO_STORE) from None
    if content is None:
        raise Refusal("state-not-found", GONE)
    return b'{"state_id":"%s",' % state_id.encode() + content[1:]


def shelf() -> Shelf:
    found: Shelf = current_app.extensions["kaijudge.shelf"]
    return found


def read_document(document: Values) -> Loaded:
    """A state from its document, which must be whole, possible, and what its id says."""
    environ = request.environ
    last: Loaded | None = environ.get(LAST)
    if last is not None and last.told is document:
        return last
    loaded = environ[LAST] = Loaded(known_state(document) or new_state(document), document)
    return loaded


def known_state(document: Values) -> State | None:
    """The state of a document that was told or read here a moment ago, and so was checked; None of any other."""
    told = document.get("state_id") if type(document) is dict else None
    state = shelf().known(told) if type(told) is str else None
    return state if state is not None and belongs(str(told), content_of(document)) else None


def new_state(document: Values) -> State:
    """The state of a document, once it has passed every check."""
    try:
        state = engine.read_state(document)
    except engine.InvalidState as error:
        slug = "schema-violation" if error.malformed else "invalid-state"
        raise refuse_document(slug, error.problems, "/state") from None
    check_offered(state, "/state")
    if "state_id" in document:
        check_id(document, document["state_id"])
        shelf().remember(document["state_id"], state)
    return state


def content_of(document: Values) -> bytes:
    """The canonical bytes of a document, which its id is over."""
    return canonical({name: value for name, value in document.items() if name != "state_id"})


def check_id(document: Values, told: Any) -> None:
    """An id that comes with a document must be that document's."""
    if type(told) is not str:
        raise refuse_document("schema-violation", [Problem("/state_id", "must be a text")], "/state")
    if told != engine.state_id(document, canonical):
        raise refuse_document("invalid-state", [Problem("/state_id", "does not belong to this content")], "/state")


def check_offered(state: State, prefix: str = "") -> None:
    """Refuse the kinds of game this server does not offer yet."""
    for option, value in (("secrets", "sealed"), ("history", "anchored")):
        if getattr(state.options, option) == value:
            problem = Problem(f"/options/{option}", f"{value} games are not offered by this server yet")
            raise refuse_document("invalid-state", [problem], prefix)


# Going on


def new_game(asked: Values, prefix: str = "") -> engine.Result:
    """The game that is asked for, or a refusal that lists all that makes it impossible; without a seed one is drawn."""
    try:
        made = engine.new_game(asked, asked["seed"] if "seed" in asked else secrets.token_hex(16))
    except engine.InvalidState as error:
        raise refuse_document("invalid-state", error.problems, prefix) from None
    check_offered(made.state, prefix)
    return made


@timed("rules")
def apply(state: State, action: Action) -> engine.Result:
    """What the engine makes of an action; an illegal one is refused with the decision that is awaited."""
    record.current().acted(action.type)
    try:
        result = engine.apply(state, action)
        metrics.adjudicated(action.type, metrics.ACCEPTED)
        return result
    except engine.GameOver:
        metrics.adjudicated(action.type, "game_over")
        raise Refusal("game-over", "The game is over", outcome=engine.write_state(state)["outcome"]) from None
    except engine.IllegalAction as error:
        metrics.adjudicated(action.type, error.violations[0].code)
        raise refuse_illegal(state, error) from None


def apply_told(loaded: Loaded, action: Action) -> engine.Result:
    """The same for a state that a client may have told: what no game left there cannot be continued, and is refused.

    A state of our own that cannot be continued is our fault, and stays one.
    """
    try:
        return apply(loaded.state, action)
    except FAULTS as fault:
        if loaded.told is None:
            raise
        logger.warning("unplayable state", exc_info=fault)
        problem = Problem("/resume", "no game is left so: it cannot be continued")
        raise refuse_document("invalid-state", [problem], "/state") from None


def odds(state: State, dice: list[int]) -> Values:
    """The exact distribution of a reroll of these dice."""
    try:
        return engine.reroll_odds(state, dice)
    except engine.IllegalAction as error:
        raise refuse_illegal(state, error) from None


def refuse_illegal(state: State, error: engine.IllegalAction) -> Refusal:
    """The refusal of what the rules do not allow, with the decision that is awaited, if one is."""
    violations = [each._asdict() for each in error.violations]
    decision = state.decision
    awaited = {} if decision is None else {"decision": engine.write_decision(state, decision)}
    return Refusal("illegal-action", violations[0]["detail"], violations=violations, **awaited)


# Going out


def write_document(state: State) -> Values:
    """The whole document of a state, its id included."""
    return _write(state)[0]


def issue(state: State) -> Values:
    """The whole document of a new state, which is kept under its id."""
    document, content = _write(state)
    waiting = request.environ.get(WAITING)
    if waiting is None:
        shelf().keep(document["state_id"], state, content)
    else:
        waiting.append(Told(document["state_id"], state, content))
    return document


@contextmanager
def issued_together() -> Iterator[None]:
    """States issued within are kept at the end, in one round trip for all."""
    waiting: list[Told] = []
    request.environ[WAITING] = waiting
    try:
        yield
    finally:
        del request.environ[WAITING]
        shelf().keep_all(waiting)


def _write(state: State) -> tuple[Values, bytes]:
    """The document of a state, and the canonical bytes that its id is over."""
    document = engine.write_state(state)
    content = canonical(document)
    return {"state_id": engine.state_id(document, lambda _: content), **document}, content


def write_actions(state: State) -> list[Values]:
    return [engine.write_action(each) for each in engine.legal_actions(state)]
