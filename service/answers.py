"""What is answered to a body: the same whether it came by itself or in a batch."""

from __future__ import annotations

from typing import Any

import engine
from service import states
from service.i18n import asked_language, translated
from service.messages import tell
from service.patch import diff
from service.problems import decision_id
from service.states import Loaded, Values, issue, write_actions

Include = frozenset[str]


def adjudicate(body: Any, include: Include) -> Values:
    """What the action of a body makes of its state."""
    loaded, action = states.load_move(body)
    result = states.apply_told(loaded, action)
    return {"decision_id": decision_id(), **moved(result, include, loaded)}


def validate(body: Any) -> Values:
    """Whether the action of a body is legal, and if not, which rules it breaks."""
    loaded, action = states.load_move(body)
    violations = [each._asdict() for each in engine.validate(loaded.state, action)]
    return {"legal": not violations, "violations": translated(violations, asked_language())}


def legal_actions(body: Any) -> Values:
    """All that may be done in the state of a body."""
    loaded = states.load_state(body)
    return {"decision": loaded.decision, "actions": write_actions(loaded.state)}


def moved(result: engine.Result, include: Include, before: Loaded | None = None) -> dict[str, Any]:
    """The answer to an accepted action; `before` is the state it was applied to, if there was one."""
    document = issue(result.state)
    answer: dict[str, Any] = {"state": document, "events": events(result, include)}
    if "legal_actions" in include:
        answer["legal_actions"] = write_actions(result.state)
    if "patch" in include:
        answer["patch"] = [*diff(before and before.document, document)]
    return answer


def events(result: engine.Result, include: Include) -> list[Values]:
    """The events of a result, with their messages if those were asked for."""
    return tell(result.events, result.state, asked_language()) if "messages" in include else result.events
