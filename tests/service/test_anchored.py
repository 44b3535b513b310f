"""Anchored games: one successor a state, the same whoever asks and however often; and what is told of their way."""

import threading
import time

import httpx
import orjson
import pytest
from redis import Redis

from service.app import create_app
from service.chains import chain_key
from service.config import MEMORY, BadSetting, Config
from service.store import state_key
from tests.service.conftest import Referee
from tests.service.servers import eventually, free_port, on_port, serving

pytestmark = pytest.mark.redis

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
KEYS = "k1:" + "A" * 43


def over(url, **settings):
    """A worker of a service on this store."""
    settings = {"redis_timeout": 200, "redis_pause": 100, "keys": KEYS, **settings}
    return Referee(create_app(Config(redis_url=url, **settings)).test_client())


@pytest.fixture(params=["redis", "memory"])
def store_url(request):
    return request.getfixturevalue("redis").url if request.param == "redis" else MEMORY


@pytest.fixture
def worker(store_url):
    return over(store_url)


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


# Redis in trouble


def unreachable(answer):
    assert int(answer.headers["Retry-After"]) >= 1
    return refused(answer, "anchor-unavailable", 503)


def all_ways(worker, state):
    """Everything that needs the record of a game."""
    place = f"/v1/games/{state['game_id']}"
    yield worker.post("/v1/games", ASKED)
    yield worker.adjudicate(state, ROLL)
    yield worker.post("/v1/replay", {"state": state, "actions": [ROLL]})
    yield worker.client.get(place)
    yield worker.client.get(place + "/history")
    yield worker.client.get(place + "?after=0&wait=1")
    yield worker.client.delete(place)


def test_without_a_store_no_game_is_anchored(storeless, redis):
    state = begin(over(redis.url))
    for answer in all_ways(storeless, state):
        unreachable(answer)


def test_redis_away(redis):
    worker = over(redis.url)
    state = begin(worker)
    redis.kill()
    for answer in all_ways(worker, state):
        unreachable(answer)
    items = [{"id": "one", "op": "adjudicate", "state": state, "action": ROLL}]
    assert [each["status"] for each in worker.post("/v1/batch", {"items": items}).get_json()["results"]] == [503]
    assert worker.post("/v1/view", {"state": state}).status_code == 200
    redis.start()
    assert eventually(lambda: worker.adjudicate(state, ROLL).status_code == 409)
    refused(worker.adjudicate(state, ROLL), "anchor-lost")


def test_an_answer_of_redis_that_was_lost(redis):
    """The step was recorded, but nobody heard of it: sent again it is answered, and nothing else can take its place."""
    worker = over(redis.url)
    state = play(worker, begin(worker), ROLL)
    redis.freeze()
    unreachable(worker.adjudicate(state, RESOLVE))
    redis.thaw()
    assert eventually(lambda: head(worker, state)["version"] == 2)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    resolved = play(worker, state, RESOLVE)
    assert head(worker, state)["state_id"] == resolved["state_id"]


def test_a_refusal_that_passes_is_not_kept(redis):
    worker = over(redis.url, idempotency_wait=1)
    state = begin(worker)

    def answer():
        return worker.post("/v1/adjudicate", {"state": state, "action": ROLL}, headers={"Idempotency-Key": "k"})

    redis.freeze()
    unreachable(answer())
    redis.thaw()
    assert eventually(lambda: answer().status_code == 200)
    assert head(worker, state)["version"] == 1


# Replicas and clusters


@pytest.fixture
def replicated(tmp_path):
    """A server on a port, and a replica that can be started."""
    port = free_port()
    folders = [tmp_path / name for name in ("one", "two")]
    for each in folders:
        each.mkdir()
    with on_port(folders[0], port, "--repl-diskless-sync-delay", "0") as master:
        replica = on_port(folders[1], free_port(), "--replicaof", f"127.0.0.1 {port}")
        yield master, replica
        replica.__exit__()


def test_a_step_waits_for_a_replica(replicated):
    master, replica = replicated
    worker = over(master.url, anchor_replicas=1, anchor_timeout=100)
    unreachable(worker.post("/v1/games", ASKED))
    replica.start()
    assert eventually(lambda: worker.post("/v1/games", ASKED).status_code == 201)
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    with Redis.from_url(replica.url) as client:
        assert client.llen(chain_key(state["game_id"])) == 2
        assert client.exists(state_key(rolled["state_id"]))
    replica.freeze()
    unreachable(worker.adjudicate(rolled, RESOLVE))
    unreachable(worker.adjudicate(rolled, RESOLVE))  # recorded by now, but still at one place only
    refused(worker.adjudicate(rolled, CONCEDE), "state-superseded")
    replica.thaw()
    assert eventually(lambda: worker.adjudicate(rolled, RESOLVE).status_code == 200)
    assert head(worker, state)["version"] == 2


