"""openapi.yaml, made from the routes, the schemas and real answers.

A view says by `@operation` what it takes and gives; everything else is looked up: its path in the app, its summary in
its docstring, its examples by asking the app itself. Nothing here runs while the service serves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from flask import Flask
from marshmallow import Schema

from engine import EDITIONS
from service import __version__, catalogue, documents, replies, revealed, schemas, seats
from service.examples import QUERIES, bodies, paths, settled
from service.fields import CardId, Object, OpenObject, Shape, Word, component, reference, shape_of_schema
from service.idempotency import KEY
from service.operation import ANY, Operation
from service.problems import MEDIA_TYPE as PROBLEM_TYPE
from service.problems import PROBLEMS
from service.wire import INCLUDES
from service.wire import MEDIA_TYPE as JSON_TYPE

PARAMETERS: dict[str, Shape] = {
    "include": {
        "name": "include", "in": "query", "description": "What to add to the answer.",
        "style": "form", "explode": False,
        "schema": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": sorted(INCLUDES)}},
    },
    "messages": {
        "name": "messages", "in": "query", "description": "Whether each event has its message.",
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    "language": {
        "name": "Accept-Language", "in": "header", "description": "The language of names and messages.",
        "schema": {"type": "string", "default": "en", "examples": ["cs-CZ, cs;q=0.9, en;q=0.5"]},
    },
    "edition": {
        "name": "edition", "in": "query", "description": "Only what this edition says.",
        "schema": {"type": "string", "enum": [*EDITIONS]},
    },
    "key": {
        "name": "Idempotency-Key", "in": "header",
        "description": "A repetition of the request with the same key gets the same answer.",
        "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
    },
    "seat": {
        "name": seats.HEADER, "in": "header",
        "description": "In a game with seats: the token of the player who asks, or of several, with commas between.",
        "schema": {"type": "string"},
    },
    "after": {
        "name": "after", "in": "query", "description": "The version that is known.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "wait": {
        "name": "wait", "in": "query",
        "description": "With `after`: seconds to wait at most for a later version. The server has a limit of its own, "
        "and answers at once when too many wait already.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "later": {
        "name": "after", "in": "query", "description": "Only what came after this version.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "limit": {
        "name": "limit", "in": "query", "description": "At most so many entries; the server has a limit of its own.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "events": {
        "name": "events", "in": "query", "description": "Whether each entry has the events that the caller may see.",
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    "etag": {
        "name": "If-None-Match", "in": "header", "description": "What is known already: then nothing is sent.",
        "schema": {"type": "string"},
    },
    "timing": {
        "name": "Prefer", "in": "header", "description": "`server-timing`: say how long the answer took.",
        "schema": {"type": "string", "examples": ["server-timing"]},
    },
}  # fmt: skip

HEADERS: dict[str, dict[str, str]] = {
    "key": {
        "Idempotency-Replayed": "`true` when this answer was given before.",
        "Idempotency-Stored": "`false` when this answer could not be kept under its key.",
    },
    "timing": {
        "Server-Timing": "Milliseconds by part, if they were asked for.",
        "Preference-Applied": "`server-timing`, if it was asked for.",
    },
    "language": {"Content-Language": "The language of the words in this answer."},
    "etag": {"ETag": "What this content is known by; a state by its id.", "Cache-Control": "How long it may be kept."},
}

REFUSAL_HEADERS = {
    401: {"WWW-Authenticate": "What is to be sent."},
    409: {"Retry-After": "Seconds after which to ask again, where that can help."},
    415: {"Accept-Post": "The media types that are read.", "Accept-Encoding": "The codings that are read."},
    429: {"Retry-After": "Seconds after which to ask again."},
    503: {"Retry-After": "Seconds after which to ask again."},
}
OTHER_FORMS = {"application/x-ndjson": "One JSON value a line.", "text/html": "A page to play on."}
GUARDED = ("unauthenticated", "rate-limited")  # whatever is not public
SECURITY_SCHEMES = {
    "key": {"type": "http", "scheme": "bearer", "description": "An API key, where the server wants one."},
}

ABOUT = """\
Send a state and an action, get the next state, the events, and the rulings behind them.

Bodies may come in gzip (`Content-Encoding: gzip`); longer answers go out in it to whoever accepts it.

Names and texts of cards, messages of events, titles of problems and details of violations and errors are told in
English, Czech, Hungarian or Polish, by `Accept-Language`; `Content-Language` says in which. Other details with values
in them are in English, as are editions and rulings.

`Prefer: server-timing` asks how long an answer took: then it has a `Server-Timing`, and `Preference-Applied`.

