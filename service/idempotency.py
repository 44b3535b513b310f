"""Idempotency-Key: a repeated request gets the first one's answer, byte for byte.

A request leaves a marker under its key, and its answer in the marker's place. Who finds a marker is told to come back;
a marker whose request never ended goes away by itself. Only final answers are kept: successes, and refusals that
the same request would meet again. Without the store the request is answered all the same and says
`Idempotency-Stored: false`: then a repetition is adjudicated again, which differs in the `decision_id` and, for a new
game without a seed, in the game.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from functools import wraps

import orjson
from flask import Response, current_app, request

from service import i18n, metrics, problems, record, seal, seats
from service.config import Config
from service.problems import Refusal
from service.seal import BrokenSeal
from service.store import Store, StoreUnavailable, answer_key
from service.wire import read_limited

KEY = re.compile(r"[!-~]{1,255}")
FINAL = {
    "malformed-json", "schema-violation", "invalid-state", "illegal-action", "game-over", "state-superseded",
    "seal-invalid",
}  # fmt: skip
MARKER, ANSWER, WRAPPED = b"~", b"=", b"#"
FINGERPRINT = 32
PASSING = "kaijudge.passing"

View = Callable[[], Response]


def idempotent(view: View, limit: str = "body_limit") -> View:
    """Give a view the memory of its answers that a client asks for by an Idempotency-Key.

    `limit` is the setting that says how large its body may be.
    """

    @wraps(view)
    def remembered() -> Response:
        key = record.current().environ.get("HTTP_IDEMPOTENCY_KEY")
        return view() if key is None else _remembered(view, key, limit)

    return remembered


def _remembered(view: View, key: str, limit: str) -> Response:
    if not KEY.fullmatch(key):
        raise Refusal("bad-parameter", "Idempotency-Key takes 1 to 255 visible ASCII characters")
    config: Config = current_app.extensions["kaijudge"]
    store: Store = current_app.extensions["kaijudge.shelf"].store
    place, fingerprint = answer_key(key, record.current().caller), _fingerprint(getattr(config, limit))
    marker = MARKER + fingerprint + secrets.token_bytes(8)
    try:
        found = store.claim(place, marker, config.idempotency_wait)
    except StoreUnavailable:
        return _not_stored(_answer(view)[0])
    if found is not None:
        metrics.hit("answer")
        return _repeat(found, place, fingerprint)
    metrics.miss("answer")
    return _settle(view, store, place, marker, config.idempotency_ttl)


def _settle(view: View, store: Store, place: str, marker: bytes, seconds: int) -> Response:
    """Answer, and leave the answer under the key if it is final; else the key is free again."""
    kept = False
    try:
        response, final = _answer(view)
        if final:
            store.settle(place, marker, _write(response, place, marker[1 : 1 + FINGERPRINT]), seconds)
            kept = True
    except StoreUnavailable:
        return _not_stored(response)
    finally:
        if not kept:
            _release(store, place, marker)
    return response


def _answer(view: View) -> tuple[Response, bool]:
    """The answer, be it a refusal, and whether it is final."""
    try:
        response = view()
    except Refusal as refusal:
        note(refusal.slug)
        response = problems.answer(refusal)
    return response, PASSING not in request.environ


def note(slug: str) -> None:
    """Say that a part of the answer, or all of it, is this refusal: if that may pass, the answer is not final."""
    if slug not in FINAL:
        request.environ[PASSING] = True


def _release(store: Store, place: str, marker: bytes) -> None:
    """Free a key; if the store is away, the marker goes by itself."""
    try:
        store.release(place, marker)
    except StoreUnavailable:
        return


def _repeat(found: bytes, place: str, fingerprint: bytes) -> Response:
    """What lies under the key, if it belongs to this request: its answer, or the advice to come back."""
    if found and found[1 : 1 + FINGERPRINT] != fingerprint:
        raise Refusal("idempotency-key-reuse", "This Idempotency-Key was sent with another request")
    if found[:1] not in (ANSWER, WRAPPED):
        raise problems.unavailable("idempotency-in-progress", "The first request with this key is still at work")
    return _read(found, place)


def _fingerprint(limit: int) -> bytes:
    """What makes a request the same: its method, path, query, body and what that is, and whose seat it comes from."""
    environ = request.environ
    head = f"{request.method} {request.path}?{environ['QUERY_STRING']}\n{environ.get(seats.SENT, '')}\n"
    return hashlib.sha256(f"{head}{request.mimetype}\n".encode() + read_limited(limit)).digest()


def _not_stored(response: Response) -> Response:
    response.headers["Idempotency-Stored"] = "false"
    return response


def _write(response: Response, place: str, fingerprint: bytes) -> bytes:
    """What is kept of an answer; encrypted where there are keys, since it may be for one player only."""
    i18n.say_language(response)
    head = orjson.dumps([response.status_code, [*response.headers.items()]])
    content, key = head + b"\n" + response.get_data(), seats.ring().newest
    if key is None:
        return ANSWER + fingerprint + content
    return WRAPPED + fingerprint + seal.wrap(key, content, place.encode())


def _read(kept: bytes, place: str) -> Response:
    """A kept answer; a refusal without the key it was encrypted with."""
    content = kept[1 + FINGERPRINT :]
    try:
        plain = content if kept[:1] == ANSWER else seal.unwrap(seats.ring(), content, place.encode())
    except BrokenSeal:
        raise Refusal("seal-invalid", problems.PROBLEMS["seal-invalid"].meaning) from None
    head, _, body = plain.partition(b"\n")
    status, headers = orjson.loads(head)
    return Response(body, status, [*headers, ("Idempotency-Replayed", "true")])
