"""The headers around an answer: what keeps browsers from misusing it, and who may read it from another site (CORS)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, current_app, request

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

NOWHERE = "default-src 'none'; frame-ancestors 'none'"
CSP = "Content-Security-Policy"
# A page loads what this server has, and asks this server; data: images are those in Swagger UI's style sheet.
PAGE_POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
])  # fmt: skip
SAFE = (
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)  # fmt: skip
UNLESS_SAID = ((CSP, NOWHERE), ("Cache-Control", "no-store"))
SAFE_AND_ALONE = (*SAFE, *UNLESS_SAID)

ASKED = frozenset({"REQUEST_METHOD", "HTTP_IF_NONE_MATCH"})

ANY = "*"
DAY = "86400"
# What a page on another site may send and read, besides what every browser allows it anyway.
SENT = (
    "Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-None-Match", "Kaijudge-Seat", "Prefer",
)  # fmt: skip
READ = (
    "Accept-Encoding", "Accept-Post", "Allow", "Content-Encoding", "ETag", "Idempotency-Replayed",
    "Idempotency-Stored", "Location", "Preference-Applied", "RateLimit", "RateLimit-Limit", "RateLimit-Policy",
    "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "Server-Timing", "WWW-Authenticate",
)  # fmt: skip


def guard(app: WSGIApplication) -> WSGIApplication:
    """A browser takes an answer for what it says it is, loads and keeps nothing of it, and tells nobody where it was.

    Around the whole application, where headers are a plain list: every answer pays for what is done to every answer.
    """

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            said = {name for name, _ in headers}
            unsaid = [each for each in UNLESS_SAID if each[0] not in said]
            return start_response(status, [*headers, *SAFE, *unsaid], *error)

        return app(environ, start)

    return guarded


def tagged(response: Response, tag: str) -> Response:
    """An answer with the strong tag of its content, which is left out if the client has it already.

    No other condition is looked at: nothing is changed here, so none can fail.
    """
    response.set_etag(tag)
    response.make_conditional({name: value for name, value in request.environ.items() if name in ASKED})
    return response


def allow_origins(app: Flask, told: str) -> None:
    """Let pages of these origins ask: a list with commas, or `*`. There are no cookies, so none are allowed."""
    origins = frozenset(each.strip() for each in told.split(","))

    def preflight() -> Response | None:
        """Answer a browser that asks whether it may ask."""
        if request.method != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in request.environ:
            return None
        if request.url_rule is None or not _allows(origins):
            return None
        allowed = sorted(current_app.make_default_options_response().allow)
        headers = {"Access-Control-Allow-Methods": ", ".join(allowed), "Access-Control-Allow-Headers": ", ".join(SENT)}
        return Response(status=204, headers={**headers, "Access-Control-Max-Age": DAY})

    def permit(response: Response) -> Response:
        if ANY not in origins:
            response.headers.add("Vary", "Origin")
        if _allows(origins):
            response.headers["Access-Control-Allow-Origin"] = ANY if ANY in origins else request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = ", ".join(READ)
        return response

    app.before_request(preflight)
    app.after_request(permit)


def _allows(origins: frozenset[str]) -> bool:
    origin = request.environ.get("HTTP_ORIGIN")
    return origin is not None and (ANY in origins or origin in origins)
