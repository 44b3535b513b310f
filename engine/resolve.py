"""Resolving the dice: numbers, energy, hearts and claws, in the order the active player named."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.actions import Action, Hearts
from engine.draft import Draft, Rulings
from engine.frames import question, step
from engine.state import ENERGY_LIMIT, GROUPS, CardId, Frame, Order, Seat, State
from engine.windows import explained, open_window

# A group is resolved when some die shows it; claws always, for cards can add to none.
SHOWN_BY: Final[dict[str, frozenset[str]]] = {
    "numbers": frozenset({"1", "2", "3"}),
    "energy": frozenset({"energy"}),
    "hearts": frozenset({"heart"}),
}
NUMBERS: Final = ((1, "1"), (2, "2"), (3, "3"))
RESOLVING: Final[dict[str, Frame]] = {group: (f"resolve.{group}", {}) for group in GROUPS}
HEART_RULINGS: Final[Rulings] = ("RESOLVE-HEART-1", "RESOLVE-HEART-5")


@step("resolve.begin")
def resolve_begin(g: Draft, order: Order) -> None:
    """The dice are final; each group takes effect in the named order (RESOLVE-1, RESOLVE-2)."""
    g.phase = "resolve"
    g.emit("resolving", ("RESOLVE-1", "RESOLVE-2", "ROLL-7"), player=g.players[g.active].id, order=order)
    for group in reversed(order):
        if group == "claws" or not SHOWN_BY[group].isdisjoint(g.dice):
            g.pending.append(RESOLVING[group])
    if g.players[g.active].faces:
        open_window(g, "dice_locked", [g.active])


# Numbers


def triple_vp(number: int, count: int) -> int:
    """Three of a number score it once; each further one adds a point (RESOLVE-VP-1, RESOLVE-VP-2)."""
    return number + count - 3 if count >= 3 else 0


@step("resolve.numbers")
def resolve_numbers(g: Draft) -> None:
    for number, face in NUMBERS:
        count = g.dice.count(face)
        if count >= 3:
            score_triple(g, number, count)
        elif count:
            g.emit("numbers_ignored", ("RESOLVE-VP-3",), player=g.players[g.active].id, number=number, count=count)


def score_triple(g: Draft, number: int, count: int) -> None:
    cites = ("RESOLVE-VP-1", "RESOLVE-VP-4") if count == 3 else ("RESOLVE-VP-1", "RESOLVE-VP-2", "RESOLVE-VP-4")
    g.gain_vp(cites, g.active, triple_vp(number, count))
    open_window(g, "numbers_scored", [g.active], number=number, count=count)


# Energy


@step("resolve.energy")
def resolve_energy(g: Draft) -> None:
    """One energy per face (RESOLVE-ENERGY-1), kept until spent (RESOLVE-ENERGY-2)."""
    gain_energy(g, ("RESOLVE-ENERGY-1", "RESOLVE-ENERGY-2"), g.active, g.dice.count("energy"))


def gain_energy(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    """Gain energy in one go; the bank never runs out (COMP-8, G-20)."""
    if amount and g.players[seat].faces:
        amount, cites = explained(g, "energy_gain", seat, amount)
        rulings += cites
    take_energy(g, "energy_gained", rulings, seat, amount)


def take_energy(g: Draft, kind: str, rulings: Rulings, seat: Seat, amount: int) -> None:
    """Take energy without its being a gain; nobody has more than the limit."""
    g.change(kind, rulings, seat, "energy", min(ENERGY_LIMIT, g.players[seat].energy + amount))


# Hearts


@question("resolve.hearts", then="hearts.answer")
def resolve_hearts(g: Draft) -> None:
    """Hearts heal or remove tokens outside Tokyo and do nothing in it; a choice is asked (RESOLVE-HEART-1, -2, -5)."""
    count = g.dice.count("heart")
    if not count:
        return
    player = g.players[g.active]
    if not (player.faces or player.poison or player.shrink):
        heal_self(g, g.active, count)
        return
    ways = heart_ways(g, g.active, count)
    if len(ways) > 1:
        healer = healing_card(g, g.active)
        cites = () if healer is None else g.rules.cards[healer].rulings(g, g.active, "heal_others")
        g.ask(g.active, "hearts", (*HEART_RULINGS, *cites), count=count)
    elif ways:
        spend_hearts(g, g.active, count, ways[0])
    else:
        g.emit("hearts_ignored", _useless_hearts(g), player=g.players[g.active].id, count=count)


def heal_self(g: Draft, seat: Seat, count: int) -> None:
    """With no card and no token there is one thing to do with hearts (RESOLVE-HEART-1, RESOLVE-HEART-2)."""
    healed = min(lacking(g, seat), count)
    gain_hearts(g, ("RESOLVE-HEART-1", "RESOLVE-HEART-4"), seat, healed)
    if healed < count:
        g.emit("hearts_ignored", _useless_hearts(g), player=g.players[seat].id, count=count - healed)


def _useless_hearts(g: Draft) -> Rulings:
    player = g.players[g.active]
    if player.place == "outside":
        return ("RESOLVE-HEART-4", "G-38")
    tokens = player.poison or player.shrink
    return ("RESOLVE-HEART-2", "RESOLVE-HEART-6", "CARD-SHRINK-2") if tokens else ("RESOLVE-HEART-2", "TOKYO-EFFECT-1")


@step("hearts.answer")
def hearts_answer(g: Draft, answer: Action) -> None:
    assert isinstance(answer, Hearts)
    count = g.dice.count("heart")
    spend_hearts(g, g.active, count, settled(g, g.active, count, answer))


def settled(state: State, seat: Seat, count: int, answer: Hearts) -> Hearts:
    """What is left unallocated heals oneself as far as it can; what heals nobody is lost (G-38)."""
    free = count - answer.spent + answer.heal
    return Hearts(answer.player, min(lacking(state, seat), free), answer.poison, answer.shrink, answer.others)


def lacking(state: State, seat: Seat) -> int:
    """How many hearts of one's own dice can do oneself any good (RESOLVE-HEART-2, RESOLVE-HEART-4)."""
    player = state.players[seat]
    return player.max_hearts - player.hearts if player.place == "outside" else 0


