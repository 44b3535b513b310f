"""Exact odds of a reroll."""

import pytest

import engine


@pytest.fixture
def rolled(referee):
    state = referee.new_game(first_player="a")["state"]
    return referee.adjudicate(state, {"type": "roll", "player": "a"}).get_json()["state"]


def test_odds_are_the_engines(referee, rolled):
    told = referee.post("/v1/odds", {"state": rolled, "dice": [0, 3]}).get_json()
    assert told == engine.reroll_odds(engine.read_state(rolled), [0, 3])
    assert told["total"] == 36 == sum(each["ways"] for each in told["outcomes"])


def test_all_dice(referee, rolled):
    told = referee.post("/v1/odds", {"state": rolled, "dice": [*range(6)]}).get_json()
    assert told["total"] == 6**6 == sum(each["ways"] for each in told["vp"])
    assert {sum(each["ways"] for each in spread) for spread in told["faces"].values()} == {6**6}


def test_a_die_that_is_not_there(referee, rolled):
    answer = referee.post("/v1/odds", {"state": rolled, "dice": [6]})
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (422, "/v1/problems/illegal-action")
    assert told["violations"][0]["code"] == "no_such_die"
    assert told["decision"] == rolled["decision"]


@pytest.mark.parametrize("dice", [None, [], "0", [0, 0], [-1], [True], [[0]], ["0"]])
def test_dice_that_are_none(referee, rolled, dice):
    told = referee.post("/v1/odds", {"state": rolled, "dice": dice}).get_json()
    assert told["type"] == "/v1/problems/schema-violation"
    assert all(each["pointer"].startswith("/dice") for each in told["errors"])


@pytest.mark.parametrize("body", [{"dice": [0]}, {"state": {}}, {"state": {}, "dice": [0], "speed": 1}, []])
def test_a_wrong_envelope(referee, body):
    assert referee.post("/v1/odds", body).get_json()["type"] == "/v1/problems/schema-violation"
