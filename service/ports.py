"""Which port answers what, where the settings give those who run the service a port of their own."""

from __future__ import annotations

from flask import Flask, request

from service.problems import PROBLEMS, Refusal

INSIDE = "kaijudge.inside"
ONLY_INSIDE = "operations.measured"
ANSWERED_INSIDE = frozenset({ONLY_INSIDE, "operations.healthz", "operations.readyz"})


def keep_apart(app: Flask, address: str) -> None:
    """Answer metrics at this address alone, and nothing else there but health."""
    port = address.rpartition(":")[2]

    def check() -> None:
        environ = request.environ
        environ[INSIDE] = inside = environ["SERVER_PORT"] == port  # of the socket, not of what the client says
        if (request.endpoint not in ANSWERED_INSIDE) if inside else (request.endpoint == ONLY_INSIDE):
            raise Refusal("not-found", PROBLEMS["not-found"].meaning)

    app.before_request(check)


def is_inside() -> bool:
    """Whether the request at work came in by the operators' port."""
    inside: bool = request.environ.get(INSIDE, False)
    return inside
