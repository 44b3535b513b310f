"""What of a game is hidden, and whether a text tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from engine import EDITIONS
from service.i18n import card_texts

Document = dict[str, Any]

CARDS = frozenset(card for rules in EDITIONS.values() for card in rules.cards)
QUOTED = re.compile(r'"([a-z_]+)"(?!\s*:)')
WINDOW, LONG_WINDOW = 3, 5
PART_OF_SEED = 12


class Leak(AssertionError):
    """Something was told that is hidden."""


class Hidden:
    """What nobody may learn at a moment of a game: its seed, and the cards to come."""

    def __init__(self, plain: Document) -> None:
        self.edition: str = plain["edition"]
        self.seed: str = plain["secrets"]["seed"]
        self.deck: list[str] = plain["secrets"]["deck"]
        self.shown = shown(plain)

    def search(self, text: str, allowed: frozenset[str] | set[str], window: int = WINDOW) -> None:
        """Leak, if a text has a part of the seed, a card of the deck that nobody sees, or some that follow there."""
        parts = [self.seed[at : at + PART_OF_SEED] for at in range(0, 64, PART_OF_SEED)]
        if any(part in text for part in parts if len(part) == PART_OF_SEED):
            raise Leak(f"the seed is told: {text[:2000]}")
        told = [word for word in QUOTED.findall(text) if word in CARDS]
        never = set(self.deck) - allowed - self.shown
        if not never.isdisjoint(told):
            raise Leak(f"{sorted(never.intersection(told))} lie in the deck: {text[:2000]}")
        if runs(told, window) & runs(self.deck, window):
            raise Leak(f"cards follow as they lie in the deck: {text[:2000]}")
        pattern, ids = names(self.edition)
        named = never.intersection(ids[name] for name in pattern.findall(text))
        if named:
            raise Leak(f"{sorted(named)} are named: {text[:2000]}")


def shown(plain: Document) -> frozenset[str]:
    """The cards that everybody sees."""
    lying = [each for player in plain["players"] for each in player["cards"]]
    copied = [each["copies"]["card"] for each in lying if each.get("copies")]
    return frozenset([*plain["market"], *plain["discard"], *(each["card"] for each in lying), *copied])


def runs(cards: list[str], length: int) -> set[tuple[str, ...]]:
    """Every so many cards that follow one another."""
    return {tuple(cards[at : at + length]) for at in range(len(cards) - length + 1)}


def mentioned(value: Any) -> Iterator[str]:
    """The cards that a client itself names."""
    if isinstance(value, str) and value in CARDS:
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from mentioned(each)


@cache
def names(edition: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What English messages of an edition call the cards, longest first, and which card it is."""
    ids = {str(card_texts(card, "en", edition)["name"]): card for card in EDITIONS[edition].cards}
    words = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)"), ids
