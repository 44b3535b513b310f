"""Sealed games: what is hidden stays hidden, what is shown cannot be changed, and the answer stays pure."""

import copy
import json
import random
from pathlib import Path

import httpx
import orjson
import pytest
from redis import Redis

import engine
from service import seal
from service.app import create_app
from service.config import MEMORY, Config
from service.keyring import read_keys
from service.patch import diff
from service.wire import canonical
from tests.service.conftest import Referee
from tests.service.servers import eventually, serving
from tests.service.spoil import at, spoilt, ways

K1, K2 = f"k1:{'A' * 43}", f"k2:{'B' * 86}"
SEALED = {"players": [{"id": "a", "name": "Ann"}, {"id": "b"}], "first_player": "a", "options": {"secrets": "sealed"}}
ROLL, RESOLVE = {"type": "roll", "player": "a"}, {"type": "resolve", "player": "a"}


def referee_with(keys, store=MEMORY):
    return Referee(create_app(Config(redis_url=store, keys=keys)).test_client())


@pytest.fixture
def sealed():
    """A referee with one key."""
    return referee_with(K1)


@pytest.fixture
def game(sealed):
    """The first answer of a sealed game."""
    answer = sealed.post("/v1/games", SEALED)
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()


@pytest.fixture
def state(game):
    return game["state"]


def opened(state, *keys):
    """All of a sealed state, as whoever has the keys can read it."""
    return seal.open_document(read_keys(",".join(keys or (K1,))), state).document


def slug(answer):
    told = answer.get_json()
    return answer.status_code, told["type"].rpartition("/")[2]


def broken(answer):
    """Whether a seal was refused, with nothing that would tell why."""
    told = answer.get_json()
    assert slug(answer) == (422, "seal-invalid"), told
    assert told.keys() == {"type", "title", "status", "detail", "instance", "decision_id"}
    return told["detail"]


# What is hidden, and what goes on


def test_a_sealed_document_hides_its_secrets_and_how_it_resumes(state):
    assert state["sealed"].startswith("k1:")
    assert "secrets" not in state
    assert "resume" not in state
    assert state["options"] == {"bay": False, "dice": "server", "secrets": "sealed", "history": "anchored"}
    plain = opened(state)
    assert len(plain["secrets"]["deck"]) == state["deck_size"]
    assert len(plain["secrets"]["seed"]) >= 64
    assert state["state_id"] == engine.state_id(plain, canonical)


def test_a_sealed_game_is_played_to_its_end(sealed, state):
    rng = random.Random(5)
    while state["outcome"] is None and state["version"] < 400:
        kinds: dict = {}
        for action in sealed.legal(state):
            kinds.setdefault(action["type"], []).append(action)
        kinds.pop("concede")
        answer = sealed.adjudicate(state, rng.choice(kinds[rng.choice([*kinds])]))
        assert answer.status_code == 200, answer.get_json()
        state = answer.get_json()["state"]
        assert state["sealed"].startswith("k1:")
    assert state["outcome"] is not None
    assert slug(sealed.adjudicate(state, ROLL)) == (409, "game-over")


def test_it_is_found_by_its_id_as_it_was_told(sealed, state):
    assert sealed.client.get(f"/v1/states/{state['state_id']}").get_json() == state
    by_id = sealed.post("/v1/adjudicate", {"state_id": state["state_id"], "action": ROLL}).get_json()
    whole = sealed.adjudicate(state, ROLL).get_json()
    assert (by_id["state"], by_id["events"]) == (whole["state"], whole["events"])


def test_a_patch_is_one_between_sealed_documents(sealed, state):
    told = sealed.adjudicate(state, ROLL, "?include=patch").get_json()
    assert told["patch"] == [*diff(state, told["state"])]
    assert {"op": "replace", "path": "/sealed", "value": told["state"]["sealed"]} in told["patch"]
    by_id = {"state_id": state["state_id"], "action": ROLL}
    assert sealed.post("/v1/adjudicate?include=patch", by_id).get_json()["patch"] == told["patch"]


