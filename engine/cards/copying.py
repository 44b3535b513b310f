"""The card that copies another. No other card knows that it exists: belongings.py works out what cards act as."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.actions import Action, CopyCard, Pass
from engine.belongings import change_card, lying
from engine.cards.model import KEEP, Ability, Card, card
from engine.draft import Draft
from engine.errors import Violation
from engine.frames import question, step
from engine.market import gain, load, pay
from engine.state import CardId, Copy, Seat, State

MOVE_PRICE: Final = 1


def targets(state: State, seat: Seat) -> list[Copy]:
    """The Keep cards in play that may be copied now: no copying card, not the one copied already (CARD-MIMIC-2)."""
    player = state.players[seat]
    mine = lying(state, seat, "mimic")
    current = None if mine is None else mine.copies
    every = (
        Copy(state.players[other].id, found)
        for other in state.clockwise(seat)
        for found in dict.fromkeys(each.card for each in state.players[other].cards)
        if found != "mimic" and state.rules.cards[found].keep
    )
    return [each for each in every if each != current and state.rules.may_copy(state, player, each)]


def copy_refusal(state: State, seat: Seat, action: CopyCard) -> Violation | None:
    if action.of in targets(state, seat):
        return None
    own = lies_there(state, action.of) and not state.rules.may_copy(state, state.players[seat], action.of)
    detail = f"{action.of.card} of {action.of.player} cannot be copied"
    return Violation("cannot_copy", "CARD-MIMIC-2" if own else "CARD-MIMIC-7", "/of", detail)


def lies_there(state: State, copied: Copy) -> bool:
    other = state.seat_of(copied.player)
    return other is not None and lying(state, other, copied.card) is not None


def copy_offers(state: State, seat: Seat) -> Iterable[Action]:
    player = state.players[seat].id
    return tuple(CopyCard(player, each) for each in targets(state, seat))


def copy_act(g: Draft, seat: Seat, action: CopyCard) -> None:
    """The copy is as a card just gained, with counters of its own (CARD-MIMIC-1, CARD-MIMIC-5).

    What it does on arrival lies below a death that giving up the last card may bring (G-31).
    """
    cites: tuple[str, ...] = ("CARD-MIMIC", "CARD-MIMIC-1", "CARD-MIMIC-2")
    if action.of.player == action.player:
        cites += ("CARD-MIMIC-6",)
    face = action.of.card
    if not g.rules.copies_counters:
        load(g, seat, face, "mimic")
    gain(g, seat, face, "mimic")
    change_card(g, "charges_removed", ("CARD-MIMIC-5",), seat, "mimic", "charges", None)
    change_card(g, "copied", cites, seat, "mimic", "copies", action.of)
    counters = counters_for(g, action.of)
    if counters is not None:
        change_card(g, "charges_placed", ("CARD-MIMIC-5", *cites), seat, "mimic", "charges", counters)


def counters_for(g: Draft, copied: Copy) -> int | None:
    """As many as lie on the copied card, or a full set, but for cards that are filled by a step (CARD-MIMIC-5)."""
    if g.rules.copies_counters:
        source = g.seat_of(copied.player)
        original = None if source is None else lying(g, source, copied.card)
        return None if original is None else original.charges
    record = g.rules.cards[copied.card]
    return None if "loaded" in record.on else record.charges


CARD: Card = card(
    "mimic", 8, KEEP, can={"copy": Ability(copy_refusal, copy_offers, copy_act)},
    on={"gained": "mimic.choose", "before_roll": "mimic.move"},
)  # fmt: skip


@question("mimic.choose", then="mimic.chosen")
def mimic_choose(g: Draft, seat: Seat, card: CardId) -> None:
    """On gaining it: choose a card to copy; one candidate is taken, none leaves it idle (CARD-MIMIC-1, G-32)."""
    if lying(g, seat, "mimic") is None:
        return
    found = targets(g, seat)
    if len(found) > 1:
        g.ask(seat, "copy", ("CARD-MIMIC", "CARD-MIMIC-1", "CARD-MIMIC-2"), must=True)
    elif found:
        copy_act(g, seat, CopyCard(g.players[seat].id, found[0]))
    else:
        g.emit("nothing_to_copy", ("CARD-MIMIC", "CARD-MIMIC-7", "G-32"), player=g.players[seat].id)


@step("mimic.chosen")
def mimic_chosen(g: Draft, answer: Action, seat: Seat, card: CardId) -> None:
    assert isinstance(answer, CopyCard)
    copy_act(g, seat, answer)


@question("mimic.move", then="mimic.moved")
def mimic_move(g: Draft, seat: Seat, card: CardId) -> None:
    """At the start of one's turn the copy may be moved for one energy (CARD-MIMIC-4, TURN-3)."""
    if lying(g, seat, "mimic") is not None and g.players[seat].energy >= MOVE_PRICE and targets(g, seat):
        g.ask(seat, "copy", ("CARD-MIMIC", "CARD-MIMIC-4", "TURN-3"))


@step("mimic.moved")
def mimic_moved(g: Draft, answer: Action, seat: Seat, card: CardId) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-MIMIC-4",), player=answer.player)
        return
    assert isinstance(answer, CopyCard)
    pay(g, ("CARD-MIMIC-4", "CARD-MIMIC"), seat, MOVE_PRICE)
    copy_act(g, seat, answer)
