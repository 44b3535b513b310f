"""The error tree.

EngineError
├── Invalid           not understood: the document is wrong
│   ├── InvalidAction     an action with unknown, missing or ill-typed parameters
│   └── InvalidState      a state document that is malformed, or a position that cannot be
├── IllegalAction     understood, but the rules do not allow it now
│   └── GameOver          nothing is allowed any more
└── Bug               ours: the engine broke its own promise
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing wrong with a document, and where (a JSON pointer)."""

    pointer: str
    detail: str


def escaped(name: str) -> str:
    """A field's name as part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


class Violation(NamedTuple):
    """One rule an action breaks: a stable code, the ruling, where in the action, and why."""

    code: str
    ruling: str
    pointer: str
    detail: str


class EngineError(Exception):
    """The base of everything the engine raises on purpose."""


class Invalid(EngineError):
    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(f"{p.pointer or '/'}: {p.detail}" for p in self.problems))


class InvalidAction(Invalid):
    """The action cannot be understood."""


class InvalidState(Invalid):
    """The state cannot be understood (`malformed`), or no game can be in it."""

    def __init__(self, problems: Sequence[Problem], malformed: bool = False) -> None:
        self.malformed = malformed
        super().__init__(problems)


class IllegalAction(EngineError):
    def __init__(self, violations: Sequence[Violation]) -> None:
        self.violations = list(violations)
        super().__init__("; ".join(f"{v.code} ({v.ruling}): {v.detail}" for v in self.violations))


class GameOver(IllegalAction):
    """The game has ended; its outcome stands."""


class Bug(EngineError):
    """The engine reached a place it must never reach."""

    def __init__(self, what: str, **where: Any) -> None:
        super().__init__(f"{what}: {where!r}" if where else what)
