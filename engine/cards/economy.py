"""Keep cards about energy: what it buys, where it comes from, where it is kept. Ways to buy are in trade.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.actions import Action, Load, Pass, Sell
from engine.belongings import change_card, discard_card, lying
from engine.cards.model import KEEP, Ability, Card, Listener, Refusal, card
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import listener, question, step
from engine.market import pay
from engine.resolve import gain_energy, take_energy
from engine.state import CardId, Seat, State
from engine.windows import copies_of, is_first

SOLAR: Final = 4
WITHDRAWAL: Final = 2
WITHDRAWING = (Listener("monster_batteries.pay", 0), Listener("monster_batteries.spent", 1))
LOAD_LIMIT: Final = 100  # what can be put on a card at once: more cubes than any table has (CARD-MONSTER-BATTERIES-4)


# Monster Batteries


def load_refusal(state: State, seat: Seat, action: Load) -> Violation | None:
    energy = state.players[seat].energy
    if action.amount > energy:
        return Violation("too_expensive", "CARD-MONSTER-BATTERIES", "/amount", f"there are {energy} energy to load")
    if action.amount > LOAD_LIMIT:
        return Violation("too_many_charges", "CARD-MONSTER-BATTERIES-4", "/amount", f"{LOAD_LIMIT} are the most")
    return None


def load_offers(state: State, seat: Seat) -> Iterable[Action]:
    player = state.players[seat]
    return tuple(Load(player.id, amount) for amount in range(min(LOAD_LIMIT, player.energy) + 1))


def _nothing(g: Draft, seat: Seat, action: object) -> None:
    """The step that asked does it."""


@question("monster_batteries.load", then="monster_batteries.loaded")
def batteries_load(g: Draft, seat: Seat, card: CardId) -> None:
    """First deck: the owner puts energy of its own on the card, and the bank adds as much."""
    if ("monster_batteries", card) not in g.players[seat].faces:
        return
    if g.players[seat].energy:
        g.ask(seat, "load", loading(card))
    else:
        load(g, seat, card, 0)


@step("monster_batteries.loaded")
def batteries_loaded(g: Draft, answer: Action, seat: Seat, card: CardId) -> None:
    assert isinstance(answer, Load)
    load(g, seat, card, answer.amount)


def loading(card: CardId) -> Rulings:
    """Rulings behind filling the card, or a copy of it (CARD-MIMIC-5)."""
    cites = ("CARD-MONSTER-BATTERIES", "CARD-MONSTER-BATTERIES-2")
    return cites if card == "monster_batteries" else (*cites, "CARD-MONSTER-BATTERIES-3", "CARD-MIMIC-5")


def load(g: Draft, seat: Seat, card: CardId, amount: int) -> None:
    """Nothing put on it means the card is discarded at once, be it a copy (CARD-MIMIC-9)."""
    cites = loading(card)
    if not amount:
        cites = cites if card == "monster_batteries" else (*cites, "CARD-MIMIC-9")
        discard_card(g, cites, seat, card)
        return
    pay(g, cites, seat, amount)
    change_card(g, "charges_placed", cites, seat, card, "charges", 2 * amount)


@step("monster_batteries.fill")
def batteries_fill(g: Draft, seat: Seat, card: CardId) -> None:
    """Second deck: the card comes with energy from the bank."""
    if ("monster_batteries", card) in g.players[seat].faces:
        charges = g.rules.cards["monster_batteries"].charges
        change_card(g, "charges_placed", loading(card), seat, card, "charges", charges)


@listener("monster_batteries.pay")
def batteries_pay(g: Draft, seat: Seat, card: CardId) -> None:
    """Two energy at the start of one's turn, which is no gain (CARD-CHILDREN-1)."""
    charges = charges_on(g, seat, card)
    taken = min(WITHDRAWAL, charges)
    cites: Rulings = ("CARD-MONSTER-BATTERIES", "TURN-3")
    if copies_of(g, seat, "friend_of_children"):
        cites += ("CARD-MONSTER-BATTERIES-3", "CARD-CHILDREN-1")
    if taken:
        change_card(g, "charge_spent", cites, seat, card, "charges", charges - taken)
        take_energy(g, "energy_withdrawn", cites, seat, taken)


@listener("monster_batteries.spent")
def batteries_spent(g: Draft, seat: Seat, card: CardId) -> None:
    """Empty cards are discarded when all have paid, a copy before the card it copies (CARD-MIMIC-6, CARD-MIMIC-9)."""
    filled = [lying for face, lying in g.players[seat].faces if face == "monster_batteries"]
    for each in sorted(filled, key=lambda each: each == "monster_batteries"):
        if not charges_on(g, seat, each):
            cites = ("CARD-MONSTER-BATTERIES",)
            discard_card(g, cites if each == "monster_batteries" else (*cites, "CARD-MIMIC-9"), seat, each)


