"""Actions that a confused, late or dishonest client might send, and how they compare with those offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from engine import Action, State
from engine.actions import (
    DECK,
    MARKET,
    Buy,
    ChangeDie,
    Concede,
    CopyCard,
    Dice,
    EndTurn,
    Hearts,
    Load,
    Pass,
    Peek,
    Probe,
    Reroll,
    Resolve,
    Roll,
    Sell,
    Sweep,
    Use,
    Yield,
)
from engine.params import CARD_WORDS, normal
from engine.state import FACES, GROUPS, Copy
from tests.properties.player import dice_rolled

STRANGER = "nobody"


def plausible(random: Random, state: State) -> Iterator[Action]:
    """A mixture of right and wrong actions of every kind, most often of the player asked, else of anybody."""
    names = [*(player.id for player in state.players), STRANGER]
    decision = state.decision
    asked = state.players[decision.seat].id if decision is not None else names[0]
    name = random.choice((asked, asked, random.choice(names)))
    yield from _plain(random, name)
    yield from _with_dice(random, state, name)
    yield from _with_cards(random, state, name, names)
    heal, poison, shrink = random.choices([0, 0, 1, 2], k=3)
    yield Hearts(name, heal, poison, shrink, _others(random, names, name))


def every_buy(state: State, player: str) -> Iterator[Action]:
    """Every card of the deck, from the market, the deck and every player."""
    for source in (MARKET, DECK, *(each.id for each in state.players)):
        for card in state.rules.cards:
            yield Buy(player, card, source)
    yield Buy(player, None, DECK)


def _plain(random: Random, name: str) -> Iterator[Action]:
    yield from (Roll(name), Pass(name), Sweep(name), Peek(name), EndTurn(name), Concede(name), Dice(name))
    yield from (Yield(name, True), Yield(name, False), Load(name, random.randint(0, 12)))
    yield Resolve(name, tuple(random.sample(GROUPS, len(GROUPS))))


def _with_dice(random: Random, state: State, name: str) -> Iterator[Action]:
    faces = (None, tuple(random.choices(FACES, k=random.randint(0, 8))))
    for with_ in (None, *sorted(CARD_WORDS["reroll"])):
        dice = tuple(random.sample(range(8), random.randint(1, 3)))
        yield normal(Reroll(name, dice, with_, random.choice(faces)))
    for card in sorted(CARD_WORDS["change_die"]):
        yield ChangeDie(name, card, random.randint(0, 8), random.choice(FACES))
    yield Probe(name, random.randint(0, 8), random.choice(faces))
    yield Roll(name, faces[1])
    yield Dice(name, faces[1])


def _with_cards(random: Random, state: State, name: str, names: list[str]) -> Iterator[Action]:
    lying = [(player.id, each.card) for player in state.players for each in player.cards]
    cards = [*state.market, *(card for _, card in lying), *state.deck[:1], *random.sample(list(state.rules.cards), 2)]
    sources = [MARKET, DECK, *names]
    for card in random.sample(cards, min(4, len(cards))):
        yield Sell(name, card)
        yield Buy(name, card, random.choice(sources))
        yield CopyCard(name, Copy(random.choice(names), card))
    for player, card in random.sample(lying, min(2, len(lying))):
        yield Buy(name, card, player)
        yield CopyCard(name, Copy(player, card))
    yield Buy(name, None, DECK)
    yield from (Use(name, card) for card in sorted(CARD_WORDS["use"]))


def _others(random: Random, names: list[str], name: str) -> tuple[tuple[str, int], ...]:
    """Hearts given to somebody else, now and then."""
    if random.random() < 0.6:
        return ()
    return ((random.choice([each for each in names if each != name]), random.randint(1, 2)),)


# Comparing


class Offered:
    """The actions offered in a state, and whether an action means one of them."""

    def __init__(self, state: State, actions: list[Action]) -> None:
        self.state = state
        self.meanings = {self.meaning(action) for action in actions}

    def meaning(self, action: Action) -> Any:
        """What two actions share that do the same: faces left out, spare hearts, the deck's top card."""
        if isinstance(action, Hearts):
            return ("hearts", action.player, action.poison, action.shrink, action.others)
        if isinstance(action, Buy) and action.from_ == DECK and action.card in (None, *self.state.deck[:1]):
            return ("top", action.player)
        change: Any = replace
        return change(action, faces=None) if isinstance(action, Roll | Reroll | Probe | Dice) else action

    def allows(self, action: Action) -> bool:
        """Whether an action of the same meaning is offered, and its faces and hearts are as they must be."""
        return self.meaning(action) in self.meanings and self._faces_fit(action) and self._hearts_suffice(action)

    def _faces_fit(self, action: Action) -> bool:
        if not isinstance(action, Roll | Reroll | Probe | Dice):
            return True
        if action.faces is None:
            return not isinstance(action, Dice)
        return len(action.faces) == dice_rolled(self.state, action)

    def _hearts_suffice(self, action: Action) -> bool:
        decision = self.state.decision
        return not isinstance(action, Hearts) or (decision is not None and action.spent <= decision.extra["count"])
