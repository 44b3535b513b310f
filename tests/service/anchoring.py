"""What the tests of anchored games share: games to begin and play, and what is asked of them."""




PLAYERS = [{"id": "a"}, {"id": "b"}]
ASKED = {"players": PLAYERS, "first_player": "a", "seed": "anchored", "options": {"history": "anchored"}}
SEATED = {
    "players": PLAYERS, "first_player": "a", "options": {"auth": "seats"},
    "setup": {"phase": "buy", "players": {"a": {"cards": ["made_in_a_lab"]}}},
}  # fmt: skip
ROLL = {"type": "roll", "player": "a"}
RESOLVE = {"type": "resolve", "player": "a"}
CONCEDE = {"type": "concede", "player": "b"}
PEEK = {"type": "peek", "player": "a"}


def begin(worker, **asked):
    answer = worker.post("/v1/games", {**ASKED, **asked})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()["state"]


def play(worker, state, *actions):
    for action in actions:
        answer = worker.adjudicate(state, action)
        assert answer.status_code == 200, answer.get_json()
        state = answer.get_json()["state"]
    return state


def refused(answer, slug, status=409):
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (status, f"/v1/problems/{slug}"), told
    return told


def without_id(answer):
    assert answer.status_code == 200, answer.get_json()
    return {name: value for name, value in answer.get_json().items() if name != "decision_id"}


def head(worker, state):
    answer = worker.client.get(f"/v1/games/{state['game_id']}")
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


def history(worker, state, query="", **headers):
    answer = worker.client.get(f"/v1/games/{state['game_id']}/history{query}", headers=headers)
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()
