"""Rate limits: counted for all workers in one round trip, told in every answer, and no harm when Redis is away."""

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from math import floor

import httpx
import orjson
import pytest
from limits import parse

from service import apikeys
from service.app import create_app
from service.config import MEMORY, BadSetting, Config
from service.limits import Meter, Taken, Window, network
from service.lines import open_line
from service.store import open_store
from tests.service.servers import ROOT, eventually, serving
from tests.service.test_refusals import problem

SHOP, CLUB = apikeys.new_key(), apikeys.new_key()
GAME = {"players": [{"id": "a"}, {"id": "b"}], "seed": "s"}
FIELDS = {"RateLimit-Policy", "RateLimit", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}


def entries(shop="", club=""):
    told = [apikeys.write_entry("shop", SHOP) + shop, apikeys.write_entry("club", CLUB) + club]
    return ",".join(told)


def client_of(url=MEMORY, **settings):
    return create_app(Config(redis_url=url, **settings)).test_client()


def sent(key):
    return {"Authorization": f"Bearer {key}"}


def ask(client, key=None, path="/v1/editions/pl", **options):
    return client.get(path, headers=sent(key) if key else {}, **options)


def remaining(answer):
    return int(answer.headers["RateLimit-Remaining"])


# What is told


@pytest.mark.parametrize("url", [MEMORY, "none"])
def test_a_limit_and_how_it_stands(url):
    client = client_of(url, api_keys=entries(":3/hour"))
    told = [ask(client, SHOP) for _ in range(4)]
    assert [answer.status_code for answer in told] == [200, 200, 200, 429]
    assert [remaining(answer) for answer in told] == [2, 1, 0, 0]
    for answer in told:
        assert answer.headers["RateLimit-Policy"] == '"requests";q=3;w=3600'
        reset = answer.headers["RateLimit-Reset"]
        assert answer.headers["RateLimit"] == f'"requests";r={remaining(answer)};t={reset}'
        assert answer.headers["RateLimit-Limit"] == "3"
        assert 3600 <= int(reset) <= 7200
    problem(told[-1], "rate-limited")
    assert 1 <= int(told[-1].headers["Retry-After"]) <= 3600
    assert "Retry-After" not in told[0].headers


def test_refusals_count_and_tell_too():
    client = client_of(api_keys=entries(":9/hour"))
    told = [
        ask(client, SHOP, "/v1/nowhere"),
        ask(client, SHOP, "/v1/games"),
        client.post("/v1/games", data=b"{", headers={**sent(SHOP), "Content-Type": "application/json"}),
        client.post("/v1/games", json={}, headers=sent(SHOP)),
    ]
    assert [answer.status_code for answer in told] == [404, 405, 400, 422]
    assert [remaining(answer) for answer in told] == [8, 7, 6, 5]


def test_each_key_has_its_own_limit():
    client = client_of(api_keys=entries(":1/hour"), rate_limit="2/hour")
    assert [ask(client, SHOP).status_code for _ in range(2)] == [200, 429]
    assert [ask(client, CLUB).status_code for _ in range(3)] == [200, 200, 429]


def test_a_key_without_a_limit_has_none():
    client = client_of(api_keys=entries(":1/hour"))
    for _ in range(5):
        answer = ask(client, CLUB)
        assert answer.status_code == 200
        assert not FIELDS & {name for name, _ in answer.headers}


def test_what_is_public_does_not_count():
    client = client_of(api_keys=entries(":1/hour"))
    for path in ("/healthz", "/", "/docs", "/v1/problems/rate-limited"):
        assert not FIELDS & {name for name, _ in ask(client, SHOP, path).headers}
    assert ask(client, SHOP).status_code == 200


def test_who_is_not_let_in_does_not_count():
    client = client_of(api_keys=entries(":1/hour"))
    assert [ask(client, SHOP[:-1]).status_code for _ in range(3)] == [401] * 3
    assert ask(client, SHOP).status_code == 200


def test_no_limit_costs_nothing():
    """Not even the library is loaded."""
    code = "import sys; from service.app import create_app; create_app(); assert 'limits' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={"REDIS_URL": "none"}, check=True)


@pytest.mark.parametrize("told", ["many", "5", "5/week", "0/minute", "5/minute;1/second", "5 per minute", "-1/day"])
def test_what_is_no_limit(told):
    with pytest.raises(BadSetting, match="KAIJUDGE_RATE_LIMIT"):
        Config.from_environment({"KAIJUDGE_RATE_LIMIT": told})


