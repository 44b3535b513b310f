"""The engine's speed against python-chess, both measured in the same run: python -m tests.bench.engine [--rounds N].

Every round measures everything once, one after the other, and the ratios are taken inside the round; medians are shown.
What is measured: random play of all editions, one process; every legal action is as likely as any other, but nobody
concedes. python-chess lists all legal moves and pushes one, in the same way.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

import chess

from service import compiled

if __name__ == "__main__":
    compiled.use()

from engine import EDITIONS, Action, State, apply, legal_actions, new_game
from engine.actions import Concede
from tests.bench.table import Rates, Row, ratio, report

Run = Callable[[], int]
CHESS = "python-chess: legal_moves, push"
SECONDS = 0.3  # a measurement takes at least so long
HAND = 3  # Keep cards before each player at the start; over the games every one is dealt, and more are bought


class Game(NamedTuple):
    """A recorded game: played again, it costs what its actions cost, and nothing for choosing them."""

    opening: State
    actions: list[Action]


def over_chess(name: str) -> Callable[[Rates], float]:
    return ratio(name, CHESS)


ROWS = (
    Row("base game, apply only, 4 players, × chess", 4, 8, over_chess("base 4")),
    Row("base game, apply only, 2 players, × chess", 4, 8, over_chess("base 2")),
    Row("base game, apply only, 6 players, × chess", 4, 8, over_chess("base 6")),
    Row("all cards in play, apply only, × chess", 3, 8, over_chess("cards")),
    Row("all cards, all legal actions listed, × chess", 1.5, 4, over_chess("cards listed")),
    Row("an action at 6 players over 2 players", 2.0, 1.3, ratio("base 2", "base 6"), True),
)


# Games


def request(edition: str, players: int, random: Random, cards: bool) -> dict[str, Any]:
    """A new game; with cards everybody holds some from the start, and energy to use them."""
    names = [f"p{number}" for number in range(players)]
    body: dict[str, Any] = {"edition": edition, "players": [{"id": name} for name in names], "first_player": names[0]}
    if cards:
        keep = [card.id for card in EDITIONS[edition].cards.values() if card.keep]
        random.shuffle(keep)
        hands = {name: keep[HAND * seat : HAND * (seat + 1)] for seat, name in enumerate(names)}
        body["setup"] = {"players": {name: {"energy": 10, "cards": hand} for name, hand in hands.items()}}
    else:
        body["setup"] = {"deck": [], "market": []}
    return body


def games(players: Iterable[int], cards: bool, wanted: int) -> list[Game]:
    """Random games of all editions, at least so many actions in all."""
    found: list[Game] = []
    tables = [(edition, count) for count in players for edition in EDITIONS]
    while sum(len(game.actions) for game in found) < wanted or len(found) % len(tables):
        edition, count = tables[len(found) % len(tables)]
        random = Random(len(found))
        opening = new_game(request(edition, count, random, cards), f"bench-{len(found)}").state
        found.append(Game(opening, list(wander(opening, random))))
    return found


def wander(state: State, random: Random) -> Iterator[Action]:
    """The actions of a random game."""
    while state.outcome is None:
        action = random.choice([each for each in legal_actions(state) if not isinstance(each, Concede)])
        yield action
        state = apply(state, action).state


def applying(recorded: list[Game]) -> Run:
    def run() -> int:
        for state, actions in recorded:
            for action in actions:
                state = apply(state, action).state
        return sum(len(game.actions) for game in recorded)

    return run


def listing(recorded: list[Game]) -> Run:
    def run() -> int:
        for state, actions in recorded:
            for action in actions:
                legal_actions(state)
                state = apply(state, action).state
        return sum(len(game.actions) for game in recorded)

    return run


def chess_game() -> Run:
    """Random chess, a new game whenever one ends."""
    random = Random(0)

    def run() -> int:
        board = chess.Board()
        for _ in range(2000):
            moves = list(board.legal_moves)
            if not moves or board.halfmove_clock > 100:
                board = chess.Board()
                continue
            board.push(random.choice(moves))
        return 2000

    return run


# Measuring


def rate(run: Run) -> float:
    """How many a second of processor time: other programs on the machine do not count."""
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        done += run()
    return done / spent


def measure(runs: dict[str, Run], rounds: int) -> list[Rates]:
    for run in runs.values():
        run()
    gc.collect()
    gc.freeze()
    return [{name: rate(run) for name, run in runs.items()} for _ in range(rounds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    cards = games(range(2, 7), True, 3000)
    runs: dict[str, Run] = {CHESS: chess_game()}
    runs |= {f"base {players}": applying(games([players], False, 2000)) for players in (2, 4, 6)}
    runs |= {"cards": applying(cards), "cards listed": listing(cards)}
    print(f"{rounds} rounds, medians, one process, {compiled.kind()} engine\n")
    report(runs, ROWS, measure(runs, rounds))


if __name__ == "__main__":
    main()