def test_the_other_questions_take_a_sealed_state(sealed, state):
    legal = sealed.post("/v1/legal-actions", {"state": state}).get_json()
    assert legal["decision"] == state["decision"]
    assert ROLL in legal["actions"]
    assert sealed.post("/v1/validate", {"state": state, "action": ROLL}).get_json() == {"legal": True, "violations": []}
    view = sealed.post("/v1/view", {"state": state, "player": "a"}).get_json()
    assert view == {name: value for name, value in state.items() if name != "sealed"}
    assert broken(sealed.adjudicate(view, ROLL))
    rolled = sealed.adjudicate(state, ROLL).get_json()["state"]
    assert sealed.post("/v1/odds", {"state": rolled, "dice": [0]}).get_json()["total"] == 6
    items = [{"id": "x", "op": "adjudicate", "state": state, "action": ROLL}]
    result = sealed.post("/v1/batch", {"items": items}).get_json()["results"][0]
    assert (result["status"], result["body"]["state"]) == (200, rolled)


def test_what_redis_holds_is_sealed(redis):
    told = referee_with(K1, redis.url).post("/v1/games", SEALED, headers={"Idempotency-Key": "x"}).get_json()
    plain = opened(told["state"])
    kept = b"".join(stored(redis.url))
    assert told["state"]["sealed"].encode() in kept
    assert plain["secrets"]["seed"].encode() not in kept
    assert b",".join(b'"%s"' % card.encode() for card in plain["secrets"]["deck"][:2]) not in kept
    assert b'"stack"' not in kept
    again = referee_with(K1, redis.url).post("/v1/games", SEALED, headers={"Idempotency-Key": "x"})
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == told
    lost = referee_with(K2, redis.url).post("/v1/games", SEALED, headers={"Idempotency-Key": "x"})
    assert broken(lost)


def stored(url):
    """Every value that a Redis server holds."""
    with Redis.from_url(url) as client:
        for key in client.scan_iter():
            yield key
            yield from client.lrange(key, 0, -1) if client.type(key) == b"list" else [client.get(key) or b""]


def test_what_was_put_into_redis_by_another_hand_is_not_told(redis):
    first = referee_with(K1, redis.url).post("/v1/games", SEALED).get_json()["state"]
    other = referee_with(K1, redis.url).post("/v1/games", SEALED).get_json()["state"]
    with Redis.from_url(redis.url) as client:
        (place,) = client.scan_iter(f"*:state:{first['state_id']}")
        (strange,) = client.scan_iter(f"*:state:{other['state_id']}")
        referee = referee_with(K1, redis.url)
        client.set(place, client.get(strange))
        assert slug(referee.client.get(f"/v1/states/{first['state_id']}")) == (404, "state-not-found")
        client.set(place, canonical(opened(first)))
        assert slug(referee.client.get(f"/v1/states/{first['state_id']}")) == (404, "state-not-found")
        assert slug(referee.post("/v1/legal-actions", {"state_id": first["state_id"]})) == (404, "state-not-found")
        client.set(place, orjson.dumps({"sealed": first["sealed"], **opened(first), "phase": "buy"}))
        assert broken(referee.client.get(f"/v1/states/{first['state_id']}"))


# What is shown cannot be changed


def test_white_space_order_and_a_missing_id_do_not_matter(sealed, state):
    expected = sealed.adjudicate(state, ROLL).get_json()["state"]
    shuffled = {name: state[name] for name in sorted(state, reverse=True) if name != "state_id"}
    body = json.dumps({"action": ROLL, "state": shuffled}, indent=2, ensure_ascii=True).replace("Ann", "\\u0041nn")
    for referee in (sealed, referee_with(K1)):
        answer = referee.client.post("/v1/validate", data=body, content_type="application/json")
        assert answer.get_json() == {"legal": True, "violations": []}
    answer = sealed.client.post("/v1/adjudicate", data=body, content_type="application/json")
    assert answer.get_json()["state"] == expected


