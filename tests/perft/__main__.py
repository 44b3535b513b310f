"""Count and compare: python -m tests.perft [--write] [--depth N] [--most N] [files…]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from engine import EDITIONS
from tests.perft.count import counts, files, load


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="put the counts found into the files")
    parser.add_argument("--depth", type=int, help="actions; as many as the file has counts, or 4")
    parser.add_argument("--most", type=int, default=2_000_000, help="actions to play at most, for each count")
    options = parser.parse_args()
    wrong = 0
    for path in options.files or files():
        position = load(path)
        for edition in EDITIONS:
            told = position["counts"].get(edition, [])
            depth = options.depth or len(told) or 4
            found = counts({"edition": edition, **position["game"]}, position["seed"], depth, options.most)
            agrees = found[: len(told)] == told[: len(found)]
            wrong += not agrees
            print(f"{path.name} {edition}: {found}" + ("" if agrees else f", not {told}"))
            position["counts"][edition] = max(found, told if agrees else [], key=len)
        if options.write:
            path.write_text(json.dumps(position, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
