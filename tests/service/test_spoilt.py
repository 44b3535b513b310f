"""Whatever a state has become on its way, the answer is a judgement or a refusal, and never a fault of ours."""

import random

import pytest

import engine
from tests.service.spoil import spoilt

STEPS = 120
SPOILT = 400


def states_of_a_game(referee, edition, rng):
    told = referee.new_game("?include=legal_actions", edition=edition, players=[{"id": f"p{n}"} for n in range(5)])
    while told["state"]["outcome"] is None and told["state"]["version"] < STEPS:
        yield told["state"]
        moves = [action for action in told["legal_actions"] if action["type"] != "concede"]
        told = referee.adjudicate(told["state"], rng.choice(moves), "?include=legal_actions").get_json()


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_spoilt_state_is_never_a_fault(referee, edition):
    rng = random.Random(f"spoilt {edition}")
    states = [*states_of_a_game(referee, edition, rng)]
    for _ in range(SPOILT):
        state = spoilt(rng.choice(states), rng)
        if isinstance(state, dict):
            state.pop("state_id", None)
        answer = referee.post("/v1/legal-actions", {"state": state})
        assert answer.status_code in (200, 422), (answer.get_json(), state)
        if answer.status_code == 200:
            for action in answer.get_json()["actions"][:3]:
                answer = referee.adjudicate(state, action)
                assert answer.status_code in (200, 409), (answer.get_json(), state, action)


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_spoilt_action_is_never_a_fault(referee, edition):
    rng = random.Random(f"spoilt actions {edition}")
    for state in states_of_a_game(referee, edition, rng):
        action = spoilt(rng.choice(referee.legal(state)), rng)
        answer = referee.adjudicate(state, action)
        assert answer.status_code in (200, 422), (answer.get_json(), action)


def test_a_spoilt_game_is_never_a_fault(referee):
    rng = random.Random("spoilt games")
    game = {
        "edition": "cs-2012", "players": [{"id": "p0", "name": "Ann", "monster": "m"}, {"id": "p1"}, {"id": "p2"}],
        "first_player": "p0", "seed": "s", "options": {"bay": False, "dice": "server", "secrets": "open"},
        "setup": {
            "phase": "start", "market": ["heal", "tanks"], "discard": ["energize"],
            "players": {
                "p0": {"hearts": 8, "vp": 3, "energy": 5, "place": "city", "poison": 1,
                       "shrink": 1, "eliminated": False,
                       "cards": ["wings", {"card": "mimic", "copies": {"player": "p1", "card": "jets"}}]},
                "p1": {"cards": ["jets", {"card": "smoke_cloud", "charges": 2}]},
            },
        },
    }  # fmt: skip
    assert referee.post("/v1/games", game).status_code == 201
    for _ in range(SPOILT * 2):
        body = spoilt(game, rng)
        answer = referee.post("/v1/games", body)
        assert answer.status_code in (201, 422), (answer.get_json(), body)
