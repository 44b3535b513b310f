"""Bytes <-> JSON values, and the questions every request is asked before its content: media types, query, size."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import IO, Any, NamedTuple

import orjson
from flask import Response, current_app, request
from werkzeug.datastructures import MIMEAccept

from engine import Problem
from service import coding, record
from service.application import Answer
from service.problems import MOST_ERRORS, Refusal, refuse_document
from service.record import timed

MEDIA_TYPE = "application/json"
SPACE = b" \t\n\r"
SEALED = "sealed"
canonical = partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)  # the bytes that ids and seals are over
NUMBER = re.compile(r"[0-9]{1,9}")
# Floats as orjson writes them; a name may look so, too. Each begins with its rarest sign, so that it is found fast.
POINT, SMALL, BIG = (re.compile(each) for each in (rb"\.(?<=[0-9]\.)", rb"-(?<=[0-9]e-)", rb"\+(?<=[0-9]e\+)"))
DRAINED = 8  # limits of a body that are read and thrown away

# Reading


@timed("body")
def read_body(read: Callable[[bytes], Parsed] | None = None) -> Any:
    """The JSON value of the request's body."""
    check_media_type((MEDIA_TYPE,))
    return parse(read_limited(record.current().parts["kaijudge"].body_limit), read)


def check_media_type(accepted: tuple[str, ...]) -> None:
    """Refuse a body of any other media type."""
    if record.current().environ.get("CONTENT_TYPE") not in accepted and request.mimetype not in accepted:
        raise Refusal(
            "unsupported-media-type", f"Send {' or '.join(accepted)}, in UTF-8",
            {"Accept-Post": ", ".join(accepted)}, accepted=[*accepted],
        )  # fmt: skip


def read_limited(limit: int) -> bytes:
    """The body up to the limit; whoever asks again gets the same."""
    environ = record.current().environ
    body: bytes | None = environ.get("kaijudge.body")
    if body is None:
        body = environ["kaijudge.body"] = read_bytes(limit)
    if len(body) > limit:
        raise _too_large(limit)
    return body


def read_bytes(limit: int) -> bytes:
    """The body up to the limit; some of a longer one is thrown away, or the answer would not reach its sender."""
    environ = record.current().environ
    told = _told_length(environ)
    if told is None or told <= limit:
        # No more is read than was told, so the stream needs none of the safeguards of `request.stream`.
        body = _read(request.stream, limit + 1) if told is None else _read(environ["wsgi.input"], told)
        if told is not None and len(body) < told:
            raise Refusal("bad-parameter", f"The body ends after {len(body)} of {told} bytes")
        if len(body) <= limit:
            record.current().bytes_in = len(body)
            coded = environ.get("HTTP_CONTENT_ENCODING")
            return body if coded is None else coding.unpack(body, coded, limit)
    with suppress(Refusal):
        for _ in range(DRAINED):
            if not _read(request.stream, limit):
                break
    raise _too_large(limit)


def _told_length(environ: dict[str, Any]) -> int | None:
    """How long the body is, if its sender says so; werkzeug knows all the ways to say it wrong."""
    told: str = environ.get("CONTENT_LENGTH", "")
    if NUMBER.fullmatch(told) and "HTTP_TRANSFER_ENCODING" not in environ:
        return int(told)
    return request.content_length


def _too_large(limit: int) -> Refusal:
    return Refusal("too-large", f"The body may have {limit} bytes at most", limit=limit)


def _read(stream: IO[bytes], most: int) -> bytes:
    """Up to so many bytes of the body, however it is transferred."""
    pieces = []
    try:
        while most > 0 and (piece := stream.read(most)):
            pieces.append(piece)
            most -= len(piece)
    except Exception as error:  # each server has its own for a broken transfer
        raise Refusal("bad-parameter", "The body cannot be read: its transfer is broken") from error
    return b"".join(pieces)


def parse(body: bytes, read: Callable[[bytes], Parsed] | None = None) -> Any:
    """The JSON value of some bytes; refuses what is no JSON, keys that come twice, deep nesting and floats."""
    value, floating = (read or parse_any)(body)
    if floating:
        refuse_floats(value)
    return value


class Parsed(NamedTuple):
    """A JSON value, and whether there may be floats in it."""

    value: Any
    floating: bool