def heart_ways(state: State, seat: Seat, count: int) -> list[Hearts]:
    """Every distinct way to spend the hearts (G-39): none that can help oneself is wasted; healing others is free."""
    player = state.players[seat]
    poison, shrink = (0, 0) if player.in_tokyo else (player.poison, player.shrink)
    healable = lacking(state, seat)
    ways: list[Hearts] = []
    for others in _gifts(_patients(state, seat), count):
        left = count - sum(number for _, number in others)
        for off_poison in range(min(poison, left) + 1):
            for off_shrink in range(min(shrink, left - off_poison) + 1):
                heal = min(healable, left - off_poison - off_shrink)
                spare = left - off_poison - off_shrink - heal
                if not spare or (off_poison == poison and off_shrink == shrink):
                    ways.append(_way(player.id, heal, off_poison, off_shrink, others))
    return ways if any(way.spent for way in ways) else []


@lru_cache(maxsize=4096)
def _way(player: str, heal: int, poison: int, shrink: int, others: tuple[tuple[str, int], ...]) -> Hearts:
    return Hearts(player, heal, poison, shrink, others)


def healing_card(state: State, seat: Seat) -> CardId | None:
    """The card, if any, that lets this player heal others with its dice."""
    return next((face for face, _ in state.players[seat].faces if "heal_others" in state.rules.cards[face].can), None)


def _patients(state: State, seat: Seat) -> list[tuple[str, int]]:
    """The monsters a card lets this player heal with its dice, and what each lacks."""
    if healing_card(state, seat) is None:
        return []
    others = [state.players[other] for other in state.clockwise(seat) if other != seat]
    return sorted((other.id, other.max_hearts - other.hearts) for other in others if other.hearts < other.max_hearts)


def _gifts(patients: list[tuple[str, int]], count: int) -> Iterator[tuple[tuple[str, int], ...]]:
    """Every way to give up to `count` hearts to others, no more to any than it lacks."""
    if not patients:
        yield ()
        return
    (name, lacks), rest = patients[0], patients[1:]
    for number in range(min(lacks, count) + 1):
        for more in _gifts(rest, count - number):
            yield ((name, number), *more) if number else more


def spend_hearts(g: Draft, seat: Seat, count: int, way: Hearts) -> None:
    player = g.players[seat]
    g.change("poison_removed", ("RESOLVE-HEART-5",), seat, "poison", player.poison - way.poison)
    g.change("shrink_removed", ("RESOLVE-HEART-5",), seat, "shrink", player.shrink - way.shrink)
    gain_hearts(g, ("RESOLVE-HEART-1", "RESOLVE-HEART-4"), seat, way.heal)
    healer = healing_card(g, seat)
    if way.others and healer is not None:
        g.rules.cards[healer].can["heal_others"].act(g, seat, way)
    lost = count - way.spent
    if lost > 0:
        g.emit("hearts_ignored", _useless_hearts(g), player=player.id, count=lost)


def gain_hearts(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    """Gain hearts in one go, never above the maximum (RESOLVE-HEART-4)."""
    player = g.players[seat]
    if amount and player.faces:
        amount, cites = explained(g, "heart_gain", seat, amount)
        rulings += cites
    g.change("healed", rulings, seat, "hearts", min(player.max_hearts, player.hearts + amount))
