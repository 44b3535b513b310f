"""Refusals: every answer that is no success is a problem document (RFC 9457). One table says what there is."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Mapping
from itertools import islice
from random import getrandbits
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

import engine
from service import record
from service.i18n import ENGLISH, asked_language, details, meaning_of, title_of, translated

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 1
MOST_ERRORS = 100
NO_HEADERS: Mapping[str, str] = {}

log = logging.getLogger("kaijudge")


class Kind(NamedTuple):
    """A type of problem: its status, its title, and what a client should make of it."""

    status: int
    title: str
    meaning: str


PROBLEMS: dict[str, Kind] = {
    "malformed-json": Kind(
        400, "The body is not JSON this service reads",
        "The body must be one JSON value in UTF-8: no NaN, no key twice in an object, no nesting beyond 254 levels.",
    ),
    "bad-parameter": Kind(
        400, "The request cannot be read",
        "A query parameter is unknown or has a value it cannot have, or the request itself is broken.",
    ),
    "unauthenticated": Kind(
        401, "Who is asking?", "This server wants a key, or this game the token of a seat, and none it knows was sent.",
    ),
    "forbidden": Kind(403, "Not for you", "The key or the seat is known, but may not do this."),
    "not-found": Kind(404, "There is nothing here", "No such path, or nothing of this id."),
    "state-not-found": Kind(
        404, "This state is not kept here",
        "It was never stored, or its time has run out. Send the whole state instead.",
    ),
    "method-not-allowed": Kind(405, "Not with this method", "`allow` lists the methods this path answers."),
    "not-acceptable": Kind(406, "No such representation", "`available` lists the media types this path can answer in."),
    "too-large": Kind(413, "The body is too large", "`limit` is the most this server reads, in bytes."),
    "unsupported-media-type": Kind(
        415, "Not a media type this path reads", "`accepted` lists the media types of a body it does read.",
    ),
    "state-superseded": Kind(
        409, "The game has gone on from this state",
        "An anchored game has one successor a state, and this one has another. `head` is the state it has come to.",
    ),
    "game-over": Kind(409, "The game is over", "Its outcome stands; no action is possible any more."),
    "game-not-over": Kind(409, "The game is not over yet", "What was asked for is only told of finished games."),
    "idempotency-in-progress": Kind(
        409, "The first request with this key is still at work", "Ask again with the same key in a moment.",
    ),
    "anchor-lost": Kind(
        409, "The record of this game is gone", "An anchored game cannot go on without the record of its states.",
    ),
    "schema-violation": Kind(
        422, "The document is wrong",
        "A field is missing, unknown, or has a value no such field can have: `errors` lists them all.",
    ),
    "invalid-state": Kind(
        422, "No game can be in this state",
        "The document is well formed, but the position it describes is impossible: `errors` says why.",
    ),
    "illegal-action": Kind(
        422, "The rules do not allow this action now",
        "`violations` names each rule it breaks, `decision` what is awaited. Nothing has changed.",
    ),
    "seal-invalid": Kind(
        422, "The seal is broken", "A sealed state was changed, or was sealed with a key this server does not know.",
    ),
    "idempotency-key-reuse": Kind(
        422, "This key was used for another request", "An Idempotency-Key belongs to one request and its repetitions.",
    ),
    "rate-limited": Kind(429, "Too many requests", "`Retry-After` says when to ask again."),
    "internal-error": Kind(500, "A fault of this server", "It is ours, not yours; `decision_id` finds it in our log."),
    "anchor-unavailable": Kind(
        503, "The record of anchored games cannot be reached",
        "A step may have been recorded or not: send the very same again after `Retry-After`.",
    ),
    "store-unavailable": Kind(
        503, "The store of states cannot be reached", "Send the whole state instead, or try again after `Retry-After`.",
    ),
}  # fmt: skip

SLUG_OF_STATUS = {
    400: "bad-parameter", 401: "unauthenticated", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
    406: "not-acceptable", 413: "too-large", 415: "unsupported-media-type", 429: "rate-limited",
}  # fmt: skip


class Refusal(Exception):
    """A request that is refused: the slug of its problem, what is wrong here, and what else the problem carries."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **carries: Any) -> None:
        self.slug = slug
        self.detail = detail
        self.headers = headers or {}
        self.carries = carries
        super().__init__(slug)


