"""The catalogue of cards: names and texts from `i18n/cards`, numbers from the engine's decks."""

from __future__ import annotations

from functools import cache

from engine import EDITIONS
from service import i18n
from service.rulings import of_edition, rulings
from service.states import Values


def describe(card: str, language: str, edition: str | None) -> Values:
    """A card as one edition has it, or as all have it, side by side."""
    texts = i18n.card_texts(card, language, edition)
    named = {"id": card, **texts, "rulings": [*rulings_of(card, edition)]}
    if edition is not None:
        return {**named, "edition": edition, **numbers(card, edition)}
    differing = i18n.cards(language)[card].get("editions", {})
    return {**named, "editions": {each: {**numbers(card, each), **differing.get(each, {})} for each in EDITIONS}}


def numbers(card: str, edition: str) -> Values:
    """What is printed on a card besides its text, and how often it is in the deck."""
    record = EDITIONS[edition].cards[card]
    return {"type": "keep" if record.keep else "discard", "cost": record.cost, "copies": record.copies}


@cache
def rulings_of(card: str, edition: str | None) -> tuple[str, ...]:
    """The ids of the rulings about a card."""
    about = (each for each in rulings().values() if each.get("card") == card)
    return tuple(each["id"] for each in about if of_edition(each, edition) is not None)
