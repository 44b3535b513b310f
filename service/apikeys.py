"""API keys: what the settings know of them, and whether one that was sent is among them.

A key is 256 random bits. Nobody guesses one, and nobody can try them all, however fast: so a plain SHA-256 hides it as
well as the slow hashes do that protect what people choose, and costs a request nothing. The key itself is nowhere
here: it is told once, to whoever makes it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from hmac import compare_digest
from typing import NamedTuple

PREFIX = "kj_"
SIZE = 32
NAME = re.compile(r"[a-z0-9_-]{1,32}")
HASH = re.compile(r"[0-9a-f]{64}")
RATE = re.compile(r"[1-9][0-9]{0,8}/(second|minute|hour|day)")


class BadKeys(ValueError):
    """Keys that cannot be used; says why, without a word of them."""


class ApiKey(NamedTuple):
    """A key's name, its hash, and how much it may ask (empty: what all may)."""

    name: str
    digest: bytes
    rate: str


def new_key() -> str:
    """A fresh key."""
    return PREFIX + secrets.token_urlsafe(SIZE)


def digest(key: str) -> bytes:
    """The hash that a key is known by."""
    return hashlib.sha256(key.encode()).digest()


def write_entry(name: str, key: str) -> str:
    """What the settings know of a key."""
    if not NAME.fullmatch(name):
        raise BadKeys("names have 1 to 32 of the characters a-z 0-9 _ -")
    return f"{name}:{digest(key).hex()}"


def read_keys(told: str) -> tuple[ApiKey, ...]:
    """The keys of a list `name:sha256[:rate],…`."""
    keys = tuple(_read_entry(number, each.strip()) for number, each in enumerate(told.split(","), 1) if each.strip())
    if len({key.name for key in keys}) < len(keys) or len({key.digest for key in keys}) < len(keys):
        raise BadKeys("has a name or a hash twice")
    return keys


def _read_entry(number: int, told: str) -> ApiKey:
    name, _, rest = told.partition(":")
    hashed, colon, rate = rest.partition(":")
    if not NAME.fullmatch(name):
        raise BadKeys(f"has no name of a-z 0-9 _ - in entry {number}")
    if not HASH.fullmatch(hashed):
        raise BadKeys(f"has no SHA-256 of 64 hexadecimal digits in entry {number}")
    if colon and not RATE.fullmatch(rate):
        raise BadKeys(f"has no limit such as 600/minute after the hash of entry {number}")
    return ApiKey(name, bytes.fromhex(hashed), rate)


def find_key(keys: tuple[ApiKey, ...], sent: str) -> ApiKey | None:
    """The key that was sent, if it is one of these. All are compared, each in the same time."""
    hashed, found = digest(sent), None
    for key in keys:
        if compare_digest(key.digest, hashed):
            found = key
    return found
