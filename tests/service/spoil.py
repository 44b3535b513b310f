"""Spoiling documents: small random damage, of the kind a careless or curious client does."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Way = tuple[Any, ...]

JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 7, 10**9, 2**63, "", "p1", "wings", "mimic", "roll", "over", "claw", "\u0000", "٣", [], {}, [0],
    [[]], [{}], ["wings"] * 3, {"0": "x"}, {"٣": "x"}, {"player": "p0", "card": "wings"},
)  # fmt: skip


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """Where every value inside a document is."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*way, key)
        yield from ways(each, (*way, key))


def at(document: Any, way: Way) -> Any:
    for key in way:
        document = document[key]
    return document


def spoilt(document: Any, rng: random.Random) -> Any:
    """A copy with one to three values changed, removed, doubled, or put where another one was."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(ways(document))
        if not places:
            break
        way = rng.choice(places)
        _damage(at(document, way[:-1]), way[-1], at(document, rng.choice(places)), rng)
    return document


def _damage(holder: Any, key: Any, other: Any, rng: random.Random) -> None:
    how = rng.choice(("remove", "double", "step", "junk", "other"))
    if how == "remove":
        del holder[key]
    elif how == "double" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif how == "step" and type(holder[key]) is int:
        holder[key] += rng.choice((-1, 1, 2))
    else:
        holder[key] = copy.deepcopy(other if how == "other" else rng.choice(JUNK))
