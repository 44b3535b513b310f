"""A state that no game left so is refused when it cannot be continued; one of our own would be our fault."""

import orjson
import pytest

import engine
from service import shelf


def forged(referee):
    """A state whose stack promises a purchase that nobody made."""
    state = referee.new_game(setup={"phase": "buy"}, first_player="a", seed="forged")["state"]
    state.pop("state_id")
    state["resume"]["stack"].insert(-1, ["market.gained", {"seat": 0, "card": "heal"}])
    state["resume"]["stack"].insert(-1, ["camouflage.wait", {}])
    return state


def test_a_stack_that_cannot_be_continued_is_refused(referee, monkeypatch):
    def stumble(state, action):
        raise KeyError("what no game holds")

    state = referee.new_game(first_player="a")["state"]
    monkeypatch.setattr(engine, "apply", stumble)
    answer = referee.adjudicate(state, {"type": "roll", "player": "a"})
    assert answer.status_code == 422
    assert answer.get_json()["type"].endswith("invalid-state")
    assert answer.get_json()["errors"][0]["pointer"] == "/state/resume"


def test_nor_can_it_be_played_again(referee, monkeypatch):
    def stumble(state, action):
        raise KeyError("what no game holds")

    state = referee.new_game(first_player="a")["state"]
    monkeypatch.setattr(engine, "apply", stumble)
    answer = referee.post("/v1/replay", {"state": state, "actions": [{"type": "roll", "player": "a"}]})
    assert answer.status_code == 422
    assert answer.get_json()["type"].endswith("invalid-state")


@pytest.mark.parametrize("wrong", [5, True, [], {}])
@pytest.mark.parametrize("field", ["name", "monster"])
def test_a_player_of_a_wrong_type(referee, field, wrong):
    state = referee.new_game(first_player="a")["state"]
    state["players"][0][field] = wrong
    answer = referee.adjudicate(state, {"type": "roll", "player": "a"})
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["pointer"] == f"/state/players/0/{field}"


def test_a_state_of_our_own_that_cannot_be_continued_is_our_fault(referee, monkeypatch):
    def stumble(state, action):
        raise KeyError("a bug")

    told = referee.new_game(first_player="a")["state"]
    monkeypatch.setattr(engine, "apply", stumble)
    body = {"state_id": told["state_id"], "action": {"type": "roll", "player": "a"}}
    assert referee.post("/v1/adjudicate", body).status_code == 500


def test_a_frame_that_fits_no_step_is_a_schema_violation(referee):
    answer = referee.adjudicate(forged(referee), {"type": "end_turn", "player": "a"})
    assert answer.status_code == 422
    assert answer.get_json()["type"].endswith("schema-violation")


def test_what_a_store_holds_is_read_as_strictly(referee):
    assert shelf._read(orjson.dumps(forged(referee))) is None
