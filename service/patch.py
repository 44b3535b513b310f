"""JSON Patch (RFC 6902): the operations that make one JSON value into another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.wire import escaped

Operation = dict[str, Any]


def diff(old: Any, new: Any, at: str = "") -> Iterator[Operation]:
    """The operations, in order; values that stay the same are not mentioned."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _diff_objects(old, new, at)
    elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        yield from _diff_lists(old, new, at)
    elif type(old) is not type(new) or old != new:
        yield {"op": "replace", "path": at, "value": new}


def _diff_objects(old: Mapping[str, Any], new: Mapping[str, Any], at: str) -> Iterator[Operation]:
    for name in old:
        path = f"{at}/{escaped(name)}"
        if name in new:
            yield from diff(old[name], new[name], path)
        else:
            yield {"op": "remove", "path": path}
    for name in new:
        if name not in old:
            yield {"op": "add", "path": f"{at}/{escaped(name)}", "value": new[name]}


def _diff_lists(old: Sequence[Any], new: Sequence[Any], at: str) -> Iterator[Operation]:
    """What is the same at both ends stays; in between values are changed in place, then added or removed."""
    start, old_end, new_end = _middle(old, new)
    both = min(old_end, new_end)
    for index in range(start, both):
        yield from diff(old[index], new[index], f"{at}/{index}")
    for index in reversed(range(both, old_end)):
        yield {"op": "remove", "path": f"{at}/{index}"}
    for index in range(both, new_end):
        yield {"op": "add", "path": f"{at}/{index}", "value": new[index]}


def _middle(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int, int]:
    """Where two lists begin to differ, and where they are the same again; of equal length they differ in place."""
    if len(old) == len(new):
        return 0, len(old), len(new)
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if differ(old[index], new[index])), shorter)
    rest = shorter - start
    tail = next((back for back in range(rest) if differ(old[-1 - back], new[-1 - back])), rest)
    return start, len(old) - tail, len(new) - tail


def differ(old: Any, new: Any) -> bool:
    """Whether two values are not the same in JSON, where true is not 1."""
    return any(True for _ in diff(old, new))
