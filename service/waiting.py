"""Waiting for the next move of a game, without letting those who wait keep everybody else from being answered.

The length of a chain is looked at several times a second: that is one cheap command, and holds through every trouble
that Redis may have, where a subscription would have to be watched over. Half of a worker's threads may wait; who comes
beyond is answered at once, and so is everybody as soon as the worker is told to stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PAUSE = 0.1  # seconds between two looks


def always() -> bool:
    return True


_serves: Callable[[], bool] = always


def serve_while(serves: Callable[[], bool]) -> None:
    """Wait only while this worker serves."""
    global _serves
    _serves = serves


class Waiters:
    """Those who wait in this process."""

    def __init__(self, most: int) -> None:
        self._places = threading.Semaphore(most)

    def wait(self, over: Callable[[], bool], seconds: float) -> None:
        """Return when it is over, when so many seconds have passed, or at once if too many wait already."""
        if seconds <= 0 or not self._places.acquire(blocking=False):
            return
        try:
            deadline = time.monotonic() + seconds
            while not over() and _serves() and time.monotonic() < deadline:
                time.sleep(PAUSE)
        finally:
            self._places.release()