def test_a_cluster(cluster):
    server, url = cluster
    worker = over(url, redis_timeout=500)
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    assert [each["state_id"] for each in history(worker, state)["entries"]] == [state["state_id"], rolled["state_id"]]
    lonely = over(url, redis_timeout=500, anchor_replicas=1, anchor_timeout=50)
    unreachable(lonely.adjudicate(rolled, RESOLVE))
    assert head(worker, state)["version"] == 2
    assert worker.client.delete(f"/v1/games/{state['game_id']}").status_code == 204
    with Redis.from_url(server.url) as client:
        assert client.keys("*") == []


def test_replicas_have_less_time_than_redis():
    with pytest.raises(BadSetting, match="KAIJUDGE_ANCHOR_TIMEOUT"):
        Config(anchor_replicas=1, anchor_timeout=250)
    assert Config.from_environment({"KAIJUDGE_ANCHOR_REPLICAS": "0"}).anchor_replicas == 0


# How far, and which way


def test_the_head(worker):
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    shown = {name: rolled[name] for name in ("game_id", "state_id", "version", "decision", "outcome")}
    assert head(worker, state) == shown
    answer = worker.client.get(f"/v1/games/{state['game_id']}?after=0&wait=5")
    assert (answer.get_json(), answer.headers["Cache-Control"]) == (shown, "no-store")


@pytest.mark.parametrize("name", ["g_0123456789abcdef", "g_", "x", "g_a}:chain{b", "g_" + "a" * 65, "g_ä"])
def test_no_such_game(worker, name):
    for path in (f"/v1/games/{name}", f"/v1/games/{name}/history"):
        refused(worker.client.get(path), "not-found", 404)
    refused(worker.client.delete(f"/v1/games/{name}"), "not-found", 404)


def test_a_free_game_has_no_record(worker):
    state = begin(worker, options={})
    refused(worker.client.get(f"/v1/games/{state['game_id']}"), "not-found", 404)


@pytest.mark.parametrize(
    "query",
    ["?after=-1", "?after=", "?after=x", "?after=1e3", "?after=1&after=2", "?after=9999999999", "?wait=3",
     "?after=0&wait=x", "?who=a"],
)  # fmt: skip
def test_a_query_that_cannot_be_read(worker, query):
    state = begin(worker)
    refused(worker.client.get(f"/v1/games/{state['game_id']}{query}"), "bad-parameter", 400)


def test_who_waits_learns_of_the_next_move(worker):
    state = begin(worker)
    told: dict[str, float] = {}

    def wait():
        start = time.monotonic()
        answer = worker.client.application.test_client().get(f"/v1/games/{state['game_id']}?after=0&wait=10").get_json()
        told.update(version=answer["version"], took=time.monotonic() - start)

    waiter = threading.Thread(target=wait)
    waiter.start()
    time.sleep(0.4)
    play(worker, state, ROLL)
    waiter.join()
    assert told["version"] == 1
    assert 0.3 < told["took"] < 3


def test_nobody_waits_longer_than_may_be(redis):
    worker = over(redis.url, game_wait=1)
    state = begin(worker)
    start = time.monotonic()
    answer = worker.client.get(f"/v1/games/{state['game_id']}?after=0&wait=600").get_json()
    assert answer["version"] == 0
    assert 0.9 < time.monotonic() - start < 3


def test_a_game_forgotten_while_someone_waits(worker):
    state = begin(worker)
    place = f"/v1/games/{state['game_id']}"
    end = threading.Timer(0.3, lambda: worker.client.application.test_client().delete(place))
    end.start()
    refused(worker.client.get(place + "?after=0&wait=10"), "not-found", 404)
    end.join()


