"""Anchored games: how far one has come, which way, and that it is played again along it alone."""

import threading
import time

import httpx
import orjson
import pytest
from redis import Redis

import engine
from service.chains import chain_key
from tests.service.anchoring import (
    ASKED,
    CONCEDE,
    PEEK,
    PLAYERS,
    RESOLVE,
    ROLL,
    SEATED,
    begin,
    head,
    history,
    play,
    refused,
)
from tests.service.conftest import over
from tests.service.servers import eventually, serving

pytestmark = pytest.mark.redis


# How far, and which way


def test_the_head(worker):
    state = begin(worker)
    rolled = play(worker, state, ROLL)
    shown = {name: rolled[name] for name in ("game_id", "state_id", "version", "decision", "outcome")}
    assert head(worker, state) == shown
    answer = worker.client.get(f"/v1/games/{state['game_id']}?after=0&wait=5")
    assert (answer.get_json(), answer.headers["Cache-Control"]) == (shown, "no-store")


@pytest.mark.parametrize("name", ["g_0123456789abcdef", "g_", "x", "g_a}:chain{b", "g_" + "a" * 65, "g_ä"])
def test_no_such_game(worker, name):
    for path in (f"/v1/games/{name}", f"/v1/games/{name}/history"):
        refused(worker.client.get(path), "not-found", 404)
    refused(worker.client.delete(f"/v1/games/{name}"), "not-found", 404)


def test_a_free_game_has_no_record(worker):
    state = begin(worker, options={})
    refused(worker.client.get(f"/v1/games/{state['game_id']}"), "not-found", 404)


@pytest.mark.parametrize(
    "query",
    ["?after=-1", "?after=", "?after=x", "?after=1e3", "?after=1&after=2", "?after=9999999999", "?wait=3",
     "?after=0&wait=x", "?who=a"],
)  # fmt: skip
def test_a_query_that_cannot_be_read(worker, query):
    state = begin(worker)
    refused(worker.client.get(f"/v1/games/{state['game_id']}{query}"), "bad-parameter", 400)


def test_who_waits_learns_of_the_next_move(worker):
    state = begin(worker)
    told: dict[str, float] = {}

    def wait():
        start = time.monotonic()
        answer = worker.client.application.test_client().get(f"/v1/games/{state['game_id']}?after=0&wait=20").get_json()
        told.update(version=answer["version"], took=time.monotonic() - start)

    waiter = threading.Thread(target=wait)
    waiter.start()
    time.sleep(0.4)
    assert not told
    play(worker, state, ROLL)
    waiter.join()
    assert told["version"] == 1
    assert told["took"] < 20  # as soon as there is a move, not when the time is over


def test_nobody_waits_longer_than_may_be(redis):
    worker = over(redis.url, game_wait=1)
    state = begin(worker)
    start = time.monotonic()
    answer = worker.client.get(f"/v1/games/{state['game_id']}?after=0&wait=600").get_json()
    assert answer["version"] == 0
    assert 0.9 < time.monotonic() - start < 600


def test_a_game_forgotten_while_someone_waits(worker):
    state = begin(worker)
    place = f"/v1/games/{state['game_id']}"
    end = threading.Timer(0.3, lambda: worker.client.application.test_client().delete(place))
    end.start()
    refused(worker.client.get(place + "?after=0&wait=10"), "not-found", 404)
    end.join()


def test_those_who_wait_leave_threads_to_the_others_and_go_when_the_worker_stops(redis):
    settings = {"KAIJUDGE_WORKERS": "1", "KAIJUDGE_THREADS": "4", "KAIJUDGE_GAME_WAIT": "60", "KAIJUDGE_GRACE": "30"}
    took: list[float] = []

    def wait(url, place):
        start = time.monotonic()
        assert httpx.get(f"{url}{place}?after=0&wait=60", timeout=60).json()["version"] == 0
        took.append(time.monotonic() - start)

    with serving(REDIS_URL=redis.url, **settings) as (url, process):
        state = httpx.post(url + "/v1/games", json=ASKED).json()["state"]
        place = f"/v1/games/{state['game_id']}"
        threads = [threading.Thread(target=wait, args=(url, place)) for _ in range(6)]
        for each in threads:
            each.start()
        assert eventually(lambda: len(took) == 4)  # two wait, the others are answered at once
        assert max(took) < 60
        assert httpx.get(url + "/healthz").status_code == 200
        time.sleep(0.3)
        assert len(took) == 4
        process.terminate()
        for each in threads:
            each.join()
        assert len(took) == 6
        assert max(took) < 60  # none of them to the end of its time


