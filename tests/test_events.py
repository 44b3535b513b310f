"""Every event the engine can emit is in the table, with exactly its fields."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.events import EVENTS, MAYBE

ENGINE = Path(engine.__file__).parent
# Where each function that logs has the type among its arguments.
LOGGING = {
    "emit": 0,
    "change": 0,
    "move_card": 0,
    "show_dice": 0,
    "replace_dice": 1,
    "leave": 1,
    "change_card": 1,
    "take_energy": 1,
}


def emitted_types() -> set[str]:
    """The literal event types in the source."""
    found = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in LOGGING and len(node.args) > LOGGING[name]:
                kind = node.args[LOGGING[name]]
                if isinstance(kind, ast.Constant):
                    found.add(str(kind.value))
    return found


def test_every_event_type_in_the_source_is_in_the_table() -> None:
    made_of_a_token = {"poison_placed", "shrink_placed"}
    assert emitted_types() | made_of_a_token == set(EVENTS)


def game(edition: str, seed: int) -> list[dict[str, Any]]:
    """The events of a random game in which everybody is rich."""
    chance = random.Random(seed)
    names = [f"p{n}" for n in range(2 + seed % 5)]
    request = {
        "edition": edition,
        "players": [{"id": name} for name in names],
        "setup": {"phase": "start", "players": {name: {"energy": 25} for name in names}},
    }
    state, events = engine.new_game(request, f"events {seed}")
    log = [*events]
    while state.outcome is None:
        kinds: dict[str, list[engine.Action]] = {}
        for action in engine.legal_actions(state):
            kinds.setdefault(action.type, []).append(action)
        kind = chance.choice([each for each in kinds if each != "concede" or chance.random() < 0.01])
        state, events = engine.apply(state, chance.choice(kinds[kind]))
        log.extend(events)
    return log


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_events_carry_exactly_the_fields_of_their_type(edition: str) -> None:
    for seed in range(6):
        for event in game(edition, seed):
            told = set(event) - {"seq", "type", "rulings", *MAYBE}
            assert told == set(EVENTS[event["type"]].fields), event
