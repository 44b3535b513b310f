"""What happens around every request: it is timed, counted, logged, and its answer gets its last headers."""

from __future__ import annotations

from time import perf_counter

from flask import Flask, Response, request

from service import coding, headers, logs, metrics, record
from service.config import Config
from service.record import Record

NO_ROUTE = "none"
TIMING = "server-timing"


def register(app: Flask, config: Config) -> None:
    """Be the first to see a request and the last to see its answer."""
    app.wsgi_app = headers.guard(app.wsgi_app)  # type: ignore[assignment, method-assign]
    app.before_request(lambda: begin(app))
    app.after_request(finish)
    if config.cors_origins:
        headers.allow_origins(app, config.cors_origins)


def begin(app: Flask) -> None:
    """Begin the record of a request."""
    noted = record.begin(request.environ, app.extensions)
    if TIMING in noted.environ.get("HTTP_PREFER", ""):
        noted.spans = {}


def finish(response: Response) -> Response:
    """Everything that is done to an answer, in one place because it is done to every one."""
    noted = record.current()
    environ, rule = noted.environ, request.url_rule
    coding.pack(response, environ.get("HTTP_ACCEPT_ENCODING", ""))
    noted.end()
    seconds = perf_counter() - noted.began
    if noted.spans is not None:
        tell_timing(response, noted.spans, seconds)
    # By its route: a path could name a game.
    note(noted, environ["REQUEST_METHOD"], NO_ROUTE if rule is None else rule.rule, response, seconds)
    return response


def tell_timing(response: Response, spans: dict[str, float], seconds: float) -> None:
    """Say how long each part took, in milliseconds."""
    parts = {**spans, "total": seconds}
    told = ", ".join(f"{name};dur={value * 1000:.3f}" for name, value in parts.items())
    response.headers["Server-Timing"] = told
    response.headers["Preference-Applied"] = TIMING


def note(noted: Record, method: str, route: str, response: Response, seconds: float) -> None:
    """Count and log a request."""
    known = method if method in metrics.METHODS else metrics.OTHER  # or a client could invent labels
    metrics.request(route, known, response.status_code, seconds)
    if noted.problem:
        metrics.refused(noted.problem)
    size = sum(map(len, response.response)) if response.is_sequence else None
    logs.answered(noted, known, route, response.status_code, seconds, size)
