"""What an edition is: a record of switches, each with the ruling that justifies it.

Four kinds of field: values, order (names of steps), questions (small functions) and cards (records that replace a
record). Rule code asks these; it never asks which edition it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from engine.cards.model import Ability, Adjust, Card, Listener
from engine.state import CardId, CardInPlay, Copy, Place, Player, Seat, State

Basis = Literal["rulebook", "cards", "judgement"]


class Because(NamedTuple):
    """Why a switch stands where it stands: what it says, the ruling, the basis, one sentence."""

    value: str
    ruling: str
    basis: Basis
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    id: str
    title: str
    language: str
    deck: Mapping[CardId, Card]
    first_player_rolls: bool
    bay_by_default: bool
    bay_optional: bool
    after_dice: tuple[str, ...]
    after_attack: tuple[str, ...]
    claws_take_empty_city: Callable[[State], bool]
    may_yield: Callable[[State, Seat], bool]
    closure_place: Callable[[State], Place]
    others_win_at_turn_end: bool
    last_alive_wins_at_once: bool
    all_dead: Literal["all_lose", "draw"]
    discards_return: bool
    may_copy: Callable[[State, Player, Copy], bool]
    keeps_price: bool
    copies_counters: bool
    gaps: frozenset[str]
    because: Mapping[str, Because] = field(default_factory=dict)
    cards: Mapping[CardId, Card] = field(default_factory=dict)
    listeners: Mapping[str, Mapping[CardId, tuple[Listener, ...]]] = field(init=False, compare=False)
    adjusters: Mapping[str, Mapping[CardId, Adjust]] = field(init=False, compare=False)
    able: Mapping[str, Mapping[CardId, Ability]] = field(init=False, compare=False)
    hooks: dict[CardId, frozenset[str]] = field(init=False, compare=False)  # what each has anything to do with
    itself: dict[CardId, tuple[CardId, CardId]] = field(init=False, compare=False)  # each acting as itself
    names: dict[CardId, CardId] = field(init=False, compare=False)  # their ids: of equal texts one is enough
    plain: dict[CardId, CardInPlay] = field(init=False, compare=False)  # those that stay, with nothing on them

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", {**self.deck, **self.cards})
        object.__setattr__(self, "listeners", _index(self.cards, "on"))
        object.__setattr__(self, "adjusters", _index(self.cards, "adjust"))
        object.__setattr__(self, "able", _index(self.cards, "can"))
        object.__setattr__(self, "hooks", {each.id: each.hooks for each in self.cards.values()})
        object.__setattr__(self, "itself", {each: (each, each) for each in self.cards})
        object.__setattr__(self, "names", {each: each for each in self.cards})
        kept = {each.id: CardInPlay(each.id) for each in self.cards.values() if each.keep}
        object.__setattr__(self, "plain", kept)
        missing = set(SWITCHES.values()) - set(self.because)
        if missing:
            raise ValueError(f"{self.id}: no ruling behind {', '.join(sorted(missing))}")

    def open_gaps(self, *rulings: str) -> tuple[str, ...]:
        """Those of these rulings on gaps that this edition has: where its own book speaks, that is cited alone."""
        return tuple(each for each in rulings if each in self.gaps)

    def but(
        self,
        id: str,
        title: str,
        language: str,
        because: Mapping[str, Because],
        cards: Mapping[CardId, Card] | None = None,
        gaps: frozenset[str] | None = None,
        **changes: Any,
    ) -> Ruleset:
        """This edition with some switches set otherwise; a change without a ruling is refused."""
        replaced = {} if cards is None else cards
        switches = {SWITCHES.get(each, each) for each in (*changes, *replaced)}
        unjustified = switches - set(because)
        if unjustified:
            raise ValueError(f"{id}: no ruling behind {', '.join(sorted(unjustified))}")
        kept = {} if "deck" in changes else {c: each for c, each in self.cards.items() if each != self.deck[c]}
        return replace(
            self,
            id=id,
            title=title,
            language=language,
            gaps=self.gaps if gaps is None else gaps,
            because={**self.because, **because},
            cards={**kept, **replaced},
            **changes,
        )


def _index(cards: Mapping[CardId, Card], what: str) -> dict[str, dict[CardId, Any]]:
    """For each window or value: which card answers with what."""
    index: dict[str, dict[CardId, Any]] = {}
    for card in cards.values():
        for name, each in getattr(card, what).items():
            index.setdefault(name, {})[card.id] = each
    return index


# The published switch that each field (or replaced card) belongs to; some switches are more than one field.
SWITCHES: dict[str, str] = {
    "deck": "deck",
    "first_player_rolls": "first_player",
    "bay_by_default": "bay",
    "bay_optional": "bay",
    "after_dice": "entry",
    "after_attack": "entry",
    "claws_take_empty_city": "empty_city_attack",
    "may_yield": "yield_needs",
    "closure_place": "bay_closure",
    "others_win_at_turn_end": "winning_turn",
    "last_alive_wins_at_once": "last_alive",
    "all_dead": "all_dead",
    "discards_return": "discards",
    "may_copy": "mimic_own_cards",
    "keeps_price": "metamorph_refund",
    "copies_counters": "mimic_counters",
    "freeze_time": "freeze_time_dice",
    "metamorph": "metamorph_when",
}
