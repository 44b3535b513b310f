"""Whatever a document has become, it is refused cleanly or plays on lawfully; `make soak` tries a million of them."""

from __future__ import annotations

import time
from collections import Counter
from itertools import repeat
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from tests.conformance.match import Mismatch
from tests.fuzz import judge, posting, trial
from tests.fuzz.corpus import CARDS, Corpus
from tests.fuzz.trial import Broken, Slow, verdicts, watched

SECONDS = 7  # for each of two tests, which the workers share
# What must be among the verdicts, or the inputs are no longer worth trying.
WANTED = {
    "damaged malformed", "damaged impossible", "damaged played", "forged impossible", "forged played", "forged over",
    "scrambled refused", "scrambled malformed", "misspelt malformed", "misspelt accepted", "posted schema-violation",
    "posted_well played",
}  # fmt: skip


@pytest.mark.parametrize("first", [0, 1000])
def test_every_input_is_refused_or_plays_on(first: int) -> None:
    found: Counter[str] = Counter()
    deadline, number = time.monotonic() + SECONDS, first
    while time.monotonic() < deadline or found.total() < trial.IN_A_ROUND:
        for verdict in verdicts(number):
            assert not verdict.startswith("BROKEN"), verdict
            found[verdict] += 1
        number += 1
    print(f"{found.total()} inputs: {dict(found)}")
    assert found.keys() >= WANTED


CORPUS = Corpus(7)


@given(random=st.randoms(use_true_random=False), kind=st.sampled_from(trial.KINDS))
@settings(
    max_examples=120, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
def test_the_shortest_way_to_break_it_is_not_found(random: Random, kind: Any) -> None:
    """The same, but if there is a way, Hypothesis makes it short."""
    with watched():
        assert kind(CORPUS, random)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(CARDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(document=JSON)
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_what_has_nothing_to_do_with_the_game_is_refused(document: Any) -> None:
    for read, invalid in ((engine.read_state, engine.InvalidState), (engine.read_action, engine.InvalidAction)):
        with pytest.raises(invalid) as refused:
            read(document)
        judge.check_problems(document, refused.value.problems)


# The judges can fail


def test_a_fault_while_reading_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_document: Any) -> None:
        raise StopIteration

    monkeypatch.setattr(engine, "read_state", stumble)
    found = [each for each in (_verdict(index) for index in range(40)) if each.startswith("BROKEN StopIteration")]
    assert len(found) > 10
    assert "--show 7/" in found[0]


def test_a_fault_while_playing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = engine.apply, []

    def stumble(state: Any, action: Any) -> Any:
        calls.append(state)
        if len(calls) > 1:
            raise KeyError("what no game holds")
        return real(state, action)

    monkeypatch.setattr(engine, "apply", stumble)
    document = next(each.document for each in CORPUS.moments if each.document["decision"]["kind"] == "roll")
    with pytest.raises(KeyError):
        judge.judge_state(document, Random(0))


def test_a_fault_of_the_service_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_state: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(engine, "legal_actions", stumble)
    with pytest.raises(Mismatch, match=r"^500"):
        posting.judge(posting.written(CORPUS.moments[0].document), Random(0))


@pytest.mark.parametrize(
    ("pointer", "leads"),
    [("", True), ("/a", True), ("/none", True), ("/a/1", True), ("/a/1/x~1y", True), ("/a/1/x~1y/more", False),
     ("/none/more", False), ("/a/9/x", False), ("a", False), ("/a/x/y", False)],
)  # fmt: skip
def test_pointers_lead_somewhere(pointer: str, leads: bool) -> None:
    assert judge.points({"a": [0, {"x/y": 1}]}, pointer) is leads


def test_an_endless_input_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "SECONDS", 0.05)
    with pytest.raises(Slow), watched():
        any(False for _ in repeat(0))


def _verdict(index: int) -> str:
    try:
        return trial.trial(CORPUS, 7, index)
    except Broken as broken:
        return f"BROKEN {broken}"