CHANGES: tuple = (
    None, True, False, 0, 1, 2, -1, 1.0, 1.5, 1e30, "", "a", "b", "sealed", "open", [], {}, [0], {"a": 0},
)  # fmt: skip


def same(old, new):
    return canonical(old) == canonical(new)


@pytest.mark.parametrize("known", [True, False], ids=["known here", "never seen here"])
def test_a_change_of_any_value_breaks_the_seal(sealed, state, known):
    """Every value of a state in mid-game is replaced, removed and doubled; every object gets a field more."""
    rolled = sealed.adjudicate(state, ROLL).get_json()["state"]
    referee = sealed if known else referee_with(K1)
    tried = 0
    for way in ways(rolled):
        for change in (*CHANGES, "remove", "double", "step"):
            document = copy.deepcopy(rolled)
            holder, old = at(document, way[:-1]), at(document, way)
            if change == "remove":
                del holder[way[-1]]
            elif change == "double" and type(holder) is list:
                holder.insert(way[-1], copy.deepcopy(old))
            elif change == "step" and type(old) in (int, str):
                holder[way[-1]] = old + (1 if type(old) is int else "x")
            else:
                holder[way[-1]] = change
            if same(document, rolled) or (way == ("state_id",) and change == "remove"):
                continue
            tried += 1
            assert broken(referee.post("/v1/legal-actions", {"state": document}))
    assert tried > 1000
    assert referee.post("/v1/legal-actions", {"state": rolled}).status_code == 200


def test_every_object_refuses_a_field_more(sealed, state):
    rolled = sealed.adjudicate(state, ROLL).get_json()["state"]
    for way in [(), *(each for each in ways(rolled) if isinstance(at(rolled, each), dict))]:
        for name, value in (("speed", 1), ("auth", "none"), ("green", False), ("name", None), ("secrets", {})):
            document = copy.deepcopy(rolled)
            if name not in at(document, way):
                at(document, way)[name] = value
                assert broken(sealed.post("/v1/legal-actions", {"state": document}))


def test_random_damage_never_passes(sealed, state):
    rng = random.Random(17)
    for _ in range(150):
        document = spoilt(state, rng)
        if same(document, state) or not isinstance(document, dict):
            continue
        status = sealed.post("/v1/validate", {"state": document, "action": ROLL}).status_code
        assert status in ((200,) if same({**document, "state_id": state["state_id"]}, state) else (422,)), document


def test_every_letter_of_the_seal_counts(sealed, state):
    told = state["sealed"]
    rng = random.Random(3)
    places = [*range(8), *range(len(told) - 6, len(told)), *rng.sample(range(len(told)), 60)]
    for place in places:
        for letter in "AZ9_-b":
            changed = told[:place] + letter + told[place + 1 :]
            if changed != told:
                assert broken(sealed.post("/v1/legal-actions", {"state": {**state, "sealed": changed}}))


@pytest.mark.parametrize(
    "change",
    [
        lambda told: "", lambda told: "k1", lambda told: "k1:", lambda told: told + "=", lambda told: told + "A",
        lambda told: told[:-1], lambda told: " " + told, lambda told: told + "\n", lambda told: told[3:],
        lambda told: told.replace("k1", "k2"), lambda told: told.replace("k1", "K1"), lambda told: f":{told}",
        lambda told: told[:5] + "é" + told[6:], lambda told: told[:9] + "!" + told[9:],
        lambda told: told[:9] + "\n" + told[9:], lambda told: None, lambda told: 5, lambda told: [told],
        lambda told: {"k1": told},
    ],
)  # fmt: skip
def test_only_the_seal_itself_is_one(sealed, state, change):
    changed = {**state, "sealed": change(state["sealed"])}
    for document in (changed, {**changed, "speed": 1}):
        assert broken(sealed.post("/v1/legal-actions", {"state": document}))


