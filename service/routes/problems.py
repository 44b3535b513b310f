"""What each type of problem means: where the `type` of a problem document points."""

from __future__ import annotations

from flask import Blueprint, Response

from service.documents import ProblemTypeSchema
from service.operation import ITEM, operation
from service.problems import PROBLEMS, Refusal
from service.wire import read_query, reply

routes = Blueprint("problems", __name__)


@routes.get("/v1/problems/<slug>")
@operation(ProblemTypeSchema, "catalogue", refusals=ITEM)
def problem(slug: str) -> Response:
    """One type of problem."""
    read_query()
    kind = PROBLEMS.get(slug)
    if kind is None:
        raise Refusal("not-found", "There is no such type of problem")
    return reply({"type": f"/v1/problems/{slug}", **kind._asdict()})
