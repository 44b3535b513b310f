"""Reading the fields of a JSON document while collecting every problem, each with its pointer."""

from __future__ import annotations

from typing import Any, Final

from engine.errors import Problem, escaped

BIGGEST: Final = 1_000_000_000


class Reader:
    """Collects every problem of a document while it is read, and apart from these what cannot be so in any game."""

    __slots__ = ("impossible", "problems")

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.impossible: list[Problem] = []

    def wrong(self, at: str, detail: str) -> None:
        self.problems.append(Problem(at, detail))

    def fields(self, document: Any, at: str, needed: frozenset[str], allowed: frozenset[str]) -> bool:
        """An object with exactly the fields it should have."""
        if type(document) is not dict:
            self.wrong(at, "must be an object")
            return False
        told: dict[str, Any] = document
        if len(told) == len(allowed) and allowed.issuperset(told):
            return True
        missing = [name for name in needed if name not in told]
        if missing:
            for name in sorted(missing):
                self.wrong(f"{at}/{name}", "is required")
            return False
        if not allowed.issuperset(told):
            for name in sorted(told.keys() - allowed):
                self.wrong(f"{at}/{escaped(name)}", "is not a field of this")
        return True

    # Each of these takes the pointer in two parts, which are put together only when something is wrong.

    def integer(self, value: Any, at: str, name: str = "", least: int = 0, most: int = BIGGEST) -> int:
        if type(value) is int and least <= value <= most:
            return value
        self.wrong(at + name, f"must be a whole number from {least} to {most}")
        return least

    def word(self, value: Any, words: Any, at: str, name: str = "") -> Any:
        if type(value) is str and value in words:
            return value
        few = "must be one of " + ", ".join(sorted(words)) if len(words) < 30 else "is not a word known here"
        self.wrong(at + name, few)
        return next(iter(words))

    def text(self, value: Any, at: str, most: int = 256) -> str:
        if type(value) is str and len(value) <= most:
            return value
        self.wrong(at, f"must be a text of at most {most} characters")
        return ""

    def boolean(self, value: Any, at: str, name: str = "") -> bool:
        if type(value) is not bool:
            self.wrong(at + name, "must be true or false")
        return value is True

    def array(self, value: Any, most: int, at: str, name: str = "") -> list[Any]:
        if type(value) is list and len(value) <= most:
            return value
        self.wrong(at + name, f"must be a list of at most {most}")
        return []
