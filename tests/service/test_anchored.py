"""Anchored games: one successor a state, the same whoever asks and however often."""


import pytest
from redis import Redis

from service.chains import chain_key
from service.config import MEMORY
from service.store import state_key
from tests.service.anchoring import ASKED, CONCEDE, PLAYERS, RESOLVE, ROLL, begin, head, play, refused, without_id
from tests.service.conftest import over

pytestmark = pytest.mark.redis


# One successor


def test_the_first_action_fixes_the_successor(worker):
    rolled = play(worker, begin(worker), ROLL)
    first = worker.adjudicate(rolled, {"type": "reroll", "player": "a", "dice": [2, 0]}, "?include=patch")
    told = refused(worker.adjudicate(rolled, RESOLVE), "state-superseded")
    assert told["head"] == first.get_json()["state"]["state_id"]
    again = worker.adjudicate(rolled, {"type": "reroll", "player": "a", "dice": [0, 2]}, "?include=patch")
    assert without_id(again) == without_id(first)
    refused(worker.adjudicate(rolled, CONCEDE), "state-superseded")


def test_the_same_action_later_gets_the_same_answer(worker):
    state = begin(worker)
    first = worker.adjudicate(state, ROLL)
    tip = play(worker, first.get_json()["state"], RESOLVE)
    assert without_id(worker.adjudicate(state, ROLL)) == without_id(first)
    assert refused(worker.adjudicate(state, CONCEDE), "state-superseded")["head"] == tip["state_id"]
    assert head(worker, state)["version"] == 2


def test_defaults_are_the_same_action(worker):
    rolled = play(worker, begin(worker), ROLL)
    first = worker.adjudicate(rolled, RESOLVE)
    spelt = {**RESOLVE, "order": ["numbers", "energy", "hearts", "claws"]}
    assert without_id(worker.adjudicate(rolled, spelt)) == without_id(first)
    refused(worker.adjudicate(rolled, {**RESOLVE, "order": spelt["order"][::-1]}), "state-superseded")


def test_by_id_and_by_document_it_is_one_game(worker):
    state = begin(worker)
    first = worker.post("/v1/adjudicate", {"state_id": state["state_id"], "action": ROLL})
    del state["state_id"]
    assert without_id(worker.adjudicate(state, ROLL)) == without_id(first)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")


def test_all_workers_see_one_chain(redis):
    workers = [over(redis.url) for _ in range(3)]
    state = play(workers[0], begin(workers[0]), ROLL)
    tip = play(workers[1], state, RESOLVE)
    for each in workers:
        assert refused(each.adjudicate(state, CONCEDE), "state-superseded")["head"] == tip["state_id"]


def test_a_sealed_game_is_anchored(worker):
    asked = {"players": PLAYERS, "first_player": "a", "options": {"secrets": "sealed"}}
    state = worker.post("/v1/games", asked).get_json()["state"]
    first = worker.adjudicate(state, ROLL)
    assert without_id(worker.adjudicate(state, ROLL)) == without_id(first)
    told = refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    assert told["head"] == first.get_json()["state"]["state_id"]


def test_a_state_that_the_game_never_came_to(worker):
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    rich = {**state, "players": [{**state["players"][0], "energy": 9}, state["players"][1]]}
    early = {**state, "version": 700}
    for forged in (rich, early):
        del forged["state_id"]
        assert refused(worker.adjudicate(forged, ROLL), "state-superseded")["head"] == rolled["state_id"]


def test_a_free_state_does_not_become_anchored(worker):
    state = begin(worker, options={})
    del state["state_id"]
    state["options"]["history"] = "anchored"
    refused(worker.adjudicate(state, ROLL), "anchor-lost")


def test_what_the_rules_forbid_is_refused_first(worker):
    state = begin(worker)
    play(worker, state, ROLL)
    refused(worker.adjudicate(state, RESOLVE), "illegal-action", 422)
    refused(worker.adjudicate(state, {"type": "fly"}), "schema-violation", 422)
    worker.client.delete(f"/v1/games/{state['game_id']}")
    refused(worker.adjudicate(state, RESOLVE), "illegal-action", 422)
    refused(worker.adjudicate(state, ROLL), "anchor-lost")


def test_a_game_that_is_over(worker):
    state = begin(worker)
    done = play(worker, state, CONCEDE)
    refused(worker.adjudicate(done, ROLL), "game-over")
    assert head(worker, state)["outcome"] == done["outcome"]
    assert head(worker, state)["decision"] is None


def test_nothing_else_moves_a_game(worker):
    state = begin(worker)
    assert worker.post("/v1/validate", {"state": state, "action": ROLL}).get_json()["legal"]
    assert worker.post("/v1/replay", {"state": state, "actions": []}).get_json()["state"] == state
    for path in ("/v1/legal-actions", "/v1/view"):
        assert worker.post(path, {"state": state}).status_code == 200
    assert head(worker, state)["version"] == 0


