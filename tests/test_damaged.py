"""Documents damaged at random: each is refused, or plays on like any other."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine import InvalidState, canonical, read_state, write_decision, write_state
from engine.draft import Draft
from engine.fields import Reader
from engine.frames import STEPS
from engine.legal import ANSWERS
from engine.reader import _read
from tests.properties.player import choose
from tests.reading import document

PARTS = (
    "resume", "resume", "resume", "players", "players", "turn", "phase", "dice", "market", "options", "decision",
    "discard", "secrets", "edition", "outcome",
)  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    found = [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in items:
        found.extend(paths(each, (*at, name)))
    return found


NUMBERS = [-1, 0, 1, 2, 3, 5, 7, 12, 20, 66, 1000, 10**6, 10**12]
WORDS = ["", "p1", "p2", "p3", "jets", "mimic", "wings", "city", "bay", "outside", "claw", "1", "heart", "roll", "buy"]
STEP_NAMES = sorted(STEPS)
SCALARS: list[Any] = [None, True, False, *NUMBERS, *WORDS, [], {}]


def mutated(good: Any, data: st.DataObject) -> Any:
    """The document with something in it replaced, removed, doubled or moved."""
    bad = copy.deepcopy(good)
    part = data.draw(st.sampled_from([name for name in PARTS if bad.get(name)]))
    path = data.draw(st.sampled_from(paths(bad[part], (part,))))
    holder = bad
    for name in path[:-1]:
        holder = holder[name]
    how = data.draw(st.sampled_from(["put", "put", "put", "remove", "double", "swap"]))
    if how == "remove":
        del holder[path[-1]]
    elif how == "double" and isinstance(holder, list):
        holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    elif how == "swap" and isinstance(holder, list):
        holder.reverse()
    else:
        names = STEP_NAMES if isinstance(holder[path[-1]], str) and holder[path[-1]] in STEPS else []
        holder[path[-1]] = data.draw(st.sampled_from([*SCALARS, *names]))
    return bad


def made_consistent(bad: Any) -> None:
    """What somebody who knows the code would also do: count the deck, and name the decision the stack asks."""
    try:
        bad["deck_size"] = len(bad["secrets"]["deck"])
        reader = Reader()
        state = _read(reader, bad)
        assert state is not None
        g = Draft(state)
        name, args = state.stack[-1]
        STEPS[name](g, **args)
        assert g.decision is not None
        bad["decision"] = write_decision(state, g.decision)
    except Exception:
        return


def plays_on(state: engine.State, seed: int, most: int = 25) -> None:
    """Some more random actions, each offered and accepted, each state readable."""
    random = Random(seed)
    for _ in range(most):
        if state.outcome is not None:
            return
        offered = engine.legal_actions(state)
        action = choose(random, state, offered)
        state = engine.apply(state, action).state
    read_state(json.loads(canonical(write_state(state))))


@pytest.mark.parametrize("kind", [*ANSWERS, "over"])
def test_a_damaged_document_is_refused_or_plays_on(kind: str) -> None:
    good = document(kind)

    @settings(max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), st.integers(1, 3))
    def refused_or_lawful(data: st.DataObject, times: int) -> None:
        bad = good
        for _ in range(times):
            bad = mutated(bad, data)
        made_consistent(bad)
        try:
            state = read_state(bad)
        except InvalidState:
            return
        plays_on(state, times)

    refused_or_lawful()
