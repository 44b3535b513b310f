"""The stores: the same promises by Redis and by memory; Redis frozen, killed, restarted, clustered, watched over."""

import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from types import SimpleNamespace
from typing import Any

import pytest

from service.breaker import Breaker
from service.config import MEMORY, BadSetting, Config
from service.lines import Clustered, Direct, open_line
from service.lru import Lru
from service.store import MemoryStore, NoStore, RedisStore, StoreUnavailable, answer_key, open_store, state_key
from tests.service.servers import PATIENCE, RedisServer, eventually, free_port, on_port

pytestmark = pytest.mark.redis

ID = "s_tag_" + "0" * 32


@pytest.fixture(params=["redis", "memory"])
def store(request):
    url = request.getfixturevalue("redis").url if request.param == "redis" else MEMORY
    return open_store(Config(redis_url=url))


# What every store promises


def test_what_is_put_is_there(store):
    assert store.get("k") is None
    store.put("k", b"\x00\xff v", 10)
    assert store.get("k") == b"\x00\xff v"
    store.put("k", b"", 10)
    assert store.get("k") == b""


def test_what_was_begun_is_there_once_it_is_ended(store):
    ending = store.begin_put("k", b"v", 10)
    ending()
    assert store.get("k") == b"v"


def test_nothing_stays_beyond_its_time(store):
    store.put("k", b"v", 1)
    store.claim("c", b"m", 1)
    assert eventually(lambda: store.get("k") is None and store.get("c") is None)


def test_only_one_claims(store):
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda n: store.claim("k", b"marker %d" % n, 10), range(50))]
    assert found.count(None) == 1
    assert {each for each in found if each is not None} == {b"marker %d" % found.index(None)}


def test_only_the_owner_settles_and_releases(store):
    store.claim("k", b"mine", 10)
    store.settle("k", b"other", b"answer", 10)
    store.release("k", b"other")
    assert store.get("k") == b"mine"
    store.settle("k", b"mine", b"answer", 10)
    store.release("k", b"mine")
    assert store.get("k") == b"answer"


def test_a_released_key_is_free(store):
    store.claim("k", b"mine", 10)
    store.release("k", b"mine")
    assert store.claim("k", b"next", 10) is None


def test_a_settled_marker_that_is_gone_stays_gone(store):
    store.settle("k", b"mine", b"answer", 10)
    assert store.get("k") is None


# One kind at a time


def test_memory_is_bounded():
    store = MemoryStore(10)
    for n in range(100):
        store.put(str(n), b"", 10)
        store.get("0")
    assert [n for n in range(100) if store.get(str(n)) is not None] == [0, *range(91, 100)]


def test_an_lru_forgets_what_is_out_of_time():
    kept: Lru[int] = Lru(5)
    kept.put("k", 1, -1)
    assert kept.get("k") is None
    assert len(kept) == 0


def test_no_store_keeps_nothing():
    store = open_store(Config())
    assert isinstance(store, NoStore)
    for call in (
        lambda: store.get("k"),
        lambda: store.put("k", b"", 1),
        lambda: store.begin_put("k", b"", 1),
        lambda: store.claim("k", b"", 1),
        lambda: store.settle("k", b"", b"", 1),
        lambda: store.release("k", b""),
    ):
        with pytest.raises(StoreUnavailable):
            call()
    assert (store.condition(), store.is_fresh()) == ("none", False)


def test_memory_is_of_one_worker():
    assert Config(redis_url=MEMORY).workers == 1
    with pytest.raises(BadSetting, match="KAIJUDGE_WORKERS"):
        Config(redis_url=MEMORY, workers=2)


def test_the_keys_of_a_game_share_its_tag():
    assert state_key(ID) == f"kaijudge:{{tag}}:state:{ID}"
    assert answer_key("a") != answer_key("b")
    assert answer_key("}{*").count("{") == 1


def test_a_marker_sent_twice_is_ours(redis):
    """A command is sent again when its connection was lost: it may have been done the first time."""
    store = open_store(Config(redis_url=redis.url))
    assert store.claim("k", b"mine", 10) is None
    assert store.claim("k", b"mine", 10) is None


# The breaker


def test_the_breaker_opens_probes_and_closes(monkeypatch):
    now = 0.0
    monkeypatch.setattr("service.breaker.time", SimpleNamespace(monotonic=lambda: now))
    breaker = Breaker(3, 5)
    for _ in range(2):
        breaker.failed(OSError())
    assert breaker.allows()
    breaker.failed(OSError())
    now = 4.9
    assert not breaker.allows()
    now = 5.1
    assert [breaker.allows() for _ in range(5)] == [True, False, False, False, False]
    breaker.succeeded()
    assert all(breaker.allows() for _ in range(5))


