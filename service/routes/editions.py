"""The editions: for each of its choices what it says, the ruling, on what basis, and why."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from engine import DEFAULT_EDITION, EDITIONS
from engine.editions import Ruleset
from service.catalogue import EditionSchema, EditionsSchema
from service.i18n import asked_language, switch_texts
from service.operation import CATALOGUE, ITEM, operation
from service.problems import Refusal
from service.wire import read_query, reply

routes = Blueprint("editions", __name__)


@routes.get("/v1/editions")
@operation(EditionsSchema, "catalogue", refusals=CATALOGUE)
def editions() -> Response:
    """The editions this service referees."""
    read_query()
    return reply({"default": DEFAULT_EDITION, "editions": [summary(rules) for rules in EDITIONS.values()]})


@routes.get("/v1/editions/<edition>")
@operation(EditionSchema, "catalogue", refusals=ITEM, query=("language",))
def edition(edition: str) -> Response:
    """One edition, and where each of its switches stands."""
    read_query()
    rules = EDITIONS.get(edition)
    if rules is None:
        raise Refusal("not-found", f"There is no such edition; there are {', '.join(EDITIONS)}")
    return reply({**summary(rules), "switches": switches(rules, asked_language())})


def summary(rules: Ruleset) -> dict[str, Any]:
    return {"id": rules.id, "title": rules.title, "language": rules.language}


def switches(rules: Ruleset, language: str) -> list[dict[str, Any]]:
    """The compliance statement of an edition, told in a language."""
    texts = switch_texts(language)
    return [
        {
            "name": name,
            **because._asdict(),
            "value": texts.get(because.value, because.value),
            "why": texts.get(because.why, because.why),
        }
        for name, because in rules.because.items()
    ]