def parse_any(body: bytes) -> Parsed:
    """The JSON value of some bytes, and whether there may be floats in it; refuses all else that `parse` refuses."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Refusal("malformed-json", f"The body is not JSON: {error}") from None
    try:
        again = orjson.dumps(value)
    except orjson.JSONEncodeError:
        raise Refusal("malformed-json", "The body is nested too deeply: 254 levels are read") from None
    floating = (POINT.search(again) or SMALL.search(again) or BIG.search(again)) is not None
    # orjson writes the shortest form of all but floats: a body no longer than that (spaces apart) has lost no key.
    if floating or (len(again) != len(body) and len(again.translate(None, b" ")) != len(body.translate(None, SPACE))):
        _refuse_repeated_keys(body)
    return Parsed(value, floating)


def _refuse_repeated_keys(body: bytes) -> None:
    """orjson keeps the last of equal keys in silence; the standard library lets us look at all of them."""

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Refusal("malformed-json", f"The body has a key twice in one object: {name[:64]!r}")
            seen.add(name)

    json.loads(body, object_pairs_hook=look, parse_int=len, parse_float=len)


def refuse_floats(value: Any) -> None:
    """Refuse a value that has floats in it, and say where; but a seal is checked first, and no float fits one."""
    if type(value) is dict and is_sealed(value.get("state")):
        return
    found = [Problem(at, "must be a whole number of at most 64 bits") for at in islice(_floats(value, ""), MOST_ERRORS)]
    if found:
        raise refuse_document("schema-violation", found)


def has_floats(value: Any) -> bool:
    """Whether there are floats in a value, and not just texts that look so: one seal in twenty does."""
    return next(_floats(value, ""), None) is not None


def is_sealed(document: Any) -> bool:
    """Whether a document is sealed, or says that it should be."""
    if type(document) is not dict:
        return False
    options = document.get("options")
    return SEALED in document or (type(options) is dict and options.get("secrets") == SEALED)


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
    wanted = record.current().environ.get("HTTP_ACCEPT")
    if not wanted or wanted in ("*/*", MEDIA_TYPE):
        return
    view = current_app.view_functions.get(request.endpoint or "")
    told = getattr(view, "operation", None)
    if view is not None and told is None:
        return
    available = [MEDIA_TYPE] if told is None else [told.media_type, *told.also]
    if best_form(available) is None:
        raise Refusal("not-acceptable", f"This path answers in {' or '.join(available)}", available=available)


def best_form(available: list[str]) -> str | None:
    """The media type that the client likes best, None if it reads no such; a `charset` or `version` is no obstacle."""
    wanted = request.accept_mimetypes
    return MIMEAccept([(form.partition(";")[0].strip(), liking) for form, liking in wanted]).best_match(available)


def read_query(**allowed: frozenset[str] | None) -> dict[str, str]:
    """The query's parameters: each known, given once, and one of its words where it has a list of them."""
    if not record.current().environ["QUERY_STRING"]:
        return {}
    told = request.args
    for name, values in told.lists():
        if name not in allowed:
            raise Refusal("bad-parameter", f"The parameter {name!r} is unknown here", parameter=name)
        words = allowed[name]
        if len(values) != 1 or (words is not None and values[0] not in words):
            one = f"The parameter {name!r} takes one value"
            detail = f"The parameter {name!r} takes one of {', '.join(sorted(words))}" if words else one
            raise Refusal("bad-parameter", detail, parameter=name)
    return told.to_dict()


def whole(asked: dict[str, str], name: str, default: int) -> int:
    """The whole number that a parameter of the query is."""
    told = asked.get(name)
    if told is None:
        return default
    if not NUMBER.fullmatch(told):
        raise Refusal("bad-parameter", f"The parameter {name!r} takes a whole number from 0 on", parameter=name)
    return int(told)


INCLUDES = frozenset({"legal_actions", "patch"})
NOTHING: frozenset[str] = frozenset()
MESSAGES = frozenset({"messages"})
FLAGS = frozenset({"true", "false"})


def read_include() -> frozenset[str]:
    """What `?include=` asks for besides the answer itself; and "messages", if `?messages=true` does."""
    asked = read_query(include=None, messages=FLAGS)
    if not asked:
        return NOTHING
    names = frozenset(asked["include"].split(",")) if "include" in asked else NOTHING
    if not names <= INCLUDES:
        possible = ", ".join(sorted(INCLUDES))
        raise Refusal("bad-parameter", f"'include' takes a list of {possible}", parameter="include")
    return names | MESSAGES if asked.get("messages") == "true" else names


def read_messages() -> frozenset[str]:
    """What `?messages=` asks for, where it can ask for nothing else."""
    return MESSAGES if read_query(messages=FLAGS).get("messages") == "true" else NOTHING


# Answering


def reply(document: Any, status: int = 200, **headers: str) -> Response:
    """An answer in JSON."""
    return Answer(orjson.dumps(document), status, headers or None, content_type=MEDIA_TYPE)
