"""How much each caller may ask: a key, or an address where there are no keys. All workers count together, in Redis.

The counting is that of the library `limits`, its sliding window: what was asked in the window before fades out evenly
during this one. Its own scripts run here, but over our line to Redis, whose time-outs and breaker hold for them, too,
and two in one, so that a request costs one round trip. While Redis is away each worker counts by itself: a limit then
lets through up to as many times more as there are workers, and everything else goes on.
"""

from __future__ import annotations

import ipaddress
import threading
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

from flask import Flask, Response, current_app, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage, RedisStorage

from service.apikeys import ApiKey
from service.callers import caller, is_open
from service.problems import PROBLEMS, Refusal
from service.store import RedisStore, Script, Store, StoreUnavailable

# Both scripts of the library as one: take, then say how the window is now.
TAKE = Script(
    f"local function take() {RedisStorage.SCRIPT_ACQUIRE_SLIDING_WINDOW.decode()}\nend\n"
    f"local taken = take()\nlocal function look(ARGV) {RedisStorage.SCRIPT_SLIDING_WINDOW.decode()}\nend\n"
    "return {taken and 1 or 0, look({ARGV[2]})}"
)
TAKEN = "kaijudge.taken"
NETWORK = 64  # bits: whoever has one address of IPv6 has them all


class Window(NamedTuple):
    """What was asked in the window before and in this one, and in how many seconds each has no weight any more."""

    before: int
    before_left: float
    now: int
    now_left: float


class Taken(NamedTuple):
    """What came of asking for so much of a limit."""

    limit: RateLimitItem
    granted: bool
    window: Window
    cost: int

    @property
    def remaining(self) -> int:
        before, left, now, _ = self.window
        return max(0, self.limit.amount - floor(before * left / self.limit.get_expiry()) - now)

    @property
    def reset(self) -> int:
        """Seconds until nothing of what was asked has any weight."""
        return ceil(self.window.now_left if self.window.now else self.window.before_left)

    @property
    def retry(self) -> int:
        """Seconds until so much would be granted, if nothing else is asked."""
        before, left, now, now_left = self.window
        seconds = self.limit.get_expiry()
        room = self.limit.amount - self.cost + 1  # what was asked must weigh less than this
        if room <= 0:
            return seconds
        if now < room:  # this window may stay; the one before must fade
            return int(left - (room - now) * seconds / before) + 1 if before else 1
        return int(now_left - seconds + max(0, seconds - room * seconds / now)) + 1


class Meter:
    """Counts for all workers as long as Redis answers, else for this one."""

    def __init__(self, store: Store) -> None:
        self._shared = store if isinstance(store, RedisStore) else None
        self._lock = threading.Lock()
        self._own: MemoryStorage | None = None

    def take(self, limit: RateLimitItem, who: str, cost: int) -> Taken:
        """Take so much of someone's limit, all or nothing."""
        key = limit.key_for(who)
        try:
            granted, window = self._take_shared(key, limit, cost)
        except StoreUnavailable:
            granted, window = self._take_own(key, limit, cost)
        return Taken(limit, granted, window, cost)

    def _take_shared(self, key: str, limit: RateLimitItem, cost: int) -> tuple[bool, Window]:
        if self._shared is None:
            raise StoreUnavailable
        place = f"kaijudge:{{{key}}}:rate"
        told = self._shared.call(TAKE, (f"{place}:before", place), (limit.amount, limit.get_expiry(), cost))
        granted, (before, before_left, now, now_left) = told[0]
        # Redis tells milliseconds, and less than nothing where there is no such key.
        return granted == 1, Window(
            int(before or 0), max(0, before_left) / 1000, int(now or 0), max(0, now_left) / 1000
        )

    def _take_own(self, key: str, limit: RateLimitItem, cost: int) -> tuple[bool, Window]:
        with self._lock:  # made on first use, in the worker: it has a thread, which a fork would not take along
            self._own = own = self._own or MemoryStorage()
        granted = own.acquire_sliding_window_entry(key, limit.amount, limit.get_expiry(), cost)
        return granted, Window(*own.get_sliding_window(key, limit.get_expiry()))


def register(app: Flask, store: Store, keys: tuple[ApiKey, ...], rate: str) -> None:
    """Hold each key to its own limit or to this one; without keys, each address to this one."""
    meter = Meter(store)
    rates = {key.name: key.rate or rate for key in keys} or {"": rate}
    limits = {name: parse(each) for name, each in rates.items() if each}

    def admit() -> None:
        if is_open():
            return
        key = caller()
        limit = limits.get(key.name if key else "")
        if limit is None:
            return
        who = f"key/{key.name}" if key else f"address/{network(request.environ.get('REMOTE_ADDR', ''))}"
        request.environ[TAKEN] = taken = meter.take(limit, who, cost())
        if not taken.granted:
            raise refuse(taken)

    app.before_request(admit)
    app.after_request(tell)


def cost() -> int:
    """How much the request at work asks: one, or what its view counts."""
    count = getattr(current_app.view_functions.get(request.endpoint or ""), "count", None)
    return 1 if count is None else max(1, count())


@lru_cache(1024)
def network(address: str) -> str:
    """Whom an address stands for."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(read, ipaddress.IPv4Address):
        return address
    return str(read.ipv4_mapped or ipaddress.ip_network((read, NETWORK), strict=False).network_address)


def refuse(taken: Taken) -> Refusal:
    """The refusal of who asks too much."""
    headers = {"Retry-After": str(taken.retry)}
    if taken.cost > taken.limit.amount:
        most = f"This asks for {taken.cost} at once, and the limit is {taken.limit.amount}: ask in smaller parts"
        return Refusal("rate-limited", most, headers)
    return Refusal("rate-limited", PROBLEMS["rate-limited"].meaning, headers)


def tell(response: Response) -> Response:
    """Say how the limit stands: as the IETF's draft now has it, and in the three fields that most clients read."""
    taken: Taken | None = request.environ.get(TAKEN)
    if taken is None:
        return response
    amount, seconds, remaining, reset = taken.limit.amount, taken.limit.get_expiry(), taken.remaining, taken.reset
    response.headers.extend({
        "RateLimit-Policy": f'"requests";q={amount};w={seconds}',
        "RateLimit": f'"requests";r={remaining};t={reset}',
        "RateLimit-Limit": str(amount),
        "RateLimit-Remaining": str(remaining),
        "RateLimit-Reset": str(reset),
    })  # fmt: skip
    return response
