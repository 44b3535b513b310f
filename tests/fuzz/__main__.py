"""Very many damaged and forged inputs: python -m tests.fuzz [--inputs N] [--first ROUND] [--workers N] [--show N/I]."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter

from service import compiled

if __name__ == "__main__":
    compiled.use()

from tests.fuzz.corpus import Corpus
from tests.fuzz.trial import IN_A_ROUND, trial, verdicts

INPUTS = 1_000_000
TOLD = 20  # broken ones that are told in full


def main() -> int:
    options = _options()
    if options.show:
        number, index = map(int, options.show.split("/"))
        print(trial(Corpus(number), number, index))
        return 0
    return _run(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--first", type=int, default=1_000_000, help="number of the first round of inputs")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=float, default=30, help="seconds between signs of life")
    parser.add_argument("--show", help="one input by its number, as a broken one is told")
    return parser.parse_args()


def _run(options: argparse.Namespace) -> int:
    start = last = time.monotonic()
    found: Counter[str] = Counter()
    rounds = range(options.first, options.first - -options.inputs // IN_A_ROUND)
    print(f"{options.inputs} inputs, {compiled.kind()} engine", flush=True)
    with multiprocessing.Pool(options.workers, gc.freeze) as pool:
        for counted in pool.imap_unordered(_round, rounds):
            _tell(counted - found)
            found += counted
            if time.monotonic() - last > options.every:
                last = time.monotonic()
                print(f"{found.total()}/{options.inputs} inputs", flush=True)
    return summarise(found, time.monotonic() - start)


def _round(number: int) -> Counter[str]:
    return Counter(verdicts(number))


def _tell(counted: Counter[str]) -> None:
    for each in counted:
        if each.startswith("BROKEN"):
            print(each, flush=True)


def summarise(found: Counter[str], seconds: float) -> int:
    """Tell what became of all inputs; how many of them broke a promise."""
    broken = [each for each in found if each.startswith("BROKEN")]
    print(f"\n{found.total()} inputs, {seconds:.0f} s")
    print("".join(f"  {count:8} {each}\n" for each, count in sorted(found.items()) if each not in broken), end="")
    print(f"{len(broken)} broken" if broken else "every one was refused cleanly or played on lawfully")
    for each in broken[:TOLD]:
        print(f"  {each}")
    return min(len(broken), 1)


if __name__ == "__main__":
    sys.exit(main())
