"""A golden game as lines of canonical JSON, and how it is played again.

Line 1 `{"game": request, "seed": seed}`, then `{"state": …}` and `{"events": […]}` of the creation, then for every
action `{"action": …}` and `{"events": […]}`; after every 20th action, and at the end, `{"state": …}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine import EDITIONS, apply, canonical, new_game, read_action, write_action, write_state
from tests.properties.player import wander
from tests.properties.positions import opening

FOLDER = Path(__file__).resolve().parent
EVERY = 20
Json = dict[str, Any]


def path_of(edition: str) -> Path:
    return FOLDER / f"{edition}.jsonl"


def lines(game: Json, seed: str, actions: list[Json]) -> Iterator[bytes]:
    """The game of these actions as the engine plays it now."""
    state, events = new_game(game, seed)
    yield canonical({"game": game, "seed": seed})
    yield canonical({"state": write_state(state)})
    yield canonical({"events": events})
    for number, action in enumerate(actions, 1):
        state, events = apply(state, read_action(action))
        yield canonical({"action": action})
        yield canonical({"events": events})
        if number % EVERY == 0 or number == len(actions):
            yield canonical({"state": write_state(state)})


def written(game: Json, seed: str, actions: list[Json]) -> bytes:
    return b"\n".join(lines(game, seed, actions)) + b"\n"


def recorded(edition: str) -> tuple[Json, str, list[Json]]:
    """The request, the seed and the actions of a golden game."""
    told = [json.loads(line) for line in path_of(edition).read_bytes().splitlines()]
    return told[0]["game"], told[0]["seed"], [each["action"] for each in told if "action" in each]


def new_recording(edition: str) -> tuple[Json, str, list[Json]]:
    """A random game in which the players hold cards from the start, long enough to show something."""
    for number in range(1000):
        random = Random(f"golden {edition} {number}")
        game = opening(random, edition, 3)
        game["options"]["dice"] = "server"
        actions = [write_action(action) for _, action in wander(game, f"golden-{number}", random)]
        if "setup" in game and 60 <= len(actions) <= 90 and game["setup"]["phase"] == "start":
            return game, f"golden-{number}", actions
    raise LookupError(edition)


def editions() -> list[str]:
    return sorted(EDITIONS)
