"""States by their id: sent instead of the document, and looked up."""

import orjson
import pytest

import engine
from service.app import create_app
from service.config import Config
from service.shelf import LARGEST, Told
from service.store import state_key
from service.wire import canonical
from tests.service.servers import eventually

pytestmark = pytest.mark.redis

UNKNOWN = "s_0_" + "0" * 32
ROLL = {"type": "roll", "player": "a"}
ASKED: dict[str, dict] = {
    "/v1/adjudicate?include=patch,legal_actions": {"action": ROLL},
    "/v1/validate": {"action": {**ROLL, "player": "b"}},
    "/v1/legal-actions": {},
    "/v1/view": {"player": "b"},
}


def other_worker(redis, **settings):
    return create_app(Config(redis_url=redis.url, **settings)).test_client()


@pytest.fixture
def app(redis):
    return create_app(Config(redis_url=redis.url))


@pytest.fixture
def state(referee):
    return referee.new_game(first_player="a")["state"]


def stored(app, state_id):
    return app.extensions["kaijudge.shelf"].store.get(state_key(state_id))


def slug(answer):
    return answer.get_json()["type"].removeprefix("/v1/problems/")


def test_every_answer_is_kept_as_canonical_bytes(app, referee, state):
    content = stored(app, state["state_id"])
    assert orjson.loads(content) == {name: value for name, value in state.items() if name != "state_id"}
    assert content == engine.canonical(orjson.loads(content)) == canonical(orjson.loads(content))
    following = referee.adjudicate(state, ROLL).get_json()["state"]
    assert orjson.loads(stored(app, following["state_id"]))["version"] == 1


def test_the_id_stands_for_the_document(referee, redis, state):
    """On this worker, and on another that has never seen the state."""
    for worker in (referee, type(referee)(other_worker(redis))):
        for path, more in ASKED.items():
            whole, by_id = ({"state": state, **more}, {"state_id": state["state_id"], **more})
            expected, told = (worker.post(path, body).get_json() for body in (whole, by_id))
            expected.pop("decision_id", None), told.pop("decision_id", None)
            assert told == expected, path


def test_a_whole_game_by_ids(referee, redis):
    """Alternating between two workers, so that half of the states come out of Redis."""
    clients = [referee.client, other_worker(redis)]
    game = referee.new_game("?include=legal_actions")
    while game["state"]["outcome"] is None and game["state"]["version"] < 60:
        action = [each for each in game["legal_actions"] if each["type"] != "concede"][-1]
        body = {"state_id": game["state"]["state_id"], "action": action}
        answer = clients[game["state"]["version"] % 2].post("/v1/adjudicate?include=legal_actions", json=body)
        assert answer.status_code == 200, answer.get_json()
        assert answer.get_json()["state"] == referee.adjudicate(game["state"], action).get_json()["state"]
        game = answer.get_json()


@pytest.mark.parametrize("path", ["/v1/adjudicate", "/v1/validate", "/v1/legal-actions", "/v1/view"])
def test_an_id_that_is_not_kept(referee, path):
    body = {"state_id": UNKNOWN, **({"action": ROLL} if path in ("/v1/adjudicate", "/v1/validate") else {})}
    answer = referee.post(path, body)
    assert (answer.status_code, slug(answer)) == (404, "state-not-found")


@pytest.mark.parametrize("told", [None, 5, "", "s_", "s_0_" + "0" * 31, "s_0_" + "0" * 33, UNKNOWN + "\n", {}])
def test_an_id_that_is_none(referee, told):
    answer = referee.post("/v1/adjudicate", {"state_id": told, "action": ROLL})
    assert (answer.status_code, slug(answer)) == (422, "schema-violation")
    assert [each["pointer"] for each in answer.get_json()["errors"]] == ["/state_id"]


def test_a_state_is_told_again(referee, state):
    answer = referee.client.get(f"/v1/states/{state['state_id']}")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert answer.get_json() == state
    assert answer.headers["ETag"] == f'"{state["state_id"]}"'
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"


def test_where_a_new_game_is(referee):
    answer = referee.post("/v1/games", {"players": [{"id": "a"}, {"id": "b"}]})
    assert referee.client.get(answer.headers["Location"]).get_json() == answer.get_json()["state"]


@pytest.mark.parametrize("matching", ['"{}"', 'W/"{}"', '"x", "{}"', "*"])
def test_a_state_that_is_known_is_not_sent(referee, state, matching):
    known = {"If-None-Match": matching.format(state["state_id"])}
    answer = referee.client.get(f"/v1/states/{state['state_id']}", headers=known)
    assert (answer.status_code, answer.get_data()) == (304, b"")
    assert answer.headers["ETag"] == f'"{state["state_id"]}"'
    assert "immutable" in answer.headers["Cache-Control"]


def test_another_etag_gets_the_state(referee, state):
    answer = referee.client.get(f"/v1/states/{state['state_id']}", headers={"If-None-Match": '"other"'})
    assert answer.get_json() == state


def test_other_conditions_are_not_asked(referee, state):
    for header in ({"If-Match": '"other"'}, {"If-Unmodified-Since": "Wed, 18 Nov 2020 15:00:00 GMT"}):
        answer = referee.client.get(f"/v1/states/{state['state_id']}", headers=header)
        assert (answer.status_code, answer.get_json()) == (200, state)