# What a request costs


@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson"])
def test_a_batch_counts_its_items(form):
    client = client_of(api_keys=entries(":9/hour"))

    def batch(count):
        items = [{"id": str(n), "op": "nothing"} for n in range(count)]
        lines = b"".join(orjson.dumps(item) + b"\n" for item in items)
        body = orjson.dumps({"items": items}) if form == "application/json" else lines
        return client.post("/v1/batch", data=body, headers={**sent(SHOP), "Content-Type": form})

    assert remaining(batch(4)) == 5
    assert remaining(batch(0)) == 4
    refused = batch(5)
    problem(refused, "rate-limited")
    assert remaining(refused) == 4
    assert remaining(batch(4)) == 0


def test_more_than_a_limit_at_once_is_never_granted():
    client = client_of(api_keys=entries(":3/hour"))
    refused = client.post("/v1/batch", json={"items": [1, 2, 3, 4]}, headers=sent(SHOP))
    assert "smaller parts" in problem(refused, "rate-limited")["detail"]
    assert (remaining(refused), refused.headers["Retry-After"]) == (3, "3600")


def test_a_replay_counts_its_actions():
    client = client_of(api_keys=entries(":9/hour"))
    actions = [{"type": "roll", "player": "a"}, {"type": "resolve", "player": "a"}]
    game = {**GAME, "first_player": "a"}
    answer = client.post("/v1/replay", json={"game": game, "actions": actions}, headers=sent(SHOP))
    assert (answer.status_code, remaining(answer)) == (200, 7)
    assert remaining(client.post("/v1/replay", json={"game": game, "actions": []}, headers=sent(SHOP))) == 6


@pytest.mark.parametrize("path", ["/v1/batch", "/v1/replay"])
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"items": 5, "actions": "many"}', b'{"items": [1.5]}'])
def test_what_cannot_be_read_counts_once(path, body):
    client = client_of(api_keys=entries(":9/hour"))
    plain = client_of().post(path, data=body, content_type="application/json")
    answer = client.post(path, data=body, headers={**sent(SHOP), "Content-Type": "application/json"})
    assert (answer.status_code, remaining(answer)) == (plain.status_code, 8)


def test_a_repetition_counts_and_does_not_repeat_the_limit():
    client = client_of(api_keys=entries(":9/hour"))
    headers = {**sent(SHOP), "Idempotency-Key": "k"}
    first, second = (client.post("/v1/games", json=GAME, headers=headers) for _ in range(2))
    assert second.headers["Idempotency-Replayed"] == "true"
    assert (remaining(first), remaining(second)) == (8, 7)
    assert second.headers.getlist("RateLimit-Limit") == ["9"]


# Addresses


