"""A player that knows no rules: it picks one of the actions offered, and shows dice when the table rolls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from engine import Action, State, apply, legal_actions, new_game
from engine.actions import Concede, Dice, Probe, Reroll, Roll, Sweep, Use
from engine.dice import pool_size
from engine.state import FACES

Document = dict[str, Any]
CONCEDES = 0.004  # how often someone leaves the game instead


def choose(random: Random, state: State, offered: list[Action]) -> Action:
    """A kind of action first, then one of that kind, so that rare kinds are seen often."""
    serious = [action for action in offered if not isinstance(action, Concede)]
    if random.random() < CONCEDES:
        return random.choice([action for action in offered if isinstance(action, Concede)])
    kinds = list(dict.fromkeys(type(action) for action in serious))
    kind = random.choices(kinds, [_weight(state, kind) for kind in kinds])[0]
    action = random.choice([action for action in serious if type(action) is kind])
    return with_dice(random, state, action)


def _weight(state: State, kind: type[Action]) -> int:
    """Energy is mostly kept for what only now and then can be done: sweeps and early uses of cards are rare."""
    asked = state.decision is not None and state.decision.kind == "damage"
    return 1 if kind is Sweep or (kind is Use and not asked) else 8


def wander(request: Document, seed: str, random: Random) -> Iterator[tuple[State, Action]]:
    """A whole random game, unchecked: each state with the action chosen in it."""
    state = new_game(request, seed).state
    while state.outcome is None:
        action = choose(random, state, legal_actions(state))
        yield state, action
        state = apply(state, action).state


def with_dice(random: Random, state: State, action: Action) -> Action:
    """The action with the faces a client adds: always where they are awaited, else half of the time."""
    count = dice_rolled(state, action)
    if count is None or (not isinstance(action, Dice) and random.random() < 0.5):
        return action
    change: Any = replace
    return change(action, faces=tuple(random.choices(FACES, k=count)))


def dice_rolled(state: State, action: Action) -> int | None:
    """How many faces a client may add to this action, or None."""
    if state.options.dice != "client":
        return None
    if isinstance(action, Dice):
        assert state.decision is not None
        return int(state.decision.extra["count"])
    if isinstance(action, Roll):
        return pool_size(state, state.active)
    if isinstance(action, Reroll):
        return len(action.dice)
    return 1 if isinstance(action, Probe) else None
