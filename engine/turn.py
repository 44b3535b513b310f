"""The turn: its start, its phases in the edition's order, its end, and whose turn comes next."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.damage import deal, hit
from engine.dice import ASK, pool_size, rolls_allowed
from engine.draft import Draft
from engine.frames import step
from engine.state import ExtraTurn, Frame, Seat
from engine.victory import check_winners
from engine.windows import open_window

TOKYO_VP: Final = 2


@step("turn.start")
def turn_start(g: Draft, seat: Seat, fewer: int) -> None:
    """A turn begins; what the last one remembered is forgotten (TURN-1)."""
    g.turn += 1
    g.active = seat
    g.phase = "roll"
    g.dice = ()
    g.rolls_used = 0
    g.rolls_allowed = rolls_allowed(g, seat)
    g.marks = {"fewer": fewer} if fewer else {}
    g.emit("turn_started", ("TURN-1", "TURN-4"), player=g.players[seat].id, number=g.turn)
    begin(g)


def begin(g: Draft) -> None:
    """Start-of-turn effects in their order, then the phases (TURN-2, TURN-3, G-46)."""
    g.pending.extend(_phases(g.rules.after_dice))
    if not g.players[g.active].faces:
        turn_in_tokyo(g)
        return
    open_window(g, "before_roll", [g.active])
    open_window(g, "turn_started", [g.active])
    g.push(("turn.in_tokyo", {}))
    open_window(g, "turn_starting", [g.active])


@lru_cache
def _phases(after_dice: tuple[str, ...]) -> tuple[Frame, ...]:
    """The frames of a turn, last first."""
    return tuple((name, {}) for name in reversed(("turn.roll", *after_dice, "turn.finish")))


@step("turn.in_tokyo")
def turn_in_tokyo(g: Draft) -> None:
    """Starting a turn in Tokyo is worth two points (TURN-2)."""
    if g.players[g.active].place != "outside":
        g.gain_vp(("TURN-2", "TOKYO-EFFECT-1", "BAY-2"), g.active, TOKYO_VP)


@step("turn.roll")
def turn_roll(g: Draft) -> None:
    """The pool and the rolls are counted anew when rolling begins: cards may have changed (ROLL-1, ROLL-3)."""
    g.rolls_allowed = rolls_allowed(g, g.active)
    player = g.players[g.active]
    frozen = "fewer" in g.marks
    if player.shrink or frozen:
        shrunk = ("CARD-SHRINK-1", "CARD-SHRINK-RAY-2") if player.shrink else ()
        cites = ("ROLL-1", *shrunk, "G-43") if frozen else ("ROLL-1", *shrunk)
        g.emit("fewer_dice", cites, player=player.id, count=pool_size(g, g.active))
    g.pending.append(ASK)


@step("turn.end")
def turn_end(g: Draft) -> None:
    """End-of-turn effects in their order, poison last (END-1, G-45)."""
    g.phase = "end"
    if g.players[g.active].poison:
        g.push(("turn.poison", {}))
    if "turn_end" in g.hooks:
        g.push(("turn.end_effects", {}))
    if "turn_ending" in g.hooks and "alone" not in g.marks:
        open_window(g, "turn_ending", [g.active])


@step("turn.end_effects")
def turn_end_effects(g: Draft) -> None:
    open_window(g, "turn_end")


@step("turn.poison")
def turn_poison(g: Draft) -> None:
    """Each poison token takes a heart at the end of its bearer's turn (CARD-POISON-2)."""
    poison = g.players[g.active].poison
    if poison:
        deal(g, [hit(g.active, poison, None, ("CARD-POISON-2", "CARD-POISON-SPIT-3", "END-1"))], g.active)


@step("turn.finish", kept=True)
def turn_finish(g: Draft) -> None:
    """The win check comes last (WIN-2); then the dice go to the left (END-2, TURN-4)."""
    if g.outcome is not None:
        return
    if check_winners(g):
        return
    g.emit("turn_ended", ("END-2", "TURN-4", "SETUP-9"), player=g.players[g.active].id, number=g.turn)
    g.pending.append(next_turn(g))


def next_turn(g: Draft) -> Frame:
    """An extra turn of someone still alive, or the next living monster to the left (TURN-4, SETUP-9)."""
    while g.extra_turns:
        extra, g.extra_turns = g.extra_turns[0], g.extra_turns[1:]
        if not g.players[extra.seat].eliminated:
            return ("turn.start", {"seat": extra.seat, "fewer": extra.fewer})
    g.regular = g.clockwise(g.regular + 1)[0]
    return ("turn.start", {"seat": g.regular, "fewer": 0})


def grant_turn(g: Draft, rulings: tuple[str, ...], extra: ExtraTurn) -> None:
    """Queue an extra turn; frozen ones come before the others (CARD-FREEZE-TIME-4)."""
    frozen = tuple(each for each in g.extra_turns if each.frozen)
    others = tuple(each for each in g.extra_turns if not each.frozen)
    g.extra_turns = (*frozen, extra, *others) if extra.frozen else (*frozen, *others, extra)
    g.emit("extra_turn", rulings, player=g.players[extra.seat].id, fewer=extra.fewer)
