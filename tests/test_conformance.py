"""Every case in every one of its editions against the engine, and every demanded ruling shown by a case."""

from __future__ import annotations

import pytest

from tests.conformance import EngineReferee, Run, all_cases, check, runs
from tests.conformance.rulings import DEMANDED, TOLD, family, holes, known, not_shown

RUNS = list(runs(all_cases()))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_case(run: Run) -> None:
    check(run, EngineReferee())


@pytest.mark.parametrize("edition", ["cs-2012", "hu-2014", "pl", "cs-2016"])
def test_every_demanded_ruling_is_shown(edition: str) -> None:
    excused = not_shown()
    assert [ruling for ruling in holes(RUNS)[edition] if ruling not in excused] == []


def test_what_is_excused_is_a_ruling_and_really_not_shown() -> None:
    missing = {ruling for listed in holes(RUNS).values() for ruling in listed}
    assert [ruling for ruling in not_shown() if ruling not in missing] == []


def test_every_family_of_rulings_is_demanded_or_told() -> None:
    assert {family(ruling) for ruling in known()} == DEMANDED | TOLD
