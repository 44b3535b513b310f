"""Keep cards about further ways to buy: from the deck, out of turn, from other players."""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import DECK, Action, Buy, Pass, Peek
from engine.belongings import change_card, end_copy, lying, note_price, take_away
from engine.cards.model import KEEP, Ability, Card, card, if_allowed
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import question, step
from engine.market import buy_from_market, can_pay, explained_price, gain, pay, refuse_price, take_card
from engine.resolve import gain_energy
from engine.state import CardId, Copy, Seat, State
from engine.windows import copies_of, is_first, open_window

TENTACLES = (
    "CARD-PARASITIC-TENTACLES", "CARD-TENTACLES-1", "CARD-TENTACLES-2", "CARD-TENTACLES-3",
    "CARD-PARASITIC-TENTACLES-2", "CARD-PARASITIC-TENTACLES-3", "G-36",
)  # fmt: skip


# Made in a Lab


def peek_refusal(state: State, seat: Seat, action: Peek) -> Violation | None:
    if not state.deck:
        return Violation("deck_empty", "CARD-MADE-IN-A-LAB", "/type", "there is no card on top of the deck")
    if "peeked" in state.marks:
        return Violation("already_peeked", "CARD-MADE-IN-A-LAB-2", "/type", "the top card has been looked at")
    if state.marks.get("peeks", 0) >= copies_of(state, seat, "made_in_a_lab"):
        return Violation("used_up", "CARD-MADE-IN-A-LAB-2", "/type", "it works once a turn")
    return None


def peek_act(g: Draft, seat: Seat, action: Peek) -> None:
    """Look at the top card; nobody else sees it, and it is not revealed."""
    g.mark("peeks", g.marks.get("peeks", 0) + 1)
    g.mark("peeked", seat)
    cites = ("CARD-MADE-IN-A-LAB", "CARD-LAB-1", "CARD-MADE-IN-A-LAB-2")
    g.emit("peeked", cites, player=action.player)
    g.emit("seen", cites, player=action.player, top=g.deck[0], visible_to=[action.player])


def buy_deck_refusal(state: State, seat: Seat, action: Buy) -> Violation | None:
    if state.decision is None or state.decision.kind != "buy":
        return Violation("not_awaited", "CARD-MADE-IN-A-LAB", "/from", "it works in its owner's buy phase only")
    if "peeked" not in state.marks or not state.deck:
        return Violation("not_peeked", "CARD-MADE-IN-A-LAB", "/from", "the top card must be looked at first")
    if state.options.secrets == "sealed":
        return _refuse_named(action)
    if action.card not in (None, state.deck[0]):
        return Violation("not_on_top", "CARD-MADE-IN-A-LAB", "/card", f"{action.card} is not on top of the deck")
    return refuse_price(state, seat, state.deck[0])


def _refuse_named(action: Buy) -> Violation | None:
    """Where the deck is sealed no refusal may tell what lies on it: no name is taken, the price is asked later."""
    if action.card is None:
        return None
    return Violation("card_unnamed", "CARD-MADE-IN-A-LAB-3", "/card", "in a sealed game the top card is not named")


def buy_deck_offers(state: State, seat: Seat) -> Iterable[Action]:
    shown = state.deck[0] if state.deck and state.options.secrets == "open" else None
    action = Buy(state.players[seat].id, shown, DECK)
    return () if buy_deck_refusal(state, seat, action) else (action,)


def buy_deck_act(g: Draft, seat: Seat, action: Buy) -> None:
    """Buy the card that was looked at; one that turns out too dear in a sealed game stays (CARD-MADE-IN-A-LAB-3)."""
    g.marks = {name: value for name, value in g.marks.items() if name != "peeked"}
    if refuse_price(g, seat, g.deck[0]):
        g.emit("too_dear", ("CARD-MADE-IN-A-LAB", "BUY-2", "CARD-MADE-IN-A-LAB-3"), player=action.player)
        return
    card, g.deck = g.deck[0], g.deck[1:]
    take_card(g, seat, card, DECK, ("CARD-MADE-IN-A-LAB", "CARD-LAB-1"))


# Opportunist


@question("opportunist.offer", then="opportunist.answer")
def opportunist_offer(g: Draft, seat: Seat, card: CardId, cards: list[CardId], number: int) -> None:
    """New cards are offered to the owner before the active player goes on (CARD-OPPORTUNIST-1, -2)."""
    there = [each for each in cards if each in g.market]
    stale = number != g.marks.get("offers") or not is_first(g, seat, "opportunist", card)
    if stale or not there:
        return
    cites = ("CARD-OPPORTUNIST", "CARD-OPPORTUNIST-1", "CARD-OPPORTUNIST-2", "CARD-OPPORTUNIST-3", "G-34")
    if not any(can_pay(g, seat, each) for each in there):
        g.emit("offer_skipped", (*cites, "BUY-2"), player=g.players[seat].id, cards=there)
        return
    g.ask(seat, "offer", cites, cards=there)


