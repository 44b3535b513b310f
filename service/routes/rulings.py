"""The rulings behind every event and every refusal."""

from __future__ import annotations

from flask import Blueprint, Response

from engine import EDITIONS
from service.catalogue import RulingSchema, RulingsSchema
from service.i18n import asked_language
from service.operation import CATALOGUE, ITEM, operation
from service.problems import Refusal
from service.rulings import of_edition, rulings
from service.wire import read_query, reply

routes = Blueprint("rulings", __name__)


@routes.get("/v1/rulings")
@operation(RulingsSchema, "catalogue", refusals=CATALOGUE, query=("edition", "language"))
def all_rulings() -> Response:
    """All rulings, or those of one edition."""
    edition = read_query(edition=frozenset(EDITIONS)).get("edition")
    found = (of_edition(each, edition) for each in rulings(asked_language()).values())
    return reply({"rulings": [each for each in found if each is not None]})


@routes.get("/v1/rulings/<ruling>")
@operation(RulingSchema, "catalogue", refusals=ITEM, query=("edition", "language"))
def one_ruling(ruling: str) -> Response:
    """One ruling: its text, and where each edition has it."""
    edition = read_query(edition=frozenset(EDITIONS)).get("edition")
    known = rulings(asked_language()).get(ruling)
    found = None if known is None else of_edition(known, edition)
    if found is None:
        raise Refusal("not-found", f"There is no such ruling in {edition}" if edition else "There is no such ruling")
    return reply(found)
