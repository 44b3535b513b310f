"""What the service counts about itself, for Prometheus at /metrics.

The code that knows calls the function that says it: `hit("state")`, `miss("answer")`, `store_failed("get")`,
`breaker_opened()`, `breaker_closed()` are for the store; `request` and `adjudicated` are called already. Each costs
a microsecond or two. Labels are words of ours (routes, action types, codes), never ids, names or paths.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from service import __version__
from service.cells import DIRECTORY, Cells, Key

MEDIA_TYPE = "text/plain"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
SUM = len(BOUNDS) + 1  # after a cell for each bound, and one for what is beyond them
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"


class Counter(NamedTuple):
    help: str
    labels: tuple[str, ...]


REQUESTS = "kaijudge_request_seconds"
REQUESTS_HELP = "Requests, and how long the application took over them."
REQUEST_LABELS = ("route", "method", "status")
COUNTERS = {
    "kaijudge_adjudications": Counter("Actions adjudicated, by what came of them.", ("action", "outcome")),
    "kaijudge_problems": Counter("Refused requests by the type of problem.", ("problem",)),
    "kaijudge_cache": Counter("What the store was asked for, and whether it had it.", ("cache", "result")),
    "kaijudge_store_failures": Counter("Commands to the store that failed.", ("command",)),
}
BREAKER = "kaijudge_store_breaker_open"
BREAKER_HELP = "Workers that have given up on the store for a while."
ACCEPTED = "accepted"

cells = Cells(Path(os.environ[DIRECTORY]) if DIRECTORY in os.environ else None)


# Counting


def request(route: str, method: str, status: int, seconds: float) -> None:
    """A request was answered; the route and the method are of a known few."""
    place = _request_place(route, method, status // 100)
    cells.add_both(place + bisect_left(BOUNDS, seconds), place + SUM, seconds)


def adjudicated(action: str, outcome: str) -> None:
    """An action was accepted, or refused with the code of its first violation."""
    cells.add(_place("kaijudge_adjudications", action, outcome))


def refused(slug: str) -> None:
    """A request was refused with a problem of this type."""
    cells.add(_place("kaijudge_problems", slug))


def hit(cache: str) -> None:
    """The store had what it was asked for; `cache` says which kind: "state", "answer"."""
    cells.add(_place("kaijudge_cache", cache, "hit"))


def miss(cache: str) -> None:
    """The store did not have what it was asked for."""
    cells.add(_place("kaijudge_cache", cache, "miss"))


def store_failed(command: str) -> None:
    """A command to the store failed or took too long."""
    cells.add(_place("kaijudge_store_failures", command))


def breaker_opened() -> None:
    """This worker stops asking the store for a while."""
    cells.put(_place(BREAKER), 1.0)


def breaker_closed() -> None:
    """This worker asks the store again."""
    cells.put(_place(BREAKER), 0.0)


@lru_cache(maxsize=1024)
def _place(metric: str, *labels: str) -> int:
    return cells.place(Key(metric, labels))


@lru_cache(maxsize=1024)
def _request_place(route: str, method: str, hundreds: int) -> int:
    return cells.place(Key(REQUESTS, (route, method, f"{hundreds}xx")), SUM + 1)


def start() -> None:
    """Count from nothing: in a worker that was just forked."""
    cells.start()
    _place.cache_clear()
    _request_place.cache_clear()


os.register_at_fork(after_in_child=start)


# Telling


class _Totals(Collector):
    """The sums over all processes, as Prometheus wants them."""

    def collect(self) -> Iterator[Metric]:
        totals = _totals()
        info = GaugeMetricFamily("kaijudge_info", "What runs here.", labels=("version",))
        info.add_metric((__version__,), 1.0)
        yield info
        yield _histogram(totals)
        for name in COUNTERS:
            yield _counter(name, totals)
        yield GaugeMetricFamily(BREAKER, BREAKER_HELP, value=totals.get(Key(BREAKER), [0.0])[0])


def _totals() -> dict[Key, list[float]]:
    totals: dict[Key, list[float]] = {}
    for key, values, live in cells.read():
        if live or key.metric != BREAKER:
            total = totals.setdefault(key, [0.0] * len(values))
            total[:] = map(float.__add__, total, values)
    return totals


def _counter(name: str, totals: dict[Key, list[float]]) -> Metric:
    family = CounterMetricFamily(name, COUNTERS[name].help, labels=COUNTERS[name].labels)
    for key in sorted(each for each in totals if each.metric == name):
        family.add_metric(key.labels, totals[key][0])
    return family


def _histogram(totals: dict[Key, list[float]]) -> Metric:
    family = HistogramMetricFamily(REQUESTS, REQUESTS_HELP, labels=REQUEST_LABELS)
    for key in sorted(each for each in totals if each.metric == REQUESTS):
        family.add_metric(key.labels, [*_cumulative(totals[key][:SUM])], totals[key][SUM])
    return family


def _cumulative(counts: list[float]) -> Iterator[tuple[str, float]]:
    """How many were no slower than each bound."""
    total = 0.0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
        total += count
        yield bound, total


_registry = CollectorRegistry(auto_describe=False)
_registry.register(_Totals())


def write() -> bytes:
    """All of it, in the text format of Prometheus."""
    return generate_latest(_registry)
