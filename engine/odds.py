"""Exact distributions of a reroll, as numbers of equally likely ways. Nothing is drawn from the game's seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

from engine.dice import dice_in_question, refuse_dice
from engine.errors import IllegalAction
from engine.resolve import triple_vp
from engine.state import FACES, Face, State


def reroll_odds(state: State, dice: Sequence[int]) -> dict[str, Any]:
    """What the dice in question may show after these are rolled again, each outcome with its ways (ROLL-4)."""
    shown = dice_in_question(state)
    refused = refuse_dice(state, tuple(dice), len(shown))
    if refused is not None:
        raise IllegalAction([refused])
    kept = [face for die, face in enumerate(shown) if die not in dice]
    every = combinations_with_replacement(FACES, len(dice))
    outcomes = [(Counter([*kept, *rolled]), _ways(rolled)) for rolled in every]
    return {
        "total": len(FACES) ** len(dice),
        "outcomes": [{"dice": _sorted(faces), "ways": ways} for faces, ways in outcomes],
        "faces": {face: _spread((faces[face], ways) for faces, ways in outcomes) for face in FACES},
        "vp": _spread((_numbers_vp(faces), ways) for faces, ways in outcomes),
    }


def _ways(rolled: Sequence[Face]) -> int:
    """In how many ways distinct dice show this multiset of faces."""
    ways = factorial(len(rolled))
    for count in Counter(rolled).values():
        ways //= factorial(count)
    return ways


def _sorted(faces: Counter[Face]) -> list[Face]:
    return [face for face in FACES for _ in range(faces[face])]


def _numbers_vp(faces: Counter[Face]) -> int:
    return triple_vp(1, faces["1"]) + triple_vp(2, faces["2"]) + triple_vp(3, faces["3"])


def _spread(pairs: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    """The number of ways to each value, ascending."""
    ways: Counter[int] = Counter()
    for value, count in pairs:
        ways[value] += count
    return [{"value": value, "ways": ways[value]} for value in sorted(ways)]
