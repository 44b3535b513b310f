"""Perft: the numbers of reachable states are as recorded, as deep as a few seconds allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import EDITIONS
from tests.perft.count import counts, files, load

MOST = 4000  # actions played for each count
SHALLOWEST = 3


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_as_many_states_are_reachable_as_recorded(path: Path, edition: str) -> None:
    """If the change is meant: `python -m tests.perft --write`, and say why in the commit."""
    position = load(path)
    told = position["counts"][edition]
    found = counts({"edition": edition, **position["game"]}, position["seed"], len(told), MOST)
    assert len(found) >= SHALLOWEST, "a position must be small enough to be counted"
    assert found == told[: len(found)], test_as_many_states_are_reachable_as_recorded.__doc__


def test_counting_finds_something_that_differs_between_editions() -> None:
    told = [{tuple(numbers) for numbers in load(path)["counts"].values()} for path in files()]
    assert len(told) >= 4
    assert sum(len(each) > 1 for each in told) >= 3
