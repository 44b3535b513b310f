"""python -m tests.conformance [--base-url URL] [paths...]: run the cases and tell which rulings they show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.cases import Run, all_cases, load, runs
from tests.conformance.check import check
from tests.conformance.match import Mismatch
from tests.conformance.referees import EngineReferee, HttpReferee, Referee
from tests.conformance.rulings import DEMANDED, TOLD, holes, known, not_shown


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--base-url", help="run over HTTP against this service instead of the engine")
    parser.add_argument("paths", nargs="*", type=Path, help="case files; all of tests/cases when none is given")
    asked = parser.parse_args(arguments)
    cases = [case for path in asked.paths for case in load(path)] if asked.paths else list(all_cases())
    referee: Referee = HttpReferee.at(asked.base_url) if asked.base_url else EngineReferee()
    played = list(runs(cases))
    failed = sum(not _passes(run, referee) for run in played)
    print(f"{len(cases)} cases, {len(played)} runs, {failed} failed")
    uncovered = 0 if asked.paths else tell_coverage(played)
    return 1 if failed or uncovered else 0


def _passes(run: Run, referee: Referee) -> bool:
    try:
        check(run, referee)
    except Mismatch as mismatch:
        print(f"FAILED {mismatch}")
    except Exception as error:
        print(f"BROKEN {run.name}\n  {type(error).__name__}: {error}")
    else:
        return True
    return False


def tell_coverage(played: list[Run]) -> int:
    """Print the rulings no case shows, edition by edition; how many of those demanded."""
    excused = not_shown()
    count = 0
    for edition, missing in holes(played).items():
        open_holes = [ruling for ruling in missing if ruling not in excused]
        count += len(open_holes)
        print(f"{edition}: {len(open_holes)} demanded rulings not shown {' '.join(open_holes)}")
    for family in sorted(TOLD - DEMANDED):
        total = sum(ruling.startswith(f"{family}-") for ruling in known())
        told = [f"{edition} {len(m)}" for edition, m in holes(played, frozenset((family,))).items()]
        print(f"{family}-*: {total} rulings, not shown in {', '.join(told)}")
    return count


if __name__ == "__main__":
    sys.exit(main())
