"""What is known of the request at work, for its log line, its metrics and its Server-Timing. Never who plays."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SEVERAL = "several"


class Record:
    """The notes on one request. Its environ and the parts of its application are here, too: Flask's own way to them
    takes three calls each time."""

    __slots__ = (
        "action", "began", "bytes_in", "caller", "code", "decision_id", "environ", "left", "parts", "problem", "spans",
    )  # fmt: skip

    def __init__(self, environ: dict[str, Any], parts: dict[str, Any]) -> None:
        self.began = perf_counter()
        self.environ = environ
        self.parts = parts
        self.decision_id = self.action = self.problem = self.code = self.caller = ""
        self.bytes_in = 0
        self.left: Callable[[], None] | None = None
        self.spans: dict[str, float] | None = None

    def leave(self, ending: Callable[[], None]) -> None:
        """Leave something to be ended when all else is done: to wait for it meanwhile would be a waste."""
        self.end()
        self.left = ending

    def end(self) -> None:
        """End what was left, if anything was."""
        if self.left is not None:
            ending, self.left = self.left, None
            ending()

    def acted(self, action: str) -> None:
        """Note the type of an action that was adjudicated."""
        self.action = action if self.action in ("", action) else SEVERAL


_current: ContextVar[Record] = ContextVar("record")


def begin(environ: dict[str, Any], parts: dict[str, Any]) -> Record:
    """A fresh record for the request that begins."""
    record = Record(environ, parts)
    _current.set(record)
    return record


def current() -> Record:
    """The record of the request at work; outside any request, one that nobody reads."""
    return _current.get(None) or Record({}, {})


def timed(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Time a function under a name of Server-Timing; costs next to nothing unless the client asked."""

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **options: P.kwargs) -> R:
            record = _current.get(None)
            if record is None or record.spans is None:
                return function(*args, **options)
            start = perf_counter()
            try:
                return function(*args, **options)
            finally:
                record.spans[name] = record.spans.get(name, 0.0) + perf_counter() - start

        return run

    return wrap