def test_the_history(worker):
    opened = worker.post("/v1/games", ASKED).get_json()
    answers, state = [opened], opened["state"]
    for action in (ROLL, RESOLVE):
        answers.append(worker.adjudicate(state, action).get_json())
        state = answers[-1]["state"]
    actions = [None, ROLL, {**RESOLVE, "order": ["numbers", "energy", "hearts", "claws"]}]
    entries = [
        {"version": version, "state_id": each["state"]["state_id"], "action": action}
        for version, (each, action) in enumerate(zip(answers, actions, strict=True))
    ]
    assert history(worker, state) == {"game_id": state["game_id"], "version": 2, "entries": entries}
    with_events = history(worker, state, "?events=true")["entries"]
    assert [each.pop("events") for each in with_events] == [each["events"] for each in answers]
    assert with_events == entries
    assert history(worker, state, "?after=0")["entries"] == entries[1:]
    assert history(worker, state, "?after=0&limit=1")["entries"] == entries[1:2]
    assert history(worker, state, "?after=7")["entries"] == history(worker, state, "?limit=0")["entries"] == []
    assert all("seed" not in str(each) for each in with_events)


def test_a_long_history_comes_in_pages(worker, monkeypatch):
    monkeypatch.setattr("service.anchor.PAGE", 2)
    monkeypatch.setattr("service.routes.anchored.PAGE", 5)
    state = begin(worker)
    for _ in range(3):
        player = state["decision"]["player"]
        for kind in ("roll", "resolve", "end_turn"):
            if state["decision"]["kind"] in ("roll", "buy"):
                state = play(worker, state, {"type": kind, "player": player})
    versions: list[int] = []
    told = history(worker, state)
    while told["entries"]:
        assert len(told["entries"]) <= 5
        versions.extend(each["version"] for each in told["entries"])
        told = history(worker, state, f"?after={versions[-1]}")
    assert versions == [*range(state["version"] + 1)]
    assert state["version"] > 5


def seated(worker):
    made = worker.post("/v1/games", SEATED).get_json()
    seats = {player: {"Kaijudge-Seat": token} for player, token in made["seats"].items()}
    return made["state"], seats


def test_private_events_are_told_to_their_player(worker):
    state, seats = seated(worker)
    body = {"state": state, "action": PEEK}
    assert worker.post("/v1/adjudicate", body, headers=seats["a"]).status_code == 200
    for caller, sees in (({}, False), (seats["b"], False), (seats["a"], True)):
        told = history(worker, state, "?events=true", **caller)["entries"][1]["events"]
        assert any("visible_to" in each for each in told) == sees
        assert [each["seq"] for each in told] == [*range(len(told))]
        replayed = worker.post("/v1/replay", {"state": state, "actions": [PEEK]}, headers=caller).get_json()
        assert replayed["events"] == told


def test_without_seats_the_history_is_public(worker):
    state = begin(worker, setup=SEATED["setup"])
    answer = worker.adjudicate(state, PEEK).get_json()
    assert any("visible_to" in each for each in answer["events"])
    assert not any("visible_to" in each for each in history(worker, state, "?events=true")["entries"][1]["events"])


def test_only_who_sits_there_has_the_game_forgotten(worker):
    state, seats = seated(worker)
    _, elsewhere = seated(worker)
    place = f"/v1/games/{state['game_id']}"
    for caller in ({}, elsewhere["a"], {"Kaijudge-Seat": "k1.x"}):
        answer = worker.client.delete(place, headers=caller)
        refused(answer, "unauthenticated", 401)
        assert "WWW-Authenticate" in answer.headers
    assert head(worker, state)["version"] == 0
    assert worker.client.delete(place, headers=seats["b"]).status_code == 204


def test_redis_does_not_learn_what_a_sealed_game_hides(redis):
    worker = over(redis.url)
    asked = {"players": PLAYERS, "first_player": "a", "options": {"secrets": "sealed"}}
    made = worker.post("/v1/games", asked).get_json()
    state = play(worker, made["state"], ROLL)
    with Redis.from_url(redis.url) as client:
        key = chain_key(state["game_id"])
        entries = client.lrange(key, 0, -1)
        assert not any(b"rulings" in each.partition(b"\n")[2] for each in entries)
        told = history(worker, state, "?events=true")["entries"]
        assert told[0]["events"] == made["events"]
        # What is encrypted belongs to its place: moved to another, it is refused.
        client.lset(key, 0, entries[0].partition(b"\n")[0] + b"\n" + entries[1].partition(b"\n")[2])
    answer = worker.client.get(f"/v1/games/{state['game_id']}/history?events=true")
    refused(answer, "seal-invalid", 422)
    assert head(worker, state)["state_id"] == state["state_id"]
    refused(over(redis.url, keys="k2:" + "B" * 43).adjudicate(state, RESOLVE), "seal-invalid", 422)


