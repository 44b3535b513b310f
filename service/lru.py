"""A bounded memory: what was used longest ago goes first, and nothing stays beyond its time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Lru(Generic[Value]):
    """Values by key. Hold `lock` around several steps that must be one."""

    def __init__(self, most: int) -> None:
        self.lock = threading.RLock()
        self._most = most
        self._kept: OrderedDict[str, tuple[float, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> Value | None:
        """The value, or None when it was never here, is out of time, or was pushed out."""
        with self.lock:
            found = self._kept.get(key)
            if found is None:
                return None
            if found[0] <= time.monotonic():
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return found[1]

    def put(self, key: str, value: Value, seconds: float) -> None:
        with self.lock:
            self._kept[key] = (time.monotonic() + seconds, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, key: str) -> None:
        with self.lock:
            self._kept.pop(key, None)
