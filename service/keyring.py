"""The ring of keys: the newest seals, all of them open. Whoever holds it can read every sealed game.

A ring is written `id:key,id:key`, newest first, each key 32 or 64 random bytes in base64url. Nothing here ever prints
one. Each is only the root of others (HKDF), one a purpose, so that nothing made for one can be passed off as another.
"""

from __future__ import annotations

import os
import re
import secrets
from base64 import b64decode, urlsafe_b64encode
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_ID = re.compile(r"[a-z0-9-]{1,16}")
LENGTHS = (32, 64)
FILE = "keys"


class BadKeys(ValueError):
    """A ring that cannot be read; says which key and why, never what it is."""


class Key:
    """One key of a ring: its id, and what is derived from it for each purpose."""

    __slots__ = ("id", "seals", "seats", "wraps")

    def __init__(self, key_id: str, root: bytes) -> None:
        self.id = key_id
        self.seals = AESSIV(derived(root, "seal", 64))
        self.wraps = AESSIV(derived(root, "wrap", 64))
        self.seats = derived(root, "seat", 32)

    def __repr__(self) -> str:
        return f"Key({self.id!r})"


class KeyRing:
    """The keys of this server, newest first; it may have none."""

    __slots__ = ("_keys", "newest")

    def __init__(self, keys: list[Key]) -> None:
        self._keys = {each.id: each for each in keys}
        self.newest = keys[0] if keys else None

    def __bool__(self) -> bool:
        return self.newest is not None

    def get(self, key_id: str) -> Key | None:
        return self._keys.get(key_id)


def read_keys(told: str) -> KeyRing:
    """The ring of a setting; BadKeys if it is none."""
    entries = [each.strip() for each in told.split(",")] if told.strip() else []
    keys = [_read_key(each, number) for number, each in enumerate(entries, 1)]
    if len({each.id for each in keys}) != len(keys):
        raise BadKeys("has two keys of the same id")
    return KeyRing(keys)


def _read_key(entry: str, number: int) -> Key:
    key_id, _, text = entry.partition(":")
    if not KEY_ID.fullmatch(key_id):
        raise BadKeys(f"needs an id of 1 to 16 of a-z, 0-9 and - before key {number}, then a colon")
    try:
        root = b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except ValueError:  # no base64, or no ASCII
        root = b""
    if len(root) not in LENGTHS:
        raise BadKeys(f"needs 32 or 64 bytes in base64url for key {number}")
    return Key(key_id, root)


def derived(root: bytes, purpose: str, length: int) -> bytes:
    """The key of one purpose."""
    return HKDF(SHA256(), length, salt=None, info=f"kaijudge/{purpose}/1".encode()).derive(root)


def new_key() -> str:
    """A fresh key, as it is written in a ring."""
    key = urlsafe_b64encode(secrets.token_bytes(64)).decode().rstrip("=")
    return f"k-{secrets.token_hex(4)}:{key}"


def keep_new_key(folder: Path) -> str:
    """A fresh key, kept in a file of this folder that only this user can read."""
    key = new_key()
    with open(os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key + "\n")
    return key
