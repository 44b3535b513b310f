"""The two decks: 64 different cards, 66 in all (COMP-3)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cards import attack, copying, defence, dice, discard, economy, health, scoring, tokens, trade
from engine.cards.model import Card
from engine.state import CardId


def _by_id(*families: tuple[Card, ...]) -> dict[CardId, Card]:
    return {each.id: each for each in sorted((c for family in families for c in family), key=lambda c: c.id)}


FIRST_DECK: Mapping[CardId, Card] = _by_id(
    attack.FIRST, (copying.CARD,), defence.CARDS, dice.FIRST, discard.CARDS, economy.FIRST, health.FIRST,
    scoring.FIRST, tokens.CARDS, trade.CARDS,
)  # fmt: skip

SECOND_DECK: Mapping[CardId, Card] = {
    **FIRST_DECK,
    **_by_id(attack.SECOND, dice.SECOND, economy.SECOND, health.SECOND, scoring.SECOND),
}


def all_cards(deck: Mapping[CardId, Card]) -> tuple[CardId, ...]:
    """Every card of a deck, as often as it is in it."""
    return tuple(each.id for each in deck.values() for _ in range(each.copies))
