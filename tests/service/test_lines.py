"""Addresses of Redis, and what answers there: one server, a cluster, one that is watched over."""

import subprocess
from typing import Any

import pytest

from service.config import BadSetting, Config
from service.lines import Clustered, Direct, open_line
from service.store import RedisStore, answer_key, open_store, state_key
from tests.service.servers import eventually, free_port, on_port
from tests.service.stores import quick_store, quick_to_fail

pytestmark = pytest.mark.redis

ID = "s_tag_" + "0" * 32


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
