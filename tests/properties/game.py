"""One random game to its end, with every promise checked at every step."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson

import engine
from engine import Action, Result, State
from tests.conformance.match import expect
from tests.properties.invariants import Document, check_state, check_step, restored, saved
from tests.properties.plausible import Offered, every_buy, plausible
from tests.properties.player import choose
from tests.properties.positions import opening

MOST_TURNS = 1000
COMMON = ("roll", "buy", "yield", "dice")  # decisions at which wrong actions are tried now and then only


class Broken(AssertionError):
    """A promise is broken; says how to see it again."""


@dataclass
class Played:
    """What happened in a game."""

    edition: str
    players: int
    seed: int
    steps: int = 0
    turns: int = 0
    refused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    actions: list[Document] = field(default_factory=list)
    last: bytes = b""

    @property
    def game_seed(self) -> str:
        """All the chance of the game; a text that a view can only hold by a leak."""
        return f"seed-of-{self.seed}"


def play(edition: str, players: int, seed: int, shows: bool = False) -> Played:
    """Play the game of this edition, number of players and seed; raise Broken where a promise is."""
    played = Played(edition, players, seed)
    try:
        _play(played, shows)
    except Exception as error:
        command = f"python -m tests.properties.replay {edition} {players} {seed}"
        raise Broken(f"step {played.steps}: {type(error).__name__}: {error}\n  {command}") from error
    return played


def _play(played: Played, shows: bool) -> None:
    random = Random(f"{played.edition}/{played.players}/{played.seed}")
    request = opening(random, played.edition, played.players)
    table = Table(engine.new_game(request, played.game_seed), random)
    if shows:
        print(json.dumps(request))
    while table.state.outcome is None:
        expect(table.state.turn <= MOST_TURNS, "the game does not end")
        played.steps += 1
        assert table.state.decision is not None
        played.kinds[table.state.decision.kind] += 1
        if table.state.decision.kind not in COMMON or random.random() < 0.1:
            played.refused += table.refuse_others()
        action = choose(random, table.state, table.offered)
        played.actions.append(engine.write_action(action))
        if shows:
            print(f"{played.steps} {table.state.decision.kind} {json.dumps(played.actions[-1])}")
        events = table.act(action)
        if shows:
            print("".join(f"    {json.dumps(event)}\n" for event in events), end="")
    played.turns, played.last = table.state.turn, table.written
    expect(_again(request, played) == played.last, "a replay ends in another state")


def _again(request: Document, played: Played) -> bytes:
    """The same game from the request and the actions alone, as JSON."""
    state = engine.new_game(request, played.game_seed).state
    for action in played.actions:
        state = engine.apply(state, engine.read_action(action)).state
    return saved(state)


class Table:
    """A game in play: its state, the same as bytes, and what is offered; each step is checked."""

    def __init__(self, result: Result, random: Random) -> None:
        self.random = random
        self._come_to(result.state)
        self.state: State

    def _come_to(self, state: State) -> None:
        self.state = state
        self.written = saved(state)
        self.document: Document = orjson.loads(self.written)
        self.offered = engine.legal_actions(state)
        check_state(state, self.offered)

    def act(self, action: Action) -> list[Document]:
        """Apply an action to the live state and to one restored from bytes; both must come to the same."""
        back = restored(self.written)
        expect(saved(back) == self.written, "a state read back is not the state written")
        expect(not engine.validate(self.state, action), f"offered and refused: {action}")
        result, again = engine.apply(self.state, action), engine.apply(back, action)
        expect(saved(self.state) == self.written, "the state was changed in place")
        events: list[Any] = orjson.loads(orjson.dumps(result.events))
        expect(orjson.loads(orjson.dumps(again.events)) == events, "a restored game goes on otherwise")
        before = self.document
        written = saved(again.state)
        self._come_to(result.state)
        expect(written == self.written, "a restored game goes on otherwise")
        check_step(before, self.document, events)
        return events

    def refuse_others(self) -> int:
        """What is offered passes, everything else that might be sent is refused; nothing changes."""
        offered = Offered(self.state, self.offered)
        for action in self.offered:
            expect(offered.allows(action) != bool(engine.validate(self.state, action)), f"offered: {action}")
        others = plausible(self.random, self.state)
        refused = sum(self._refuses(action) for action in others if not offered.allows(action))
        decision = self.state.decision
        if decision is not None and self.random.random() < 0.02:
            buys = every_buy(self.state, self.state.players[decision.seat].id)
            refused += sum(self._refuses(action) for action in buys if not offered.allows(action))
        expect(saved(self.state) == self.written, "a refused action changed the state")
        return refused

    def _refuses(self, action: Action) -> bool:
        try:
            engine.apply(self.state, action)
        except engine.IllegalAction as error:
            expect(error.violations == engine.validate(self.state, action), "apply and validate disagree")
            return True
        raise AssertionError(f"accepted, but not offered: {action}")
