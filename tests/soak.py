"""Long random play with every promise checked: python -m tests.soak [--games N] [--first SEED] [--workers N]."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator

from service import compiled

if __name__ == "__main__":
    compiled.use()

from engine import EDITIONS
from tests.properties.game import Broken, play

GAMES = 100_000
Task = tuple[str, int, int]
Report = tuple[int, int, int, Counter[str], str | None]


def main() -> int:
    options = _options()
    start = last = time.monotonic()
    played = steps = refused = 0
    kinds: Counter[str] = Counter()
    broken: list[str] = []
    print(f"{options.games} games, {compiled.kind()} engine", flush=True)
    with multiprocessing.Pool(options.workers, gc.freeze) as pool:
        for report in pool.imap_unordered(_one, tasks(options.first, options.games), chunksize=4):
            played, steps, refused, kinds = played + 1, steps + report[0], refused + report[2], kinds + report[3]
            if report[4] is not None:
                broken.append(report[4])
                print(report[4], flush=True)
            if time.monotonic() - last > options.every:
                last = time.monotonic()
                print(f"{played}/{options.games} games, {steps} steps, {len(broken)} broken", flush=True)
    _summarise(played, steps, refused, kinds, broken, time.monotonic() - start)
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--first", type=int, default=1_000_000, help="seed of the first game")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=float, default=30, help="seconds between signs of life")
    return parser.parse_args()


def tasks(first: int, games: int) -> Iterator[Task]:
    """Editions and numbers of players in turn."""
    tables = [(edition, players) for edition in EDITIONS for players in range(2, 7)]
    for number in range(games):
        edition, players = tables[number % len(tables)]
        yield edition, players, first + number // len(tables)


def _one(task: Task) -> Report:
    try:
        game = play(*task)
    except Broken as error:
        return 0, 0, 0, Counter(), f"{task}: {error}"
    return game.steps, game.turns, game.refused, game.kinds, None


def _summarise(
    played: int, steps: int, refused: int, kinds: Counter[str], broken: list[str], seconds: float
) -> None:
    print(f"\n{played} games, {steps} steps, {refused} wrong actions refused, {seconds:.0f} s")
    print("decisions: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"{len(broken)} broken" if broken else "every promise was kept")
    for each in broken[:20]:
        print(f"  {each}")


if __name__ == "__main__":
    sys.exit(main())
