"""The service's speed against a bare Flask echo, in the same run: python -m tests.bench.http [--rounds N --seconds S].

All servers run all the time, under the same gunicorn settings, with a worker a core; wrk, which shares these cores,
drives one after another over 16 connections. Every round measures everything once, each time beginning with the next,
and the ratios are taken inside the round; medians are shown.

Bodies are positions of random games of four players, all editions. *New* states are more than the workers have at hand,
so each is read and checked from the beginning; *known* ones a worker has told or read a moment ago, as in a game that
goes on. *Sealed* ones are the same positions in sealed games, each a game of its own that has its record in Redis, for
an anchored state has one successor: no request repeats another's, and before every burst the records are as at first.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson
from redis import Redis

import engine
from engine import EDITIONS, State, legal_actions, new_game
from engine.actions import Concede
from service.chains import DIGEST, PREFIX, chain_key, digest_of
from service.cli import GUNICORN
from service.compiled import is_fresh
from service.config import Config, cores
from service.keyring import Key, new_key, read_keys
from service.seal import seal_document
from service.shelf import document_of
from service.store import open_store, state_key
from service.wire import canonical
from tests.bench.table import Rates, Row, ratio, report
from tests.service.servers import RedisServer, serving

CONNECTIONS = 16
BATCH = 16
KNOWN = 32  # states
FASTEST = 5_000  # sealed requests a second for which there are games
HAND = 4  # cards before each player: with them a body has more than 3 KB, and its answer about 4
SCRIPT = Path(__file__).with_name("bodies.lua")
ECHO = [sys.executable, "-m", "gunicorn", "--config", str(GUNICORN), "tests.bench.echo:app"]
GRANIAN = [sys.executable, str(GUNICORN.with_name("with_granian.py"))]
TAIL = "p99/p50 of "

Values = dict[str, Any]


class Subject(NamedTuple):
    """What is measured: a server, the path that is asked, the bodies it gets, and how many answers are in one."""

    server: str
    path: str
    bodies: str
    items: int = 1
    anchored: bool = False


REFERENCE = "Flask echo"
ADJUDICATE = "/v1/adjudicate"
SUBJECTS = {
    REFERENCE: Subject("echo", ADJUDICATE, "known"),
    "no Redis, new state": Subject("none", ADJUDICATE, "new"),
    "no Redis, known state": Subject("none", ADJUDICATE, "known"),
    "Redis, new state": Subject("redis", ADJUDICATE, "new"),
    "Redis, known state": Subject("redis", ADJUDICATE, "known"),
    "Redis, by state_id": Subject("redis", ADJUDICATE, "by id"),
    "Redis, sealed and anchored": Subject("redis", ADJUDICATE, "sealed", anchored=True),
    "Redis killed, known state": Subject("killed", ADJUDICATE, "known"),
    "no Redis, batch of 16": Subject("none", "/v1/batch", "batches", BATCH),
    "Redis, batch of 16": Subject("redis", "/v1/batch", "batches", BATCH),
    "no Redis, known state, granian": Subject("granian", ADJUDICATE, "known"),
}
ROWS = (
    Row("state in the body, new, no Redis, × echo", 0.60, 0.80, ratio("no Redis, new state", REFERENCE)),
    Row("state in the body, known, no Redis, × echo", 0.60, 0.80, ratio("no Redis, known state", REFERENCE)),
    Row("state in the body, new, Redis, × echo", 0.45, 0.70, ratio("Redis, new state", REFERENCE)),
    Row("state in the body, known, Redis, × echo", 0.45, 0.70, ratio("Redis, known state", REFERENCE)),
    Row("by state_id, × echo", 0.45, 0.70, ratio("Redis, by state_id", REFERENCE)),
    Row("sealed and anchored over open", 0.60, 0.80, ratio("Redis, sealed and anchored", "Redis, new state")),
    Row("Redis killed over Redis up", 0.90, 1.00, ratio("Redis killed, known state", "Redis, known state")),
    Row("batch of 16, items over single, no Redis", 3.0, 5.0, ratio("no Redis, batch of 16", "no Redis, known state")),
    Row("batch of 16, items over single, Redis", 3.0, 5.0, ratio("Redis, batch of 16", "Redis, known state")),
    Row("p99/p50 over the echo's, no Redis", 1.5, 1.1, ratio(TAIL + "no Redis, new state", TAIL + REFERENCE), True),
    Row("p99/p50 over the echo's, Redis", 1.5, 1.1, ratio(TAIL + "Redis, new state", TAIL + REFERENCE), True),
    Row("granian over gunicorn", 1.0, 1.5, ratio("no Redis, known state, granian", "no Redis, known state")),
)


# Bodies


def positions() -> Iterator[State]:
    """Positions of random games of four, an edition after another, some way into the game."""
    random = Random(0)
    names = [f"{name}-of-the-city-by-the-sea" for name in ("anna", "bela", "cyril", "dora")]
    players = [{"id": name, "name": f"{name} ".title() * 2, "monster": name[::-1]} for name in names]
    while True:
        for edition in EDITIONS:
            keep = [card.id for card in EDITIONS[edition].cards.values() if card.keep]
            held = iter(random.sample(keep, HAND * len(names)))
            setup = {name: {"energy": 6, "cards": [*islice(held, HAND)]} for name in names}
            asked = {"edition": edition, "players": players, "setup": {"players": setup}}
            opening = new_game(asked, f"bench-{random.getrandbits(64)}").state
            yield from islice(wander(opening, random), 5, 75, 7)


def wander(state: State, random: Random) -> Iterator[State]:
    """The states of a random game in which an action is awaited."""
    while state.outcome is None:
        yield state
        state = engine.apply(state, choose(state, random)).state


def choose(state: State, random: Random) -> engine.Action:
    return random.choice([each for each in legal_actions(state) if not isinstance(each, Concede)])


def moves(count: int) -> list[Values]:
    """Bodies for /v1/adjudicate, all of them different, with actions that are legal."""
    random = Random(1)
    found = []
    for state in islice(positions(), count):
        document = engine.write_state(state)
        whole = orjson.loads(document_of(engine.state_id(document, canonical), canonical(document)))
        found.append({"state": whole, "action": engine.write_action(choose(state, random))})
    return found


def by_id(move: Values) -> Values:
    return {"state_id": move["state"]["state_id"], "action": move["action"]}


class Record(NamedTuple):
    """The chain of a game up to a state."""

    game_id: str
    version: int
    state_id: str


def seal_moves(some: list[Values], key: Key, count: int) -> tuple[list[Values], list[Record]]:
    """So many of the same moves in sealed games, each a game of its own, and the records they need."""
    bodies, records = [], []
    lawful = [move for move in map(hidden, some) if not engine.validate(engine.read_state(move["state"]), acted(move))]
    for number in range(count):
        move = lawful[number % len(lawful)]
        document = {**move["state"], "game_id": f"g_{number:016x}"}
        state_id = engine.state_id(document, canonical)
        told = document_of(state_id, seal_document(key, document)[1])
        bodies.append({**move, "state": orjson.loads(told)})
        records.append(Record(document["game_id"], document["version"], state_id))
    return bodies, records


def hidden(move: Values) -> Values:
    """The same move in a sealed game, without its id, as it comes over the wire."""
    state = orjson.loads(orjson.dumps(move["state"]))
    del state["state_id"]
    return {**move, "state": {**state, "options": {**state["options"], "secrets": "sealed", "history": "anchored"}}}


def acted(move: Values) -> engine.Action:
    return engine.read_action(move["action"])


def anchor(url: str, records: list[Record]) -> None:
    """Begin the records of all games anew."""
    with Redis.from_url(url) as redis, redis.pipeline(transaction=False) as pipeline:
        for each in records:
            key, before = chain_key(each.game_id), [b"0" * PREFIX] * each.version
            pipeline.delete(key)
            pipeline.rpush(key, *before, digest_of(each.state_id) + b"0" * DIGEST)
        pipeline.execute()


def batched(some: list[Values]) -> Values:
    return {"items": [{"id": str(number), "op": "adjudicate", **move} for number, move in enumerate(some)]}


def write_bodies(folder: Path, known: list[Values], new: list[Values], sealed: list[Values]) -> None:
    """A file of each kind of bodies, a line a body."""
    kinds = {
        "known": known,
        "new": new,
        "sealed": sealed,
        "by id": [by_id(move) for move in known],
        "batches": [batched(known[start : start + BATCH]) for start in range(0, len(known), BATCH)],
    }
    for kind, bodies in kinds.items():
        (folder / kind).write_bytes(b"".join(orjson.dumps(body) + b"\n" for body in bodies))


def store(url: str, told: list[Values]) -> None:
    """Keep states as the service keeps those it tells."""
    kept = open_store(Config(redis_url=url))
    for move in told:
        document = {**move["state"]}
        state_id = document.pop("state_id")
        kept.put(state_key(state_id), canonical(document), 3600)


# Measuring


class Burst(NamedTuple):
    """What wrk tells of a burst."""

    rate: float
    tail: float
    requests: int


@contextmanager
def servers(folder: Path, known: list[Values], keys: str) -> Iterator[dict[str, str]]:
    """The addresses of all servers by name. One of the services has lost its Redis."""
    workers = {"KAIJUDGE_WORKERS": str(cores()), "KAIJUDGE_KEYS": keys}
    with ExitStack() as stack:
        redis, lost = (stack.enter_context(RedisServer(folder)) for _ in range(2))
        store(redis.url, known)
        urls = {"none": "none", "redis": redis.url, "killed": lost.url}
        started = {name: stack.enter_context(serving(REDIS_URL=url, **workers))[0] for name, url in urls.items()}
        started["store"] = redis.url
        started["echo"] = stack.enter_context(serving(ECHO, **workers))[0]
        started["granian"] = stack.enter_context(serving(GRANIAN, REDIS_URL="none", **workers))[0]
        lost.kill()
        yield started


def burst(url: str, bodies: Path, seconds: int) -> Burst:
    """Drive a server for a while; every request has to be answered with a success."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(SCRIPT), url, "--", str(bodies)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    found = orjson.loads(told.stdout.splitlines()[-1])
    if found["failed"] or not found["requests"]:
        raise SystemExit(f"{url} with {bodies.name!r}: {found['failed']} of {found['requests']} requests failed")
    rate = found["requests"] * 1_000_000 / found["microseconds"]
    return Burst(rate, found["p99"] / found["p50"], found["requests"])


