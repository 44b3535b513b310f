"""Real documents to start from: moments of random games of every edition, and what may be done in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import orjson

import engine
from engine import EDITIONS, State
from engine.actions import ACTIONS
from engine.cards.deck import all_cards
from engine.legal import ANSWERS
from engine.state import FACES, GROUPS, PHASES, PLACES
from tests.properties.player import wander
from tests.properties.positions import opening

Document = dict[str, Any]

OF_A_KIND = 4  # moments of a game that wait for the same kind of decision
WORDS = sorted(
    {*FACES, *PLACES, *PHASES, *GROUPS, *EDITIONS, *ANSWERS, *ACTIONS, "open", "sealed", "free", "anchored", "server",
     "client", "win", "draw", "yielded", "died", "changed", "final", "declined", "p1", "p2", "nobody", "YIELD-4"}
)  # fmt: skip
CARDS = sorted({card for rules in EDITIONS.values() for card in all_cards(rules.deck)})


class Moment(NamedTuple):
    """A state as a client gets it, and the actions offered in it."""

    document: Document
    actions: list[Document]


class Corpus:
    """The moments of one game of each edition; the same number gives the same ones."""

    def __init__(self, number: int) -> None:
        self.moments = [each for edition in EDITIONS for each in moments(edition, number)]
        self.frames = [frame for each in self.moments for frame in each.document["resume"]["stack"]]
        self.marks = [mark for each in self.moments for mark in each.document["resume"]["marks"].items()]


def moments(edition: str, number: int) -> Iterator[Moment]:
    """Some moments of a game; those of rare decisions are all among them."""
    random = Random(f"{edition}/{number}")
    request = opening(random, edition, 2 + number % 5)
    for each in request["players"]:
        each.update(name=f"Name of {each['id']}", monster=f"monster-of-{each['id']}")
    seen: Counter[str] = Counter()
    played = [*wander(request, f"fuzz-{number}", random)]
    for state, _ in random.sample(played, len(played)):
        assert state.decision is not None
        seen[state.decision.kind] += 1
        if seen[state.decision.kind] <= OF_A_KIND:
            yield moment(state)
    yield moment(engine.apply(*played[-1]).state)


def moment(state: State) -> Moment:
    """A state as it comes over the wire."""
    actions = [engine.write_action(each) for each in engine.legal_actions(state)]
    return Moment(orjson.loads(orjson.dumps(engine.write_state(state))), actions)
