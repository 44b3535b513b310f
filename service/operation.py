"""What a view takes and gives, said beside it by `@operation`: the source of its part of openapi.yaml."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from flask import Response
from marshmallow import Schema

from service.wire import MEDIA_TYPE

View = TypeVar("View", bound=Callable[..., Response])

ANY = ("not-acceptable", "internal-error")
BODY = ("malformed-json", "bad-parameter", "too-large", "unsupported-media-type", "schema-violation", "invalid-state")
STATE = (*BODY, "seal-invalid", "state-not-found", "store-unavailable")
SEATED = ("unauthenticated", "forbidden")  # with the parameter "seat"
KEYED = ("idempotency-in-progress", "idempotency-key-reuse", "seal-invalid")  # with the parameter "key"
CATALOGUE = ("bad-parameter",)
ITEM = (*CATALOGUE, "not-found")
ANCHORED = ("state-superseded", "anchor-lost", "anchor-unavailable")
MOVED = ("include", "messages", "language")  # the parameters of an answer that tells of a game that has moved


class Operation(NamedTuple):
    """The schemas of the answer and the body, the refusals beside those of any view, and the names of the query.

    `also` are further media types that the body and its answer may have.
    """

    answer: type[Schema] | None
    tag: str
    body: type[Schema] | None
    refusals: tuple[str, ...]
    query: tuple[str, ...]
    status: int
    media_type: str
    also: tuple[str, ...]


def operation(
    answer: type[Schema] | None,
    tag: str,
    body: type[Schema] | None = None,
    refusals: tuple[str, ...] = (),
    query: tuple[str, ...] = (),
    status: int = 200,
    media_type: str = MEDIA_TYPE,
    also: tuple[str, ...] = (),
) -> Callable[[View], View]:
    """Say of a view what it takes and gives."""

    def describe(view: View) -> View:
        told = Operation(answer, tag, body, refusals, query, status, media_type, also)
        view.operation = told  # type: ignore[attr-defined]
        return view

    return describe


def public(view: View) -> View:
    """Say of a view that anybody may ask it, as often as he likes: it needs no API key and does not count."""
    view.public = True  # type: ignore[attr-defined]
    return view


def counted(count: Callable[[], int]) -> Callable[[View], View]:
    """Say of a view how much of its caller's limit a request takes, where it is more than one."""

    def mark(view: View) -> View:
        view.count = count  # type: ignore[attr-defined]
        return view

    return mark