class Place(NamedTuple):
    """Where everything is: the bodies, the servers, and the records that anchored games begin with."""

    folder: Path
    urls: dict[str, str]
    records: list[Record]


def drive(subject: Subject, place: Place, seconds: int) -> Burst:
    """A burst of a subject."""
    if subject.anchored:
        anchor(place.urls["store"], place.records)
    told = burst(place.urls[subject.server] + subject.path, place.folder / subject.bodies, seconds)
    if subject.anchored and told.requests + CONNECTIONS > len(place.records):
        raise SystemExit("too few sealed games for so fast a service: raise FASTEST")
    return told


def measure(subjects: dict[str, Subject], place: Place, rounds: int, seconds: int) -> list[Rates]:
    """The figures of every round, after one that only warms up."""
    names = [*subjects]
    measured = []
    for number in range(rounds + 1):
        found: Rates = {}
        for name in names[number % len(names) :] + names[: number % len(names)]:
            subject = subjects[name]
            told = drive(subject, place, seconds if number else 1)
            found[name], found[TAIL + name] = told.rate * subject.items, told.tail
        measured.append(found)
    return measured[1:]


def run(subjects: dict[str, Subject], rounds: int, seconds: int) -> tuple[list[Rates], list[Values]]:
    """Start everything, measure, and stop it; also gives the bodies that were sent."""
    new = moves(2 * Config().recent_states + KNOWN)
    known = new[:KNOWN]
    keys = new_key()
    newest = read_keys(keys).newest
    assert newest is not None
    sealed, records = seal_moves(new[KNOWN:], newest, FASTEST * seconds)
    with TemporaryDirectory() as made, servers(Path(made), known, keys) as urls:
        write_bodies(Path(made), known, new[KNOWN:], sealed)
        return measure(subjects, Place(Path(made), urls, records), rounds, seconds), new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=2, help="of a burst")
    asked = parser.parse_args()
    measured, sent = run(SUBJECTS, asked.rounds, asked.seconds)
    size = sum(len(orjson.dumps(each)) for each in sent) / len(sent)
    print(
        f"{asked.rounds} rounds of {asked.seconds} s, medians; {cores()} workers, {CONNECTIONS} connections, "
        f"bodies of {size / 1000:.1f} KB, {'compiled' if is_fresh() else 'python'} engine\n"
    )
    report(SUBJECTS, ROWS, measured)


if __name__ == "__main__":
    main()
