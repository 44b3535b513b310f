"""Many requests in one: each gets its own answer, and none of them can spoil another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, current_app, request

from engine import Problem
from service import answers, schemas
from service.answers import Include
from service.config import Config
from service.i18n import asked_language
from service.problems import Refusal, refuse_document, write_fault, write_problem
from service.schemas import MOST_ITEMS
from service.states import Values
from service.wire import MEDIA_TYPE, check_media_type, parse, parse_any, read_bytes, refuse_floats

LINES = "application/x-ndjson"

Op = Callable[[Any, Include], Values]

OPS: dict[str, Op] = {
    "adjudicate": answers.adjudicate,
    "validate": lambda body, _: answers.validate(body),
    "legal-actions": lambda body, _: answers.legal_actions(body),
}


# Reading. An item that cannot be read is the refusal itself, to be told in its place.


def read_items() -> list[Any]:
    """The items of the request's body."""
    check_media_type((MEDIA_TYPE, LINES))
    config: Config = current_app.extensions["kaijudge"]
    body = read_bytes(config.batch_limit)
    return _read_lines(body) if request.mimetype == LINES else _read_list(body)


def _read_list(body: bytes) -> list[Any]:
    value, floating = parse_any(body)
    items: list[Any] = schemas.check(schemas.BATCH, value)["items"]
    return [attempt(_without_floats, item) for item in items] if floating else items


def _read_lines(body: bytes) -> list[Any]:
    lines = [line for line in body.split(b"\n") if line.strip()]
    if len(lines) > MOST_ITEMS:
        raise refuse_document("schema-violation", [Problem("", f"must have 0 to {MOST_ITEMS} lines")])
    return [attempt(parse, line) for line in lines]


def _without_floats(item: Any) -> Any:
    refuse_floats(item)
    return item


def attempt(read: Callable[[Any], Any], value: Any) -> Any:
    """What is read, or the refusal to read it."""
    try:
        return read(value)
    except Refusal as refusal:
        return refusal


# Judging


def judge(item: Any, include: Include) -> Values:
    """The result of an item: its id, and the status and the body that it would have got by itself."""
    try:
        return {"id": item_id(item), "status": 200, "body": answer(item, include)}
    except Refusal as refusal:
        problem = write_problem(refusal, request.path, asked_language())
    except Exception as error:  # a bug that one item meets is not the others' concern
        problem = write_fault(error)
    return {"id": item_id(item), "status": problem["status"], "body": problem}


def answer(item: Any, include: Include) -> Values:
    """What the endpoint of an item answers to the rest of it."""
    if isinstance(item, Refusal):
        raise item
    body = {**schemas.check(schemas.ITEM, item)}
    del body["id"]
    return OPS[body.pop("op")](body, include)


def item_id(item: Any) -> str | None:
    """The id of an item, if it has one that can be told."""
    name = item.get("id") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


# Answering


def write_results(results: list[Values]) -> Response:
    """The results in the form of the request, unless the client reads the other form only."""
    forms = [LINES, MEDIA_TYPE] if request.mimetype == LINES else [MEDIA_TYPE, LINES]
    form = request.accept_mimetypes.best_match(forms, forms[0])
    if form == LINES:
        return Response(b"".join(orjson.dumps(each) + b"\n" for each in results), content_type=LINES)
    return Response(orjson.dumps({"results": results}), content_type=MEDIA_TYPE)
