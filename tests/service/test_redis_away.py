"""Redis killed, frozen and started again under a real service at work: every answer is right, and none takes long."""

import random
import threading
import time
from dataclasses import dataclass, field

import httpx
import pytest

import engine
from engine.actions import Concede
from tests.service.servers import eventually, serving

pytestmark = pytest.mark.redis

TIMEOUT = 0.5  # seconds; more than a busy machine makes a good Redis late by
QUICK = {"KAIJUDGE_REDIS_TIMEOUT": "500", "KAIJUDGE_REDIS_PAUSE": "500"}
CLIENTS = 4


@dataclass
class Load:
    """Clients that play open games, each move by document and by id, and hold every answer against the engine."""

    url: str
    wrong: list = field(default_factory=list)
    by_id: list = field(default_factory=list)
    waits: list = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self):
        self.threads = [threading.Thread(target=self.play, args=(n,)) for n in range(CLIENTS)]
        for each in self.threads:
            each.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for each in self.threads:
            each.join()

    def play(self, n):
        rng, games = random.Random(n), 0
        with httpx.Client(base_url=self.url, timeout=10) as http:
            while not self.stopped.is_set():
                games += 1
                self.play_game(http, rng, f"{n} {games}")

    def play_game(self, http, rng, seed):
        body = {"players": [{"id": "a"}, {"id": "b"}], "seed": seed}
        document = self.ask(http, "/v1/games", body)["state"]
        while document["outcome"] is None and not self.stopped.is_set():
            state = engine.read_state(document)
            action = rng.choice([each for each in engine.legal_actions(state) if not isinstance(each, Concede)])
            expected = engine.canonical(engine.write_state(engine.apply(state, action).state))
            document = self.move(http, document, engine.write_action(action), expected)

    def move(self, http, document, action, expected):
        told = self.ask(http, "/v1/adjudicate", {"state": document, "action": action})["state"]
        if engine.canonical({name: told[name] for name in told if name != "state_id"}) != expected:
            self.wrong.append(("another state", told))
        answer = self.post(http, "/v1/adjudicate", {"state_id": document["state_id"], "action": action})
        self.by_id.append((time.monotonic(), answer.status_code))
        if answer.status_code == 200 and answer.json()["state"] != told:
            self.wrong.append(("another state by id", answer.text))
        if answer.status_code == 503 and int(answer.headers["Retry-After"]) < 1:
            self.wrong.append(("no Retry-After", answer.text))
        return told

    def ask(self, http, path, body):
        answer = self.post(http, path, body)
        if answer.status_code not in (200, 201):
            self.wrong.append((answer.status_code, answer.text))
        return answer.json()

    def post(self, http, path, body):
        start = time.monotonic()
        answer = http.post(path, json=body)
        self.waits.append((start, time.monotonic() - start))
        return answer

    def lately(self):
        return self.statuses(time.monotonic() - 0.3)

    def statuses(self, since, until=float("inf")):
        return {status for at, status in [*self.by_id] if since < at < until}


def test_redis_dies_and_comes_back_under_load(redis):
    with serving(REDIS_URL=redis.url, **QUICK) as (url, _), Load(url) as load:
        start = time.monotonic()
        assert eventually(lambda: len(load.by_id) > 100)
        assert load.statuses(start) == {200}
        redis.kill()
        killed = time.monotonic()
        assert eventually(lambda: load.lately() == {503})
        without = time.monotonic()
        assert httpx.get(url + "/readyz").json() == {"status": "degraded", "parts": {"engine": "ok", "store": "down"}}
        time.sleep(0.5)
        back = time.monotonic()
        redis.start()
        assert eventually(lambda: httpx.get(url + "/readyz").json()["status"] == "ok")
        # States told while it was away are not kept: look-ups of those say so. Later ones are found.
        assert eventually(lambda: load.lately() == {200})
        assert load.statuses(back) <= {200, 404, 503}
    assert load.wrong == []
    assert load.statuses(start, killed) <= {200, 503}
    assert load.statuses(without, back) == {503}


def test_redis_freezes_under_load(redis):
    """The worst kind of failure: it takes connections and never answers."""
    with serving(REDIS_URL=redis.url, **QUICK) as (url, _), Load(url) as load:
        assert eventually(lambda: len(load.by_id) > 100)
        redis.freeze()
        frozen = time.monotonic()
        time.sleep(4)
        thawed = time.monotonic()
        redis.thaw()
        assert eventually(lambda: load.lately() == {200})
    assert load.wrong == []
    waits = [wait for at, wait in load.waits if frozen < at < thawed]
    # Two timeouts (connect and answer) at most, and most requests none: two workers probe now and then.
    held = [wait for wait in waits if wait > TIMEOUT * 0.9]
    assert len(held) < len(waits) / 2
    assert sorted(waits)[len(waits) // 2] < TIMEOUT


def test_redis_away_from_the_start(redis):
    redis.kill()
    with serving(REDIS_URL=redis.url, **QUICK) as (url, _), httpx.Client(base_url=url) as http:
        made = http.post("/v1/games", json={"players": [{"id": "a"}, {"id": "b"}]})
        assert made.status_code == 201
        state_id = made.json()["state"]["state_id"]
        assert http.post("/v1/legal-actions", json={"state_id": state_id}).status_code == 503
        assert http.get(made.headers["Location"]).status_code == 503
        redis.start()
        assert eventually(lambda: http.get("/readyz").json()["status"] == "ok")
        assert eventually(lambda: http.get(made.headers["Location"]).status_code == 404)
