"""Rolling: the pool, the rolls of a turn, and dice the table rolls for us. What dice do is in resolve.py."""

from __future__ import annotations

from engine import rng
from engine.actions import Action, ChangeDie, Dice, Faces, Reroll, Resolve, Roll
from engine.draft import Draft
from engine.frames import question, step
from engine.state import ALL_DICE, BLACK_DICE, ROLLS, Face, Frame, Seat, State
from engine.windows import adjusted, open_window


def pool_size(state: State, seat: Seat) -> int:
    """Six dice and what cards add, never more than there are; tokens and frozen time take some away (ROLL-1, COMP-5)."""
    dice = min(ALL_DICE, adjusted(state, "pool", seat, BLACK_DICE))
    return max(0, dice - state.players[seat].shrink - state.marks.get("fewer", 0))


def rolls_allowed(state: State, seat: Seat) -> int:
    return adjusted(state, "rolls", seat, ROLLS)


def throw(g: Draft, seat: Seat, count: int, faces: Faces | None, then: Frame) -> None:
    """Roll `count` dice and give their faces to the frame `then`: from the seed, as sent, or when they are sent."""
    if g.options.dice == "server":
        faces = tuple(rng.faces(g.seed, g.draws, count))
        g.draws += 1
    elif faces is None and count:
        g.push(("dice.wait", {"seat": seat, "count": count, "then": list(then)}))
        return
    name, args = then
    g.push((name, {**args, "faces": [*(faces or ())]}))


@question("dice.wait", then="dice.shown")
def dice_wait(g: Draft, seat: Seat, count: int, then: Frame) -> None:
    """The table rolls: wait for the faces its dice show (ROLL-1)."""
    if not g.players[seat].eliminated:
        g.ask(seat, "dice", ("ROLL-1", "ROLL-7"), count=count)


@step("dice.shown")
def dice_shown(g: Draft, answer: Action, seat: Seat, count: int, then: Frame) -> None:
    assert isinstance(answer, Dice)
    name, args = then
    g.push((name, {**args, "faces": [*(answer.faces or ())]}))


@question("roll.ask", then="roll.answer")
def roll_ask(g: Draft) -> None:
    """Roll, roll again, or stop: the active player's choice (ROLL-3, ROLL-5)."""
    g.ask(g.active, "roll", ("ROLL-3", "ROLL-4", "ROLL-5") if g.rolls_used else ("ROLL-1",))


@step("roll.answer")
def roll_answer(g: Draft, answer: Action) -> None:
    if isinstance(answer, Resolve):
        stop_rolling(g, answer)
        return
    g.push(("roll.ask", {}))
    if isinstance(answer, Roll):
        throw(g, g.active, pool_size(g, g.active), answer.faces, ("roll.first", {}))
    elif isinstance(answer, Reroll) and answer.with_ is None:
        throw(g, g.active, len(answer.dice), answer.faces, ("roll.again", {"dice": [*answer.dice]}))
    else:
        assert isinstance(answer, Reroll | ChangeDie)
        card = answer.card if isinstance(answer, ChangeDie) else answer.with_
        g.rules.cards[str(card)].can[answer.type].act(g, g.active, answer)


@step("roll.first")
def roll_first(g: Draft, faces: list[Face]) -> None:
    """The first roll takes all dice of the pool (ROLL-1, ROLL-2)."""
    g.rolls_used = 1
    rulings = ("ROLL-1", "ROLL-2") if len(faces) > BLACK_DICE else ("ROLL-1",)
    g.show_dice("rolled", rulings, tuple(faces))


@step("roll.again")
def roll_again(g: Draft, dice: list[int], faces: list[Face]) -> None:
    """A reroll of any dice, also of dice kept before (ROLL-3, ROLL-4)."""
    g.rolls_used += 1
    replace_dice(g, "rerolled", ("ROLL-3", "ROLL-4"), dice, faces)


def replace_dice(g: Draft, kind: str, rulings: tuple[str, ...], dice: list[int], faces: list[Face]) -> None:
    table = list(g.dice)
    for die, face in zip(dice, faces, strict=True):
        table[die] = face
    g.show_dice(kind, rulings, tuple(table), rolled=[*dice])


def stop_rolling(g: Draft, answer: Resolve) -> None:
    """Only the faces now showing count (ROLL-5, ROLL-7); others may still meddle before they do."""
    g.push(("roll.settle", {"order": [*answer.order]}))
    if "probed" not in g.marks:
        open_window(g, "rolling_over", (seat for seat in g.clockwise(g.active) if seat != g.active))


@step("roll.settle")
def roll_settle(g: Draft, order: list[str]) -> None:
    """If others changed the dice the active player is asked once more, else the dice are resolved."""
    if g.marks.get("probed") == "changed":
        g.mark("probed", "final")
        g.push(("roll.ask", {}))
    else:
        g.push(("resolve.begin", {"order": order}))
