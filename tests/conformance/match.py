"""Partial matching of JSON values: objects partially, lists one by one, everything else exactly."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class Mismatch(AssertionError):
    """What was expected is not what happened."""


def difference(wanted: Any, found: Any, at: str = "") -> str | None:
    """Where and how `found` is not as `wanted`, or None."""
    if isinstance(wanted, dict):
        return _object_difference(wanted, found, at)
    if isinstance(wanted, list):
        return _list_difference(wanted, found, at)
    if type(wanted) is type(found) and wanted == found:
        return None
    return f"{at or '/'}: expected {wanted!r}, found {found!r}"


def matches(wanted: Any, found: Any) -> bool:
    return difference(wanted, found) is None


def _object_difference(wanted: Json, found: Any, at: str) -> str | None:
    if not isinstance(found, dict):
        return f"{at or '/'}: expected an object, found {found!r}"
    for name, value in wanted.items():
        told = difference(value, found.get(name), f"{at}/{name}")
        if told is not None:
            return told
    return None


def _list_difference(wanted: list[Any], found: Any, at: str) -> str | None:
    if not isinstance(found, list) or len(found) != len(wanted):
        return f"{at or '/'}: expected {wanted!r}, found {found!r}"
    for index, value in enumerate(wanted):
        told = difference(value, found[index], f"{at}/{index}")
        if told is not None:
            return told
    return None


def expect(holds: object, told: str) -> None:
    """Fail with these words unless `holds`."""
    if not holds:
        raise Mismatch(told)
