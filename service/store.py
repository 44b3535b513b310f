"""What outlives a request: values by key, each for a time. A cache, so every reader says what happens when one is gone.

Kept are states by their id, answers by Idempotency-Key, and the chains of anchored games (chains.py). The keys of one
game share its tag in braces, so they lie in one slot of a Redis Cluster, and its chain changes with its states.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, Protocol

from redis.exceptions import NoScriptError, RedisClusterException, RedisError, ResponseError

from service import metrics
from service.breaker import Breaker
from service.config import MEMORY, Config
from service.lines import Command, Ending, Line, Value, open_line
from service.lru import Lru
from service.record import timed

NONE = "none"
FRESH = 0.05  # seconds
COMPLAINTS = 60  # seconds

# Change what lies under a key only while it is still ours.
SETTLE = "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('SET',KEYS[1],ARGV[2],'EX',ARGV[3]) end"
RELEASE = "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('DEL',KEYS[1]) end"

log = logging.getLogger("kaijudge")


class Script:
    """A script that the server runs as one step. After the first time it knows it by its hash."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.hash = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class StoreUnavailable(Exception):
    """The store cannot be reached just now, or there is none."""


def state_key(state_id: str) -> str:
    """Where a state lies; its id begins with the tag of its game."""
    return f"kaijudge:{{{state_id.split('_')[1]}}}:state:{state_id}"


def answer_key(idempotency_key: str, caller: str = "") -> str:
    """Where the answer to a request with an Idempotency-Key lies: each caller has keys of its own."""
    return f"kaijudge:{{{hashlib.sha256(f'{caller} {idempotency_key}'.encode()).hexdigest()}}}:answer"


