"""Claws: how many, who is attacked, and what an attack sets off. The damage itself is damage.py's."""

from __future__ import annotations

from typing import Final

from engine.damage import Hit, deal, hit
from engine.draft import Draft, Rulings
from engine.frames import step
from engine.state import Seat, State
from engine.tokyo import offer_yields, tokyo_empty
from engine.windows import explained, open_window

FROM_TOKYO: Final[Rulings] = ("RESOLVE-ATTACK-1", "RESOLVE-ATTACK-2", "RESOLVE-ATTACK-4", "BAY-14")
FROM_OUTSIDE: Final[Rulings] = ("RESOLVE-ATTACK-1", "RESOLVE-ATTACK-3", "RESOLVE-ATTACK-4")


def claw_total(state: State) -> tuple[int, Rulings]:
    """The claws the active player has, cards included where they add claws, and the rulings that added some."""
    claws = state.dice.count("claw")
    if not state.players[state.active].faces:
        return claws, ()
    claws, first = explained(state, "claws", state.active, claws)
    if not claws:
        return 0, first
    claws, more = explained(state, "more_claws", state.active, claws)
    return claws, (*first, *more) if "claw" in state.dice else (*first, *more, "DEF-ATTACK-2")


def targets_of(state: State, seat: Seat) -> list[Seat]:
    """From Tokyo everyone outside, from outside everyone in Tokyo, never one's own zone (RESOLVE-ATTACK-2, -3, -4)."""
    players = state.players
    if any_zone(state, seat):
        widen = next(found for face, _ in players[seat].faces if (found := state.rules.cards[face].targets))
        return widen(state, seat)
    outside = players[seat].place == "outside"
    return [other for other in state.clockwise(seat) if (players[other].place == "outside") != outside]


def attack_rulings(state: State, seat: Seat) -> Rulings:
    zone = FROM_OUTSIDE if state.players[seat].place == "outside" else FROM_TOKYO
    if not any_zone(state, seat):
        return zone
    cards = [state.rules.cards[face] for face, _ in state.players[seat].faces]
    reaching = [card for card in cards if card.targets is not None]
    return (*zone, *(ruling for card in reaching for ruling in card.rulings(state, seat, "targets")))


@step("resolve.claws")
def resolve_claws(g: Draft) -> None:
    """Claws hurt the other zone, or take an empty Tokyo (RESOLVE-ATTACK-1 to -6)."""
    claws, cites = claw_total(g)
    seat = g.active
    active = g.players[seat]
    outside = active.place == "outside"
    takes_city = outside and not any_zone(g, seat) and g.rules.claws_take_empty_city(g)
    if not claws:
        if outside and g.rules.after_attack and tokyo_empty(g):
            g.emit("tokyo_stays_empty", ("TOKYO-ENTER-2",), player=active.id)
        if active.faces and not takes_city:
            bare_damage(g, seat)
    elif takes_city:
        rulings = ("RESOLVE-ATTACK-5", "TOKYO-ENTER-1") if tokyo_empty(g) else ("RESOLVE-ATTACK-5", "BAY-9", "G-54")
        g.emit("claws_take_tokyo", rulings, player=active.id, claws=claws)
        g.push(("tokyo.enter", {}))
        open_window(g, "attacking", [seat])
    else:
        attack(g, seat, claws, cites)


def any_zone(state: State, seat: Seat) -> bool:
    """Whether a card makes the claws reach everybody, wherever they are."""
    return "targets" in state.players[seat].hooks


def attack(g: Draft, seat: Seat, claws: int, cites: Rulings) -> None:
    """Damage, deaths, yields, entry: in this order (RESOLVE-ATTACK-6)."""
    active = g.players[seat]
    targets = targets_of(g, seat)
    rulings = (*attack_rulings(g, seat), *cites)
    if targets:
        names = [g.players[target].id for target in targets]
        g.emit("attack", ("DEF-ATTACK-1", "RESOLVE-ATTACK-6", *rulings), player=active.id, claws=claws, targets=names)
    else:
        g.emit("claws_hit_nobody", ("RESOLVE-ATTACK-5", *cites), player=active.id, claws=claws)
    if active.place == "outside":
        for name in reversed(g.rules.after_attack):
            g.pending.append((name, {}))
        if "parting" in g.hooks:
            g.push(("tokyo.parting", {"attacker": seat, "leavers": targets}))
    offer_yields(g, targets)
    hits = attack_hits(g, seat, claws, targets, rulings)
    if hits:
        deal(g, hits, seat)
    if g.hooks:
        open_window(g, "targeted", targets, dealer=seat)
        open_window(g, "attacking", [seat])


def attack_hits(g: Draft, seat: Seat, claws: int, targets: list[Seat], rulings: Rulings) -> list[Hit]:
    """One hit for each target, with what cards add to an attack (DEF-ATTACK-2)."""
    if not g.players[seat].faces:
        return [hit(target, claws, seat, rulings, claw=True) for target in targets]
    amount, more = explained(g, "more_damage", seat, claws)
    amount, bare = explained(g, "bare_damage", seat, amount)
    hits = [hit(target, amount, seat, (*rulings, *more, *bare), claw=True) for target in targets]
    if "hits" in g.players[seat].hooks:
        for face, _ in g.players[seat].faces:
            add = g.rules.cards[face].hits
            if add is not None:
                hits = add(g, seat, hits)
    return hits


def bare_damage(g: Draft, seat: Seat) -> None:
    """Cards that hurt without a claw hit those whom claws would have hit; that is no attack (DEF-ATTACK-2)."""
    amount, cites = explained(g, "bare_damage", seat, 0)
    targets = targets_of(g, seat) if amount else []
    if targets:
        deal(g, [hit(target, amount, seat, (*cites, "DEF-ATTACK-2")) for target in targets], seat)
