"""Many different actions on one state at the same moment, through several workers: one wins, whatever Redis meets."""

import random
import time
from itertools import combinations

import pytest

from tests.service.racers import PROCESSES, Connection, Racers
from tests.service.servers import RedisServer, eventually, serving

pytestmark = pytest.mark.redis

ROUNDS = 200
KILLS = 6
LOSSES = 2
ACTIONS = [
    *({"type": "reroll", "player": "a", "dice": [*dice]} for n in range(1, 7) for dice in combinations(range(6), n)),
    {"type": "resolve", "player": "a"},
]  # fmt: skip
LANES = len(ACTIONS) // PROCESSES
WORKERS = {"KAIJUDGE_WORKERS": "4", "KAIJUDGE_THREADS": "8", "KAIJUDGE_LOG": "error", "KAIJUDGE_REDIS_PAUSE": "100"}
SUPERSEDED, LOST = "state-superseded", "anchor-lost"
GAME = {"players": [{"id": "a"}, {"id": "b"}], "first_player": "a", "seed": "any", "options": {"history": "anchored"}}


def rolled(connection, name):
    """A state after the first roll of an anchored game: every reroll is possible, and to resolve."""
    made = connection.ask("/v1/games", {**GAME, "seed": name})
    assert made.status == 201, made
    answer = connection.ask("/v1/adjudicate", {"state": made.body["state"], "action": {"type": "roll", "player": "a"}})
    assert answer.status == 200, answer
    return answer.body["state"]


def moves(state, order):
    """Every action on the state, which is sent whole or by its id."""
    told = ({"state": state}, {"state_id": state["state_id"]})
    return [{**told[number % 2], "action": ACTIONS[each]} for number, each in enumerate(order)]


def slug(answer):
    return answer.body["type"].rpartition("/")[2] if answer.status >= 400 else ""


def winners(documents, answers):
    """What won, and the state it led to."""
    both = zip(documents, answers, strict=True)
    return [(move["action"], answer.body["state"]) for move, answer in both if answer.status == 200]


def test_there_are_enough_actions():
    assert len(ACTIONS) == 64


def test_one_of_64_wins_each_of_200_rounds(redis):
    order = random.Random(5)
    settings = {**WORKERS, "KAIJUDGE_REDIS_TIMEOUT": "5000"}
    with serving(REDIS_URL=redis.url, **settings) as (url, _), Racers(url, LANES) as racers:
        connection = Connection(url)
        taken = set()
        for number in range(ROUNDS):
            state = rolled(connection, f"round {number}")
            documents = moves(state, order.sample(range(64), 64))
            answers = racers.run(documents)
            ((action, won),) = winners(documents, answers)
            assert {slug(each) for each in answers} == {"", SUPERSEDED}
            assert {each.body["head"] for each in answers if each.status != 200} == {won["state_id"]}
            again = racers.run([{"state": state, "action": action}] * PROCESSES)
            assert [each.body["state"] for each in again] == [won] * PROCESSES
            taken.add(str(action))
        connection.close()
    assert len(taken) > 20  # no action, and so no worker or connection, is always the first


def settle(racers, documents, answers):
    """Send again, as they were, the moves of which nobody knows whether they were recorded, until that is known."""
    deadline = time.monotonic() + 20
    answers = [*answers]
    while unknown := [number for number, each in enumerate(answers) if each.status == 503]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
        for number, answer in zip(unknown, racers.run([documents[each] for each in unknown]), strict=True):
            answers[number] = answer
    return answers


def struck(racers, redis, documents, moment):
    """The answers to all moves, while Redis is killed in their midst and comes back."""
    racers.start(documents)
    time.sleep(moment)
    redis.kill()
    redis.start()
    return racers.finish()


def test_one_wins_when_redis_is_killed_and_comes_back(tmp_path):
    moment = random.Random(6)
    statuses: set[int] = set()
    with (
        RedisServer(tmp_path, "--appendonly", "yes", "--appendfsync", "always") as redis,
        serving(REDIS_URL=redis.url, **WORKERS) as (url, _),
        Racers(url, LANES) as racers,
    ):
        connection = Connection(url)
        for number in range(KILLS):
            state = rolled(connection, f"kill {number}")
            documents = moves(state, moment.sample(range(64), 64))
            first = struck(racers, redis, documents, moment.uniform(0.0, 0.04))
            told = winners(documents, first)
            answers = settle(racers, documents, first)
            ((_, won),) = winners(documents, answers)
            assert [each for _, each in told] in ([], [won])
            assert {slug(each) for each in answers} == {"", SUPERSEDED}
            assert {each.body["head"] for each in answers if each.status != 200} == {won["state_id"]}
            statuses.update(each.status for each in first)
            assert eventually(lambda: connection.ask("/v1/games", GAME).status == 201)
        connection.close()
    assert 503 in statuses


def test_nobody_wins_after_redis_has_lost_everything(redis):
    moment = random.Random(7)
    with serving(REDIS_URL=redis.url, **WORKERS) as (url, _), Racers(url, LANES) as racers:
        connection = Connection(url)
        for number in range(LOSSES):
            state = rolled(connection, f"loss {number}")
            documents = moves(state, moment.sample(range(64), 64))
            first = struck(racers, redis, documents, moment.uniform(0.0, 0.04))
            answers = settle(racers, documents, first)
            assert len(winners(documents, answers)) <= 1
            assert winners(documents, answers) == winners(documents, first)
            assert {slug(each) for each in answers} <= {"", SUPERSEDED, LOST, "state-not-found"}
            again = [{"state": state, "action": each} for each in ACTIONS]
            # A worker that no move was sent to again still leaves Redis alone, but for its probes.
            assert {slug(each) for each in settle(racers, again, racers.run(again))} == {LOST}
            assert eventually(lambda: connection.ask("/v1/games", GAME).status == 201)
        connection.close()
