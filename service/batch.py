"""Many requests in one: each gets its own answer, and none of them can spoil another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson
from flask import Response, current_app, request

from engine import Problem
from service import answers, idempotency, schemas, states
from service.answers import Include
from service.config import Config
from service.i18n import asked_language
from service.problems import Refusal, refuse_document, write_fault, write_problem
from service.returned import parse_lifted
from service.schemas import ID_LENGTH, MOST_ITEMS
from service.states import Values
from service.wire import MEDIA_TYPE, best_form, check_media_type, read_limited, refuse_floats

LINES = "application/x-ndjson"

Op = Callable[[Any, Include], Values]

OPS: dict[str, Op] = {
    "adjudicate": answers.adjudicate,
    "validate": lambda body, _: answers.validate(body),
    "legal-actions": lambda body, _: answers.legal_actions(body),
}


class Unread(NamedTuple):
    """An item that cannot be read: the refusal to be told in its place, and its id, if that could be read."""

    refusal: Refusal
    id: str | None = None


# Reading


def read_items() -> list[Any]:
    """The items of the request's body."""
    check_media_type((MEDIA_TYPE, LINES))
    config: Config = current_app.extensions["kaijudge"]
    body = read_limited(config.batch_limit)
    return _read_lines(body) if request.mimetype == LINES else _read_list(body)


def count_items() -> int:
    """How many requests a batch is; one that cannot be read is one."""
    try:
        return len(read_items())
    except Refusal:
        return 1


def _read_list(body: bytes) -> list[Any]:
    value, floating = parse_lifted(body)
    if not _is_batch(value):
        schemas.check(schemas.BATCH, value)
    items: list[Any] = value["items"]
    return [_without_floats(item) for item in items] if floating else items


def _is_batch(value: Any) -> bool:
    """Whether the schema can have nothing to say against the envelope."""
    items = value.get("items") if type(value) is dict and len(value) == 1 else None
    return type(items) is list and len(items) <= MOST_ITEMS


def _read_lines(body: bytes) -> list[Any]:
    lines = [line for line in body.split(b"\n") if line.strip()]
    if len(lines) > MOST_ITEMS:
        raise refuse_document("schema-violation", [Problem("", f"must have 0 to {MOST_ITEMS} lines")])
    return [_read_line(line) for line in lines]


def _without_floats(item: Any) -> Any:
    try:
        refuse_floats(item)
    except Refusal as refusal:
        return Unread(refusal, item_id(item))
    return item


def _read_line(line: bytes) -> Any:
    try:
        item, floating = parse_lifted(line)
    except Refusal as refusal:
        return Unread(refusal)
    return _without_floats(item) if floating else item


# Judging


def judge_all(items: list[Any], include: Include) -> list[Values]:
    """The results of all items, in their order."""
    known: dict[str | bytes, Any] = {}
    with states.issued_together():
        return [judge(_shared(item, known), include) for item in items]


def _shared(item: Any, known: dict[str | bytes, Any]) -> Any:
    """An item whose state is the very object of an earlier equal one, which is then read only once in a row."""
    state = item.get("state") if type(item) is dict else None
    if type(state) is not dict:
        return item
    told = state.get("state_id")
    earlier = known.setdefault(told if type(told) is str else orjson.dumps(state), state)
    if earlier is state or orjson.dumps(earlier) != orjson.dumps(state):
        return item
    return {**item, "state": earlier}


def judge(item: Any, include: Include) -> Values:
    """The result of an item: its id, and the status and the body that it would have got by itself."""
    try:
        return {"id": item_id(item), "status": 200, "body": answer(item, include)}
    except Refusal as refusal:
        idempotency.note(refusal.slug)
        problem = write_problem(refusal, request.path, asked_language())
    except Exception as error:  # a bug that one item meets is not the others' concern
        idempotency.note("internal-error")
        problem = write_fault(error)
    return {"id": item_id(item), "status": problem["status"], "body": problem}


def answer(item: Any, include: Include) -> Values:
    """What the endpoint of an item answers to the rest of it."""
    if isinstance(item, Unread):
        raise item.refusal
    if not _well_formed(item):
        schemas.check(schemas.ITEM, item)
    body = {**item}
    del body["id"]
    return OPS[body.pop("op")](body, include)


def _well_formed(item: Any) -> bool:
    """Whether a schema can have nothing to say against an item; it is asked of every one."""
    name = item.get("id") if type(item) is dict else None
    return type(name) is str and 1 <= len(name) <= ID_LENGTH and item.get("op") in schemas.OPS


def item_id(item: Any) -> str | None:
    """The id of an item, if it has one that can be told."""
    if isinstance(item, Unread):
        return item.id
    name = item.get("id") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


# Answering


def write_results(results: list[Values]) -> Response:
    """The results in the form of the request, unless the client reads the other form only."""
    forms = [LINES, MEDIA_TYPE] if request.mimetype == LINES else [MEDIA_TYPE, LINES]
    if (best_form(forms) or forms[0]) == LINES:
        return Response(b"".join(orjson.dumps(each) + b"\n" for each in results), content_type=LINES)
    return Response(orjson.dumps({"results": results}), content_type=MEDIA_TYPE)
