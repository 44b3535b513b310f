"""Stores that answer or give up quickly, and how long that takes."""

from __future__ import annotations

import time
from statistics import median

import pytest

from service.config import Config
from service.store import StoreUnavailable, open_store


def timed(call):
    start = time.perf_counter()
    with pytest.raises(StoreUnavailable):
        call()
    return time.perf_counter() - start


def quick_to_fail(call, most=1.0):
    """The breaker opens after three; of those the quickest shows what a try costs, whatever else the machine does."""
    waits = [timed(call) for _ in range(10)]
    return min(waits[:3]) < most and median(waits[3:]) < most


def quick_store(url, **settings):
    return open_store(Config(redis_url=url, **{"redis_timeout": 1000, "redis_pause": 100, **settings}))
