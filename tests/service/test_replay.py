"""Games played again: the same as action by action, and where they stop."""

import random

import pytest

import engine

PLAYERS = [{"id": "a", "name": "Ann"}, {"id": "b"}, {"id": "c"}]
GAME = {"edition": "cs-2016", "players": PLAYERS, "seed": "replayed"}


def played(referee, edition, steps=60):
    """A game action by action: how it began, the actions, all events, and the last state."""
    rng = random.Random(edition)
    game = {**GAME, "edition": edition}
    told = referee.new_game("?include=legal_actions", **game)
    actions: list = []
    events = told["events"]
    while told["state"]["outcome"] is None and len(actions) < steps:
        actions.append(rng.choice([each for each in told["legal_actions"] if each["type"] != "concede"]))
        told = referee.adjudicate(told["state"], actions[-1], "?include=legal_actions").get_json()
        events.extend(told["events"])
    return game, actions, events, told["state"]


def without_seq(events):
    return [{name: value for name, value in each.items() if name != "seq"} for each in events]


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_replay_is_the_game_itself(referee, edition):
    game, actions, events, last = played(referee, edition)
    told = referee.post("/v1/replay", {"game": game, "actions": actions}).get_json()
    assert set(told) == {"state", "events", "applied"}
    assert told["state"] == last
    assert told["applied"] == len(actions)
    assert without_seq(told["events"]) == without_seq(events)
    assert [each["seq"] for each in told["events"]] == [*range(len(events))]


def test_from_a_state(referee):
    game, actions, _, last = played(referee, "pl")
    begun = referee.new_game(**game)["state"]
    for start in ({"state": begun}, {"state": {k: v for k, v in begun.items() if k != "state_id"}}):
        told = referee.post("/v1/replay", {**start, "actions": actions}).get_json()
        assert told["state"] == last
        assert told["events"][0]["seq"] == 0


def test_no_actions_at_all(referee):
    told = referee.post("/v1/replay", {"game": GAME, "actions": []}).get_json()
    assert (told["applied"], told["state"]["version"]) == (0, 0)
    assert told["events"]


def test_a_game_without_a_seed_is_a_new_one(referee):
    body = {"game": {"players": PLAYERS}, "actions": []}
    first, second = (referee.post("/v1/replay", body).get_json()["state"] for _ in range(2))
    assert first["secrets"]["seed"] != second["secrets"]["seed"]


def refused(referee, body, slug, status=422):
    answer = referee.post("/v1/replay", body)
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (status, f"/v1/problems/{slug}"), told
    return told


def test_it_stops_at_the_first_illegal_action(referee):
    game, actions, _, _ = played(referee, "cs-2012", 10)
    told = refused(
        referee, {"game": game, "actions": [*actions[:4], {"type": "peek", "player": "a"}]}, "illegal-action"
    )
    assert told["index"] == 4
    assert told["violations"][0]["code"]
    assert told["decision"]["player"]


def test_it_stops_when_the_game_is_over(referee):
    leave = [{"type": "concede", "player": each} for each in "ab"]
    told = refused(referee, {"game": GAME, "actions": [*leave, leave[0]]}, "game-over", 409)
    assert told["index"] == 2


def pointers(told):
    return sorted(each["pointer"] for each in told["errors"])


def test_every_malformed_action_is_named(referee):
    actions = [{"type": "roll", "player": "a"}, {"type": "fly", "player": "a"}, {"type": "reroll", "player": "a"}]
    told = refused(referee, {"game": GAME, "actions": actions}, "schema-violation")
    assert pointers(told) == ["/actions/1/type", "/actions/2/dice"]


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"game": {"players": PLAYERS, "speed": 1}, "actions": []}, ["/game/speed"]),
        ({"game": GAME}, ["/actions"]),
        ({"actions": []}, ["/game"]),
        ({"game": GAME, "state": {}, "actions": []}, ["/game"]),
        ({"game": GAME, "actions": [1, None]}, ["/actions/0", "/actions/1"]),
        ({"state": {}, "actions": {}}, ["/actions"]),
        ([], [""]),
    ],
)
def test_a_wrong_envelope(referee, body, wrong):
    assert pointers(refused(referee, body, "schema-violation")) == wrong


def test_an_impossible_game(referee):
    told = refused(referee, {"game": {**GAME, "first_player": "z"}, "actions": []}, "invalid-state")
    assert pointers(told) == ["/game/first_player"]
