"""The machine: named steps, a stack of frames, and questions that stop it.

- A step is a module-level function `step(g, **args)`. A frame is `(step name, JSON args)`. The stack of frames lives in
  the state, so any worker can go on with a game at any question.
- A question step asks by `g.ask(…)`, having changed nothing, or does what needs no asking. While the answer is awaited
  its frame stays on top of the stack, so that after an interruption (someone concedes, someone uses a card) it runs
  again and asks only if there is still something to ask. The answer goes to its `then` step, with the same args.
- Frames are replaced, never edited. Every frame looks at the world anew when it runs.
- A step that is `kept` still runs when its turn is cut short (a dead active monster, the end of the game).

Step names are wire format; tests/golden/steps.txt lists them, reader.RENAMED knows the old ones. A parameter of one
name holds the same in every step (PARAMETERS), and the reader checks every stored frame against that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.actions import Action
from engine.draft import Draft
from engine.errors import Bug

StepFunction = Callable[..., None]
F = TypeVar("F", bound=StepFunction)

STEPS: Final[dict[str, StepFunction]] = {}
THEN: Final[dict[str, str]] = {}
KEPT: Final[set[str]] = set()

# What the parameters of steps are annotated with, by their names: a compiled function no longer knows.
PARAMETERS: dict[str, str] = {
    "seat": "Seat", "attacker": "Seat", "victim": "Seat", "dealer": "Seat | None",
    "seats": "list[Seat]", "leavers": "list[Seat]", "victims": "list[Seat]",
    "card": "CardId", "bought": "CardId", "by": "CardId", "cards": "list[CardId]",
    "amount": "int", "count": "int", "number": "int", "fewer": "int", "were_alive": "int",
    "die": "int", "dice": "list[int]", "faces": "list[Face]", "before": "list[Face]", "order": "Order",
    "hit": "Hit", "claw": "bool", "by_claws": "bool", "then": "Waiting",
    "several": "bool", "conceded": "bool", "others": "bool", "self_too": "bool", "replaces": "bool",
    "cumulative": "bool", "each": "bool", "own": "bool",
}  # fmt: skip
OTHERWISE: dict[str, dict[str, str]] = {"death.toll": {"by_claws": "list[Seat]"}}  # where one has another meaning


def step(name: str, *, kept: bool = False) -> Callable[[F], F]:
    """Register a step under its wire name."""

    def register(function: F) -> F:
        if name in STEPS:
            raise Bug("two steps of one name", name=name)
        STEPS[name] = function
        if kept:
            KEPT.add(name)
        return function

    return register


def question(name: str, *, then: str) -> Callable[[F], F]:
    """Register a step that may ask; `then` takes the answer."""

    def register(function: F) -> F:
        THEN[name] = then
        return step(name)(function)

    return register


def listener(name: str) -> Callable[[F], F]:
    """Register a card's step that answers a window; its name is `<card>.<verb>`.

    It is skipped when by then the card no longer lies before that seat, or no longer acts as that one.
    """
    face = name.partition(".")[0]

    def register(function: F) -> F:
        def guarded(g: Draft, seat: int, card: str, **args: Any) -> None:
            if (face, card) not in g.players[seat].faces:
                return
            if args:
                function(g, seat, card, **args)
            else:
                function(g, seat, card)

        guarded.__wrapped__ = function  # type: ignore[attr-defined]
        guarded.__doc__ = function.__doc__
        step(name)(guarded)
        return function

    return register


def parameters(name: str) -> dict[str, str]:
    """The args a frame of this step must have, and what each is; optional ones are not wire format and do not exist."""
    known = {**PARAMETERS, **OTHERWISE.get(name, {})}
    return {each: known[each] for each in inspect.signature(STEPS[name]).parameters if each not in ("g", "answer")}


def run(g: Draft) -> None:
    """Run frames until one asks or none is left."""
    pending, steps = g.pending, STEPS
    while pending:
        frame = pending.pop()
        if frame[1]:
            steps[frame[0]](g, **frame[1])
        else:
            steps[frame[0]](g)
        if g.decision is not None:
            pending.append(frame)
            return
    if g.outcome is None:
        raise Bug("nothing left to do, and nobody has won")


def answer(g: Draft, action: Action) -> None:
    """Give the awaited answer to the step that waits for it, and go on."""
    name, args = g.pending.pop()
    g.decision = None
    if args:
        STEPS[THEN[name]](g, action, **args)
    else:
        STEPS[THEN[name]](g, action)
    run(g)


def interrupt(g: Draft, name: str, **args: Any) -> None:
    """Do something else first; the question that waits is asked again if it still stands."""
    g.decision = None
    g.pending.append((name, args))
    run(g)


def cut_short(g: Draft) -> None:
    """Drop all that was still to come, but for the steps that are kept."""
    g.pending[:] = [frame for frame in g.pending if frame[0] in KEPT]
