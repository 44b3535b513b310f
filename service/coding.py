"""Content codings: bodies that come in gzip, and answers that go out in it when the client can read them."""

from __future__ import annotations

import zlib
from functools import lru_cache

from flask import Response
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from service.problems import Refusal

GZIP = "gzip"
NAMES = frozenset({GZIP, "x-gzip"})
WINDOW = 31  # zlib's number for the format of gzip
PIECE = 4096  # bytes
LEVEL = 1
TAGGED = frozenset({"ETag", "Content-Encoding"})
LEAST = 1024  # bytes; a smaller answer is not worth it


# Coming in


def unpack(body: bytes, coding: str, limit: int) -> bytes:
    """A body without its coding; at no time is more of it unpacked than the limit and a byte."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return body
    if name not in NAMES:
        detail = f"Send the body as it is, or in {GZIP}"
        raise Refusal("unsupported-media-type", detail, {"Accept-Encoding": GZIP}, encodings=[GZIP])
    try:
        return _unpack(body, limit)
    except zlib.error:
        raise Refusal("malformed-json", "The body is not in gzip, though its Content-Encoding says so") from None


def _unpack(body: bytes, limit: int) -> bytes:
    """The content of all members of a gzip file, one after another.

    A member leaves what follows it as a copy, so the file is read in pieces: that copy would else be all of the rest.
    """
    content = bytearray()
    unpacker = zlib.decompressobj(WINDOW)
    at = 0
    while True:
        piece = body[at : at + PIECE]
        content += unpacker.decompress(piece, limit + 1 - len(content))
        if len(content) > limit:
            raise Refusal("too-large", f"The body may have {limit} bytes at most when unpacked", limit=limit)
        at += len(piece) - len(unpacker.unused_data)
        if at == len(body):
            break
        if unpacker.eof:
            unpacker = zlib.decompressobj(WINDOW)
    if not unpacker.eof:
        raise zlib.error("cut short")
    return bytes(content)


# Going out


def pack(response: Response, accepted: str) -> None:
    """Pack an answer if the client can read it. One with an ETag stays as it is: the tag names these very bytes."""
    if not response.is_sequence or sum(map(len, response.response)) < LEAST:
        return
    if not TAGGED.isdisjoint([name for name, _ in response.headers]):
        return
    response.headers.add("Vary", "Accept-Encoding")
    if reads_gzip(accepted):
        response.set_data(zlib.compress(response.get_data(), LEVEL, WINDOW))
        response.headers["Content-Encoding"] = GZIP


@lru_cache(maxsize=64)
def reads_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding has gzip; there are few of them, and each comes often."""
    return parse_accept_header(accepted.lower(), Accept)[GZIP] > 0