def test_a_success_between_failures_keeps_it_closed():
    breaker = Breaker(2, 10)
    for _ in range(5):
        breaker.failed(OSError())
        breaker.succeeded()
    assert breaker.allows()


# A server in trouble


def timed(call):
    start = time.perf_counter()
    with pytest.raises(StoreUnavailable):
        call()
    return time.perf_counter() - start


def quick_to_fail(call, most=1.0):
    """The breaker opens after three; of those the quickest shows what a try costs, whatever else the machine does."""
    waits = [timed(call) for _ in range(10)]
    return min(waits[:3]) < most and median(waits[3:]) < most


def quick_store(url, **settings):
    return open_store(Config(redis_url=url, **{"redis_timeout": 1000, "redis_pause": 100, **settings}))


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


# Addresses


def opened(url) -> Any:
    return open_line(url, 0.2)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://h:1/2", {"host": "h", "port": 1, "db": 2}),
        ("redis://u:p%40@h", {"username": "u", "password": "p@", "host": "h"}),
        ("unix:///run/r.sock?db=3", {"path": "/run/r.sock", "db": 3}),
    ],
)
def test_an_address_of_one_server(url, expected):
    line = open_line(url, 0.2)
    assert isinstance(line, Direct)
    options = line._pool.connection_kwargs
    assert {name: options[name] for name in expected} == expected
    assert (options["socket_timeout"], options["socket_connect_timeout"]) == (0.2, 0.2)
    assert options["retry"].get_retries() == 0


def test_an_address_with_tls():
    assert opened("rediss://h")._pool.connection_class.__name__ == "SSLConnection"
    assert "SSL" in opened("rediss+sentinel://h/s")._pool.connection_class.__name__
    assert opened("rediss+cluster://h")._options["ssl"] is True


def test_an_address_of_a_cluster():
    line = open_line("redis+cluster://u:p@a:7000,b,[::1]:7002", 0.2)
    assert isinstance(line, Clustered)
    assert line._nodes == [("a", 7000), ("b", 6379), ("::1", 7002)]
    assert (line._options["username"], line._options["password"], line._options["socket_timeout"]) == ("u", "p", 0.2)


def test_an_address_of_sentinels():
    pool = opened("redis+sentinel://:p@a,b:1/main/4?sentinel_password=q")._pool
    sentinels = [each.connection_pool.connection_kwargs for each in pool.sentinel_manager.sentinels]
    assert [(each["host"], each["port"], each["password"]) for each in sentinels] == [("a", 26379, "q"), ("b", 1, "q")]
    assert all(each["socket_timeout"] == 0.2 for each in sentinels)
    assert (pool.service_name, pool.connection_kwargs["db"], pool.connection_kwargs["password"]) == ("main", 4, "p")


@pytest.mark.parametrize(
    "url",
    ["localhost", "http://h", "redis+sentinel://h", "redis+cluster://h/3", "redis+cluster://,", "redis://h:x",
     "redis+cluster://h:x"],
)  # fmt: skip
def test_an_address_that_is_none(url):
    with pytest.raises(BadSetting, match="REDIS_URL"):
        open_store(Config(redis_url=url))


# Real ones


def test_a_real_cluster(cluster):
    server, url = cluster
    store = quick_store(url)
    assert isinstance(store, RedisStore)
    store.put(state_key(ID), b"v", 60)
    assert store.get(state_key(ID)) == b"v"
    key = answer_key("a")
    assert [store.claim(key, b"m", 10), store.claim(key, b"n", 10)] == [None, b"m"]
    store.settle(key, b"m", b"answer", 10)
    assert store.get(key) == b"answer"
    server.kill()
    assert quick_to_fail(lambda: store.get(key))
    assert store.condition() == "down"


def test_a_cluster_that_is_not_there_yet(tmp_path):
    store = quick_store(f"redis+cluster://127.0.0.1:{free_port()}")
    assert quick_to_fail(lambda: store.get("k"))


def test_real_sentinels(tmp_path):
    port, watch = free_port(), free_port()
    settings = tmp_path / "sentinel.conf"
    settings.write_text(f"port {watch}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 {port} 1\n")
    url = f"redis+sentinel://127.0.0.1:{watch}/main/0"
    with on_port(tmp_path, port) as server:
        sentinel = subprocess.Popen(["redis-server", str(settings), "--sentinel"], stdout=subprocess.DEVNULL)
        try:
            store = quick_store(url)
            assert eventually(lambda: store.condition() == "up")
            store.put("k", b"v", 60)
            assert store.get("k") == b"v"
            server.kill()
            assert quick_to_fail(lambda: store.get("k"))
            server.start()
            assert eventually(lambda: store.condition() == "up")
        finally:
            sentinel.terminate()
            sentinel.wait()