def test_those_who_wait_leave_threads_to_the_others_and_go_when_the_worker_stops(redis):
    settings = {"KAIJUDGE_WORKERS": "1", "KAIJUDGE_THREADS": "4", "KAIJUDGE_GAME_WAIT": "60", "KAIJUDGE_GRACE": "30"}
    took: list[float] = []

    def wait(url, place):
        start = time.monotonic()
        assert httpx.get(f"{url}{place}?after=0&wait=60", timeout=60).json()["version"] == 0
        took.append(time.monotonic() - start)

    with serving(REDIS_URL=redis.url, **settings) as (url, process):
        state = httpx.post(url + "/v1/games", json=ASKED).json()["state"]
        place = f"/v1/games/{state['game_id']}"
        threads = [threading.Thread(target=wait, args=(url, place)) for _ in range(6)]
        for each in threads:
            each.start()
        assert eventually(lambda: len(took) == 4)  # two wait, the others are answered at once
        assert max(took) < 5
        assert httpx.get(url + "/healthz").status_code == 200
        time.sleep(0.3)
        assert len(took) == 4
        process.terminate()
        stopping = time.monotonic()
        for each in threads:
            each.join()
        assert len(took) == 6
        assert time.monotonic() - stopping < 10


def test_the_history(worker):
    opened = worker.post("/v1/games", ASKED).get_json()
    answers, state = [opened], opened["state"]
    for action in (ROLL, RESOLVE):
        answers.append(worker.adjudicate(state, action).get_json())
        state = answers[-1]["state"]
    actions = [None, ROLL, {**RESOLVE, "order": ["numbers", "energy", "hearts", "claws"]}]
    entries = [
        {"version": version, "state_id": each["state"]["state_id"], "action": action}
        for version, (each, action) in enumerate(zip(answers, actions, strict=True))
    ]
    assert history(worker, state) == {"game_id": state["game_id"], "version": 2, "entries": entries}
    with_events = history(worker, state, "?events=true")["entries"]
    assert [each.pop("events") for each in with_events] == [each["events"] for each in answers]
    assert with_events == entries
    assert history(worker, state, "?after=0")["entries"] == entries[1:]
    assert history(worker, state, "?after=0&limit=1")["entries"] == entries[1:2]
    assert history(worker, state, "?after=7")["entries"] == history(worker, state, "?limit=0")["entries"] == []
    assert all("seed" not in str(each) for each in with_events)


def test_a_long_history_comes_in_pages(worker, monkeypatch):
    monkeypatch.setattr("service.anchor.PAGE", 2)
    monkeypatch.setattr("service.routes.anchored.PAGE", 5)
    state = begin(worker)
    for _ in range(3):
        player = state["decision"]["player"]
        for kind in ("roll", "resolve", "end_turn"):
            if state["decision"]["kind"] in ("roll", "buy"):
                state = play(worker, state, {"type": kind, "player": player})
    versions: list[int] = []
    told = history(worker, state)
    while told["entries"]:
        assert len(told["entries"]) <= 5
        versions.extend(each["version"] for each in told["entries"])
        told = history(worker, state, f"?after={versions[-1]}")
    assert versions == [*range(state["version"] + 1)]
    assert state["version"] > 5


def seated(worker):
    made = worker.post("/v1/games", SEATED).get_json()
    seats = {player: {"Kaijudge-Seat": token} for player, token in made["seats"].items()}
    return made["state"], seats


def test_private_events_are_told_to_their_player(worker):
    state, seats = seated(worker)
    body = {"state": state, "action": PEEK}
    assert worker.post("/v1/adjudicate", body, headers=seats["a"]).status_code == 200
    for caller, sees in (({}, False), (seats["b"], False), (seats["a"], True)):
        told = history(worker, state, "?events=true", **caller)["entries"][1]["events"]
        assert any("visible_to" in each for each in told) == sees
        assert [each["seq"] for each in told] == [*range(len(told))]
        replayed = worker.post("/v1/replay", {"state": state, "actions": [PEEK]}, headers=caller).get_json()
        assert replayed["events"] == told


def test_without_seats_the_history_is_public(worker):
    state = begin(worker, setup=SEATED["setup"])
    answer = worker.adjudicate(state, PEEK).get_json()
    assert any("visible_to" in each for each in answer["events"])
    assert not any("visible_to" in each for each in history(worker, state, "?events=true")["entries"][1]["events"])


def test_only_who_sits_there_has_the_game_forgotten(worker):
    state, seats = seated(worker)
    _, elsewhere = seated(worker)
    place = f"/v1/games/{state['game_id']}"
    for caller in ({}, elsewhere["a"], {"Kaijudge-Seat": "k1.x"}):
        answer = worker.client.delete(place, headers=caller)
        refused(answer, "unauthenticated", 401)
        assert "WWW-Authenticate" in answer.headers
    assert head(worker, state)["version"] == 0
    assert worker.client.delete(place, headers=seats["b"]).status_code == 204