def test_without_keys_each_address_has_the_limit():
    client = client_of(rate_limit="1/hour")
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
        there = {"REMOTE_ADDR": address}
        assert [ask(client, environ_base=there).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_whom_an_address_stands_for(address, told):
    assert network(address) == told


def test_nobody_chooses_an_address():
    client = client_of(rate_limit="1/hour")
    told = [client.get("/v1/editions", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(2)]
    assert told == [200, 429]


def test_behind_a_proxy_the_address_is_what_it_saw():
    """Only what the nearest proxies added is believed; what came before it, a client can write itself."""
    client = client_of(rate_limit="1/hour", proxies=1)
    told = ["192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1"]
    answers = [client.get("/v1/editions", headers={"X-Forwarded-For": each}).status_code for each in told]
    assert answers == [200, 200, 429]


# In Redis


def test_workers_count_together(redis):
    one, two = (client_of(redis.url, api_keys=entries(":3/hour")) for _ in range(2))
    assert [remaining(ask(client, SHOP)) for client in (one, two, one)] == [2, 1, 0]
    problem(ask(two, SHOP), "rate-limited")
    assert ask(two, CLUB).status_code == 200


def store_of(client):
    return client.application.extensions["kaijudge.shelf"].store


def trips(client, monkeypatch):
    """The commands of every round trip from now on."""
    line, seen = store_of(client)._line, []
    run = line.run

    def watched(*commands):
        seen.append(commands)
        return run(*commands)

    monkeypatch.setattr(line, "run", watched)
    return seen


def test_one_round_trip(redis, monkeypatch):
    client = client_of(redis.url, api_keys=entries(":5/hour"))
    ask(client, SHOP)
    tried = trips(client, monkeypatch)
    assert remaining(ask(client, SHOP)) == 3
    assert [len(commands) for commands in tried] == [1]


def test_what_was_counted_goes_by_itself(redis):
    meter, limit = Meter(open_store(Config(redis_url=redis.url))), parse("5/second")
    meter.take(limit, "someone", 1)
    line = open_line(redis.url, 1)
    (place,) = line.run(("KEYS", "*"))[0]
    assert place == b"kaijudge:{LIMITER/someone/5/1/second}:rate"
    assert 1000 < line.run(("PTTL", place))[0] <= 2000


def test_in_a_cluster(cluster):
    """Both windows lie in one slot."""
    meter, limit = Meter(open_store(Config(redis_url=cluster[1], redis_timeout=2000))), parse("2 per 3 seconds")
    first = meter.take(limit, "someone", 2)
    assert (first.granted, first.window.now) == (True, 2)
    assert 3 < first.window.now_left <= 6
    time.sleep(3.1)
    second = meter.take(limit, "someone", 1)  # the first window is the one before by now, under its own key
    assert (second.granted, second.window.before, second.window.now) == (True, 2, 1)
    assert not meter.take(limit, "someone", 2).granted
    assert meter._own is None  # nothing of this was counted by the worker itself


@pytest.mark.parametrize("cost", [1, 3])
def test_who_comes_back_when_told_is_let_in(redis, cost):
    meter, limit = Meter(open_store(Config(redis_url=redis.url))), parse("4/second")
    while (taken := meter.take(limit, "someone", cost)).granted:
        pass
    time.sleep(taken.retry + 0.005)  # the way here; in the very millisecond in which a count expires it still weighs
    assert meter.take(limit, "someone", cost).granted


def test_redis_killed_and_back(redis):
    client = client_of(redis.url, api_keys=entries(":3/hour"), redis_pause=50, redis_timeout=1000)
    assert [ask(client, SHOP).status_code for _ in range(2)] == [200, 200]
    redis.kill()
    told = [ask(client, SHOP) for _ in range(4)]
    assert [answer.status_code for answer in told] == [200, 200, 200, 429]
    assert remaining(told[0]) == 2
    redis.start()
    assert eventually(lambda: store_of(client).condition() == "up")
    assert remaining(ask(client, SHOP)) == 2


def test_redis_frozen_holds_nobody_up_for_long(redis, monkeypatch):
    """One waits for it, for one time-out; all others are counted here."""
    client = client_of(redis.url, api_keys=entries(":9/hour"), redis_timeout=100, redis_failures=1, redis_pause=60_000)
    tried = trips(client, monkeypatch)
    redis.freeze()
    assert [ask(client, SHOP).status_code for _ in range(4)] == [200] * 4
    redis.thaw()
    assert len(tried) == 1


def test_many_at_once_through_several_workers():
    with serving(KAIJUDGE_API_KEYS=entries(":20/hour"), KAIJUDGE_WORKERS="2") as (url, _):

        def status(_):
            with httpx.Client(base_url=url, headers=sent(SHOP), timeout=10) as http:
                return [http.get("/v1/editions/pl").status_code for _ in range(5)]

        with ThreadPoolExecutor(8) as pool:
            told = [each for some in pool.map(status, range(10)) for each in some]
    assert (told.count(200), told.count(429)) == (20, 30)


# When to come back


def weight(taken, seconds):
    """What was asked weighs so much after so many seconds: the arithmetic of the script, with time as it goes."""
    before, left, now, now_left = taken.window
    window = taken.limit.get_expiry()
    if seconds < now_left - window or not now:
        return floor(before * max(0, left - seconds) / window) + now
    return floor(now * max(0, now_left - seconds) / window)


def test_when_to_come_back_is_neither_too_early_nor_too_late():
    rng = random.Random(5)
    seen = 0
    for _ in range(20_000):
        amount, end = rng.randint(1, 30), rng.uniform(0, 60)
        window = Window(rng.randint(0, amount), end, rng.randint(0, amount), 60 + end)
        taken = Taken(parse(f"{amount}/minute"), False, window, rng.randint(1, amount))
        if weight(taken, 0) + taken.cost <= amount:
            continue
        assert weight(taken, taken.retry) + taken.cost <= amount
        assert weight(taken, taken.retry - 1) + taken.cost > amount or taken.retry == 1
        assert taken.remaining == max(0, amount - weight(taken, 0))
        assert weight(taken, taken.reset) == 0
        seen += 1
    assert seen > 5000
