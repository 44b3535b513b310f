"""Numbers that several processes count and any of them can read.

Each process adds to cells of its own: a file of doubles mapped into its memory, and beside it a file that says what
each cell counts. So counting is one addition, takes no other process's lock, and outlives the process that counted.
(prometheus-client has the like; an addition there costs several times as much.)
"""

from __future__ import annotations

import atexit
import fcntl
import mmap
import os
import secrets
import shutil
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import orjson

DIRECTORY = "KAIJUDGE_METRICS_DIR"  # set by `share`, inherited by the workers
MEMORY = "/dev/shm"
CELLS = 16_384
BYTES = 8
SPARE = 64  # the first cells, which nobody reads: for what comes when there are no more
KEYS, VALUES, GONE = ".keys", ".values", ".gone"


class Key(NamedTuple):
    """What is counted: the metric, and the values of its labels."""

    metric: str
    labels: tuple[str, ...] = ()


class Reading(NamedTuple):
    """What one process counted under a key, and whether that process still lives."""

    key: Key
    values: tuple[float, ...]
    live: bool


class Cells:
    """The cells of this process, in a directory it shares with others, or in its own memory without one."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory
        self.start()

    def start(self) -> None:
        """Begin with no cells: at first, and in a child, for those of its parent are not its own."""
        self.lock = Lock()
        self.places: dict[Key, int] = {}
        self.sizes: dict[Key, int] = {}
        self.used = SPARE
        self.file: Path | None = None
        self.values: memoryview[float] | None = None

    def place(self, key: Key, size: int = 1) -> int:
        """Where the cells of a key begin; new ones are made for a new key."""
        with self.lock:
            if key in self.places:
                return self.places[key]
            if self.used + size > CELLS:
                return 0
            self._announce(key, size)
            self.places[key], self.sizes[key] = self.used, size
            self.used += size
            return self.places[key]

    def add(self, place: int, amount: float = 1.0) -> None:
        """Count at a place that `place` gave."""
        with self.lock:
            self.values[place] += amount  # type: ignore[index]

    def add_both(self, place: int, other: int, amount: float) -> None:
        """Count one at a place and an amount at another: what a histogram needs, under one lock."""
        with self.lock:
            self.values[place] += 1.0  # type: ignore[index]
            self.values[other] += amount  # type: ignore[index]

    def put(self, place: int, value: float) -> None:
        """Show a value at a place that `place` gave."""
        with self.lock:
            self.values[place] = value  # type: ignore[index]

    def read(self) -> Iterator[Reading]:
        """What every process has counted, this one included."""
        if self.directory is not None:
            for path in sorted(self.directory.glob(f"*{KEYS}")):
                yield from _readings(path)
        elif self.values is not None:
            for key, at in [*self.places.items()]:
                yield Reading(key, tuple(self.values[at : at + self.sizes[key]]), True)

    def forget(self, pid: int) -> None:
        """A process has ended: what it counted stays, what it only showed does not."""
        if self.directory is not None:
            for path in self.directory.glob(f"{pid}-*{KEYS}"):
                path.with_suffix(GONE).touch()

    def _announce(self, key: Key, size: int) -> None:
        """Say what the next cells are for, before they count."""
        if self.values is None:
            self.values = self._open()
        if self.file is not None:
            with self.file.open("ab") as told:
                told.write(orjson.dumps([key.metric, key.labels, self.used, size]) + b"\n")

    def _open(self) -> memoryview[float]:
        if self.directory is None:
            return memoryview(array("d", bytes(CELLS * BYTES)))
        self.file = self.directory / f"{os.getpid()}-{secrets.token_hex(4)}{KEYS}"
        with self.file.with_suffix(VALUES).open("w+b") as file:
            file.truncate(CELLS * BYTES)
            return memoryview(mmap.mmap(file.fileno(), CELLS * BYTES)).cast("d")


def share() -> None:
    """Make the directory that the children of this process count in; it goes when this process does."""
    mine = f"kaijudge-metrics-{os.getpid()}-"
    if mine in os.environ.get(DIRECTORY, ""):
        return
    place = MEMORY if os.access(MEMORY, os.W_OK) else tempfile.gettempdir()
    _sweep(Path(place))
    directory = os.environ[DIRECTORY] = tempfile.mkdtemp(prefix=mine, dir=place)
    _lock(Path(directory))
    atexit.register(_remove, directory, os.getpid())


def _sweep(place: Path) -> None:
    """Remove what services that were killed left behind; one that is just starting has not locked its own yet."""
    for directory in place.glob("kaijudge-metrics-*"):
        with suppress(OSError):  # another user's, or swept by somebody else just now
            if time.time() - directory.stat().st_mtime > 60 and _lock(directory):
                shutil.rmtree(directory)


def _lock(directory: Path) -> bool:
    """Take the lock of a directory, if it is free, for as long as this process or a child of it lives."""
    lock = os.open(directory / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return False
    return True


def _remove(directory: str, owner: int) -> None:
    if os.getpid() == owner:  # a worker inherits what is registered here
        shutil.rmtree(directory, ignore_errors=True)


def _readings(path: Path) -> Iterator[Reading]:
    """What the process of this file counted; a line that is still being written is left for the next time."""
    live = not path.with_suffix(GONE).exists()
    told = path.read_bytes()
    values = array("d", path.with_suffix(VALUES).read_bytes())
    for line in told.splitlines(keepends=True):
        if line.endswith(b"\n"):
            metric, labels, at, size = orjson.loads(line)
            yield Reading(Key(metric, tuple(labels)), tuple(values[at : at + size]), live)
