"""Adjudicating, validating, listing what is legal, and looking: the three layers of refusals among them."""

import copy

import orjson
import pytest

import engine
from service.states import write_document
from service.wire import canonical


@pytest.fixture
def game(referee):
    return referee.new_game(first_player="a", players=[{"id": "a", "name": "Zoë ♥ 𝔊"}, {"id": "b"}])


@pytest.fixture
def state(game):
    return game["state"]


ROLL = {"type": "roll", "player": "a"}


def problem(answer, slug, status=422):
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (status, f"/v1/problems/{slug}"), told
    assert answer.mimetype == "application/problem+json"
    assert told["status"] == status
    assert told["decision_id"].startswith("d_")
    assert told["title"]
    assert told["detail"]
    assert told["instance"].startswith("/v1/")
    return told


def pointers(told):
    return [each["pointer"] for each in told["errors"]]


def test_an_action_moves_the_game_on(referee, state):
    told = referee.adjudicate(state, ROLL).get_json()
    assert set(told) == {"decision_id", "state", "events"}
    assert told["state"]["version"] == 1
    assert len(told["state"]["dice"]) == 6
    assert [each["seq"] for each in told["events"]] == [*range(len(told["events"]))]


def test_equal_requests_differ_in_the_decision_id_only(referee, state):
    first, second = (referee.adjudicate(state, ROLL).get_json() for _ in range(2))
    assert first.pop("decision_id") != second.pop("decision_id")
    assert first == second


def test_the_input_may_come_without_its_id(referee, state):
    with_id = referee.adjudicate(state, ROLL).get_json()
    del state["state_id"]
    assert referee.adjudicate(state, ROLL).get_json()["state"] == with_id["state"]


def test_the_id_is_the_hash_of_the_canonical_bytes(state):
    assert "Zoë ♥ 𝔊" in state["players"][0]["name"]
    content = {name: value for name, value in state.items() if name != "state_id"}
    assert canonical(content) == engine.canonical(content)
    assert state["state_id"] == engine.state_id(state)
    assert state["state_id"].startswith("s_" + state["game_id"][2:])


def test_writing_gives_back_what_was_read(state):
    assert orjson.loads(orjson.dumps(write_document(engine.read_state(state)))) == state


def test_a_wrong_id(referee, state):
    state["state_id"] = state["state_id"][:-1] + ("0" if state["state_id"][-1] != "0" else "1")
    assert pointers(problem(referee.adjudicate(state, ROLL), "invalid-state")) == ["/state/state_id"]


def test_a_changed_state_with_the_old_id(referee, state):
    state["players"][0]["vp"] += 1
    assert pointers(problem(referee.adjudicate(state, ROLL), "invalid-state")) == ["/state/state_id"]


@pytest.mark.parametrize("value", [None, 5, [], {}])
def test_an_id_that_is_no_text(referee, state, value):
    state["state_id"] = value
    assert pointers(problem(referee.adjudicate(state, ROLL), "schema-violation")) == ["/state/state_id"]


def test_a_malformed_state(referee, state):
    state["players"][0]["hearts"] = "10"
    state["phase"] = "tea"
    state["weather"] = "fine"
    told = problem(referee.adjudicate(state, ROLL), "schema-violation")
    assert sorted(pointers(told)) == ["/state/phase", "/state/players/0/hearts", "/state/weather"]


def test_an_impossible_position(referee, state):
    del state["state_id"]
    for player in state["players"]:
        player["place"] = "city"
    assert problem(referee.adjudicate(state, ROLL), "invalid-state")["errors"]


def test_an_action_that_cannot_be_read(referee, state):
    told = problem(referee.adjudicate(state, {"type": "reroll", "dice": [], "speed": 1}), "schema-violation")
    assert sorted(pointers(told)) == ["/action/dice", "/action/player", "/action/speed"]


@pytest.mark.parametrize("action", [None, [], "roll", 5])
def test_an_action_that_is_no_object(referee, state, action):
    assert pointers(problem(referee.adjudicate(state, action), "schema-violation")) == ["/action"]


def test_an_illegal_action(referee, state):
    before = copy.deepcopy(state)
    told = problem(referee.adjudicate(state, {"type": "resolve", "player": "b"}), "illegal-action")
    assert told["decision"] == before["decision"]
    assert [set(each) for each in told["violations"]] == [{"code", "ruling", "pointer", "detail"}]


def test_a_game_that_is_over(referee, state):
    over = referee.adjudicate(state, {"type": "concede", "player": "a"}).get_json()["state"]
    assert over["phase"] == "over"
    told = problem(referee.adjudicate(over, ROLL), "game-over", 409)
    assert told["outcome"]["winners"] == ["b"]
    assert referee.post("/v1/validate", {"state": over, "action": ROLL}).get_json()["legal"] is False
    assert referee.post("/v1/legal-actions", {"state": over}).get_json() == {"decision": None, "actions": []}


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ([], [""]),
        (None, [""]),
        ({}, ["/action", "/state"]),
        ({"action": ROLL}, ["/state"]),
        ({"state": 5, "action": ROLL}, ["/state"]),
        ({"state": {}, "state_id": "s_0_" + "0" * 32, "action": ROLL}, ["/state"]),
        ({"state_id": "x", "action": ROLL}, ["/state_id"]),
        ({"state": {}, "action": ROLL, "speed": 1, "a/b": 2}, ["/a~1b", "/speed"]),
    ],
)
def test_a_wrong_envelope(referee, body, wrong):
    assert sorted(pointers(problem(referee.post("/v1/adjudicate", body), "schema-violation"))) == wrong


@pytest.mark.parametrize("path", ["/v1/adjudicate", "/v1/validate"])
def test_a_state_by_its_id_needs_a_store(storeless, path):
    answer = storeless.post(path, {"state_id": "s_0_" + "0" * 32, "action": ROLL})
    problem(answer, "store-unavailable", 503)
    assert int(answer.headers["Retry-After"]) >= 1


def test_validating_applies_nothing(referee, state):
    legal = referee.post("/v1/validate", {"state": state, "action": ROLL}).get_json()
    assert legal == {"legal": True, "violations": []}
    illegal = referee.post("/v1/validate", {"state": state, "action": {**ROLL, "player": "b"}}).get_json()
    assert illegal["legal"] is False
    assert [set(each) for each in illegal["violations"]] == [{"code", "ruling", "pointer", "detail"}]


def test_legal_actions_are_the_engines(referee, state):
    told = referee.post("/v1/legal-actions", {"state": state}).get_json()
    assert told["decision"] == state["decision"]
    assert ROLL in told["actions"]


def test_a_view_has_no_secrets(referee, state):
    told = referee.post("/v1/view", {"state": state, "player": "b"}).get_json()
    assert set(state) - set(told) == {"secrets", "resume"}
    assert told["state_id"] == state["state_id"]
    assert state["secrets"]["deck"][20] not in orjson.dumps(told).decode()


def test_a_view_of_nobody_here(referee, state):
    told = problem(referee.post("/v1/view", {"state": state, "player": "z"}), "schema-violation")
    assert pointers(told) == ["/player"]


def test_included_with_an_adjudication(referee, state):
    told = referee.adjudicate(state, ROLL, "?include=patch,legal_actions").get_json()
    assert told["legal_actions"] == referee.legal(told["state"])
    assert {"op": "replace", "path": "/version", "value": 1} in told["patch"]
