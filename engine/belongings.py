"""What lies before the players: laying cards down, taking them away, what lies on them, and what they act as."""

from __future__ import annotations

from typing import Any

from engine.draft import Draft, Rulings
from engine.state import HEARTS, CardId, CardInPlay, Copy, Player, Seat, State
from engine.windows import explained


def lying(state: State, seat: Seat, card: CardId) -> CardInPlay | None:
    """The card before this player, the first where there are two."""
    return next((each for each in state.players[seat].cards if each.card == card), None)


def lay(g: Draft, seat: Seat, card: CardInPlay) -> None:
    _set(g, seat, (*g.players[seat].cards, card))


def take_away(g: Draft, seat: Seat, card: CardId) -> CardInPlay:
    """Take a card from before a player; the caller says where it goes."""
    cards = g.players[seat].cards
    at = next(index for index, each in enumerate(cards) if each.card == card)
    _set(g, seat, (*cards[:at], *cards[at + 1 :]))
    return cards[at]


def discard_card(g: Draft, rulings: Rulings, seat: Seat, card: CardId) -> None:
    """Take a card from before a player to the discards (BUY-7)."""
    g.discard = (*g.discard, card)
    g.move_card("card_discarded", (*rulings, "BUY-7"), card, g.players[seat].id, "discard")
    take_away(g, seat, card)


def discard_all(g: Draft, rulings: Rulings, seat: Seat) -> None:
    for each in g.players[seat].cards:
        g.discard = (*g.discard, each.card)
        g.move_card("card_discarded", (*rulings, "BUY-7"), each.card, g.players[seat].id, "discard")
    if g.players[seat].cards:
        _set(g, seat, ())


def change_card(g: Draft, kind: str, rulings: Rulings, seat: Seat, card: CardId, field: str, to: Any) -> None:
    """Set what lies on a card, what it copies or what was paid for it, and log it."""
    cards = g.players[seat].cards
    at = next(index for index, each in enumerate(cards) if each.card == card)
    before = getattr(cards[at], field)
    if before == to:
        return
    g.edit(seat).cards = (*cards[:at], cards[at]._replace(**{field: to}), *cards[at + 1 :])
    g.emit(kind, rulings, player=g.players[seat].id, card=card, field=field, **{"from": _plain(before)}, to=_plain(to))
    if field == "copies":
        refresh(g)


def _plain(value: Any) -> Any:
    return value._asdict() if isinstance(value, Copy) else value


def _set(g: Draft, seat: Seat, cards: tuple[CardInPlay, ...]) -> None:
    g.edit(seat).cards = cards
    refresh(g)


# What cards act as


def faces_of(state: State, player: Player) -> tuple[tuple[CardId, CardId], ...]:
    """(acting card, card lying there): each card as itself, and as what it copies while that is a legal target."""
    found: list[tuple[CardId, CardId]] = []
    for each in player.cards:
        found.append((each.card, each.card))
        if each.copies is not None and state.rules.may_copy(state, player, each.copies):
            found.append((each.copies.card, each.card))
    return tuple(found)


def refresh(g: Draft) -> None:
    """Work out anew what everybody's cards act as, and what follows from it at once."""
    _bring_tokens_home(g)
    for seat, player in enumerate(g.players):
        faces = faces_of(g, player)
        if faces != player.faces:
            lost = list(player.faces)
            for each in faces:
                if each in lost:
                    lost.remove(each)
            g.edit(seat).faces = faces
            _settle_hearts(g, seat, [face for face, _ in lost])


def _bring_tokens_home(g: Draft) -> None:
    """A copy ends when its card is gone or may no longer be copied; what lay on it goes too (CARD-MIMIC-3)."""
    for seat, player in enumerate(g.players):
        for each in player.cards:
            if each.copies is not None and not g.rules.may_copy(g, player, each.copies):
                cites = ("CARD-MIMIC-3",)
                if each.charges is not None:
                    change_card(g, "charges_removed", cites, seat, each.card, "charges", None)
                change_card(g, "copy_ended", cites, seat, each.card, "copies", None)


def _settle_hearts(g: Draft, seat: Seat, lost: list[CardId]) -> None:
    """The maximum follows the cards; a lost card may cost hearts (RESOLVE-HEART-4)."""
    if g.players[seat].eliminated:
        return
    most, cites = explained(g, "max_hearts", seat, HEARTS)
    losses = g.rules.adjusters.get("heart_loss", {})
    before = g.players[seat].max_hearts
    gone = tuple(g.rules.cards[face].ruling for face in lost if face in losses)
    g.change("max_hearts_changed", (*cites, *gone, "RESOLVE-HEART-4"), seat, "max_hearts", most)
    for face in lost:
        if face in losses and most != before:
            hearts = max(0, losses[face](g, seat, g.players[seat].hearts))
            g.change("hearts_lost", (*gone, "G-31"), seat, "hearts", hearts)
    if not g.players[seat].hearts:
        g.push(("death.toll", {"seats": [seat], "by_claws": []}))
