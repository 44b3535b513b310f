"""The power cards."""

from __future__ import annotations

from flask import Blueprint, Response

from engine import EDITIONS
from service import i18n
from service.cards import describe
from service.catalogue import CardsSchema, CatalogueCardSchema
from service.operation import CATALOGUE, ITEM, operation
from service.problems import Refusal
from service.wire import read_query, reply

routes = Blueprint("cards", __name__)


@routes.get("/v1/cards")
@operation(CardsSchema, "catalogue", refusals=CATALOGUE, query=("edition", "language"))
def all_cards() -> Response:
    """All cards, as every edition has them or as one has."""
    edition, language = read_edition(), i18n.asked_language()
    return reply({"cards": [describe(card, language, edition) for card in sorted(i18n.cards(language))]})


@routes.get("/v1/cards/<card>")
@operation(CatalogueCardSchema, "catalogue", refusals=ITEM, query=("edition", "language"))
def one_card(card: str) -> Response:
    """One card: its name, its text, what it costs, and the rulings about it."""
    edition, language = read_edition(), i18n.asked_language()
    if card not in i18n.cards(language):
        raise Refusal("not-found", "There is no such card")
    return reply(describe(card, language, edition))


def read_edition() -> str | None:
    return read_query(edition=frozenset(EDITIONS)).get("edition")
