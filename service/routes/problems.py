"""What each type of problem means: where the `type` of a problem document points."""

from __future__ import annotations

from flask import Blueprint, Response

from service.problems import PROBLEMS, Refusal
from service.wire import read_query, reply

routes = Blueprint("problems", __name__)


@routes.get("/v1/problems/<slug>")
def problem(slug: str) -> Response:
    """One type of problem."""
    read_query()
    kind = PROBLEMS.get(slug)
    if kind is None:
        raise Refusal("not-found", "There is no such type of problem")
    return reply({"type": f"/v1/problems/{slug}", **kind._asdict()})