def decision_id() -> str:
    """The name of one answer; the only thing that differs between the answers to equal requests."""
    drawn = f"d_{getrandbits(96):024x}"  # a name, no secret
    record.current().decision_id = drawn
    return drawn


def refuse_document(slug: str, problems: Iterable[engine.Problem], prefix: str = "") -> Refusal:
    """The refusal of a document: every problem with its pointer, up to a number that keeps the answer small."""
    errors = [{"pointer": prefix + each.pointer, "detail": each.detail} for each in islice(problems, MOST_ERRORS)]
    return Refusal(slug, details.in_short(errors, ENGLISH), errors=errors)


def unavailable(slug: str, detail: str) -> Refusal:
    """The refusal of what cannot be had just now."""
    return Refusal(slug, detail, {"Retry-After": str(RETRY_AFTER)})


def write_problem(refusal: Refusal, instance: str, language: str = ENGLISH) -> dict[str, Any]:
    """The problem document of a refusal; `instance` is the path it happened at."""
    kind = PROBLEMS[refusal.slug]
    return {
        "type": f"/v1/problems/{refusal.slug}",
        "title": title_of(refusal.slug, kind.title, language),
        "status": kind.status,
        "detail": refusal.detail,
        "instance": quote(instance),
        "decision_id": decision_id(),
        **refusal.carries,
        **_in_words(refusal, language),
    }


def _in_words(refusal: Refusal, language: str) -> dict[str, Any]:
    """What else of a problem has words in a language: its detail, and those of its errors and violations."""
    if refusal.detail == PROBLEMS[refusal.slug].meaning:
        return {"detail": meaning_of(refusal.slug, refusal.detail, language)}
    if "errors" in refusal.carries:
        errors = details.translate_all(refusal.carries["errors"], language)
        return {"detail": details.in_short(errors, language), "errors": errors}
    if "violations" not in refusal.carries:
        return {"detail": details.translated(refusal.detail, language)}
    violations = translated(refusal.carries["violations"], language)
    return {"detail": violations[0]["detail"], "violations": violations}


def answer(refusal: Refusal) -> Response:
    """The answer to a refused request."""
    document = write_problem(refusal, request.path, asked_language())
    return _send(document, refusal.headers)


def _send(document: dict[str, Any], headers: Mapping[str, str]) -> Response:
    noted = record.current()
    noted.problem = document["type"].rpartition("/")[2]
    noted.code = document["violations"][0]["code"] if "violations" in document else ""
    headers = {"Cache-Control": "no-store", **headers}
    return Response(orjson.dumps(document), document["status"], headers, content_type=MEDIA_TYPE)


def answer_http(error: HTTPException) -> Response:
    """The problem document of what Flask refuses by itself."""
    status = error.code or 500
    slug = SLUG_OF_STATUS.get(status, "bad-parameter" if 400 <= status < 500 else "internal-error")
    if isinstance(error, MethodNotAllowed):
        allow = sorted(error.valid_methods or ())
        return answer(Refusal(slug, f"{request.method} is not possible here", {"Allow": ", ".join(allow)}, allow=allow))
    return answer(Refusal(slug, PROBLEMS[slug].meaning))


def answer_fault(error: Exception) -> Response:
    """The answer where there is a bug."""
    return _send(write_fault(error), NO_HEADERS)


def write_fault(error: Exception) -> dict[str, Any]:
    """The problem document of a bug. The log gets the trace but not the message, which could hold a player's name."""
    told = write_problem(Refusal("internal-error", PROBLEMS["internal-error"].meaning), request.path, asked_language())
    trace = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s %s %s: %s\n%s", told["decision_id"], request.method, request.url_rule, type(error).__name__, trace)
    return told


def register(app: Flask) -> None:
    """Every error leaves the app as a problem document."""
    app.register_error_handler(Refusal, answer)
    app.register_error_handler(HTTPException, answer_http)
    app.register_error_handler(Exception, answer_fault)
