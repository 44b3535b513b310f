"""What each type of problem means: where the `type` of a problem document points."""

from __future__ import annotations

from flask import Blueprint, Response

from service.catalogue import ProblemTypeSchema
from service.i18n import asked_language, meaning_of, title_of
from service.operation import ITEM, operation, public
from service.problems import PROBLEMS, Refusal
from service.wire import read_query, reply

routes = Blueprint("problems", __name__)


@routes.get("/v1/problems/<slug>")
@public
@operation(ProblemTypeSchema, "catalogue", refusals=ITEM, query=("language",))
def problem(slug: str) -> Response:
    """One type of problem."""
    read_query()
    kind = PROBLEMS.get(slug)
    if kind is None:
        raise Refusal("not-found", "There is no such type of problem")
    language = asked_language()
    words = {"title": title_of(slug, kind.title, language), "meaning": meaning_of(slug, kind.meaning, language)}
    return reply({"type": f"/v1/problems/{slug}", "status": kind.status, **words})
