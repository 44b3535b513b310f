"""Claws: who is attacked, and what an attack sets off. The damage itself is damage.py's."""

from __future__ import annotations

from engine.damage import deal, hit
from engine.draft import Draft, Rulings
from engine.frames import step
from engine.state import Seat, State
from engine.tokyo import tokyo_empty
from engine.windows import open_window


def targets_of(state: State, seat: Seat) -> list[Seat]:
    """From Tokyo everyone outside, from outside everyone in Tokyo, never one's own zone (RESOLVE-ATTACK-2, -3, -4)."""
    inside = state.players[seat].in_tokyo
    return [other for other in state.clockwise(seat) if state.players[other].in_tokyo != inside]


def attack_rulings(state: State, seat: Seat) -> Rulings:
    if state.players[seat].in_tokyo:
        return ("RESOLVE-ATTACK-1", "RESOLVE-ATTACK-2", "RESOLVE-ATTACK-4", "BAY-14")
    return ("RESOLVE-ATTACK-1", "RESOLVE-ATTACK-3", "RESOLVE-ATTACK-4")


@step("resolve.claws")
def resolve_claws(g: Draft) -> None:
    """Claws hurt the other zone, or take an empty Tokyo (RESOLVE-ATTACK-1 to -6)."""
    claws = g.dice.count("claw")
    seat = g.active
    active = g.players[seat]
    if not claws:
        if g.rules.after_attack and not active.in_tokyo and tokyo_empty(g):
            g.emit("tokyo_stays_empty", ("TOKYO-ENTER-2",), player=active.id)
        return
    if not active.in_tokyo and g.rules.claws_take_empty_city(g):
        cites = ("RESOLVE-ATTACK-5", "TOKYO-ENTER-1") if tokyo_empty(g) else ("RESOLVE-ATTACK-5", "BAY-9", "G-54")
        g.emit("claws_take_tokyo", cites, player=active.id, claws=claws)
        g.push(("tokyo.enter", {}))
        return
    attack(g, seat, claws)


def attack(g: Draft, seat: Seat, claws: int) -> None:
    """Damage, deaths, yields, entry: in this order (RESOLVE-ATTACK-6)."""
    active = g.players[seat]
    targets = targets_of(g, seat)
    if not targets:
        g.emit("claws_hit_nobody", ("RESOLVE-ATTACK-5",), player=active.id, claws=claws)
        return
    rulings = attack_rulings(g, seat)
    names = [g.players[target].id for target in targets]
    g.emit("attack", ("DEF-ATTACK-1", "RESOLVE-ATTACK-6", *rulings), player=active.id, claws=claws, targets=names)
    if not active.in_tokyo:
        if g.rules.after_attack:
            g.push(*((name, {}) for name in g.rules.after_attack))
        g.push(("tokyo.parting", {"attacker": seat, "leavers": targets}))
    g.push(("yield.round", {"targets": targets}))
    deal(g, [hit(target, claws, seat, rulings, claw=True) for target in targets], seat)
    open_window(g, "targeted", targets, dealer=seat)
    open_window(g, "attacking", [seat], targets=targets)
