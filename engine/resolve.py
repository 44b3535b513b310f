"""Resolving the dice: numbers, energy, hearts and claws, in the order the active player named."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action, Hearts
from engine.draft import Draft, Rulings
from engine.frames import question, step
from engine.state import Seat, State
from engine.windows import adjusted, open_window

HEART_RULINGS = ("RESOLVE-HEART-1", "RESOLVE-HEART-5")


@step("resolve.begin")
def resolve_begin(g: Draft, order: list[str]) -> None:
    """The dice are final; each group takes effect in the named order (RESOLVE-1, RESOLVE-2)."""
    g.phase = "resolve"
    g.emit("resolving", ("RESOLVE-1", "RESOLVE-2", "ROLL-7"), player=g.players[g.active].id, order=order)
    g.push(*((f"resolve.{group}", {}) for group in order))
    open_window(g, "dice_locked", [g.active])


# Numbers


def triple_vp(number: int, count: int) -> int:
    """Three of a number score it once; each further one adds a point (RESOLVE-VP-1, RESOLVE-VP-2)."""
    return number + count - 3 if count >= 3 else 0


@step("resolve.numbers")
def resolve_numbers(g: Draft) -> None:
    for number in (1, 2, 3):
        count = g.dice.count(str(number))  # type: ignore[arg-type]
        if not count:
            continue
        vp = triple_vp(number, count)
        if not vp:
            g.emit("numbers_ignored", ("RESOLVE-VP-3",), player=g.players[g.active].id, number=number, count=count)
            continue
        cites = ("RESOLVE-VP-1", "RESOLVE-VP-4") if count == 3 else ("RESOLVE-VP-1", "RESOLVE-VP-2", "RESOLVE-VP-4")
        g.gain_vp(cites, g.active, vp)
        open_window(g, "numbers_scored", [g.active], number=number, count=count)


# Energy


@step("resolve.energy")
def resolve_energy(g: Draft) -> None:
    """One energy per face (RESOLVE-ENERGY-1), kept until spent (RESOLVE-ENERGY-2)."""
    gain_energy(g, ("RESOLVE-ENERGY-1", "RESOLVE-ENERGY-2"), g.active, g.dice.count("energy"))


def gain_energy(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    """Gain energy in one go; the bank never runs out (COMP-8, G-20)."""
    if amount:
        total = adjusted(g, "energy_gain", seat, amount)
        g.change("energy_gained", rulings, seat, "energy", g.players[seat].energy + total)


# Hearts


@question("resolve.hearts", then="hearts.answer")
def resolve_hearts(g: Draft) -> None:
    """Hearts heal or remove tokens outside Tokyo and do nothing in it; a real choice is asked (RESOLVE-HEART-1, -2, -5)."""
    count = g.dice.count("heart")
    if not count:
        return
    ways = heart_ways(g, g.active, count)
    if len(ways) > 1:
        g.ask(g.active, "hearts", HEART_RULINGS, count=count)
    elif ways:
        spend_hearts(g, g.active, count, ways[0])
    else:
        g.emit("hearts_ignored", _useless_hearts(g), player=g.players[g.active].id, count=count)


def _useless_hearts(g: Draft) -> Rulings:
    player = g.players[g.active]
    if not player.in_tokyo:
        return ("RESOLVE-HEART-4", "G-38")
    tokens = player.poison or player.shrink
    return ("RESOLVE-HEART-2", "RESOLVE-HEART-6") if tokens else ("RESOLVE-HEART-2", "TOKYO-EFFECT-1")


@step("hearts.answer")
def hearts_answer(g: Draft, answer: Action) -> None:
    assert isinstance(answer, Hearts)
    count = g.dice.count("heart")
    spend_hearts(g, g.active, count, settled(g, g.active, count, answer))


def settled(state: State, seat: Seat, count: int, answer: Hearts) -> Hearts:
    """What is left unallocated heals oneself as far as it can; what heals nobody is lost (G-38)."""
    player = state.players[seat]
    free = count - answer.spent + answer.heal
    lacking = 0 if player.in_tokyo else player.max_hearts - player.hearts
    return Hearts(answer.player, min(lacking, free), answer.poison, answer.shrink, answer.others)


def heart_ways(state: State, seat: Seat, count: int) -> list[Hearts]:
    """Every distinct way to spend the hearts; none is wasted that could help (G-39). No entry: all are useless."""
    return list(_ways(state, seat, count))


def _ways(state: State, seat: Seat, count: int) -> Iterator[Hearts]:
    player = state.players[seat]
    if player.in_tokyo:
        return
    lacking = player.max_hearts - player.hearts
    if not lacking and not player.poison and not player.shrink:
        return
    for poison in range(min(player.poison, count) + 1):
        for shrink in range(min(player.shrink, count - poison) + 1):
            heal = min(lacking, count - poison - shrink)
            spare = count - poison - shrink - heal
            if not spare or (poison == player.poison and shrink == player.shrink):
                yield Hearts(player.id, heal, poison, shrink)


def spend_hearts(g: Draft, seat: Seat, count: int, way: Hearts) -> None:
    player = g.players[seat]
    g.change("poison_removed", ("RESOLVE-HEART-5",), seat, "poison", player.poison - way.poison)
    g.change("shrink_removed", ("RESOLVE-HEART-5",), seat, "shrink", player.shrink - way.shrink)
    gain_hearts(g, ("RESOLVE-HEART-1", "RESOLVE-HEART-4"), seat, way.heal)
    lost = count - way.spent
    if lost > 0:
        g.emit("hearts_ignored", ("RESOLVE-HEART-4", "G-38"), player=player.id, count=lost)


def gain_hearts(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    """Gain hearts in one go, never above the maximum (RESOLVE-HEART-4)."""
    if amount:
        player = g.players[seat]
        total = min(player.max_hearts, player.hearts + adjusted(g, "heart_gain", seat, amount))
        g.change("healed", rulings, seat, "hearts", total)