def test_redis_does_not_learn_what_a_sealed_game_hides(redis):
    worker = over(redis.url)
    asked = {"players": PLAYERS, "first_player": "a", "options": {"secrets": "sealed"}}
    made = worker.post("/v1/games", asked).get_json()
    state = play(worker, made["state"], ROLL)
    with Redis.from_url(redis.url) as client:
        key = chain_key(state["game_id"])
        entries = client.lrange(key, 0, -1)
        assert not any(b"rulings" in each.partition(b"\n")[2] for each in entries)
        told = history(worker, state, "?events=true")["entries"]
        assert told[0]["events"] == made["events"]
        # What is encrypted belongs to its place: moved to another, it is refused.
        client.lset(key, 0, entries[0].partition(b"\n")[0] + b"\n" + entries[1].partition(b"\n")[2])
    answer = worker.client.get(f"/v1/games/{state['game_id']}/history?events=true")
    refused(answer, "seal-invalid", 422)
    assert head(worker, state)["state_id"] == state["state_id"]
    refused(over(redis.url, keys="k2:" + "B" * 43).adjudicate(state, RESOLVE), "seal-invalid", 422)


# Played again


def test_replay_goes_along_the_chain(worker):
    state = begin(worker)
    tip = play(worker, state, ROLL, RESOLVE)
    for start in ({"state": state}, {"state_id": state["state_id"]}, {"game": ASKED}):
        for count in range(3):
            answer = worker.post("/v1/replay", {**start, "actions": [ROLL, RESOLVE][:count]}).get_json()
            assert (answer["state"]["version"], answer["applied"]) == (count, count)
        assert answer["state"] == tip
    assert head(worker, state)["version"] == 2


def test_replay_never_leaves_the_chain(worker):
    state = begin(worker)
    tip = play(worker, state, ROLL, RESOLVE)
    for actions, index in (([CONCEDE], 0), ([ROLL, CONCEDE, ROLL], 1), ([ROLL, RESOLVE, CONCEDE], 2)):
        for start in ({"state": state}, {"game": ASKED}):
            told = refused(worker.post("/v1/replay", {**start, "actions": actions}), "state-superseded")
            assert (told["index"], told["head"]) == (index, tip["state_id"])
    illegal = worker.post("/v1/replay", {"state": state, "actions": [ROLL, ROLL]})
    assert refused(illegal, "illegal-action", 422)["index"] == 1
    assert head(worker, state)["state_id"] == tip["state_id"]


def test_replay_of_a_state_that_the_game_never_came_to(worker):
    state = begin(worker)
    forged = {**state, "players": [{**state["players"][0], "energy": 9}, state["players"][1]]}
    del forged["state_id"]
    for actions in ([], [ROLL]):
        told = refused(worker.post("/v1/replay", {"state": forged, "actions": actions}), "state-superseded")
        assert told["head"] == state["state_id"]


def test_replay_of_a_game_that_was_never_made(worker):
    for asked in (ASKED, {**ASKED, "options": {"auth": "seats"}, "seed": None}):
        game = {name: value for name, value in asked.items() if value is not None}
        for actions in ([], [ROLL]):
            refused(worker.post("/v1/replay", {"game": game, "actions": actions}), "anchor-lost")


def test_a_sealed_game_is_not_played_again_from_nothing(worker):
    game = {"players": PLAYERS, "options": {"secrets": "sealed"}}
    told = refused(worker.post("/v1/replay", {"game": game, "actions": []}), "invalid-state", 422)
    assert [each["pointer"] for each in told["errors"]] == ["/game/options/secrets"]


def test_what_was_told_of_moves_is_counted(worker):
    state = begin(worker)
    before = counted(worker)
    play(worker, state, ROLL)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    after = counted(worker)
    assert after["roll", "accepted"] == before.get(("roll", "accepted"), 0) + 1
    assert after["concede", "superseded"] == before.get(("concede", "superseded"), 0) + 1
    assert after.get(("concede", "accepted")) == before.get(("concede", "accepted"))


def counted(worker):
    lines = worker.client.get("/metrics").get_data(as_text=True).splitlines()
    found = {}
    for line in lines:
        if line.startswith("kaijudge_adjudications_total{"):
            labels, value = line.removeprefix("kaijudge_adjudications_total{").split("} ")
            action, outcome = (orjson.loads(each.partition("=")[2]) for each in labels.split(","))
            found[action, outcome] = float(value)
    return found
