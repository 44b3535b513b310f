"""The awaited decision of a document must be the one that its stack asks: the top frame is run, and asks it again."""

from __future__ import annotations

from typing import Any, Final

from engine.codec import Values, write_decision
from engine.draft import Draft
from engine.errors import EngineError, InvalidState, Problem
from engine.fields import Reader
from engine.frames import STEPS, THEN
from engine.legal import ANSWERS
from engine.state import ALL_DICE, State, Waiting

LAST: Final = "turn.finish"  # under everything else of a turn
_DECISION: Final = frozenset({"player", "kind", "rulings", "default"})
_DECISION_MAY: Final = _DECISION | {"amount", "cards", "count", "dice", "die"}


def decision_problems(state: State, document: Values) -> list[Problem]:
    """What speaks against the decision of a document; the state is given the one that its stack asks."""
    if state.outcome is not None:
        if state.stack or document["decision"] is not None or state.phase != "over":
            return [Problem("/decision", "a game that is over awaits nothing")]
        return []
    if not state.stack or state.phase == "over":
        return [Problem("/resume/stack", "a game that goes on awaits a decision")]
    if [name for name, _ in state.stack].count(LAST) != 1 or state.stack[0][0] != LAST:
        return [Problem("/resume/stack", "a turn ends exactly once, after everything else")]
    if state.players[state.active].eliminated:
        return [Problem("/turn/player", "an eliminated monster has no turn (DEATH-1, G-16)")]
    waits = [index for index, (name, _) in enumerate(state.stack) if name == "dice.wait"]
    if waits and (waits != [len(state.stack) - 1] or not _dice_are_there(state, **state.stack[-1][1])):
        return [Problem("/resume/stack", "awaits faces of dice that are not there")]
    if not _tolls_are_due(state):
        return [Problem("/resume/stack", "a hit that is still to land has no toll after it (G-37)")]
    name, args = state.stack[-1]
    g = Draft(state)
    awaited: Values | None = None
    if name in THEN:
        try:
            STEPS[name](g, **args)
            if g.decision is not None:
                state.decision = g.decision
                awaited = write_decision(state, g.decision)
        except (EngineError, AssertionError, LookupError, StopIteration, TypeError, ValueError):
            awaited = None
    if awaited is None or len(g.pending) != len(state.stack):
        return [Problem("/resume/stack", "does not ask anything here")]
    if not _same(document["decision"], awaited):
        _refuse_no_decision(document["decision"], awaited)
        return [Problem("/decision", "is not the decision that is awaited here")]
    return []


def _same(one: object, other: object) -> bool:
    """Whether two values are written alike: unlike Python, JSON tells 1 from true and from 1.0."""
    if isinstance(one, str):
        return one == other
    if isinstance(one, dict):
        if not isinstance(other, dict) or len(one) != len(other):
            return False
        return all(name in other and _same(each, other[name]) for name, each in one.items())
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other):
            return False
        return all(_same(each, other[index]) for index, each in enumerate(one))
    return type(one) is type(other) and one == other


def _refuse_no_decision(told: Any, awaited: Values) -> None:
    """Refuse what is no decision at all, and not just another one than is awaited."""
    reader = Reader()
    if told is not None and reader.fields(told, "/decision", _DECISION, _DECISION_MAY.union(awaited)):
        reader.word(told["kind"], ANSWERS, "/decision/kind")
    if reader.problems:
        raise InvalidState(reader.problems, malformed=True)


def _tolls_are_due(state: State) -> bool:
    """Whether after every hit that is still to land its victim is looked at: or it would live on without hearts."""
    counted: set[int] = set()
    for name, args in state.stack:
        if name == "death.toll":
            counted.update(args["seats"])
        struck = args["then"][1] if name == "dice.wait" else args
        if "hit" in struck and struck["hit"]["seat"] not in counted:
            return False
    return True


def _dice_are_there(state: State, seat: int, count: int, then: Waiting) -> bool:
    """Whether the table rolls, and the awaited faces are as many as the dice they are for, which are on it."""
    args = then[1]
    if state.options.dice != "client":
        return False
    if "hit" in args and "dice" not in args:
        return bool(count == args["hit"]["amount"])
    dice = args.get("dice", [args["die"]] if "die" in args else None)
    if dice is None:
        return count <= ALL_DICE
    return 0 < count == len(set(dice)) == len(dice) and max(dice) < len(args.get("before", state.dice))
