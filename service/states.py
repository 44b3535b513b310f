"""State documents: how they come in, and how they go out with their id."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import orjson

import engine
from engine import Action, Problem, State
from service import schemas
from service.problems import Refusal, refuse_document, unavailable
from service.schemas import StateEnvelope

Values = dict[str, Any]

canonical = partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)


class Loaded(NamedTuple):
    """A state, and the document it was read from."""

    state: State
    document: Values


# Coming in


def load_state(body: Any, envelope: StateEnvelope = schemas.STATE) -> Loaded:
    """The state of a request's body."""
    if type(body) is not dict or body.keys() != envelope.usual:
        schemas.check(envelope, body)
    if "state" not in body:
        raise unavailable("store-unavailable", "This server keeps no states: send the whole state")
    return read_document(body["state"])


def load_move(body: Any) -> tuple[Loaded, Action]:
    """The state and the action of a request's body."""
    loaded = load_state(body, schemas.MOVE)
    try:
        return loaded, engine.read_action(body["action"])
    except engine.InvalidAction as error:
        raise refuse_document("schema-violation", error.problems, "/action") from None


def read_document(document: Values) -> Loaded:
    """A state from its document, which must be whole, possible, and what its id says."""
    try:
        state = engine.read_state(document)
    except engine.InvalidState as error:
        slug = "schema-violation" if error.malformed else "invalid-state"
        raise refuse_document(slug, error.problems, "/state") from None
    if "state_id" in document:
        check_id(document, document["state_id"])
    check_offered(state, "/state")
    return Loaded(state, document)


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


def apply(state: State, action: Action) -> engine.Result:
    """What the engine makes of an action; an illegal one is refused with the decision that is awaited."""
    try:
        return engine.apply(state, action)
    except engine.GameOver:
        raise Refusal("game-over", "The game is over", outcome=engine.write_state(state)["outcome"]) from None
    except engine.IllegalAction as error:
        assert state.decision is not None
        violations = [each._asdict() for each in error.violations]
        raise Refusal(
            "illegal-action", violations[0]["detail"],
            violations=violations, decision=engine.write_decision(state, state.decision),
        ) from None  # fmt: skip


# Going out


def write_document(state: State) -> Values:
    """The whole document of a state, its id included."""
    document = engine.write_state(state)
    return {"state_id": engine.state_id(document, canonical), **document}


def write_actions(state: State) -> list[Values]:
    return [engine.write_action(each) for each in engine.legal_actions(state)]
