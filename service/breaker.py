"""The circuit breaker: nobody waits for a server that has just failed several times in a row."""

from __future__ import annotations

import logging
import threading
import time

from service import metrics

log = logging.getLogger("kaijudge")


class Breaker:
    """Closed: everybody may try. Open: nobody, but for one probe after each pause. One success closes it."""

    def __init__(self, failures: int, pause: float) -> None:
        self._most = failures
        self._pause = pause
        self._failed = 0
        self._until = 0.0
        self._lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        return self._failed >= self._most

    def allows(self) -> bool:
        """Whether the caller may try. The one that probes moves the others' next try on, so none waits for it."""
        if self._failed < self._most:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            self._until = now + self._pause
            return True

    def succeeded(self) -> None:
        if not self._failed:
            return
        with self._lock:
            if self.is_open:
                metrics.breaker_closed()
                log.warning("The store answers again")
            self._failed = 0

    def failed(self, error: Exception) -> None:
        with self._lock:
            self._failed += 1
            self._until = time.monotonic() + self._pause
            if self._failed == self._most:
                metrics.breaker_opened()
                log.warning("The store does not answer (%s): it is left alone but for probes", type(error).__name__)
