"""Chance from (seed, counter) by a keyed hash: no hidden state, the same on every machine.

Draw number n of a game reads the byte stream HMAC-SHA256(key = seed, message = "kaijudge/1 <purpose> <n> <block>"),
block = 0, 1, 2, …; a byte that would bias the result is skipped. SECURITY.md has the test vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from engine.state import FACES, Face

_DIE_LIMIT: Final = 252  # the largest multiple of six a byte can hold
_FACE_OF: Final[tuple[Face, ...]] = tuple(FACES[byte % 6] for byte in range(_DIE_LIMIT))
_UNFAIR: Final = bytes(range(_DIE_LIMIT, 256))
_BLOCK: Final = 64


@lru_cache(maxsize=1024)
def _keyed(seed: str) -> tuple[Any, Any]:
    """The inner and outer hash of HMAC-SHA256 with the key already in: four times cheaper to go on from than hmac."""
    key = seed.encode()
    if len(key) > _BLOCK:
        key = sha256(key).digest()
    key = key.ljust(_BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in key)), sha256(bytes(byte ^ 0x5C for byte in key))


def block(seed: str, purpose: bytes, draw: int, number: int) -> bytes:
    """32 bytes of chance: HMAC-SHA256 of the seed over what they are for."""
    inner, outer = _keyed(seed)
    first = inner.copy()
    first.update(b"kaijudge/1 %s %d %d" % (purpose, draw, number))
    second = outer.copy()
    second.update(first.digest())
    drawn: bytes = second.digest()
    return drawn


def stream(seed: str, purpose: bytes, draw: int) -> Iterator[int]:
    """The endless bytes of one draw."""
    number = 0
    while True:
        yield from block(seed, purpose, draw, number)
        number += 1


def faces(seed: str, draw: int, count: int) -> list[Face]:
    """`count` fair dice (COMP-6)."""
    fair = block(seed, b"dice", draw, 0).translate(None, _UNFAIR)
    number = 0
    while len(fair) < count:
        number += 1
        fair += block(seed, b"dice", draw, number).translate(None, _UNFAIR)
    return [_FACE_OF[byte] for byte in fair[:count]]


def below(limit: int, bytes_: Iterator[int]) -> int:
    """A fair number from 0 up to, not including, `limit` (at most 256)."""
    fair = 256 - 256 % limit
    return next(byte for byte in bytes_ if byte < fair) % limit


def shuffled(seed: str, draw: int, cards: tuple[str, ...]) -> tuple[str, ...]:
    """A fair order of the cards (Fisher-Yates from the end)."""
    bytes_ = stream(seed, b"shuffle", draw)
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, bytes_)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
