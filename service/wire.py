"""Bytes <-> JSON values, and the questions every request is asked before its content: media types, query, size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
from flask import Response, current_app, request

from engine import Problem
from service.problems import MOST_ERRORS, Refusal, refuse_document

MEDIA_TYPE = "application/json"
SPACE = b" \t\n\r"
DRAINED = 8  # limits of a body that are read and thrown away

# Reading


def read_body() -> Any:
    """The JSON value of the request's body."""
    environ = request.environ
    plain = environ.get("CONTENT_TYPE") == MEDIA_TYPE or request.mimetype == MEDIA_TYPE
    if not plain or "HTTP_CONTENT_ENCODING" in environ:
        raise Refusal(
            "unsupported-media-type", f"Send {MEDIA_TYPE}, in UTF-8 and not compressed",
            {"Accept-Post": MEDIA_TYPE}, accepted=[MEDIA_TYPE],
        )  # fmt: skip
    return parse(read_bytes(current_app.extensions["kaijudge"].body_limit))


def read_bytes(limit: int) -> bytes:
    """The body up to the limit; some of a longer one is thrown away, or the answer would not reach its sender."""
    told = request.content_length
    if told is None or told <= limit:
        body = _read(limit + 1 if told is None else told)
        if told is not None and len(body) < told:
            raise Refusal("bad-parameter", f"The body ends after {len(body)} of {told} bytes")
        if len(body) <= limit:
            return body
    for _ in range(DRAINED):
        if not _read(limit):
            break
    raise Refusal("too-large", f"The body may have {limit} bytes at most", limit=limit)


def _read(most: int) -> bytes:
    """Up to so many bytes of the body, however it is transferred."""
    pieces = []
    stream = request.stream
    try:
        while most > 0 and (piece := stream.read(most)):
            pieces.append(piece)
            most -= len(piece)
    except Exception as error:  # each server has its own for a broken transfer
        raise Refusal("bad-parameter", "The body cannot be read: its transfer is broken") from error
    return b"".join(pieces)


def parse(body: bytes) -> Any:
    """The JSON value of some bytes; refuses what is no JSON, keys that come twice, deep nesting and floats."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Refusal("malformed-json", f"The body is not JSON: {error}") from None
    try:
        again = orjson.dumps(value)
    except orjson.JSONEncodeError:
        raise Refusal("malformed-json", "The body is nested too deeply: 254 levels are read") from None
    # orjson writes the shortest form, so a body that is no longer than that (spaces apart) has lost no key.
    if len(again) != len(body) and len(again.translate(None, b" ")) != len(body.translate(None, SPACE)):
        _refuse_repeated_keys(body)
    if any(before[-1:].isdigit() for before in again.split(b".")[:-1]):
        _refuse_floats(value)
    return value


def _refuse_repeated_keys(body: bytes) -> None:
    """orjson keeps the last of equal keys in silence; the standard library lets us look at all of them."""

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Refusal("malformed-json", f"The body has a key twice in one object: {name[:64]!r}")
            seen.add(name)

    json.loads(body, object_pairs_hook=look, parse_int=len, parse_float=len)


def _refuse_floats(value: Any) -> None:
    found = [Problem(at, "must be a whole number of at most 64 bits") for at in islice(_floats(value, ""), MOST_ERRORS)]
    if found:
        raise refuse_document("schema-violation", found)


def _floats(value: Any, at: str) -> Iterator[str]:
    """Where floats are; a number beyond 64 bits is one by now, too."""
    if type(value) is float:
        yield at
    elif type(value) is dict:
        for name, each in value.items():
            yield from _floats(each, f"{at}/{escaped(name)}")
    elif type(value) is list:
        for index, each in enumerate(value):
            yield from _floats(each, f"{at}/{index}")


def escaped(name: str) -> str:
    """A key as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


# The request around the body


def check_accept() -> None:
    """Refuse a client that cannot read what this path answers in."""
    wanted = request.environ.get("HTTP_ACCEPT")
    if not wanted or wanted in ("*/*", MEDIA_TYPE):
        return
    view = current_app.view_functions.get(request.endpoint or "")
    media_type = getattr(getattr(view, "operation", None), "media_type", MEDIA_TYPE)
    if not request.accept_mimetypes.best_match([media_type]):
        raise Refusal("not-acceptable", f"This path answers in {media_type}", available=[media_type])


def read_query(**allowed: frozenset[str] | None) -> dict[str, str]:
    """The query's parameters: each known, given once, and one of its words where it has a list of them."""
    if not request.environ["QUERY_STRING"]:
        return {}
    told = request.args
    for name, values in told.lists():
        if name not in allowed:
            raise Refusal("bad-parameter", f"The parameter {name!r} is unknown here", parameter=name)
        words = allowed[name]
        if len(values) != 1 or (words is not None and values[0] not in words):
            possible = f": one of {', '.join(sorted(words))}" if words else ""
            raise Refusal("bad-parameter", f"The parameter {name!r} takes one value{possible}", parameter=name)
    return told.to_dict()


INCLUDES = frozenset({"legal_actions", "patch"})
NOTHING: frozenset[str] = frozenset()


def read_include() -> frozenset[str]:
    """What `?include=` asks for besides the answer itself."""
    told = read_query(include=None).get("include")
    if told is None:
        return NOTHING
    names = frozenset(told.split(","))
    if not names <= INCLUDES:
        possible = ", ".join(sorted(INCLUDES))
        raise Refusal("bad-parameter", f"'include' takes a list of {possible}", parameter="include")
    return names


# Answering


def reply(document: Any, status: int = 200, **headers: str) -> Response:
    """An answer in JSON."""
    return Response(orjson.dumps(document), status, headers or None, content_type=MEDIA_TYPE)
