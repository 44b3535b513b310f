"""Idempotency-Key: the first answer again, byte for byte, under every kind of race."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import httpx
import orjson
import pytest

import engine
from service.app import create_app
from service.config import Config
from service.store import answer_key
from tests.service.servers import eventually, serving

pytestmark = pytest.mark.redis

GAME = {"players": [{"id": "a"}, {"id": "b"}]}
ROLL = {"type": "roll", "player": "a"}


@pytest.fixture(params=["redis", "memory"])
def app(request):
    url = request.getfixturevalue("redis").url if request.param == "redis" else "memory://"
    return create_app(Config(redis_url=url, idempotency_wait=1))


@pytest.fixture
def store(app):
    return app.extensions["kaijudge.shelf"].store


@pytest.fixture
def keyed(referee):
    """Post with a key."""

    def post(body, key="a-key", path="/v1/games"):
        return referee.post(path, body, headers={"Idempotency-Key": key})

    return post


def slug(answer):
    return answer.get_json()["type"].removeprefix("/v1/problems/")


def test_a_repetition_gets_the_same_bytes(keyed):
    """A game without a seed would otherwise be another game."""
    first, second = keyed(GAME), keyed(GAME)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.get_data() == second.get_data()
    assert "Idempotency-Replayed" not in first.headers
    headers = dict(second.headers)
    assert headers.pop("Idempotency-Replayed") == "true"
    assert headers == dict(first.headers)


def test_an_adjudication_with_its_decision_id(referee, keyed):
    body = {"state": referee.new_game(first_player="a")["state"], "action": ROLL}
    first, second = (keyed(body, path="/v1/adjudicate") for _ in range(2))
    assert first.get_data() == second.get_data()
    assert referee.post("/v1/adjudicate", body).get_json()["decision_id"] != first.get_json()["decision_id"]


def test_a_replay_of_a_game_without_a_seed(keyed):
    body = {"game": {**GAME, "first_player": "a"}, "actions": [ROLL]}
    first, second = (keyed(body, path="/v1/replay") for _ in range(2))
    assert (first.status_code, first.get_data()) == (200, second.get_data())


def test_a_batch(referee, keyed):
    state = referee.new_game(first_player="a")["state"]
    body = {"items": [{"id": "1", "op": "adjudicate", "state": state, "action": ROLL}]}
    first, second = (keyed(body, path="/v1/batch") for _ in range(2))
    assert (first.status_code, first.get_data()) == (200, second.get_data())
    assert slug(keyed({"items": []}, path="/v1/batch")) == "idempotency-key-reuse"


def test_the_same_bytes_as_lines_are_another_batch(referee):
    sent = {"data": b'{"items": []}', "headers": {"Idempotency-Key": "k"}}
    assert referee.client.post("/v1/batch", content_type="application/json", **sent).status_code == 200
    lines = referee.client.post("/v1/batch", content_type="application/x-ndjson", **sent)
    assert slug(lines) == "idempotency-key-reuse"


def test_a_batch_with_an_answer_that_may_change_is_not_kept(keyed):
    items = [{"id": "1", "op": "legal-actions", "state_id": "s_0_" + "0" * 32}]
    for _ in range(2):
        answer = keyed({"items": items}, path="/v1/batch")
        assert [each["status"] for each in answer.get_json()["results"]] == [404]
        assert "Idempotency-Replayed" not in answer.headers


def test_a_body_as_large_as_a_batch_is_too_large_elsewhere(referee):
    for headers, megabytes in product(({}, {"Idempotency-Key": "k"}), (1, 4, 40)):
        answer = referee.client.post("/v1/games", data=b" " * (megabytes * 1024 * 1024 + 1), headers=headers,
                                     content_type="application/json")  # fmt: skip
        assert (slug(answer), answer.get_json()["limit"]) == ("too-large", 1024 * 1024)


def test_another_key_is_another_request(keyed):
    assert keyed(GAME, "a").get_data() != keyed(GAME, "b").get_data()


def test_without_a_key_nothing_is_remembered(referee):
    first, second = (referee.post("/v1/games", GAME) for _ in range(2))
    assert first.get_data() != second.get_data()
    assert not {"Idempotency-Replayed", "Idempotency-Stored"} & {*first.headers.keys()}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({**GAME, "edition": "pl"}, "/v1/games"),
        (GAME, "/v1/games?include=legal_actions"),
        (GAME, "/v1/adjudicate"),
    ],
)
def test_a_key_belongs_to_one_request(keyed, body, path):
    first = keyed(GAME)
    assert slug(keyed(body, path=path)) == "idempotency-key-reuse"
    assert keyed(GAME).get_data() == first.get_data()


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 256, "\x7f"])
def test_a_key_that_is_none(keyed, key):
    answer = keyed(GAME, key)
    assert (answer.status_code, slug(answer)) == (400, "bad-parameter")


@pytest.mark.parametrize("key", ["x", "x" * 255, "!~{}*\"'"])
def test_keys(keyed, key):
    assert keyed(GAME, key).get_data() == keyed(GAME, key).get_data()


@pytest.mark.parametrize("body", [{}, {"players": [{"id": "a"}]}])
def test_a_final_refusal_is_repeated(keyed, body):
    first, second = keyed(body), keyed(body)
    assert first.status_code == 422
    assert first.get_data() == second.get_data()
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.headers["Content-Type"] == "application/problem+json"


def test_what_may_change_is_not_kept(referee, storeless, keyed):
    """A state that is not here may come; then the same request must be answered."""
    made = storeless.new_game(first_player="a")["state"]  # a game that only another service has seen
    body = {"state_id": made["state_id"], "action": ROLL}
    assert slug(keyed(body, path="/v1/adjudicate")) == "state-not-found"
    referee.new_game(first_player="a")
    assert keyed(body, path="/v1/adjudicate").status_code == 200


def test_another_media_type_is_not_held_against_the_key(referee, keyed):
    wrong = referee.client.post("/v1/games", data=orjson.dumps(GAME), content_type="text/plain",
                                headers={"Idempotency-Key": "a-key"})  # fmt: skip
    assert slug(wrong) == "unsupported-media-type"
    assert keyed(GAME).status_code == 201


def test_a_fault_is_not_kept(keyed, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr("service.answers.moved", None)
        assert keyed(GAME).status_code == 500
    assert keyed(GAME).status_code == 201


def test_while_the_first_is_at_work(keyed, monkeypatch):
    """The second is told to come back, another body is told off, and later both get the first's answer."""
    begun, go_on = threading.Event(), threading.Event()
    new_game = engine.new_game

    def slow(*args):
        begun.set()
        go_on.wait(5)
        return new_game(*args)

    monkeypatch.setattr(engine, "new_game", slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(keyed, GAME)
        assert begun.wait(5)
        again = keyed(GAME)
        assert (again.status_code, slug(again), again.headers["Retry-After"]) == (409, "idempotency-in-progress", "1")
        assert slug(keyed({**GAME, "edition": "pl"})) == "idempotency-key-reuse"
        go_on.set()
        assert first.result().status_code == 201
    assert keyed(GAME).get_data() == first.result().get_data()


def test_a_request_that_never_ended_frees_its_key(keyed, store, monkeypatch):
    """A worker that was killed cannot release its key: the marker goes by itself."""
    with monkeypatch.context() as killed:
        killed.setattr(type(store), "settle", lambda *_: None)
        keyed(GAME)
    assert slug(keyed(GAME)) == "idempotency-in-progress"
    assert eventually(lambda: keyed(GAME).status_code == 201, 3)


def test_an_answer_that_is_gone_is_given_anew(keyed, store):
    first = keyed(GAME)
    marker = store.get(answer_key("a-key"))
    store.release(answer_key("a-key"), marker)
    assert keyed(GAME).get_data() != first.get_data()


def test_without_a_store_the_answer_is_right_and_says_so(storeless):
    answer = storeless.post("/v1/games", {**GAME, "seed": "s"}, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.headers["Idempotency-Stored"]) == (201, "false")
    refused = storeless.post("/v1/games", {}, headers={"Idempotency-Key": "k"})
    assert (refused.status_code, refused.headers["Idempotency-Stored"]) == (422, "false")


def test_races_between_real_workers(redis):
    """Many clients, two workers, four keys: every key has one answer, and who did not get it was told to wait."""

    def ask(n):
        return n % 4, http.post("/v1/games", json=GAME, headers={"Idempotency-Key": f"race-{n % 4}"})

    with (
        serving(REDIS_URL=redis.url) as (url, _),
        httpx.Client(base_url=url) as http,
        ThreadPoolExecutor(12) as pool,
    ):
        answers = [*pool.map(ask, range(120))]
    assert {answer.status_code for _, answer in answers} <= {201, 409}
    for key in range(4):
        told = [answer for n, answer in answers if n == key and answer.status_code == 201]
        assert len({answer.content for answer in told}) == 1
        assert sum("Idempotency-Replayed" not in answer.headers for answer in told) == 1
