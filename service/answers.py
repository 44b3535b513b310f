"""What is answered to a body: the same whether it came by itself or in a batch."""

from __future__ import annotations

from typing import Any

import orjson

import engine
from engine import Action
from service import anchor, proof, seats, states
from service.i18n import asked_language, translated
from service.messages import tell
from service.patch import diff
from service.problems import decision_id
from service.seats import NOBODY, visible
from service.shelf import Told
from service.states import FREE, Loaded, Values, issue, write_actions

Include = frozenset[str]


def adjudicate(body: Any, include: Include) -> Values:
    """What the action of a body makes of its state."""
    loaded, action = states.load_move(body)
    seats.admit(loaded.state, action.player)
    result = states.apply_told(loaded, action)
    told = successor(loaded, action, result)
    return {"decision_id": decision_id(), **moved(result, told, include, loaded, frozenset({action.player}))}


def successor(loaded: Loaded, action: Action, result: engine.Result) -> Told:
    """The state that an action led to, as it is told; an anchored game is first moved on to it."""
    if result.state.options.history == FREE:
        return issue(result.state)
    return anchor.advance(loaded, action, result)


def opening(made: engine.Result, asked: Values) -> Told:
    """The first state of a new game, as it is told; an anchored one has its record from here on."""
    if made.state.options.history == FREE:
        return issue(made.state)
    return anchor.begin(made, asked, proof.promised(made.state))


def validate(body: Any) -> Values:
    """Whether the action of a body is legal, and if not, which rules it breaks."""
    loaded, action = states.load_move(body)
    violations = [each._asdict() for each in engine.validate(loaded.state, action)]
    return {"legal": not violations, "violations": translated(violations, asked_language())}


def legal_actions(body: Any) -> Values:
    """All that may be done in the state of a body."""
    loaded = states.load_state(body)
    return {"decision": loaded.decision, "actions": write_actions(loaded.state)}


def moved(
    result: engine.Result,
    told: Told,
    include: Include,
    before: Loaded | None = None,
    viewers: frozenset[str] = NOBODY,
) -> dict[str, Any]:
    """The answer to an accepted action: `before` is the state it was applied to, `viewers` are who it is told to."""
    answer: dict[str, Any] = {"state": orjson.Fragment(told.document), "events": events(result, include, viewers)}
    if "legal_actions" in include:
        answer["legal_actions"] = write_actions(result.state)
    if "patch" in include:
        answer["patch"] = [*diff(before and before.document, orjson.loads(told.document))]
    return answer


def events(result: engine.Result, include: Include, viewers: frozenset[str]) -> list[Values]:
    """The events of a result that these players may see, with their messages if those were asked for."""
    seen = visible(result.events, result.state.options, viewers)
    return tell(seen, result.state, asked_language()) if "messages" in include else seen
