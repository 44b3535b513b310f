"""Keep cards that make claws, strengthen attacks, or choose whom they hit."""

from __future__ import annotations

from engine.cards.model import KEEP, Adjust, Card, Cites, card
from engine.damage import Hit, deal, hit
from engine.draft import Draft
from engine.frames import listener
from engine.state import CardId, Seat, State
from engine.tokyo import tokyo_empty
from engine.windows import copies_of, is_first

# Rulings behind what these cards do


def always(*rulings: str) -> Cites:
    return lambda state, seat, what: rulings


def by_dice(with_claw: tuple[str, ...], without: tuple[str, ...]) -> Cites:
    """What stands behind added damage depends on whether the dice show a claw."""
    return lambda state, seat, what: with_claw if "claw" in state.dice else without


def nova_cites(state: State, seat: Seat, what: str) -> tuple[str, ...]:
    if tokyo_empty(state):
        return ("CARD-NOVA-BREATH-2",)
    inside = [player for player in state.players if player.in_tokyo]
    return ("CARD-NOVA-BREATH-3",) if state.players[seat].in_tokyo and len(inside) > 1 else ()


# What they do


def plus(amount: int) -> Adjust:
    return lambda state, seat, value: value + amount


def plus_in_tokyo(state: State, seat: Seat, value: int) -> int:
    return value + 1 if state.players[seat].in_tokyo else value


def plus_two_on_three_twos(state: State, seat: Seat, value: int) -> int:
    return value + 2 if state.dice.count("2") >= 3 else value


def everyone_else(state: State, seat: Seat) -> list[Seat]:
    return [other for other in state.clockwise(seat) if other != seat]


def stronger(each: Hit, *rulings: str) -> Hit:
    new = [ruling for ruling in rulings if ruling not in each["rulings"]]
    return {**each, "amount": each["amount"] + 1, "rulings": [*each["rulings"], *new]}


def hits_on_tokyo(g: Draft, seat: Seat, hits: list[Hit]) -> list[Hit]:
    """Attacking Tokyo from outside hurts those in it one more (CARD-BURROW-1)."""
    if g.players[seat].in_tokyo:
        return hits
    cites = ("CARD-BURROWING", "CARD-BURROW-1", "G-29")
    return [stronger(each, *cites) if g.players[each["seat"]].in_tokyo else each for each in hits]


def neighbours(state: State, seat: Seat) -> list[Seat]:
    """The living monsters to the left and to the right; a sole opponent is one neighbour (DEF-NEIGHBOUR-1, G-27)."""
    others = everyone_else(state, seat)
    return others if len(others) < 2 else [others[0], others[-1]]


FIRE = (
    "CARD-FIRE-BREATHING", "CARD-FIREBREATH-1", "CARD-FIREBREATH-2", "CARD-FIREBREATH-3", "CARD-FIRE-BREATHING-2",
    "CARD-FIRE-BREATHING-3", "DEF-NEIGHBOUR-1", "G-27",
)  # fmt: skip


def fire_on_targets(g: Draft, seat: Seat, hits: list[Hit]) -> list[Hit]:
    """Neighbours the attack hurts anyway are hurt one more (CARD-FIREBREATH-1)."""
    near = neighbours(g, seat)
    return [stronger(each, *FIRE) if each["seat"] in near else each for each in hits]


def fire_on_neighbours(g: Draft, seat: Seat, hits: list[Hit]) -> list[Hit]:
    """Both neighbours are hurt one more; one whom the claws miss is burnt by itself, which is no attack."""
    burnt = fire_on_targets(g, seat, hits)
    missed = [other for other in neighbours(g, seat) if all(each["seat"] != other for each in hits)]
    cites = (*FIRE, "YIELD-6", "DEF-ATTACK-4")
    return [*burnt, *(hit(other, 1, seat, cites) for other in missed)]


ACID_CITES = by_dice(("CARD-ACID-ATTACK-3",), ("CARD-ACID-ATTACK-2",))
QUILLS_CITES = by_dice((), ("CARD-POISON-QUILLS-2",))

FIRST: tuple[Card, ...] = (
    card("acid_attack", 6, KEEP, adjust={"bare_damage": plus(1)}, cites=ACID_CITES),
    card("alpha_monster", 5, KEEP, on={"attacking": "alpha_monster.score"}),
    card("burrowing", 5, KEEP, hits=hits_on_tokyo, on={"parting": "burrowing.part"}),
    card("fire_breathing", 4, KEEP, hits=fire_on_targets),
    card("nova_breath", 7, KEEP, targets=everyone_else, cites=nova_cites),
    card("poison_quills", 3, KEEP, adjust={"bare_damage": plus_two_on_three_twos}, cites=QUILLS_CITES),
    card("spiked_tail", 5, KEEP, adjust={"more_damage": plus(1)}, cites=always("CARD-SPIKED-TAIL-2", "CARDGEN-3")),
    card(
        "urbavore", 4, KEEP, adjust={"more_damage": plus_in_tokyo}, on={"turn_started": "urbavore.score"},
        cites=always("CARD-URBAVORE-2", "CARDGEN-3"),
    ),
)  # fmt: skip

BY_ID = {each.id: each for each in FIRST}
FIRE_ON_NEIGHBOURS = BY_ID["fire_breathing"].but(hits=fire_on_neighbours)

SECOND: tuple[Card, ...] = (
    BY_ID["acid_attack"].but(adjust={"claws": plus(1)}),
    BY_ID["burrowing"].but(adjust={"claws": plus_in_tokyo}, hits=None, cites=always("CARD-BURROW-1", "G-29")),
    FIRE_ON_NEIGHBOURS,
    BY_ID["poison_quills"].but(adjust={"claws": plus_two_on_three_twos}),
    BY_ID["spiked_tail"].but(adjust={"more_claws": plus(1)}),
    BY_ID["urbavore"].but(adjust={"more_claws": plus_in_tokyo}),
)


@listener("alpha_monster.score")
def alpha_score(g: Draft, seat: Seat, card: CardId) -> None:
    """A point for attacking, whoever is hit (CARDGEN-3, DEF-ATTACK-1)."""
    g.gain_vp(("CARD-ALPHA-MONSTER", "CARD-ALPHA-MONSTER-2", "CARDGEN-3", "DEF-ATTACK-1"), seat, 1)


@listener("urbavore.score")
def urbavore_score(g: Draft, seat: Seat, card: CardId) -> None:
    """One more point for starting a turn in Tokyo (TURN-2)."""
    if g.players[seat].in_tokyo:
        g.gain_vp(("CARD-URBAVORE", "TURN-2"), seat, 1)


@listener("burrowing.part")
def burrowing_part(g: Draft, seat: Seat, card: CardId, attacker: Seat) -> None:
    """Whoever takes Tokyo from a monster that burrows away is hurt first (CARD-BURROWING-2, G-29)."""
    if is_first(g, seat, "burrowing", card):
        cites = ("CARD-BURROWING", "CARD-BURROWING-2", "CARD-BURROWING-3", "G-29")
        deal(g, [hit(attacker, copies_of(g, seat, "burrowing"), seat, cites)], seat)