@step("opportunist.answer")
def opportunist_answer(g: Draft, answer: Action, seat: Seat, card: CardId, cards: list[CardId], number: int) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-OPPORTUNIST",), player=answer.player)
        return
    assert isinstance(answer, Buy)
    assert answer.card is not None
    cites: Rulings = ("CARD-OPPORTUNIST", "CARD-OPPORTUNIST-1")
    if not g.rules.cards[answer.card].keep:
        cites += ("CARD-OPPORTUNIST-4",)
    buy_from_market(g, seat, answer.card, (*cites, *discounted(g, seat, answer.card)))


# Parasitic Tentacles


def discounted(state: State, seat: Seat, card: CardId) -> Rulings:
    """A discount holds for every way to buy (CARD-ALIEN-METABOLISM-2)."""
    return ("CARD-ALIEN-METABOLISM-2",) if "CARD-ALIEN-METABOLISM" in explained_price(state, seat, card)[1] else ()


def seller(state: State, seat: Seat, name: str) -> Seat | None:
    other = state.seat_of(name)
    return None if other in (None, seat) else other


def tentacles_refusal(state: State, seat: Seat, action: Buy) -> Violation | None:
    if state.decision is None or state.decision.kind != "buy":
        return Violation("not_awaited", "CARD-TENTACLES-2", "/from", "it works in its owner's buy phase only")
    other = seller(state, seat, action.from_)
    if other is None or action.card is None or lying(state, other, action.card) is None:
        return Violation("not_there", "CARD-TENTACLES-1", "/from", f"{action.from_} has no such card to sell")
    return refuse_price(state, seat, action.card)


def tentacles_offers(state: State, seat: Seat) -> Iterable[Action]:
    player = state.players[seat]
    every = (
        Buy(player.id, each, state.players[other].id)
        for other in state.clockwise(seat)
        if other != seat
        for each in dict.fromkeys(found.card for found in state.players[other].cards)
    )
    return tuple(each for each in every if tentacles_refusal(state, seat, each) is None)


def tentacles_act(g: Draft, seat: Seat, action: Buy) -> None:
    """The seller gets the price; what lies on the card comes along (CARD-TENTACLES-1, -3).

    A copy of this very card that has to end because its owner has bought it gives way to it: nothing new arrives.
    """
    assert action.card is not None
    other = seller(g, seat, action.from_)
    assert other is not None
    price, discounts = explained_price(g, seat, action.card)
    cites = (*TENTACLES, *discounts, *discounted(g, seat, action.card))
    pay(g, cites, seat, price)
    gain_energy(g, cites, other, price)
    replaces = any(each.copies == Copy(action.from_, action.card) for each in g.players[seat].cards)
    g.push(("parasitic_tentacles.gained", {"seat": seat, "card": action.card, "replaces": replaces}))
    open_window(g, "buying", [seat], bought=action.card)
    found = lying(g, other, action.card)
    if found is not None and found.copies is not None:
        end_copy(g, ("CARD-PARASITIC-TENTACLES-2", "CARD-MIMIC-8"), other, action.card)
    g.move_card("card_bought", cites, action.card, action.from_, action.player, price=price)
    hand_over(g, other, seat, action.card)
    if g.rules.keeps_price:
        note_price(g, seat, action.card, price)


def hand_over(g: Draft, giver: Seat, taker: Seat, card: CardId) -> None:
    """The card changes hands; a copy of it follows where that is legal, and ends where it is not."""
    names = g.players[giver].id, g.players[taker].id
    found = lying(g, giver, card)
    assert found is not None
    g.edit(taker).cards = (*g.players[taker].cards, found)
    copiers = [
        (seat, each.card)
        for seat, player in enumerate(g.players)
        for each in player.cards
        if each.copies == Copy(names[0], card)
    ]
    alone = sum(each.card == card for each in g.players[giver].cards) == 1
    for seat, copier in copiers:
        if g.rules.may_copy(g, g.players[seat], Copy(names[1], card)):
            change_card(g, "copy_followed", ("CARD-MIMIC-8",), seat, copier, "copies", Copy(names[1], card))
        elif alone:
            end_copy(g, ("CARD-MIMIC-8", "CARD-MIMIC-3"), seat, copier)
    take_away(g, giver, card)


@step("parasitic_tentacles.gained")
def tentacles_gained(g: Draft, seat: Seat, card: CardId, replaces: bool) -> None:
    """What the card does on coming to a player it does for the buyer, but it is not filled again.

    A card that takes the place of the buyer's own copy of it brings nothing new (CARD-MIMIC-8).
    """
    if lying(g, seat, card) is not None and not (replaces and copies_of(g, seat, card) < 2):
        gain(g, seat, card, card)


CARDS: tuple[Card, ...] = (
    card(
        "made_in_a_lab", 2, KEEP,
        can={
            "peek": Ability(peek_refusal, if_allowed(Peek, peek_refusal), peek_act),
            "buy_deck": Ability(buy_deck_refusal, buy_deck_offers, buy_deck_act),
        },
    ),
    card("opportunist", 3, KEEP, on={"revealed": "opportunist.offer"}),
    card(
        "parasitic_tentacles", 4, KEEP,
        can={"buy_player": Ability(tentacles_refusal, tentacles_offers, tentacles_act)},
    ),
)  # fmt: skip
