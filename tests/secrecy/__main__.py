"""Many sealed games, searched for what is hidden: python -m tests.secrecy [--games N] [--first N] [--workers N]."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from itertools import starmap
from pathlib import Path

from service.app import create_app
from service.config import Config
from service.keyring import new_key, read_keys
from tests.secrecy.play import inside, play, stored
from tests.service.servers import RedisServer

GAMES = 1000
PORTION = 10  # games that a worker plays at a time, against a Redis of its own


def main() -> int:
    options = _options()
    start = time.monotonic()
    done: Counter[str] = Counter()
    with multiprocessing.Pool(options.workers) as pool:
        last = options.first + options.games
        portions = [(at, min(at + PORTION, last)) for at in range(options.first, last, PORTION)]
        for number, (counts, leak) in enumerate(pool.imap_unordered(_portion, portions), 1):
            done += counts
            if leak is not None:
                print(leak)
                return 1
            if number % 10 == 0:
                print(f"{done['games']}/{options.games} games, {done['requests']} requests", flush=True)
    print(f"{done['games']} sealed games, {done['requests']} requests, {time.monotonic() - start:.0f} s")
    print(f"{done['peek']} looks at the top card, {done['buy from the deck']} buys, {done['too_dear']} too dear")
    print("nothing was told")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--first", type=int, default=1000, help="number of the first game")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    return parser.parse_args()


def _portion(numbers: tuple[int, int]) -> tuple[Counter[str], str | None]:
    """What was done in these games, and the first thing that was told."""
    done: Counter[str] = Counter()
    key = new_key()
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder)) as redis:
        app = create_app(Config(redis_url=redis.url, keys=key))
        games = ((inside(app), read_keys(key), number, partial(stored, redis.url)) for number in range(*numbers))
        try:
            for counts in starmap(play, games):
                done += counts + Counter(games=1)
        except AssertionError as leak:
            return done, f"game {numbers[0] + done['games']}: {leak}"
    return done, None


if __name__ == "__main__":
    sys.exit(main())