A server may want an API key (`Authorization: Bearer …`) for all that is not public, and may limit how much each key, or
each address, asks. Then every answer tells how the limit stands: `RateLimit-Policy` and `RateLimit` as the IETF's draft
has them, and `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds until all of it is there again). A
batch counts as many requests as it has items, a replay as many as it has actions.
"""

TAGS = {
    "play": "Set up games, move on, ask what is possible.",
    "catalogue": "The editions, the cards, the rulings, and the problems a request can have.",
    "operations": "For those who run the service.",
}


def build(app: Flask) -> dict[str, Any]:
    """The whole description of the service."""
    paths: dict[str, Any] = {}
    for path, method, view in sorted(_operations(app), key=lambda each: each[:2]):
        paths.setdefault(path, {})[method] = _describe(app, path, method, view)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kaijudge",
            "version": __version__,
            "summary": "A referee for King of Tokyo.",
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"key": []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {"schemas": components(), "securitySchemes": SECURITY_SCHEMES},
    }


def write(app: Flask) -> str:
    """The description as YAML."""
    return yaml.dump(build(app), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)


class _Plain(yaml.SafeDumper):
    """YAML without anchors: equal parts are written out."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _operations(app: Flask) -> Iterator[tuple[str, str, Any]]:
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if not hasattr(view, "operation"):  # a file of a page
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield path, method.lower(), view


def _describe(app: Flask, path: str, method: str, view: Any) -> dict[str, Any]:
    told: Operation = view.operation
    described: dict[str, Any] = {"operationId": view.__name__, "summary": view.__doc__, "tags": [told.tag]}
    parameters = [*_path_parameters(app, path), *(PARAMETERS[name] for name in _parameters(told))]
    if parameters:
        described["parameters"] = parameters
    if told.body is not None:
        described["requestBody"] = {"required": True, "content": _content(told.body, bodies(app)[path], told)}
    answers = {str(told.status): _answer(app, path, method, told)}
    if "etag" in told.query:
        answers["304"] = {"description": "It is what you have.", "headers": _described(HEADERS["etag"])}
    if is_public := getattr(view, "public", False):
        described["security"] = []
    refusals = (*told.refusals, *ANY, *(() if is_public else GUARDED))
    described["responses"] = {**answers, **_refusals(refusals, HEADERS["key"] if "key" in told.query else {})}
    return described


def _answer(app: Flask, path: str, method: str, told: Operation) -> dict[str, Any]:
    """The answer to a good request, with an example that the app itself gave."""
    if told.status == 204:
        return {"description": "It is done."}
    if told.answer is None:
        kind = "object" if told.media_type == "application/yaml" else "string"  # a reader of YAML gets an object
        content: Shape = {told.media_type: {"schema": {"type": kind}}}
        answer: Shape = {"description": "The document.", "content": content}
    else:
        answer = {"description": told.answer.__doc__, "content": _content(told.answer, _ask(app, method, path), told)}
    if headers := _headers(told):
        answer["headers"] = headers
    return answer


def _headers(told: Operation) -> dict[str, Shape]:
    """The headers of a good answer."""
    named = {"Location": "Where the state is."} if told.status == 201 else {}
    for parameter in _parameters(told):
        named.update(HEADERS.get(parameter, {}))
    return _described(named)


def _described(headers: dict[str, str]) -> dict[str, Shape]:
    return {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}


def _parameters(told: Operation) -> tuple[str, ...]:
    """The parameters an operation names, and the one that all with a body have."""
    return told.query if told.body is None else (*told.query, "timing")


def _path_parameters(app: Flask, path: str) -> Iterator[Shape]:
    for name in re.findall(r"{(\w+)}", path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, "example": paths(app)[name]}


def _content(schema: type[Schema], example: Any, told: Operation) -> dict[str, Any]:
    also = {each: {"schema": {"type": "string", "description": OTHER_FORMS[each]}} for each in told.also}
    return {JSON_TYPE: {"schema": reference(schema), "example": example}, **also}


def _ask(app: Flask, method: str, path: str) -> Any:
    """What the app itself answers to the example."""
    address = path.format(**paths(app)) + QUERIES.get(path, "")
    answer = app.test_client().open(address, method=method, json=bodies(app).get(path))
    return settled(answer.get_json())


def _refusals(slugs: tuple[str, ...], headers: dict[str, str]) -> dict[str, Any]:
    """The refusals of an operation, by status; all of them may have these headers."""
    by_status: dict[int, list[str]] = {}
    for slug in dict.fromkeys(slugs):
        by_status.setdefault(PROBLEMS[slug].status, []).append(slug)
    return {str(status): _refusal(status, by_status[status], headers) for status in sorted(by_status)}


def _refusal(status: int, slugs: list[str], headers: dict[str, str]) -> dict[str, Any]:
    content = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    told: dict[str, Any] = {"description": ", ".join(f"`{slug}`" for slug in slugs), "content": content}
    if headers := {**headers, **REFUSAL_HEADERS.get(status, {})}:
        told["headers"] = _described(headers)
    return told


def components() -> dict[str, Shape]:
    """Every schema by its name."""
    found = [each for module in (schemas, documents, replies, catalogue, revealed) for each in vars(module).values()]
    found.extend(documents.ACTIONS.values())
    kept = {each for each in found if isinstance(each, type) and issubclass(each, Schema)}
    kept -= {Schema, Object, OpenObject, documents.PublicState}
    named = {component(each): shape_of_schema(each) for each in kept}
    named["Action"], named["Event"] = documents.ACTION_SHAPE, documents.EVENT_SHAPE
    named.update(documents.EVENT_SHAPES)
    named["CardId"] = {"description": "The id of a card.", **Word.shape(CardId())}
    return {name: named[name] for name in sorted(named)}
