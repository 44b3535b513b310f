"""A store whose server is killed, frozen, full or slow; and several commands, threads and processes at once."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from service.config import Config
from service.store import StoreUnavailable, open_store
from tests.service.servers import PATIENCE, RedisServer, eventually
from tests.service.stores import quick_store, quick_to_fail, timed

pytestmark = pytest.mark.redis


def test_a_restart_is_not_noticed(redis):
    store = quick_store(redis.url)
    store.put("k", b"v", 10)
    redis.kill()
    redis.start()
    store.put("k", b"w", 10)  # over a connection that was closed meanwhile
    assert store.get("k") == b"w"


def test_a_dead_server_costs_nothing_and_comes_back(redis):
    store = quick_store(redis.url)
    store.put("k", b"v", 10)
    redis.kill()
    assert quick_to_fail(lambda: store.get("k"))  # no time-out
    assert store.condition() == "down"
    redis.start()
    assert eventually(lambda: store.condition() == "up")
    assert store.get("k") is None


def test_a_frozen_server_costs_a_few_timeouts(redis):
    store = quick_store(redis.url, redis_timeout=200, redis_pause=1000)
    store.put("k", b"v", 60)
    redis.freeze()
    waits = [timed(lambda: store.get("k")) for _ in range(30)]
    assert 0.19 < min(waits[:3]) < 1  # one time-out to answer, or another to connect, and no more
    assert median(waits[3:]) < 0.1  # a probe at most now and then
    redis.thaw()
    assert eventually(lambda: store.condition() == "up")
    assert store.get("k") == b"v"


def test_nobody_waits_for_the_probe(redis, monkeypatch):
    store = quick_store(redis.url, redis_failures=1, redis_pause=1000)
    redis.freeze()
    timed(lambda: store.get("k"))
    time.sleep(1.01)
    probing, run = threading.Event(), store._line.run

    def noted(*commands):
        probing.set()
        return run(*commands)

    monkeypatch.setattr(store._line, "run", noted)
    prober = threading.Thread(target=lambda: timed(lambda: store.get("k")))
    prober.start()
    assert probing.wait(PATIENCE)
    timed(lambda: store.get("k"))
    assert prober.is_alive()
    prober.join()
    redis.thaw()


def test_an_answer_that_came_late_is_not_taken_for_another(redis):
    store = quick_store(redis.url)
    store.put("a", b"1", 60)
    store.put("b", b"2", 60)
    redis.freeze()
    timed(lambda: store.get("a"))
    redis.thaw()
    assert store.get("b") == b"2"


def test_a_full_server_refuses_writes_and_answers_reads(tmp_path, caplog):
    with RedisServer(tmp_path, "--maxmemory", "1", "--maxmemory-policy", "noeviction") as redis:
        store = quick_store(redis.url)
        for _ in range(5):
            timed(lambda: store.put("k", b"v", 10))
        assert store.get("k") is None
    assert [each.levelname for each in caplog.records] == ["ERROR"]


def test_other_commands_may_come_before_the_end(redis):
    store = quick_store(redis.url)
    store.put("a", b"1", 10)
    ending = store.begin_put("b", b"2", 10)
    assert store.get("a") == b"1"
    again = store.begin_put("c", b"3", 10)
    assert store.run(("GET", "b"), ("GET", "c")) == [b"2", b"3"]
    ending()
    again()


def test_what_is_never_ended_harms_nobody(redis):
    store = quick_store(redis.url)
    store.begin_put("a", b"1", 10)
    store.begin_put("b", b"2", 10)
    assert [store.get("a"), store.get("b"), store.get("c")] == [b"1", b"2", None]


def test_a_restart_between_beginning_and_end_is_not_noticed(redis):
    store = quick_store(redis.url)
    store.get("k")
    redis.freeze()
    ending = store.begin_put("k", b"v", 10)
    redis.kill()
    redis.start()
    ending()
    assert store.get("k") == b"v"


def test_a_server_that_dies_before_the_end_has_kept_nothing(redis):
    store = quick_store(redis.url)
    store.get("k")
    redis.freeze()
    ending = store.begin_put("k", b"v", 10)
    redis.kill()
    with pytest.raises(StoreUnavailable):
        ending()
    with pytest.raises(StoreUnavailable):
        ending()


def test_a_server_that_is_frozen_holds_the_end_no_longer_than_an_answer(redis):
    store = quick_store(redis.url, redis_timeout=200)
    store.get("k")
    redis.freeze()
    ending = store.begin_put("k", b"v", 10)
    assert 0.19 < timed(ending) < 1  # one time-out
    redis.thaw()
    assert eventually(lambda: store.condition() == "up")


def test_a_refusal_is_told_to_whom_it_concerns(tmp_path):
    with RedisServer(tmp_path, "--maxmemory", "1", "--maxmemory-policy", "noeviction") as redis:
        store = quick_store(redis.url)
        ending = store.begin_put("k", b"v", 10)
        assert store.get("k") is None
        with pytest.raises(StoreUnavailable):
            ending()


def test_threads_do_not_mix_their_answers(redis):
    store = open_store(Config(redis_url=redis.url))
    for n in range(64):
        store.put(str(n), b"%d" % n, 60)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda n: store.get(str(n % 64)) == b"%d" % (n % 64), range(2000)))
        assert all(pool.map(lambda n: begun_and_read(store, n), range(2000)))


def begun_and_read(store, number):
    ending = store.begin_put(f"begun {number % 64}", b"%d" % (number % 64), 60)
    seen = store.get(str(number % 64))
    ending()
    return seen == b"%d" % (number % 64) and store.get(f"begun {number % 64}") == seen


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_does_not_share_its_connection(redis):
    store = open_store(Config(redis_url=redis.url))
    store.put("parent", b"p", 60)
    child = os.fork()
    if child == 0:
        good = all(store.get("parent") == b"p" for _ in range(300))
        os._exit(0 if good else 1)
    mixed = [store.get("none") for _ in range(300)]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert mixed == [None] * 300
