"""Counting distinct states, layer by layer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from engine import Action, State, apply, canonical, legal_actions, new_game, write_state
from engine.actions import Concede, Dice
from engine.state import FACES

FOLDER = Path(__file__).resolve().parent
Json = dict[str, Any]


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def load(path: Path) -> Json:
    loaded: Json = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def identity(state: State) -> bytes:
    """What makes a state this one, for going on from it."""
    document = write_state(state)
    del document["version"]
    return canonical(document)


def shown(state: State) -> bytes:
    """What makes a state this one, for counting: all that clients of any implementation can read."""
    document = write_state(state)
    del document["version"], document["resume"], document["secrets"]
    return canonical(document)


def moves(state: State) -> Iterator[Action]:
    """Every offered action but conceding, awaited dice with all faces they can show."""
    for action in legal_actions(state):
        if isinstance(action, Concede):
            continue
        if not isinstance(action, Dice):
            yield action
            continue
        assert state.decision is not None
        for faces in product(FACES, repeat=state.decision.extra["count"]):
            yield replace(action, faces=faces)


def counts(game: Json, seed: str, depth: int, most: int) -> list[int]:
    """The number of distinct states after 1 … depth actions; fewer numbers where `most` actions were not enough."""
    layer = {b"": new_game(game, seed).state}
    found: list[int] = []
    played = 0
    for _ in range(depth):
        following: dict[bytes, State] = {}
        for state, action in ((each, action) for each in layer.values() for action in moves(each)):
            played += 1
            if played > most:
                return found
            reached = apply(state, action).state
            following.setdefault(identity(reached), reached)
        layer = following
        found.append(len({shown(each) for each in layer.values()}))
    return found
