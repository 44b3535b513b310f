"""What is told of a game that has moved: the state, the events, and what `?include=` asked for."""

from __future__ import annotations

from typing import Any

import engine
from service.patch import diff
from service.states import Values, write_actions, write_document


def moved(result: engine.Result, include: frozenset[str], before: Values | None = None) -> dict[str, Any]:
    """The answer to an accepted action; `before` is the document it was applied to, if there was one."""
    document = write_document(result.state)
    answer: dict[str, Any] = {"state": document, "events": result.events}
    if "legal_actions" in include:
        answer["legal_actions"] = write_actions(result.state)
    if "patch" in include:
        answer["patch"] = [*diff(before, document)]
    return answer
