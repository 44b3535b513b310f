"""Anchored games while Redis is in trouble, with replicas, and on a cluster."""


import pytest
from redis import Redis

from service.chains import chain_key
from service.config import BadSetting, Config
from service.store import state_key
from tests.service.anchoring import ASKED, CONCEDE, RESOLVE, ROLL, begin, head, history, play, refused
from tests.service.conftest import over
from tests.service.servers import eventually, free_port, on_port

pytestmark = pytest.mark.redis


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
    worker = over(master.url, redis_timeout=2000, anchor_replicas=1, anchor_timeout=1000)
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
    worker = over(url)
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    assert [each["state_id"] for each in history(worker, state)["entries"]] == [state["state_id"], rolled["state_id"]]
    lonely = over(url, anchor_replicas=1, anchor_timeout=50)
    unreachable(lonely.adjudicate(rolled, RESOLVE))
    assert head(worker, state)["version"] == 2
    assert worker.client.delete(f"/v1/games/{state['game_id']}").status_code == 204
    with Redis.from_url(server.url) as client:
        assert client.keys("*") == []


def test_replicas_have_less_time_than_redis():
    with pytest.raises(BadSetting, match="KAIJUDGE_ANCHOR_TIMEOUT"):
        Config(anchor_replicas=1, anchor_timeout=250)
    assert Config.from_environment({"KAIJUDGE_ANCHOR_REPLICAS": "0"}).anchor_replicas == 0
