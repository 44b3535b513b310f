"""The bytes on the wire stay as they are: states and events of one recorded game an edition."""

from __future__ import annotations

import json

import pytest

from engine import canonical, read_state, write_state
from tests.golden.games import editions, path_of, recorded, written


@pytest.mark.parametrize("edition", editions())
def test_a_recorded_game_gives_the_same_bytes(edition: str) -> None:
    """If the change is meant: `python -m tests.golden`, and say why in the commit."""
    wanted, found = path_of(edition).read_bytes(), written(*recorded(edition))
    for number, (old, new) in enumerate(zip(wanted.splitlines(), found.splitlines(), strict=True), 1):
        assert new == old, f"{path_of(edition).name}:{number}: " + str(
            test_a_recorded_game_gives_the_same_bytes.__doc__
        )
    assert found == wanted


@pytest.mark.parametrize("edition", editions())
def test_a_state_of_old_can_still_be_read(edition: str) -> None:
    states = [line for line in path_of(edition).read_bytes().splitlines() if line.startswith(b'{"state"')]
    assert len(states) > 3
    for line in states:
        document = json.loads(line)["state"]
        assert canonical({"state": write_state(read_state(document))}) == line
