"""The turn: its start, its phases in the edition's order, its end, and whose turn comes next."""

from __future__ import annotations

from engine.damage import deal, hit
from engine.dice import pool_size, rolls_allowed
from engine.draft import Draft
from engine.frames import step
from engine.state import ExtraTurn, Frame, Seat
from engine.victory import check_winners
from engine.windows import open_window

TOKYO_VP = 2


@step("turn.start")
def turn_start(g: Draft, seat: Seat, fewer: int) -> None:
    """A turn begins; what the last one remembered is forgotten (TURN-1)."""
    g.turn += 1
    g.active = seat
    g.phase = "roll"
    g.dice = ()
    g.rolls_used = 0
    g.marks = {"fewer": fewer} if fewer else {}
    g.emit("turn_started", ("TURN-1", "TURN-4"), player=g.players[seat].id, number=g.turn)
    begin(g)


def begin(g: Draft) -> None:
    """Start-of-turn effects in their order, then the phases (TURN-2, TURN-3, G-46)."""
    g.push(
        ("turn.first", {}), ("turn.in_tokyo", {}), ("turn.second", {}), ("turn.roll", {}),
        *((name, {}) for name in g.rules.after_dice),
        ("turn.finish", {}),
    )  # fmt: skip


@step("turn.first")
def turn_first(g: Draft) -> None:
    open_window(g, "turn_starting", [g.active])


@step("turn.in_tokyo")
def turn_in_tokyo(g: Draft) -> None:
    """Starting a turn in Tokyo is worth two points (TURN-2)."""
    if g.players[g.active].in_tokyo:
        g.gain_vp(("TURN-2", "TOKYO-EFFECT-1", "BAY-2"), g.active, TOKYO_VP)


@step("turn.second")
def turn_second(g: Draft) -> None:
    open_window(g, "before_roll", [g.active])
    open_window(g, "turn_started", [g.active])


@step("turn.roll")
def turn_roll(g: Draft) -> None:
    """The pool and the rolls are counted when rolling begins (ROLL-1, ROLL-3)."""
    g.rolls_allowed = rolls_allowed(g, g.active)
    player = g.players[g.active]
    if player.shrink:
        g.emit("fewer_dice", ("ROLL-1", "CARD-SHRINK-1"), player=player.id, count=pool_size(g, g.active))
    g.push(("roll.ask", {}))


@step("turn.end")
def turn_end(g: Draft) -> None:
    """End-of-turn effects in their order, poison last (END-1, G-45)."""
    g.phase = "end"
    g.push(("turn.end_effects", {}), ("turn.poison", {}))
    if "alone" not in g.marks:
        open_window(g, "turn_ending", [g.active])


@step("turn.end_effects")
def turn_end_effects(g: Draft) -> None:
    open_window(g, "turn_end")


@step("turn.poison")
def turn_poison(g: Draft) -> None:
    """Each poison token takes a heart at the end of its bearer's turn (CARD-POISON-2)."""
    poison = g.players[g.active].poison
    if poison:
        deal(g, [hit(g.active, poison, None, ("CARD-POISON-2", "END-1"))], g.active)


@step("turn.finish", kept=True)
def turn_finish(g: Draft) -> None:
    """The win check comes last (WIN-2); then the dice go to the left (END-2, TURN-4)."""
    if g.outcome is not None:
        return
    if check_winners(g):
        return
    g.emit("turn_ended", ("END-2", "TURN-4", "SETUP-9"), player=g.players[g.active].id, number=g.turn)
    g.push(next_turn(g))


def next_turn(g: Draft) -> Frame:
    """An extra turn of someone still alive, or the next living monster to the left (TURN-4, SETUP-9)."""
    while g.extra_turns:
        extra, g.extra_turns = g.extra_turns[0], g.extra_turns[1:]
        if not g.players[extra.seat].eliminated:
            return ("turn.start", {"seat": extra.seat, "fewer": extra.fewer})
    g.regular = next(g.clockwise(g.regular + 1))
    return ("turn.start", {"seat": g.regular, "fewer": 0})


def grant_turn(g: Draft, rulings: tuple[str, ...], extra: ExtraTurn) -> None:
    """Queue an extra turn; frozen ones come before the others (G-26)."""
    frozen = tuple(each for each in g.extra_turns if each.frozen)
    others = tuple(each for each in g.extra_turns if not each.frozen)
    g.extra_turns = (*frozen, extra, *others) if extra.frozen else (*frozen, *others, extra)
    g.emit("extra_turn", rulings, player=g.players[extra.seat].id, fewer=extra.fewer)