def test_each_item_of_a_batch_is_anchored_in_its_turn(worker):
    state = begin(worker)
    actions = {"first": ROLL, "second": CONCEDE, "third": ROLL}
    items = [{"id": name, "op": "adjudicate", "state": state, "action": each} for name, each in actions.items()]
    first, second, third = worker.post("/v1/batch", {"items": items}).get_json()["results"]
    assert [each["status"] for each in (first, second, third)] == [200, 409, 200]
    assert second["body"]["head"] == first["body"]["state"]["state_id"] == third["body"]["state"]["state_id"]
    assert worker.client.get(f"/v1/states/{second['body']['head']}").status_code == 200


def test_an_answer_kept_under_its_key(worker):
    state = begin(worker)
    body = {"state": state, "action": ROLL}
    first = worker.post("/v1/adjudicate", body, headers={"Idempotency-Key": "k"})
    play(worker, first.get_json()["state"], RESOLVE)
    again = worker.post("/v1/adjudicate", body, headers={"Idempotency-Key": "k"})
    assert (again.get_data(), again.headers["Idempotency-Replayed"]) == (first.get_data(), "true")


# Making and losing


def test_made_again_it_goes_on(worker):
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    assert begin(worker) == state
    assert head(worker, state)["state_id"] == rolled["state_id"]
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")


def test_a_chain_that_begins_otherwise_is_not_taken_over(redis):
    worker = over(redis.url)
    state = begin(worker)
    with Redis.from_url(redis.url) as client:
        key = chain_key(state["game_id"])
        client.lset(key, 0, b"f" * 32 + client.lindex(key, 0)[32:])
    refused(worker.post("/v1/games", ASKED), "state-superseded")
    refused(worker.adjudicate(state, ROLL), "state-superseded")


def test_forgotten(redis, store_url):
    worker, other = over(store_url), over(redis.url)
    if store_url == MEMORY:
        other = worker
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    by_id = [{"state_id": each["state_id"]} for each in (state, rolled)]
    assert [other.post("/v1/legal-actions", each).status_code for each in by_id] == [200, 200]
    answer = worker.client.delete(f"/v1/games/{state['game_id']}")
    assert (answer.status_code, answer.get_data()) == (204, b"")
    for each in (worker, other):
        refused(each.adjudicate(state, ROLL), "anchor-lost")
        refused(each.adjudicate(rolled, RESOLVE), "anchor-lost")
        for body in by_id:
            refused(each.post("/v1/legal-actions", body), "state-not-found", 404)
        refused(each.client.get(f"/v1/states/{rolled['state_id']}"), "state-not-found", 404)
        refused(each.client.get(f"/v1/games/{state['game_id']}"), "not-found", 404)
        refused(each.client.get(f"/v1/games/{state['game_id']}/history"), "not-found", 404)
        refused(each.client.delete(f"/v1/games/{state['game_id']}"), "not-found", 404)
    if store_url != MEMORY:
        with Redis.from_url(redis.url) as client:
            assert client.keys("*") == []
    assert begin(worker) == state
    play(worker, state, CONCEDE)


def test_a_record_that_was_lost(redis):
    worker = over(redis.url)
    state = begin(worker)
    with Redis.from_url(redis.url) as client:
        client.delete(chain_key(state["game_id"]))
    refused(worker.adjudicate(state, ROLL), "anchor-lost")
    refused(worker.post("/v1/replay", {"state": state, "actions": [ROLL]}), "anchor-lost")
    refused(worker.post("/v1/adjudicate", {"state_id": state["state_id"], "action": ROLL}), "anchor-lost")


def test_a_record_that_lost_its_end(redis):
    """As after a fail-over to a replica that lagged behind: later states are no longer part of the game."""
    worker = over(redis.url)
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    with Redis.from_url(redis.url) as client:
        client.rpop(chain_key(state["game_id"]))
    assert refused(worker.adjudicate(rolled, RESOLVE), "state-superseded")["head"] == state["state_id"]


def test_every_move_renews_the_time(redis):
    worker = over(redis.url, game_ttl=1000, state_ttl=10)
    state = begin(worker)
    with Redis.from_url(redis.url) as client:
        key = chain_key(state["game_id"])
        assert 990 < client.ttl(key) <= 1000
        client.expire(key, 50)
        rolled = play(worker, state, ROLL)
        assert 990 < client.ttl(key) <= 1000
        assert 990 < client.ttl(state_key(rolled["state_id"])) <= 1000
        client.expire(key, 50)
        worker.post("/v1/replay", {"state": state, "actions": [ROLL]})
        assert client.ttl(key) <= 50
        play(worker, state, ROLL)
        assert 990 < client.ttl(key) <= 1000


def test_a_server_that_forgot_the_scripts(redis):
    worker = over(redis.url)
    state = begin(worker)
    with Redis.from_url(redis.url) as client:
        client.script_flush()
        rolled = play(worker, state, ROLL)
        client.script_flush()
        assert head(worker, state)["state_id"] == rolled["state_id"]