# Played again


def test_replay_goes_along_the_chain(worker):
    state = begin(worker)
    tip = play(worker, state, ROLL, RESOLVE)
    for start in ({"state": state}, {"state_id": state["state_id"]}, {"game": ASKED}):
        for count in range(3):
            answer = worker.post("/v1/replay", {**start, "actions": [ROLL, RESOLVE][:count]}).get_json()
            assert (answer["state"]["version"], answer["applied"]) == (count, count)
        assert answer["state"] == tip
    assert head(worker, state)["version"] == 2


def test_replay_never_leaves_the_chain(worker):
    state = begin(worker)
    tip = play(worker, state, ROLL, RESOLVE)
    for actions, index in (([CONCEDE], 0), ([ROLL, CONCEDE, ROLL], 1), ([ROLL, RESOLVE, CONCEDE], 2)):
        for start in ({"state": state}, {"game": ASKED}):
            told = refused(worker.post("/v1/replay", {**start, "actions": actions}), "state-superseded")
            assert (told["index"], told["head"]) == (index, tip["state_id"])
    illegal = worker.post("/v1/replay", {"state": state, "actions": [ROLL, ROLL]})
    assert refused(illegal, "illegal-action", 422)["index"] == 1
    assert head(worker, state)["state_id"] == tip["state_id"]


def test_replay_works_out_nothing_beyond_the_chain(worker, monkeypatch):
    """How long a roll takes that nobody has made yet is nobody's to know."""
    state = begin(worker)
    play(worker, state, ROLL)
    applied = []

    def apply(state, action, really=engine.apply):
        applied.append(action.type)
        return really(state, action)

    monkeypatch.setattr(engine, "apply", apply)
    beyond = {"type": "reroll", "player": "a", "dice": [0, 1, 2]}
    refused(worker.post("/v1/replay", {"state": state, "actions": [ROLL, beyond]}), "state-superseded")
    assert applied == ["roll"]


def test_replay_of_a_state_that_the_game_never_came_to(worker):
    state = begin(worker)
    forged = {**state, "players": [{**state["players"][0], "energy": 9}, state["players"][1]]}
    del forged["state_id"]
    for actions in ([], [ROLL]):
        told = refused(worker.post("/v1/replay", {"state": forged, "actions": actions}), "state-superseded")
        assert told["head"] == state["state_id"]


def test_replay_of_a_game_that_was_never_made(worker):
    for asked in (ASKED, {**ASKED, "options": {"auth": "seats"}, "seed": None}):
        game = {name: value for name, value in asked.items() if value is not None}
        for actions in ([], [ROLL]):
            refused(worker.post("/v1/replay", {"game": game, "actions": actions}), "anchor-lost")


def test_a_sealed_game_is_not_played_again_from_nothing(worker):
    game = {"players": PLAYERS, "options": {"secrets": "sealed"}}
    told = refused(worker.post("/v1/replay", {"game": game, "actions": []}), "invalid-state", 422)
    assert [each["pointer"] for each in told["errors"]] == ["/game/options/secrets"]


def test_what_was_told_of_moves_is_counted(worker):
    state = begin(worker)
    before = counted(worker)
    play(worker, state, ROLL)
    refused(worker.adjudicate(state, CONCEDE), "state-superseded")
    after = counted(worker)
    assert after["roll", "accepted"] == before.get(("roll", "accepted"), 0) + 1
    assert after["concede", "superseded"] == before.get(("concede", "superseded"), 0) + 1
    assert after.get(("concede", "accepted")) == before.get(("concede", "accepted"))


def counted(worker):
    lines = worker.client.get("/metrics").get_data(as_text=True).splitlines()
    found = {}
    for line in lines:
        if line.startswith("kaijudge_adjudications_total{"):
            labels, value = line.removeprefix("kaijudge_adjudications_total{").split("} ")
            action, outcome = (orjson.loads(each.partition("=")[2]) for each in labels.split(","))
            found[action, outcome] = float(value)
    return found
