"""The market: buying, sweeping, refilling, and what becomes of the deck and the discards."""

from __future__ import annotations

from typing import Final

from engine.actions import DECK, MARKET, Action, Buy, EndTurn, Peek, Sell, Sweep
from engine.belongings import change_card, discard_card, lay, lying, note_price
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import question, step
from engine.state import MARKET_SIZE, CardId, CardInPlay, Frame, Seat, State
from engine.windows import adjusted, explained, open_window

SWEEP_PRICE: Final = 2
ASK: Final[Frame] = ("buy.ask", {})


def price_of(state: State, seat: Seat, card: CardId) -> int:
    """What the card costs this buyer (BUY-2)."""
    cost = state.rules.cards[card].cost
    return max(0, adjusted(state, "price", seat, cost)) if "price" in state.hooks else cost


def explained_price(state: State, seat: Seat, card: CardId) -> tuple[int, Rulings]:
    """The same, with the rulings that changed it."""
    price, cites = explained(state, "price", seat, state.rules.cards[card].cost)
    return max(0, price), cites


def can_pay(state: State, seat: Seat, card: CardId) -> bool:
    return price_of(state, seat, card) <= state.players[seat].energy


def refuse_price(state: State, seat: Seat, card: CardId) -> Violation | None:
    if can_pay(state, seat, card):
        return None
    price, energy = price_of(state, seat, card), state.players[seat].energy
    return Violation("too_expensive", "BUY-2", "/card", f"{card} costs {price}, there are {energy} energy")