@pytest.mark.parametrize("state_id", [UNKNOWN, "x", "s_0_0", "s_%7D%7B_" + "0" * 32])
def test_a_state_that_is_not_kept(referee, state_id):
    for headers in ({}, {"If-None-Match": "*"}):
        answer = referee.client.get(f"/v1/states/{state_id}", headers=headers)
        assert (answer.status_code, slug(answer)) == (404, "state-not-found")


def test_a_state_takes_no_parameters(referee, state):
    assert slug(referee.client.get(f"/v1/states/{state['state_id']}?x=1")) == "bad-parameter"


def test_a_state_without_a_store(storeless):
    answer = storeless.client.get(f"/v1/states/{UNKNOWN}")
    assert (answer.status_code, slug(answer), answer.headers["Retry-After"]) == (503, "store-unavailable", "1")


def test_bytes_that_are_not_those_of_the_id_are_not_believed(app, redis, state):
    """Whoever can write into Redis cannot put words into the referee's mouth."""
    store = app.extensions["kaijudge.shelf"].store
    forged = stored(app, state["state_id"]).replace(b'"hearts":10', b'"hearts":11')
    for content in (forged, b"", b"{}", b"nonsense"):
        store.put(state_key(state["state_id"]), content, 10)
        client = other_worker(redis)
        for answer in (
            client.get(f"/v1/states/{state['state_id']}"),
            client.post("/v1/legal-actions", json={"state_id": state["state_id"]}),
        ):
            assert (answer.status_code, slug(answer)) == (404, "state-not-found")


def test_a_state_of_a_version_we_cannot_read_is_gone(app, redis):
    content = b'{"schema":"kaijudge/0"}'
    state_id = engine.state_id({"game_id": "g_0"}, lambda _: content)
    app.extensions["kaijudge.shelf"].store.put(state_key(state_id), content, 10)
    assert slug(other_worker(redis).post("/v1/legal-actions", json={"state_id": state_id})) == "state-not-found"


def test_a_state_goes_when_its_time_is_over(redis):
    client = other_worker(redis, state_ttl=1)
    body = {"players": [{"id": "a"}, {"id": "b"}]}
    state_id = client.post("/v1/games", json=body).get_json()["state"]["state_id"]
    asked = {"state_id": state_id}
    assert client.post("/v1/legal-actions", json=asked).status_code == 200
    assert eventually(lambda: client.post("/v1/legal-actions", json=asked).status_code == 404, 3)


def test_what_is_at_hand_does_not_hide_that_the_store_is_away(redis, referee, state):
    by_id = {"state_id": state["state_id"], "action": ROLL}
    assert referee.post("/v1/adjudicate", by_id).status_code == 200
    redis.kill()
    assert eventually(lambda: referee.post("/v1/validate", by_id).status_code == 503, 2)
    assert referee.adjudicate(state, ROLL).status_code == 200
    assert referee.client.get("/readyz").get_json() == {
        "status": "degraded", "parts": {"engine": "ok", "store": "down"},
    }  # fmt: skip


# States that are sent again


def reads(monkeypatch):
    """The documents that are read from now on."""
    found = []
    read = engine.read_state

    def noted(document):
        found.append(document)
        return read(document)

    monkeypatch.setattr(engine, "read_state", noted)
    return found


def test_a_state_that_was_told_or_read_is_not_read_again(storeless, monkeypatch):
    found = reads(monkeypatch)
    state = storeless.new_game(first_player="a")["state"]
    assert storeless.adjudicate(state, ROLL).status_code == 200
    assert found == []
    other = type(storeless)(create_app(Config()).test_client())
    told = [other.adjudicate(state, ROLL).get_json()["state"] for _ in range(2)]
    assert found == [state]
    assert told[0] == told[1] == storeless.adjudicate(state, ROLL).get_json()["state"]


@pytest.mark.parametrize(
    "change", [{"version": 7}, {"game_id": None}, {"game_id": "g_other"}, {"edition": 1}, {"x": 1}, {"version": True}]
)
def test_a_known_id_does_not_vouch_for_another_content(storeless, change):
    state = storeless.new_game(first_player="a")["state"]
    spoilt = storeless.adjudicate({**state, **change}, ROLL)
    assert (spoilt.status_code, slug(spoilt)) in {(422, "schema-violation"), (422, "invalid-state")}
    del state["game_id"]
    assert slug(storeless.adjudicate(state, ROLL)) == "schema-violation"


def test_what_no_game_comes_to_is_not_had_at_hand(app, state):
    shelf, read = app.extensions["kaijudge.shelf"], engine.read_state(state)
    for number, size in enumerate((LARGEST, LARGEST + 1)):
        shelf.remember(Told(f"s_size_{number}", read, b"x" * size))
    assert shelf.known("s_size_0") is not None
    assert shelf.known("s_size_1") is None


def test_what_was_only_sent_is_not_found_by_its_id(app, referee, storeless):
    """Another worker could not find it either."""
    state = storeless.new_game(first_player="a")["state"]
    assert referee.adjudicate(state, ROLL).status_code == 200
    assert slug(referee.post("/v1/legal-actions", {"state_id": state["state_id"]})) == "state-not-found"


def test_ready(referee, storeless):
    assert referee.client.get("/readyz").get_json()["parts"]["store"] == "up"
    assert storeless.client.get("/readyz").get_json() == {"status": "ok", "parts": {"engine": "ok", "store": "none"}}
