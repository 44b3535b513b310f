"""`apply(state, action)`: check, draft, run, return. A refused action changes nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import attack, death, market, resolve, turn  # noqa: F401 - they register their steps
from engine.actions import Action, Concede, Use
from engine.draft import Draft
from engine.errors import GameOver, IllegalAction, Violation
from engine.frames import answer, interrupt, run
from engine.legal import ability_of, answers, refusal, refuse_answer, refuse_interruption
from engine.state import State, record


class Result(NamedTuple):
    """The state after an action, and the events that explain it."""

    state: State
    events: list[dict[str, Any]]


def validate(state: State, action: Action) -> list[Violation]:
    """The rules this action would break; nothing is applied, rolled or revealed."""
    if state.outcome is not None:
        return [Violation("game_over", state.outcome.rulings[0], "", "the game is over")]
    refused = refusal(state, action)
    return [] if refused is None else [refused]


def apply(state: State, action: Action) -> Result:
    """The one way a game moves on."""
    if state.outcome is not None:
        raise GameOver(validate(state, action))
    awaited = answers(state, action)
    refused = refuse_answer(state, action) if awaited else refuse_interruption(state, action)
    if refused is not None:
        raise IllegalAction([refused])
    g = Draft(state)
    g.version += 1
    if awaited:
        answer(g, action)
    else:
        _interrupt(g, action)
    g.stack = tuple(g.pending)
    return record(Result, (g, g.events))


def _interrupt(g: Draft, action: Action) -> None:
    """What any player may do while a decision is awaited: leave the game, or use a card whose text allows it."""
    seat = g.seat_of(action.player)
    assert seat is not None
    if isinstance(action, Concede):
        interrupt(g, "death.concede", seat=seat)
        return
    assert isinstance(action, Use)
    able = ability_of(g, seat, "use", action.card)
    assert able is not None
    g.decision = None
    able.act(g, seat, action)
    run(g)
