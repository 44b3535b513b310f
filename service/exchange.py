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
    app.before_request(begin)
    app.after_request(finish)
    if config.cors_origins:
        headers.allow_origins(app, config.cors_origins)


def begin() -> None:
    """Begin the record of a request."""
    noted = record.begin()
    if TIMING in request.environ.get("HTTP_PREFER", ""):
        noted.spans = {}


def finish(response: Response) -> Response:
    """Everything that is done to an answer, in one place because it is done to every one."""
    noted = record.current()
    coding.pack(request, response)
    headers.guard(response)
    seconds = perf_counter() - noted.began
    if noted.spans is not None:
        tell_timing(response, noted.spans, seconds)
    note(noted, response, seconds)
    return response


def tell_timing(response: Response, spans: dict[str, float], seconds: float) -> None:
    """Say how long each part took, in milliseconds."""
    parts = {**spans, "total": seconds}
    told = ", ".join(f"{name};dur={value * 1000:.3f}" for name, value in parts.items())
    response.headers["Server-Timing"] = told
    response.headers["Preference-Applied"] = TIMING


def note(noted: Record, response: Response, seconds: float) -> None:
    """Count and log the request by its route: a path could name a game."""
    rule = request.url_rule
    route = NO_ROUTE if rule is None else rule.rule
    metrics.request(route, request.method, response.status_code, seconds)
    if noted.problem:
        metrics.refused(noted.problem)
    method = request.method if request.method in metrics.METHODS else metrics.OTHER
    logs.answered(noted, method, route, response.status_code, seconds, response.calculate_content_length())