def charges_on(state: State, seat: Seat, card: CardId) -> int:
    found = lying(state, seat, card)
    return 0 if found is None else found.charges or 0


# Solar Powered


@listener("solar_powered.shine")
def solar_shine(g: Draft, seat: Seat, card: CardId) -> None:
    """One energy at the end of one's turn if there is none (CARD-SOLAR-1); two copies see the same none."""
    if seat != g.active or not is_first(g, seat, "solar_powered", card) or g.players[seat].energy:
        return
    cites: Rulings = ("CARD-SOLAR-POWERED", "CARD-SOLAR-1", "END-1", "G-45")
    if copies_of(g, seat, "friend_of_children"):
        cites += ("CARD-CHILDREN-1",)
    for _ in range(copies_of(g, seat, "solar_powered")):
        gain_energy(g, cites, seat, 1)


# Metamorph


def sell_refusal(kind: str) -> Refusal:
    def refusal(state: State, seat: Seat, action: Sell) -> Violation | None:
        if state.decision is None or state.decision.kind != kind:
            return Violation("not_awaited", "CARD-METAMORPH-1", "/type", "cards cannot be sold at this moment")
        if lying(state, seat, action.card) is None:
            return Violation("card_not_owned", "CARD-METAMORPH-2", "/card", f"{action.card} is not yours")
        return None

    return refusal


def selling(kind: str) -> Ability:
    refusal = sell_refusal(kind)

    def offers(state: State, seat: Seat) -> Iterable[Action]:
        player = state.players[seat]
        every = (Sell(player.id, each) for each in dict.fromkeys(found.card for found in player.cards))
        return tuple(each for each in every if refusal(state, seat, each) is None)

    return Ability(refusal, offers, sell_act)


def sell_act(g: Draft, seat: Seat, action: Sell) -> None:
    """The card is discarded for its cost, or what it was bought for where the edition says so (CARD-METAMORPH-3)."""
    found = lying(g, seat, action.card)
    assert found is not None
    refund = g.rules.cards[action.card].cost if found.paid is None else found.paid
    cites: Rulings = ("CARD-METAMORPH", "CARD-METAMORPH-1", "CARD-METAMORPH-2", "CARD-METAMORPH-3", "CARD-METAMORPH-4")
    if copies_of(g, seat, "friend_of_children"):
        cites += ("CARD-CHILDREN-1",)
    take_energy(g, "energy_refunded", cites, seat, refund)
    discard_card(g, cites, seat, action.card)


@question("metamorph.offer", then="metamorph.answer")
def metamorph_offer(g: Draft, seat: Seat, card: CardId) -> None:
    """After the buy phase the owner may sell its cards, one after the other (CARD-METAMORPH-1, G-35)."""
    if is_first(g, seat, "metamorph", card):
        g.ask(seat, "sell", ("CARD-METAMORPH", "CARD-METAMORPH-1"))


@step("metamorph.answer")
def metamorph_answer(g: Draft, answer: Action, seat: Seat, card: CardId) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-METAMORPH",), player=answer.player)
        return
    assert isinstance(answer, Sell)
    g.push(("metamorph.offer", {"seat": seat, "card": card}))
    sell_act(g, seat, answer)


BATTERIES = card(
    "monster_batteries", 2, KEEP, charges=6, can={"load": Ability(load_refusal, load_offers, _nothing)},
    on={"loaded": "monster_batteries.load", "turn_starting": WITHDRAWING},
)  # fmt: skip

METAMORPH = card("metamorph", 3, KEEP, can={"sell": selling("sell")}, on={"turn_ending": "metamorph.offer"})
METAMORPH_IN_BUY_PHASE = METAMORPH.but(can={"sell": selling("buy")}, on={})

FIRST: tuple[Card, ...] = (
    card("alien_metabolism", 3, KEEP, adjust={"price": lambda state, seat, price: price - 1}),
    card("friend_of_children", 3, KEEP, adjust={"energy_gain": lambda state, seat, energy: energy + 1}),
    METAMORPH,
    BATTERIES,
    card("solar_powered", 2, KEEP, on={"turn_end": Listener("solar_powered.shine", SOLAR)}),
)

SECOND: tuple[Card, ...] = (
    BATTERIES.but(cost=3, can={}, on={"loaded": "monster_batteries.fill", "turn_starting": WITHDRAWING}),
)
