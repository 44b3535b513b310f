"""Chance from (seed, counter) by a keyed hash: no hidden state, the same on every machine.

Draw number n of a game reads the byte stream HMAC-SHA256(key = seed, message = "kaijudge/1 <purpose> <n> <block>"),
block = 0, 1, 2, …; a byte that would bias the result is skipped. SECURITY.md has the test vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from hmac import digest

from engine.state import FACES, Face

_DIE_LIMIT = 252  # the largest multiple of six a byte can hold


def stream(seed: str, purpose: str, draw: int) -> Iterator[int]:
    """The endless bytes of one draw."""
    key = seed.encode()
    block = 0
    while True:
        yield from digest(key, f"kaijudge/1 {purpose} {draw} {block}".encode(), "sha256")
        block += 1


def faces(seed: str, draw: int, count: int) -> list[Face]:
    """`count` fair dice (COMP-6)."""
    rolled: list[Face] = []
    if not count:
        return rolled
    for byte in stream(seed, "dice", draw):
        if byte < _DIE_LIMIT:
            rolled.append(FACES[byte % 6])
            if len(rolled) == count:
                break
    return rolled


def below(limit: int, bytes_: Iterator[int]) -> int:
    """A fair number from 0 up to, not including, `limit` (at most 256)."""
    fair = 256 - 256 % limit
    return next(byte for byte in bytes_ if byte < fair) % limit


def shuffled(seed: str, draw: int, cards: tuple[str, ...]) -> tuple[str, ...]:
    """A fair order of the cards (Fisher-Yates from the end)."""
    bytes_ = stream(seed, "shuffle", draw)
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, bytes_)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
