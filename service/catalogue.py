"""The shape of what the catalogue and the operations tell: editions, cards, rulings, problems, health.

Like documents.py it is the source of openapi.yaml, and nothing passes through it on its way.
"""

from __future__ import annotations

from engine import EDITIONS
from service.documents import RULING, SNAKE, rulings
from service.fields import Array, CardId, Each, Flag, Object, OpenObject, Part, Text, Whole, Word


class EditionSummarySchema(Object):
    """An edition in a list."""

    id = Word(tuple(EDITIONS), required=True)
    title = Text(required=True)
    language = Text(required=True)


class SwitchSchema(Object):
    """One choice of an edition: what it says, the ruling, on what basis, and why."""

    name = Text(pattern=SNAKE, required=True)
    value = Text(required=True)
    ruling = Text(pattern=RULING, required=True)
    basis = Word(("rulebook", "cards", "judgement"), required=True)
    why = Text(required=True)


class EditionSchema(EditionSummarySchema):
    """An edition, and where each of its switches stands."""

    switches = Array(Part(SwitchSchema), required=True)


class EditionsSchema(Object):
    """The editions this service referees."""

    default = Word(tuple(EDITIONS), required=True)
    editions = Array(Part(EditionSummarySchema), required=True)


CARD_TYPES = ("keep", "discard")


class PrintedCardSchema(Object):
    """A card as one edition has it; `name` and `text` where they differ from the others'."""

    type = Word(CARD_TYPES, required=True)
    cost = Whole(required=True)
    copies = Whole(required=True)
    name = Text()
    text = Text()


class CatalogueCardSchema(Object):
    """A card as all editions have it, or as one has. `official`: whether the name is a rulebook's or a deck's own."""

    id = CardId(required=True)
    name = Text(required=True)
    official = Flag(required=True)
    text = Text(required=True)
    rulings = rulings()
    editions = Each(Part(PrintedCardSchema))
    edition = Word(tuple(EDITIONS))
    type = Word(CARD_TYPES)
    cost = Whole()
    copies = Whole()


class CardsSchema(Object):
    """The cards."""

    cards = Array(Part(CatalogueCardSchema), required=True)


class SourceSchema(OpenObject):
    """Where an edition has a ruling, and what it says there."""

    status = Text(required=True)
    section = Text()
    lines = Text()
    says = Text()


class RulingSchema(OpenObject):
    """A ruling, and where each edition has it."""

    id = Text(pattern=RULING, required=True)
    title = Text(required=True)
    text = Text(required=True)
    see = Array(Text(pattern=RULING))
    card = CardId()
    editions = Each(Part(SourceSchema), required=True)


class RulingsSchema(Object):
    """Many rulings."""

    rulings = Array(Part(RulingSchema), required=True)


class ProblemTypeSchema(Object):
    """What a type of problem means."""

    type = Text(required=True)
    status = Whole(599, required=True)
    title = Text(required=True)
    meaning = Text(required=True)


# Operations


class HealthSchema(OpenObject):
    """How the service is."""

    status = Text(required=True)
    parts = Each(Text())


class VersionSchema(OpenObject):
    """What runs here."""

    name = Text(required=True)
    version = Text(required=True)
    schema = Text(required=True)
    editions = Array(Text(), required=True)
    commit = Text(required=True, allow_none=True)
    python = Text(required=True)
    engine = Word(["compiled", "python"], required=True)


class HomeSchema(OpenObject):
    """Where everything is."""

    name = Text(required=True)
    version = Text(required=True)
    paths = Array(Text(), required=True)