class Store(Protocol):
    """Every method but `condition` and `is_fresh` raises StoreUnavailable when the store cannot be reached."""

    def get(self, key: str) -> bytes | None:
        """What lies under a key; None when it is gone: expired, evicted, or never there."""
        ...

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value for so long."""
        ...

    def begin_put(self, key: str, value: bytes, seconds: int) -> Ending:
        """Begin to keep a value. What is given ends it: it waits, and raises as `put` does if it is not kept."""
        ...

    def put_all(self, values: Mapping[str, bytes], seconds: int) -> None:
        """Keep many values for so long, in one round trip."""
        ...

    def claim(self, key: str, marker: bytes, seconds: int) -> bytes | None:
        """Leave a marker where nothing lies: None if it is ours now, else what lies there."""
        ...

    def settle(self, key: str, marker: bytes, value: bytes, seconds: int) -> None:
        """Put a value in the place of our marker; nothing happens when the marker is gone."""
        ...

    def release(self, key: str, marker: bytes) -> None:
        """Take our marker away; nothing happens when it is gone."""
        ...

    def condition(self) -> Literal["up", "down", "memory", "none"]:
        """How the store is, for /readyz."""
        ...

    def is_fresh(self) -> bool:
        """Whether the store has answered a moment ago, so that it need not be asked whether it is there."""
        ...


def open_store(config: Config) -> Store:
    """The store that the settings name. Nothing is connected yet, so workers may be forked afterwards."""
    if config.redis_url == MEMORY:
        return MemoryStore(config.memory_values)
    if config.redis_url in ("", NONE):
        return NoStore()
    line = open_line(config.redis_url, config.redis_timeout / 1000)
    return RedisStore(line, Breaker(config.redis_failures, config.redis_pause / 1000))


class RedisStore:
    """A store in Redis. Only one answer in time is waited for, and none while the breaker is open."""

    def __init__(self, line: Line, breaker: Breaker) -> None:
        self._line = line
        self._breaker = breaker
        self._answered = self._complained = float("-inf")

    def get(self, key: str) -> bytes | None:
        found: bytes | None = self._run(("GET", key))[0]
        return found

    def put(self, key: str, value: bytes, seconds: int) -> None:
        self._run(("SET", key, value, "EX", seconds))

    @timed("store")
    def begin_put(self, key: str, value: bytes, seconds: int) -> Ending:
        """To wait is most of what a command costs: whoever has something else to do meanwhile hardly does."""
        command = ("SET", key, value, "EX", seconds)
        return partial(self._end, self._tried(self._line.begin, command))

    def put_all(self, values: Mapping[str, bytes], seconds: int) -> None:
        self._run(*(("SET", key, value, "EX", seconds) for key, value in values.items()))

    def claim(self, key: str, marker: bytes, seconds: int) -> bytes | None:
        """A marker gone between the two commands counts as still there: its owner has only just finished."""
        claimed, found = self._run(("SET", key, marker, "NX", "EX", seconds), ("GET", key))
        # Our own marker may be there before us: a command is sent again when its connection was lost.
        return None if claimed or found == marker else found or b""

    def settle(self, key: str, marker: bytes, value: bytes, seconds: int) -> None:
        self._run(("EVAL", SETTLE, 1, key, marker, value, seconds))

    def release(self, key: str, marker: bytes) -> None:
        self._run(("EVAL", RELEASE, 1, key, marker))

    def condition(self) -> Literal["up", "down"]:
        try:
            self._run(("GET", "kaijudge:up"))
        except StoreUnavailable:
            return "down"
        return "up"

    def is_fresh(self) -> bool:
        return time.monotonic() - self._answered < FRESH

    def call(self, script: Script, keys: tuple[str, ...], values: tuple[Value, ...], *then: Command) -> list[Any]:
        """Run a script, and the commands that follow it, over one connection in one round trip."""
        rest = (len(keys), *keys, *values)
        try:
            return self._run(("EVALSHA", script.hash, *rest), *then)
        except NoScriptError:
            return self._run(("EVAL", script.text, *rest), *then)

    def run(self, *commands: Command) -> list[Any]:
        """The replies to commands whose keys share a slot, in one round trip."""
        return self._run(*commands)

    @timed("store")
    def _run(self, *commands: Command) -> list[Any]:
        replies: list[Any] = self._answered_by(self._line.run, *commands)
        return replies

    @timed("store")
    def _end(self, ending: Ending) -> None:
        self._answered_by(ending)

    def _answered_by(self, ask: Callable[..., Any], *commands: Command) -> Any:
        """What the server answers: then it is there."""
        found = self._tried(ask, *commands)
        self._breaker.succeeded()
        self._answered = time.monotonic()
        return found

    def _tried(self, ask: Callable[..., Any], *commands: Command) -> Any:
        """Whatever goes wrong, the store is unavailable; a server that cannot be reached opens the breaker."""
        if not self._breaker.allows():
            raise StoreUnavailable
        try:
            return ask(*commands)
        except NoScriptError:  # an answer like any other: were it no success, an open breaker would refuse what follows
            self._breaker.succeeded()
            raise
        except ResponseError as error:  # it is there but cannot do this: out of memory, a replica, no permission
            metrics.store_failed(_name_of(commands))
            self._complain(error)
            raise StoreUnavailable from error
        except (RedisError, RedisClusterException, OSError) as error:
            metrics.store_failed(_name_of(commands))
            self._breaker.failed(error)
            raise StoreUnavailable from error

    def _complain(self, error: ResponseError) -> None:
        """Log what the server refuses, now and then: each answer would be too often."""
        if time.monotonic() - self._complained > COMPLAINTS:
            self._complained = time.monotonic()
            log.error("The store refuses: %s", error)


def _name_of(commands: tuple[Command, ...]) -> str:
    """What is asked; only a SET is ended apart from its beginning."""
    return str(commands[0][0]) if commands else "SET"


class MemoryStore:
    """A store inside one process, for a service of one worker; all is gone when it stops."""

    def __init__(self, most: int) -> None:
        self._values: Lru[bytes] = Lru(most)

    def get(self, key: str) -> bytes | None:
        return self._values.get(key)

    def put(self, key: str, value: bytes, seconds: int) -> None:
        self._values.put(key, value, seconds)

    def begin_put(self, key: str, value: bytes, seconds: int) -> Ending:
        self._values.put(key, value, seconds)
        return at_once

    def put_all(self, values: Mapping[str, bytes], seconds: int) -> None:
        for key, value in values.items():
            self._values.put(key, value, seconds)

    def claim(self, key: str, marker: bytes, seconds: int) -> bytes | None:
        with self._values.lock:
            found = self._values.get(key)
            if found is None:
                self._values.put(key, marker, seconds)
            return found

    def settle(self, key: str, marker: bytes, value: bytes, seconds: int) -> None:
        with self._values.lock:
            if self._values.get(key) == marker:
                self._values.put(key, value, seconds)

    def release(self, key: str, marker: bytes) -> None:
        with self._values.lock:
            if self._values.get(key) == marker:
                self._values.drop(key)

    def drop(self, key: str) -> None:
        self._values.drop(key)

    def condition(self) -> Literal["memory"]:
        return "memory"

    def is_fresh(self) -> bool:
        return True


def at_once() -> None:
    """Nothing is left to end."""


class NoStore:
    """No store at all: nothing is kept, and what would have to be found cannot be."""

    def get(self, key: str) -> bytes | None:
        raise StoreUnavailable

    def put(self, key: str, value: bytes, seconds: int) -> None:
        raise StoreUnavailable

    def begin_put(self, key: str, value: bytes, seconds: int) -> Ending:
        raise StoreUnavailable

    def put_all(self, values: Mapping[str, bytes], seconds: int) -> None:
        raise StoreUnavailable

    def claim(self, key: str, marker: bytes, seconds: int) -> bytes | None:
        raise StoreUnavailable

    def settle(self, key: str, marker: bytes, value: bytes, seconds: int) -> None:
        raise StoreUnavailable

    def release(self, key: str, marker: bytes) -> None:
        raise StoreUnavailable

    def condition(self) -> Literal["none"]:
        return "none"

    def is_fresh(self) -> bool:
        return False
