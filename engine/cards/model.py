"""What a card is: its record. A card is named here nowhere; each is named in its own record and steps only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from engine.actions import CARD_WORDS, Action
from engine.draft import Draft
from engine.errors import Violation
from engine.state import CardId, Seat, State
from engine.windows import VALUES, WINDOWS

Adjust = Callable[[State, Seat, int], int]


class Ability(Protocol):
    """Something a card lets its owner do by an action. `refusal` and `offers` are one account: see legal.py."""

    def refusal(self, state: State, seat: Seat, action: Any) -> Violation | None: ...

    def offers(self, state: State, seat: Seat) -> Iterable[Action]: ...

    def act(self, g: Draft, seat: Seat, action: Any) -> None: ...


class Listener(NamedTuple):
    step: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck: what it costs, whether it stays, and which step answers which window."""

    id: CardId
    cost: int
    keep: bool
    copies: int = 1
    charges: int | None = None
    on: Mapping[str, Listener] = field(default_factory=dict)
    adjust: Mapping[str, Adjust] = field(default_factory=dict)
    can: Mapping[str, Ability] = field(default_factory=dict)

    @property
    def ruling(self) -> str:
        return "CARD-" + self.id.upper().replace("_", "-")

    def but(self, **changes: Any) -> Card:
        """The same card where another deck or edition has it otherwise."""
        return replace(self, **changes)


def card(
    id: CardId,
    cost: int,
    keep: bool,
    *,
    copies: int = 1,
    charges: int | None = None,
    on: Mapping[str, str | Listener] | None = None,
    adjust: Mapping[str, Adjust] | None = None,
    can: Mapping[str, Ability] | None = None,
) -> Card:
    """Record a card."""
    listeners = {
        window: each if isinstance(each, Listener) else Listener(each) for window, each in (on or {}).items()
    }
    assert set(listeners) <= set(WINDOWS), f"{id} listens to an unknown window"
    assert set(adjust or {}) <= set(VALUES), f"{id} adjusts an unknown value"
    CARD_WORDS["card"].add(id)
    for ability in can or {}:
        if ability in CARD_WORDS:
            CARD_WORDS[ability].add(id)
    return Card(id, cost, keep, copies, charges, listeners, adjust or {}, can or {})
