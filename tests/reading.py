"""Documents of states, good ones and how to spoil them, and what reading them says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import pytest

import engine
from engine import EDITIONS, InvalidState, canonical, read_state, write_state
from engine.legal import ANSWERS
from tests.properties.player import wander
from tests.properties.positions import opening

Json = dict[str, Any]
HIT: Json = {"seat": 0, "amount": 1, "dealer": None, "claw": False, "rulings": ["G-1"], "done": []}


@lru_cache(maxsize=1)
def written() -> dict[str, bytes]:
    """A document for each kind of decision and one of a game that is over, from random play."""
    found: dict[str, bytes] = {}
    for seed in range(300):
        random = Random(seed)
        edition = sorted(EDITIONS)[seed % 4]
        last = None
        for state, action in wander(opening(random, edition, 2 + seed % 5), f"seed-{seed}", random):
            assert state.decision is not None
            if state.decision.kind not in found or (len(state.stack) > 3 and random.random() < 0.05):
                found[state.decision.kind] = canonical(write_state(state))
            last = state, action
        assert last is not None
        found["over"] = canonical(write_state(engine.apply(*last).state))
        if len(found) == len(ANSWERS) + 1:
            break
    return found


def document(kind: str = "roll") -> Json:
    loaded: Json = json.loads(written()[kind])
    return loaded


def refused(bad: Any) -> InvalidState:
    with pytest.raises(InvalidState) as raised:
        read_state(bad)
    assert raised.value.problems
    return raised.value


def pointers(bad: Any) -> list[str]:
    return [each.pointer for each in refused(bad).problems]


def put(bad: Any, pointer: str, value: Any) -> Any:
    """The document with one value replaced, or added."""
    *path, last = pointer[1:].split("/")
    at = bad
    for name in path:
        at = at[int(name) if isinstance(at, list) else name]
    at[int(last) if isinstance(at, list) else last] = value
    return bad


def damaged(kind: str, damage: Callable[[Json], None]) -> InvalidState:
    """Why a document that is well formed after the damage is refused."""
    bad = document(kind)
    damage(bad)
    error = refused(bad)
    assert not error.malformed
    return error
