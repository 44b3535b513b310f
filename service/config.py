"""Settings: one record, read from the environment once, at the start.

| variable | default | meaning |
|---|---|---|
| `HOST`, `PORT` | `127.0.0.1`, `8000` | where the service listens |
| `KAIJUDGE_BODY_LIMIT` | `1048576` | the largest request body, in bytes |
| `KAIJUDGE_WORKERS` | a worker a core | gunicorn's processes |
| `KAIJUDGE_THREADS` | `4` | threads of each process |
| `KAIJUDGE_GRACE` | `20` | seconds a stopping worker has to finish its requests |
| `KAIJUDGE_KEEPALIVE` | `65` | seconds an idle connection is kept |
| `KAIJUDGE_COMMIT` | empty | what `/version` calls the build |
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


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
    workers: int = 0
    threads: int = 4
    grace: int = 20
    keepalive: int = 65
    commit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", self.workers or cores())

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
    return name.upper() if name in ("host", "port") else f"KAIJUDGE_{name.upper()}"


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit()) or not 1 <= int(value) <= 1_000_000_000:
        raise BadSetting(f"{variable(name)} must be a whole number from 1 on, not {value!r}")
    return int(value)
