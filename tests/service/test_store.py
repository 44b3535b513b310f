"""The stores: the same promises by Redis and by memory, and the breaker."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from service.breaker import Breaker
from service.config import MEMORY, BadSetting, Config
from service.lru import Lru
from service.store import MemoryStore, NoStore, StoreUnavailable, answer_key, open_store, state_key
from tests.service.servers import eventually

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
