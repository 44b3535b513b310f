"""Seals: what a sealed game hides, encrypted and bound to all that it shows.

The hidden part (`secrets` and `resume`) is the plaintext, the canonical bytes of the rest are its associated data, and
the cipher is AES-SIV (RFC 5297): it needs no nonce, so the sealed document stays a pure function of state and key.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, NamedTuple

import orjson
from cryptography.exceptions import InvalidTag

from service.keyring import Key, KeyRing
from service.wire import SEALED, canonical

Values = dict[str, Any]

STATE_ID = "state_id"
HIDDEN = ("secrets", "resume")
BESIDE = frozenset({SEALED, STATE_ID})
BEGINS = b'{"sealed":'  # the bytes of a sealed document as it is kept


class BrokenSeal(Exception):
    """A seal that was not made by a key of ours, or not for this. It never says more."""


class Opened(NamedTuple):
    """A document that was sealed: the key that had sealed it, and all of it."""

    key: str
    document: Values


def seal_document(key: Key, document: Values) -> tuple[Values, bytes]:
    """A whole document as it is told, without its id; and the bytes that are kept of it."""
    told = {name: value for name, value in document.items() if name not in HIDDEN}
    public = canonical(told)
    hidden = key.seals.encrypt(canonical({name: document[name] for name in HIDDEN}), [public])
    told[SEALED] = _write(key, hidden)
    return told, _kept(told[SEALED], public)


def open_document(ring: KeyRing, document: Values) -> Opened:
    """The whole of a sealed document, without its id; BrokenSeal if a value of it is not as it was sealed."""
    key, hidden = _read(ring, document.get(SEALED))
    told = _public(document)
    try:
        opened = key.seals.decrypt(hidden, [canonical(told)])
    except InvalidTag:
        raise BrokenSeal from None
    return Opened(key.id, {**told, **orjson.loads(opened)})


def kept_of(document: Values) -> bytes | None:
    """The bytes that are kept of a sealed document, so that two can be compared; None if it has no seal."""
    told = document.get(SEALED)
    return _kept(told, canonical(_public(document))) if type(told) is str else None


def _public(document: Values) -> Values:
    return {name: value for name, value in document.items() if name not in BESIDE}


def _kept(told: str, public: bytes) -> bytes:
    return BEGINS + orjson.dumps(told) + b"," + public[1:]


def _write(key: Key, hidden: bytes) -> str:
    return f"{key.id}:{urlsafe_b64encode(hidden).decode().rstrip('=')}"


def _read(ring: KeyRing, told: Any) -> tuple[Key, bytes]:
    """The key of a seal and its bytes. Other letters for the same bytes are not what was sealed, and so broken."""
    if type(told) is not str:
        raise BrokenSeal
    key_id, _, text = told.partition(":")
    key = ring.get(key_id)
    try:
        hidden = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:  # no base64, or no ASCII
        raise BrokenSeal from None
    if key is None or _write(key, hidden) != told:
        raise BrokenSeal
    return key, hidden


# What is kept of a game besides its states


def wrap(key: Key, content: bytes, purpose: bytes) -> bytes:
    """Bytes that only a holder of the key can read, and only for the purpose they were wrapped for."""
    return key.id.encode() + b":" + key.wraps.encrypt(content, [purpose])


def unwrap(ring: KeyRing, wrapped: bytes, purpose: bytes) -> bytes:
    """Such bytes as they were; BrokenSeal if they are not ours, or were for something else."""
    key_id, _, content = wrapped.partition(b":")
    key = ring.get(key_id.decode("ascii", "replace"))
    if key is None:
        raise BrokenSeal
    try:
        return key.wraps.decrypt(content, [purpose])
    except (InvalidTag, ValueError):
        raise BrokenSeal from None
