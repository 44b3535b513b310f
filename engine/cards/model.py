"""What a card is: its record. A card is named here nowhere; each is named in its own record and steps only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from engine.actions import Action
from engine.draft import Draft
from engine.errors import Violation
from engine.params import CARD_WORDS
from engine.state import CardId, Seat, State
from engine.windows import VALUES, WINDOWS

KEEP = True
DISCARD = False

Adjust = Callable[[State, Seat, int], int]
Cites = Callable[[State, Seat, str], tuple[str, ...]]


Refusal = Callable[[State, Seat, Any], Violation | None]
Offers = Callable[[State, Seat], Iterable[Action]]
Act = Callable[[Draft, Seat, Any], None]


class Ability(NamedTuple):
    """Something a card lets its owner do by an action: why not now, what is offered, what it does.

    `refusal` and `offers` are one account of legality. `saves` tells whether acting now can help against `amount`
    damage about to land, for the cards that answer damage.
    """

    refusal: Refusal
    offers: Offers
    act: Act
    saves: Callable[[State, Seat, int], bool] | None = None


def if_allowed(make: Callable[[str], Action], refusal: Refusal) -> Offers:
    """Offer the one action there is, while it is not refused."""

    def offers(state: State, seat: Seat) -> Iterable[Action]:
        action = make(state.players[seat].id)
        return () if refusal(state, seat, action) else (action,)

    return offers


class Listener(NamedTuple):
    """The step that answers a window, its own args, and its place among the steps of that window."""

    step: str
    rank: int = 0
    args: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck: what it costs, whether it stays, and what it does when.

    `on` names the steps that answer a window, `adjust` changes a value, `can` is what it lets its owner do, `targets`
    says whom the owner's claws reach instead, `hits` adds to the damage of an attack. `cites` gives the further rulings
    behind what the card does to a value (by its name), to `targets`, or as an answer to damage (`saves`).
    """

    id: CardId
    cost: int
    keep: bool
    copies: int = 1
    charges: int | None = None
    on: Mapping[str, tuple[Listener, ...]] = field(default_factory=dict)
    adjust: Mapping[str, Adjust] = field(default_factory=dict)
    can: Mapping[str, Ability] = field(default_factory=dict)
    targets: Callable[[State, Seat], list[Seat]] | None = None
    hits: Callable[[Draft, Seat, list[Any]], list[Any]] | None = None
    cites: Cites | None = None

    @property
    def hooks(self) -> frozenset[str]:
        """Every window, value and ability this card has to do with."""
        rest = {name for name in ("targets", "hits") if getattr(self, name) is not None}
        return frozenset({*self.on, *self.adjust, *self.can, *rest})

    @property
    def ruling(self) -> str:
        return _ruling(self.id)

    def rulings(self, state: State, seat: Seat, what: str) -> tuple[str, ...]:
        """The card's ruling and the further ones behind what it does now."""
        return (self.ruling,) if self.cites is None else (self.ruling, *self.cites(state, seat, what))

    def but(self, **changes: Any) -> Card:
        """The same card where another deck or edition has it otherwise; `on`, `adjust` and `can` as in `card`."""
        if "on" in changes:
            changes["on"] = {window: _listeners(each) for window, each in changes["on"].items()}
        return replace(self, **changes)


@lru_cache(maxsize=256)
def _ruling(card: CardId) -> str:
    return "CARD-" + card.upper().replace("_", "-")


Answer = str | Listener | tuple[Listener, ...]


def _listeners(answer: Answer) -> tuple[Listener, ...]:
    if isinstance(answer, str):
        return (Listener(answer),)
    return (answer,) if isinstance(answer, Listener) else answer


def card(
    id: CardId,
    cost: int,
    keep: bool,
    *,
    copies: int = 1,
    charges: int | None = None,
    on: Mapping[str, Answer] | None = None,
    adjust: Mapping[str, Adjust] | None = None,
    can: Mapping[str, Ability] | None = None,
    targets: Callable[[State, Seat], list[Seat]] | None = None,
    hits: Callable[[Draft, Seat, list[Any]], list[Any]] | None = None,
    cites: Cites | None = None,
) -> Card:
    """Record a card."""
    listeners = {window: _listeners(each) for window, each in (on or {}).items()}
    assert set(listeners) <= set(WINDOWS), f"{id} listens to an unknown window"
    assert set(adjust or {}) <= set(VALUES), f"{id} adjusts an unknown value"
    CARD_WORDS["card"].add(id)
    for ability in can or {}:
        if ability in CARD_WORDS:
            CARD_WORDS[ability].add(id)
    return Card(id, cost, keep, copies, charges, listeners, adjust or {}, can or {}, targets, hits, cites)