def pay(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    g.change("energy_paid", rulings, seat, "energy", g.players[seat].energy - amount)


# The buy phase


@step("buy.phase")
def buy_phase(g: Draft) -> None:
    """Buying comes after the dice, and after entering where that is a phase of its own (BUY-1)."""
    g.phase = "buy"
    g.pending.append(ASK)


@question("buy.ask", then="buy.answer")
def buy_ask(g: Draft) -> None:
    """Buy, sweep, in any order, until the active player ends the turn (BUY-1, BUY-6)."""
    g.ask(g.active, "buy", ("BUY-1", "BUY-6", "BUY-9"))


@step("buy.answer")
def buy_answer(g: Draft, answer: Action) -> None:
    if isinstance(answer, EndTurn):
        g.emit("buying_ended", ("BUY-1",), player=answer.player)
        return
    g.pending.append(ASK)
    g.mark("revealed", ())
    if isinstance(answer, Sweep):
        sweep(g)
    elif isinstance(answer, Buy):
        buy(g, g.active, answer)
    else:
        assert isinstance(answer, Peek | Sell)
        holder = next(face for face, _ in g.players[g.active].faces if answer.type in g.rules.cards[face].can)
        g.rules.cards[holder].can[answer.type].act(g, g.active, answer)


def buy(g: Draft, seat: Seat, answer: Buy) -> None:
    """Pay, take the card, refill its place, then its effect (BUY-2, BUY-3, CARDTYPE-1, CARDTYPE-2)."""
    if answer.from_ == MARKET:
        assert answer.card is not None
        buy_from_market(g, seat, answer.card)
    else:
        source = "deck" if answer.from_ == DECK else "player"
        holder = next(face for face, _ in g.players[seat].faces if f"buy_{source}" in g.rules.cards[face].can)
        g.rules.cards[holder].can[f"buy_{source}"].act(g, seat, answer)


def buy_from_market(g: Draft, seat: Seat, card: CardId, rulings: Rulings = ()) -> None:
    slot = g.market.index(card)
    g.market = (*g.market[:slot], *g.market[slot + 1 :])
    new = list(g.marks.get("revealed", ()))
    if card in new:
        new.remove(card)
        g.mark("revealed", tuple(new))
    take_card(g, seat, card, MARKET, rulings)
    reveal(g, slot)


def take_card(g: Draft, seat: Seat, card: CardId, source: str, rulings: Rulings = ()) -> None:
    """Pay for a card and lay it before the buyer; its effect follows when its place is refilled (BUY-2, BUY-3)."""
    record = g.rules.cards[card]
    price, discounts = explained_price(g, seat, card)
    pay(g, ("BUY-2", *discounts), seat, price)
    g.push(("market.gained", {"seat": seat, "card": card}))
    open_window(g, "buying", [seat], bought=card)
    kind = "CARDTYPE-1" if record.keep else "CARDTYPE-2"
    cites = ("BUY-2", kind, *rulings, *discounts)
    g.move_card("card_bought", cites, card, source, g.players[seat].id, price=price)
    lay(g, seat, CardInPlay(card))
    if record.charges is not None and "loaded" not in record.on:
        change_card(g, "charges_placed", (record.ruling, "COMP-4"), seat, card, "charges", record.charges)
    if record.keep and g.rules.keeps_price:
        note_price(g, seat, card, price)


@step("market.gained")
def market_gained(g: Draft, seat: Seat, card: CardId) -> None:
    """The card takes effect; a Discard card goes to the discards when it is done (CARDTYPE-2)."""
    record = g.rules.cards[card]
    g.push(("market.offer", {}))
    if not record.keep:
        g.push(("market.used_up", {"seat": seat, "card": card}))
    gain(g, seat, card, card)
    load(g, seat, card, card)


def load(g: Draft, seat: Seat, face: CardId, card: CardId) -> None:
    """What is done to fill a card that is new, bought or copied; `card` acts as `face`."""
    for listening in g.rules.cards[face].on.get("loaded", ())[::-1]:
        g.push((listening.step, {"seat": seat, "card": card, **listening.args}))


def gain(g: Draft, seat: Seat, face: CardId, card: CardId) -> None:
    """What a card does when it comes before a player; `card` acts as `face`."""
    for listening in g.rules.cards[face].on.get("gained", ())[::-1]:
        g.push((listening.step, {"seat": seat, "card": card, **listening.args}))


@step("market.used_up", kept=True)
def market_used_up(g: Draft, seat: Seat, card: CardId) -> None:
    """A Discard card whose effect is done is discarded (CARDTYPE-2, BUY-7)."""
    if lying(g, seat, card) is not None:
        discard_card(g, ("CARDTYPE-2",), seat, card)


@step("market.offer")
def market_offer(g: Draft) -> None:
    """New cards in the market: others may want them before the active player goes on (G-34).

    Every purchase opens a new round, in which all new cards still there are offered again; older rounds lapse.
    """
    cards = [card for card in g.marks.get("revealed", ()) if card in g.market]
    if cards and "revealed" in g.rules.listeners:
        number = g.marks.get("offers", 0) + 1
        g.mark("offers", number)
        others = (seat for seat in g.clockwise(g.active) if seat != g.active)
        open_window(g, "revealed", others, cards=cards, number=number)


# Sweeping and refilling


def sweep(g: Draft) -> None:
    """Two energy: the market goes to the discards and three new cards come (BUY-5)."""
    pay(g, ("BUY-5",), g.active, SWEEP_PRICE)
    for card in g.market:
        g.discard = (*g.discard, card)
        g.move_card("card_swept", ("BUY-5", "BUY-7"), card, "market", "discard")
    g.market = ()
    for slot in range(MARKET_SIZE):
        reveal(g, slot)
    g.push(("market.offer", {}))


def reveal(g: Draft, slot: int) -> None:
    """Turn up the top card into a place of the market; without one the market stays shorter (BUY-3, G-18, G-19)."""
    if not g.deck and not reshuffle(g):
        g.emit("market_not_refilled", ("BUY-8", "G-18", "G-19"), size=len(g.market))
        return
    card, g.deck = g.deck[0], g.deck[1:]
    if "peeked" in g.marks:
        g.marks = {name: value for name, value in g.marks.items() if name != "peeked"}
    g.market = (*g.market[:slot], card, *g.market[slot:])
    g.mark("revealed", (*g.marks.get("revealed", ()), card))
    g.move_card("card_revealed", ("BUY-3", "BUY-4"), card, "deck", "market")


def reshuffle(g: Draft) -> bool:
    """An empty deck is made of the discards again, where the edition keeps them (BUY-7, BUY-8, G-18)."""
    if not g.discard or not g.rules.discards_return:
        return False
    g.deck = g.shuffle(g.discard)
    g.discard = ()
    g.emit("deck_reshuffled", ("BUY-8", "G-18"), count=len(g.deck))
    return True
