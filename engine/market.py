"""The market: buying, sweeping, refilling, and what becomes of the deck and the discards."""

from __future__ import annotations

from engine import rng
from engine.actions import DECK, MARKET, Action, Buy, EndTurn, Peek, Sell, Sweep
from engine.draft import Draft, Rulings
from engine.frames import question, step
from engine.state import MARKET_SIZE, CardId, CardInPlay, Seat, State
from engine.windows import adjusted, open_window

SWEEP_PRICE = 2


def price_of(state: State, seat: Seat, card: CardId) -> int:
    """What the card costs this buyer (BUY-2)."""
    return max(0, adjusted(state, "price", seat, state.rules.cards[card].cost))


def pay(g: Draft, rulings: Rulings, seat: Seat, amount: int) -> None:
    g.change("energy_paid", rulings, seat, "energy", g.players[seat].energy - amount)


# The buy phase


@step("buy.phase")
def buy_phase(g: Draft) -> None:
    """Buying comes after the dice, and after entering where that is a phase of its own (BUY-1)."""
    g.phase = "buy"
    g.push(("buy.ask", {}))


@question("buy.ask", then="buy.answer")
def buy_ask(g: Draft) -> None:
    """Buy, sweep, in any order, until the active player ends the turn (BUY-1, BUY-6)."""
    g.ask(g.active, "buy", ("BUY-1", "BUY-6", "BUY-9"))


@step("buy.answer")
def buy_answer(g: Draft, answer: Action) -> None:
    if isinstance(answer, EndTurn):
        g.emit("buying_ended", ("BUY-1",), player=answer.player)
        return
    g.push(("buy.ask", {}))
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


def buy_from_market(g: Draft, seat: Seat, card: CardId) -> None:
    price = price_of(g, seat, card)
    slot = g.market.index(card)
    take_card(g, seat, card, "market", price)
    g.market = (*g.market[:slot], *g.market[slot + 1 :])
    g.push(("market.gained", {"seat": seat, "card": card}))
    open_window(g, "buying", [seat], bought=card)
    reveal(g, slot)


def take_card(g: Draft, seat: Seat, card: CardId, source: str, price: int) -> None:
    """Pay for a card and lay it before the buyer."""
    record = g.rules.cards[card]
    buyer = g.players[seat]
    pay(g, ("BUY-2",), seat, price)
    rulings = ("BUY-2", "CARDTYPE-1" if record.keep else "CARDTYPE-2")
    lying = CardInPlay(card, record.charges, None, price if g.rules.keeps_price and record.keep else None)
    g.set_cards(seat, (*buyer.cards, lying))
    g.move_card("card_bought", rulings, card, source, buyer.id, price=price)


@step("market.gained")
def market_gained(g: Draft, seat: Seat, card: CardId) -> None:
    """The card takes effect; a Discard card goes to the discards when it is done (CARDTYPE-2)."""
    record = g.rules.cards[card]
    g.push(("market.offer", {}))
    if not record.keep:
        g.push(("market.used_up", {"seat": seat, "card": card}))
    listening = record.on.get("gained")
    if listening is not None:
        g.push((listening.step, {"seat": seat, "card": card}))


@step("market.used_up", kept=True)
def market_used_up(g: Draft, seat: Seat, card: CardId) -> None:
    """A Discard card whose effect is done is discarded (CARDTYPE-2, BUY-7)."""
    if any(lying.card == card for lying in g.players[seat].cards):
        discard_card(g, ("CARDTYPE-2", "BUY-7"), seat, card)


def discard_card(g: Draft, rulings: Rulings, seat: Seat, card: CardId) -> None:
    """Take a card from before a player to the discards."""
    player = g.players[seat]
    at = next(index for index, lying in enumerate(player.cards) if lying.card == card)
    g.discard = (*g.discard, card)
    g.move_card("card_discarded", rulings, card, player.id, "discard")
    g.set_cards(seat, (*player.cards[:at], *player.cards[at + 1 :]))


@step("market.offer")
def market_offer(g: Draft) -> None:
    """New cards in the market: others may want them before the active player goes on."""
    cards = [card for card in g.marks.get("revealed", ()) if card in g.market]
    if cards:
        open_window(g, "revealed", (seat for seat in g.clockwise(g.active) if seat != g.active), cards=cards)


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
    g.market = (*g.market[:slot], card, *g.market[slot:])
    g.mark("revealed", (*g.marks.get("revealed", ()), card))
    g.move_card("card_revealed", ("BUY-3", "BUY-4"), card, "deck", "market")


def reshuffle(g: Draft) -> bool:
    """An empty deck is made of the discards again, where the edition keeps them (BUY-7, BUY-8, G-18)."""
    if not g.discard or not g.rules.discards_return:
        return False
    g.deck = rng.shuffled(g.seed, g.draws, g.discard)
    g.draws += 1
    g.discard = ()
    g.emit("deck_reshuffled", ("BUY-8", "G-18"), count=len(g.deck))
    return True
