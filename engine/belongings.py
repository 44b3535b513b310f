"""What lies before the players: laying cards down, taking them away, what lies on them, and what they act as."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from engine.draft import Draft, Rulings
from engine.state import HEARTS, CardId, CardInPlay, Copy, Player, Seat, State
from engine.windows import explained

if TYPE_CHECKING:
    from engine.editions.ruleset import Ruleset


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


def note_price(g: Draft, seat: Seat, card: CardId, price: int) -> None:
    """Remember what was paid for the card just gained; of two alike the first (CARD-METAMORPH-3)."""
    cards = g.players[seat].cards
    before = next(each.paid for each in reversed(cards) if each.card == card)
    at = next(index for index, each in enumerate(cards) if each.card == card and each.paid == before)
    if before == price:
        return
    g.edit(seat).cards = (*cards[:at], cards[at]._replace(paid=price), *cards[at + 1 :])
    told = {"player": g.players[seat].id, "card": card, "field": "paid", "from": before, "to": price}
    g.emit("price_noted", ("CARD-METAMORPH-3",), **told)


def _plain(value: Any) -> Any:
    return value._asdict() if isinstance(value, Copy) else value


def _set(g: Draft, seat: Seat, cards: tuple[CardInPlay, ...]) -> None:
    g.edit(seat).cards = cards
    refresh(g)


# What cards act as

COPYING: Final = "copy"  # the ability of a card that acts as another

NO_HOOKS: Final[frozenset[str]] = frozenset()

Faces = tuple[tuple[CardId, CardId], ...]


def faces_of(state: State, player: Player) -> Faces:
    """(acting card, card lying there): each card as itself, and as what it copies while that is a legal target."""
    if not player.cards:
        return ()
    found: list[tuple[CardId, CardId]] = []
    for each in player.cards:
        found.append(state.rules.itself[each.card])
        if each.copies is not None and state.rules.may_copy(state, player, each.copies):
            found.append((each.copies.card, each.card))
    return tuple(found)


def wear(state: State, player: Player, faces: Faces) -> None:
    """Let a player's cards act so."""
    player.faces, player.hooks = _worn(state.rules, faces)
    state.hooks = _together(tuple([each.hooks for each in state.players]))


def wear_all(state: State) -> None:
    """Let everybody's cards act, in a state that is new."""
    for player in state.players:
        player.faces, player.hooks = _worn(state.rules, faces_of(state, player))
    state.hooks = _together(tuple([each.hooks for each in state.players]))


# The states at hand hold the same few of these many times over: each is there once.


@lru_cache(maxsize=4096)
def _worn(rules: Ruleset, faces: Faces) -> tuple[Faces, frozenset[str]]:
    """The faces, and all that they have to do with."""
    return faces, NO_HOOKS.union(*[rules.hooks[face] for face, _ in faces])


@lru_cache(maxsize=4096)
def _together(hooks: tuple[frozenset[str], ...]) -> frozenset[str]:
    return NO_HOOKS.union(*hooks)


def refresh(g: Draft) -> None:
    """Work out anew what everybody's cards act as, and what follows from it at once; unless nothing has changed."""
    if COPYING in g.hooks:
        _bring_tokens_home(g)
    for seat, player in enumerate(g.players):
        if not g.owned >> seat & 1 and COPYING not in player.hooks:
            continue
        faces = faces_of(g, player)
        if faces != player.faces:
            lost = list(player.faces)
            for each in faces:
                if each in lost:
                    lost.remove(each)
            wear(g, g.edit(seat), faces)
            _settle_hearts(g, seat, [face for face, _ in lost])


def end_copy(g: Draft, rulings: Rulings, seat: Seat, card: CardId) -> None:
    """The token comes back to its owner, and what lay on the copy to the supply (CARD-MIMIC-3)."""
    change_card(g, "charges_removed", rulings, seat, card, "charges", None)
    change_card(g, "copy_ended", rulings, seat, card, "copies", None)


def _bring_tokens_home(g: Draft) -> None:
    """A copy ends when its card is gone or may no longer be copied (CARD-MIMIC-3)."""
    for seat, player in enumerate(g.players):
        for each in player.cards:
            if each.copies is not None and not g.rules.may_copy(g, player, each.copies):
                end_copy(g, ("CARD-MIMIC-3",), seat, each.card)


def _settle_hearts(g: Draft, seat: Seat, lost: list[CardId]) -> None:
    """The maximum follows the cards; a lost card may cost hearts (RESOLVE-HEART-4)."""
    if g.players[seat].eliminated:
        return
    most, cites = explained(g, "max_hearts", seat, HEARTS)
    losses = g.rules.adjusters.get("heart_loss", {})
    before, had = g.players[seat].max_hearts, g.players[seat].hearts
    gone = tuple(each for face in lost if face in losses for each in g.rules.cards[face].rulings(g, seat, "heart_loss"))
    g.change("max_hearts_changed", (*cites, *gone, "RESOLVE-HEART-4"), seat, "max_hearts", most)
    for face in lost:
        if face in losses and most != before:
            hearts = max(0, losses[face](g, seat, g.players[seat].hearts))
            g.change("hearts_lost", (*gone, "G-31"), seat, "hearts", hearts)
    if had and not g.players[seat].hearts:
        g.push(("death.toll", {"seats": [seat], "by_claws": []}))
