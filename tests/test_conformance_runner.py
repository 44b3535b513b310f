"""The runner itself: a referee that cheats is caught, and the cases run over HTTP as they do on the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance import Case, EngineReferee, HttpReferee, Mismatch, Run, check
from tests.conformance.match import Json, difference
from tests.conformance.referees import Answer, Refused

TOLD: Json = {
    "title": "A claw hurts, and a triple scores",
    "shows": ["RESOLVE-VP-1", "RESOLVE-ATTACK-3"],
    "game": {
        "players": [{"id": "a"}, {"id": "b"}],
        "first_player": "a",
        "options": {"dice": "client"},
        "setup": {"players": {"b": {"place": "city"}}},
    },
    "steps": [
        {"action": {"type": "roll", "player": "a", "faces": ["1", "1", "1", "2", "3", "claw"]}},
        {
            "action": {"type": "resolve", "player": "a"},
            "state": {"players": {"a": {"vp": 1}, "b": {"hearts": 9}}},
            "events": [{"type": "vp_gained"}, {"type": "damage", "player": "b"}],
            "no_events": ["healed"],
            "legal": [{"type": "yield", "leave": True}],
            "not_legal": [{"type": "buy"}],
        },
        {
            "action": {"type": "sweep", "player": "a"},
            "refused": {"slug": "illegal-action", "code": "not_your_decision"},
        },
    ],
}


def play(told: Json, referee: Any = None) -> None:
    check(Run(Case("here", told["title"], ("cs-2016",), told), "cs-2016"), referee or EngineReferee())


def with_step(index: int, **changes: Any) -> Json:
    steps = [dict(step) for step in TOLD["steps"]]
    steps[index].update(changes)
    return {**TOLD, "steps": steps}


def test_an_honest_case_passes() -> None:
    play(TOLD)


@pytest.mark.parametrize(
    "told",
    [
        {**TOLD, "shows": ["WIN-2"]},
        {**TOLD, "shows": ["NO-SUCH-1"]},
        {**TOLD, "created": {"state": {"phase": "buy"}}},
        with_step(1, state={"players": {"a": {"vp": 2}}}),
        with_step(1, events=[{"type": "damage"}, {"type": "vp_gained"}]),
        with_step(1, no_events=["damage"]),
        with_step(1, no_events=[{"type": "damage", "player": "b"}]),
        with_step(1, legal=[{"type": "buy"}]),
        with_step(1, not_legal=[{"type": "yield"}]),
        with_step(1, refused={}),
        with_step(2, refused={"slug": "schema-violation"}),
        with_step(2, refused={"ruling": "BUY-5"}),
        with_step(2, state={"phase": "buy"}),
    ],
)
def test_a_wrong_case_fails(told: Json) -> None:
    with pytest.raises(Mismatch):
        play(told)


class Cheat(EngineReferee):
    """Changes what the engine answers to `resolve`."""

    def __init__(self, change: Callable[[Answer], Any]) -> None:
        self.change = change

    def act(self, before: Answer, action: Json) -> Answer:
        answer = super().act(before, action)
        if action["type"] == "resolve":
            self.change(answer)
        return answer


def number(events: list[Json]) -> None:
    for index, event in enumerate(events):
        event["seq"] = index


def drop(kind: str) -> Callable[[Answer], None]:
    def change(answer: Answer) -> None:
        answer.events[:] = [event for event in answer.events if event["type"] != kind]
        number(answer.events)

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (drop("damage"), "events leave b's hearts"),
        (lambda answer: answer.events[0].update(seq=3), "seq"),
        (lambda answer: answer.events[0].update(rulings=[]), "names no ruling"),
        (lambda answer: answer.events[0].update(rulings=["NO-1"]), "does not have"),
        (lambda answer: answer.document.update(version=9), "version"),
        (lambda answer: answer.document.update(deck_size=1), "deck_size"),
        (lambda answer: answer.document["market"].pop(), "market"),
        (lambda answer: answer.document["decision"].update(default={"type": "pass", "player": "b"}), "default"),
        (lambda answer: answer.document.update(decision=None), "decision=None"),
        (lambda answer: answer.document["dice"].reverse(), "no event shows the dice"),
    ],
)
def test_a_referee_that_cheats_is_caught(change: Callable[[Answer], Any], told: str) -> None:
    steps = TOLD["steps"][:2]
    with pytest.raises(Mismatch, match=told):
        play({**TOLD, "steps": [steps[0], {"action": steps[1]["action"]}]}, Cheat(change))


@pytest.mark.parametrize(
    ("wanted", "found", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": None}, {}, True),
        ({"a": 1}, {"a": True}, False),
        ([{"a": 1}], [{"a": 1, "b": 2}], True),
        ([1], [1, 2], False),
        ({"a": []}, {"a": [1]}, False),
    ],
)
def test_matching(wanted: Any, found: Any, same: bool) -> None:
    assert (difference(wanted, found) is None) is same


class Desk:
    """The engine behind the three endpoints a case needs."""

    def __init__(self) -> None:
        self.engine = EngineReferee()
        self.answers: dict[int, Answer] = {}

    def post(self, path: str, body: Json) -> tuple[int, Json]:
        try:
            if path == "/v1/games":
                return 201, self._told(self.engine.create(body))
            at = self.answers[body["state"]["version"]]
            if path == "/v1/legal-actions":
                return 200, {"actions": self.engine.legal(at)}
            return 200, self._told(self.engine.act(at, body["action"]))
        except Refused as refused:
            return 422, {
                "type": f"/v1/problems/{refused.slug}",
                "violations": [reason._asdict() for reason in refused.reasons],
            }

    def _told(self, answer: Answer) -> Json:
        self.answers[answer.document["version"]] = answer
        return {"state": answer.document, "events": answer.events}


def test_a_case_over_http() -> None:
    play(TOLD, HttpReferee(Desk().post))


def test_a_wrong_case_over_http_fails() -> None:
    with pytest.raises(Mismatch):
        play(with_step(2, refused={"code": "too_expensive"}), HttpReferee(Desk().post))
