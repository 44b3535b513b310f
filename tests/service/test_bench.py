"""The benchmark of the service runs; what it measures is nobody's concern here."""


import pytest

from tests.bench.http import REFERENCE, SUBJECTS, TAIL, run

pytestmark = pytest.mark.redis


def test_a_short_round():
    names = (REFERENCE, "Redis, by state_id", "Redis, sealed and anchored", "no Redis, batch of 16")
    (measured,), sent = run({name: SUBJECTS[name] for name in names}, rounds=1, seconds=1)
    assert set(measured) == {*names, *(TAIL + name for name in names)}
    assert min(measured.values()) > 0
    assert len(sent) == len({body["state"]["state_id"] for body in sent})