def test_other_letters_for_the_same_bytes_are_another_seal(sealed, state):
    """The last letter of base64 may have bits that nobody reads."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for letter in alphabet.replace(state["sealed"][-1], ""):
        assert broken(sealed.post("/v1/legal-actions", {"state": {**state, "sealed": state["sealed"][:-1] + letter}}))


def test_a_seal_fits_its_own_state_alone(sealed, state):
    rolled = sealed.adjudicate(state, ROLL).get_json()["state"]
    other = sealed.post("/v1/games", SEALED).get_json()["state"]
    for one, two in ((state, rolled), (rolled, state), (state, other)):
        assert broken(sealed.post("/v1/legal-actions", {"state": {**one, "sealed": two["sealed"]}}))
        assert broken(sealed.post("/v1/legal-actions", {"state": {**one, "state_id": two["state_id"]}}))


def test_open_states_dressed_as_sealed_and_the_reverse(sealed, state):
    plain = opened(state)
    free = sealed.new_game(first_player="a")["state"]
    dressed = [
        plain,
        {**plain, "sealed": state["sealed"]},
        {name: value for name, value in state.items() if name != "sealed"},
        {**free, "sealed": state["sealed"]},
        {**free, "options": {**free["options"], "secrets": "sealed"}},
        {**free, "options": {**free["options"], "secrets": "sealed", "history": "anchored"}, "sealed": state["sealed"]},
        {**state, "options": {**state["options"], "secrets": "open"}},
        {**state, "options": {**state["options"], "history": "free"}},
        {"sealed": state["sealed"]},
        {"sealed": None},
        {"options": {"secrets": "sealed"}},
    ]
    for document in dressed:
        for path, rest in (("/v1/adjudicate", {"action": ROLL}), ("/v1/legal-actions", {}), ("/v1/view", {})):
            assert broken(sealed.post(path, {"state": document, **rest}))
        assert broken(sealed.post("/v1/odds", {"state": document, "dice": [0]}))
        assert broken(sealed.post("/v1/replay", {"state": document, "actions": []}))
    undressed = {**{name: value for name, value in state.items() if name != "sealed"}}
    undressed["options"] = {**undressed["options"], "secrets": "open"}
    assert slug(sealed.adjudicate(undressed, ROLL)) == (422, "schema-violation")


def test_a_seal_is_checked_before_the_rest(sealed, state):
    """But what is wrong with the action is for whoever sent it to know."""
    assert broken(sealed.adjudicate({**state, "phase": 5}, {"type": "nothing"}))
    assert slug(sealed.adjudicate(state, {"type": "nothing"})) == (422, "schema-violation")


AROUND = [
    ("adjudicate", {}), ("adjudicate", {"action": ROLL, "speed": 1}), ("adjudicate", {"action": {**ROLL, "die": 1.5}}),
    ("adjudicate", {"action": ROLL, "state_id": "s_x"}), ("validate", {"action": 7}), ("legal-actions", {"speed": 1}),
    ("view", {"player": 7}), ("odds", {}), ("odds", {"dice": [0.5]}), ("replay", {}), ("replay", {"actions": 7}),
    ("reveal", {"speed": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "around"), AROUND)
def test_a_seal_is_checked_before_what_is_around_the_state(sealed, state, path, around):
    assert broken(sealed.post(f"/v1/{path}", {"state": {**state, "phase": "buy"}, **around}))
    assert slug(sealed.post(f"/v1/{path}", {"state": state, **around})) == (422, "schema-violation")


def test_a_seal_is_checked_before_the_rest_of_an_item(sealed, state):
    changed = {**state, "version": 0.5}
    item = {"op": "validate", "state": changed}
    items = [{"id": "1", **item, "action": ROLL}, {"id": "2", **item}]
    results = sealed.post("/v1/batch", {"items": items}).get_json()["results"]
    assert [each["body"]["type"] for each in results] == ["/v1/problems/seal-invalid"] * 2


# The answer stays a pure function


def test_another_server_with_the_same_keys_gives_the_same_answer(redis):
    first, second = (referee_with(K1, redis.url) for _ in range(2))
    state = first.post("/v1/games", SEALED).get_json()["state"]
    answers = [each.adjudicate(state, ROLL).get_json() for each in (first, second, first)]
    for each in answers:
        del each["decision_id"]
    assert answers[0] == answers[1] == answers[2]


def test_games_go_on_under_their_key_when_a_new_one_comes(redis):
    old = referee_with(K1, redis.url)
    state = old.post("/v1/games", SEALED).get_json()["state"]
    expected = old.adjudicate(state, ROLL).get_json()
    both = referee_with(f"{K2},{K1}", redis.url)
    told = both.adjudicate(state, ROLL).get_json()
    assert (told["state"], told["events"]) == (expected["state"], expected["events"])
    assert told["state"]["sealed"].startswith("k1:")
    resolved = both.post("/v1/adjudicate", {"state_id": told["state"]["state_id"], "action": RESOLVE})
    assert resolved.get_json()["state"]["sealed"].startswith("k1:")
    fresh = both.post("/v1/games", SEALED).get_json()["state"]
    assert fresh["sealed"].startswith("k2:")
    assert both.adjudicate(fresh, ROLL).get_json()["state"]["sealed"].startswith("k2:")
    new = referee_with(K2, redis.url)
    assert new.adjudicate(fresh, ROLL).status_code == 200
    assert broken(new.adjudicate(told["state"], RESOLVE))
    assert broken(new.post("/v1/legal-actions", {"state_id": state["state_id"]}))
    assert broken(new.client.get(f"/v1/states/{state['state_id']}"))


def test_a_key_of_the_same_id_is_not_the_same_key(state):
    assert broken(referee_with(f"k1:{'C' * 43}").adjudicate(state, ROLL))


# Where there are no keys


@pytest.mark.parametrize("options", [{"secrets": "sealed"}, {"auth": "seats"}, {"secrets": "sealed", "auth": "seats"}])
def test_without_keys_no_such_game_is_begun(redis, options):
    referee = referee_with("", redis.url)
    told = referee.post("/v1/games", {**SEALED, "options": options}).get_json()
    assert (told["status"], told["type"]) == (422, "/v1/problems/invalid-state")
    assert sorted(each["pointer"] for each in told["errors"]) == sorted(f"/options/{name}" for name in options)
    assert all("KAIJUDGE_KEYS" in each["detail"] for each in told["errors"])


def test_without_keys_no_seal_is_ours(state):
    assert broken(referee_with("", "none").adjudicate(state, ROLL))


def test_a_service_in_memory_makes_its_own_key():
    first, second = (referee_with("") for _ in range(2))
    state = first.post("/v1/games", SEALED).get_json()["state"]
    assert first.adjudicate(state, ROLL).status_code == 200
    assert broken(second.adjudicate(state, ROLL))


def test_a_service_with_its_own_redis_makes_a_key_for_all_its_workers():
    with serving(KAIJUDGE_KEYS="", KAIJUDGE_WORKERS="2") as (url, process):
        environment = Path(f"/proc/{process.pid}/environ").read_text()
        settings = dict(each.split("=", 1) for each in environment.split("\0") if each)
        kept = Path(settings["REDIS_URL"].removeprefix("unix://")).parent / "keys"
        assert kept.read_text().strip() == settings["KAIJUDGE_KEYS"]
        assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        for _ in range(6):  # a connection each, so that both workers are asked
            with httpx.Client(base_url=url) as client:
                state = client.post("/v1/games", json=SEALED).json()["state"]
            with httpx.Client(base_url=url) as client:
                assert client.post("/v1/adjudicate", json={"state": state, "action": ROLL}).status_code == 200
    assert eventually(lambda: not kept.exists())


def test_a_sealed_game_takes_neither_seed_nor_setup(sealed):
    extras: list[dict] = [{"seed": "x"}, {"setup": {}}, {"options": {"secrets": "sealed", "history": "free"}}]
    for extra in extras:
        assert slug(sealed.post("/v1/games", {**SEALED, **extra})) == (422, "invalid-state")
