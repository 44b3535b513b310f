"""The shape of what is played with: states, actions and events. That of the answers they come in is in replies.py.

No document passes through these schemas on its way: they are the source of openapi.yaml, and the tests hold the real
documents against them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import Schema

from engine import EDITIONS
from engine.codec import SCHEMA
from engine.events import EVENTS, Event
from engine.legal import ANSWERS
from engine.params import CARD_WORDS, PARAMS
from engine.state import FACES, GROUPS, PHASES, PLACES
from service.fields import (
    ID,
    Anything,
    Array,
    CardId,
    Each,
    Flag,
    Id,
    Object,
    OpenObject,
    Part,
    Read,
    Shape,
    Text,
    Whole,
    Word,
    component,
    reference,
    shape_of,
)
from service.schemas import AUTH, DICE, HISTORY, NAME_LENGTH, SECRETS, SEED_LENGTH, STATE_ID, CardSchema

RULING = r"^[A-Z0-9-]+$"
DECISION_ID = r"^d_[0-9a-f]{24}$"
RESULTS = ("win", "shared_win", "draw", "all_lose")
SNAKE = r"^[a-z][a-z0-9_]*$"
GAME_ID = r"^g_[A-Za-z0-9]{1,64}$"
HASH = r"^[0-9a-f]{64}$"


def rulings() -> Array:
    return Array(Text(pattern=RULING), 1, required=True)


# Actions, from the engine's own table of their parameters. Whether there is such a player is for the rules to say.


class TargetSchema(Object):
    """A card that lies before a player."""

    player = Text(64, 1, required=True)
    card = CardId(required=True)


def _field(kind: str, required: bool) -> Any:
    """The field of a parameter, by its kind in the engine's table."""
    if kind.startswith("card:"):
        return Word(sorted(CARD_WORDS[kind.removeprefix("card:")]), required=required)
    kinds: dict[str, Callable[[], Any]] = {
        "faces": lambda: Array(Word(FACES), required=required),
        "face": lambda: Word(FACES, required=required),
        "dice": lambda: Array(Whole(), 1, required=required),
        "die": lambda: Whole(required=required),
        "order": lambda: Array(Word(GROUPS), len(GROUPS), required=required),
        "count": lambda: Whole(required=required),
        "amount": lambda: Whole(required=required),
        "others": lambda: Each(Whole(), required=required),
        "boolean": lambda: Flag(required=required),
        "card": lambda: CardId(required=required),
        "source": lambda: Text(64, 1, required=required),
        "copy": lambda: Part(TargetSchema, required=required),
    }
    return kinds[kind]()


def _action(kind: str) -> type[Schema]:
    """The schema of one type of action."""
    told: dict[str, Any] = {"type": Word((kind,), required=True), "player": Text(64, 1, required=True)}
    told.update({name: _field(param.kind, param.required) for name, param in PARAMS[kind].items()})
    name = "".join(part.capitalize() for part in kind.split("_")) + "ActionSchema"
    schema = Object.from_dict(told, name=name)
    schema.__name__, schema.__doc__ = name, f"The action `{kind}`."
    return schema


ACTIONS = {kind: _action(kind) for kind in PARAMS}
ACTION_SHAPE = {
    "description": "What a player does.",
    "oneOf": [reference(each) for each in ACTIONS.values()],
    "discriminator": {
        "propertyName": "type",
        "mapping": {kind: f"#/components/schemas/{component(each)}" for kind, each in ACTIONS.items()},
    },
}


# The state


class OptionsSchema(Object):
    """How the game is played."""

    bay = Flag(required=True)
    dice = Word(DICE, required=True)
    secrets = Word(SECRETS, required=True)
    history = Word(HISTORY, required=True)
    auth = Word(AUTH)


class TurnSchema(Object):
    """Whose turn it is."""

    number = Whole(required=True)
    player = Id(required=True)
    rolls_used = Whole(required=True)
    rolls_allowed = Whole(required=True)


class PlayerSchema(Object):
    """A player and its monster; seats are in clockwise order."""

    id = Id(required=True)
    name = Text(NAME_LENGTH, allow_none=True)
    monster = Text(pattern=ID.pattern, allow_none=True)
    hearts = Whole(required=True)
    max_hearts = Whole(required=True)
    vp = Whole(required=True)
    energy = Whole(required=True)
    place = Word(PLACES, required=True)
    eliminated = Flag(required=True)
    poison = Whole(required=True)
    shrink = Whole(required=True)
    cards = Array(Part(CardSchema), required=True)


class DieSchema(Object):
    """A die; the seventh and eighth are green."""

    face = Word(FACES, required=True)
    green = Flag()


class DecisionSchema(OpenObject):
    """The one decision that is awaited; some kinds say more about it."""

    player = Id(required=True)
    kind = Word(sorted(ANSWERS), required=True)
    rulings = rulings()
    default = Read("Action", required=True)
    count = Whole()
    amount = Whole()
    dice = Array(Part(DieSchema))
    die = Whole()
    cards = Array(CardId())


class OutcomeSchema(Object):
    """How the game ended."""

    result = Word(RESULTS, required=True)
    winners = Array(Id(), required=True)
    rulings = rulings()


class SecretsSchema(Object):
    """What no player may see."""

    deck = Array(CardId(), required=True)
    seed = Text(SEED_LENGTH, required=True)


class ResumeSchema(OpenObject):
    """What the engine needs to go on; opaque to clients."""


class PublicState(Object):
    """What a state and a view of it have in common."""

    schema = Word((SCHEMA,), required=True)
    game_id = Text(pattern=GAME_ID, required=True)
    state_id = Text(pattern=STATE_ID)
    version = Whole(required=True)
    edition = Word(tuple(EDITIONS), required=True)
    options = Part(OptionsSchema, required=True)
    phase = Word(PHASES, required=True)
    turn = Part(TurnSchema, required=True)
    players = Array(Part(PlayerSchema), 2, required=True)
    dice = Array(Part(DieSchema), required=True)
    market = Array(CardId(), required=True)
    deck_size = Whole(required=True)
    discard = Array(CardId(), required=True)
    decision = Part(DecisionSchema, required=True, allow_none=True)
    outcome = Part(OutcomeSchema, required=True, allow_none=True)


class StateSchema(PublicState):
    """The whole state; a sealed one has `sealed` for `secrets` and `resume`. Sent, it may leave out its `state_id`."""

    extra_shape: Shape = {  # noqa: RUF012 - never changed
        "oneOf": [{"required": ["secrets", "resume"]}, {"required": ["sealed"]}],
    }
    secrets = Part(SecretsSchema)
    resume = Part(ResumeSchema)
    sealed = Text(pattern=r"^[a-z0-9-]{1,16}:[A-Za-z0-9_-]+$")


class SeenSchema(OpenObject):
    """What a player knows besides."""

    deck_top = CardId()


class ViewSchema(PublicState):
    """The state without its secrets."""

    seen = Part(SeenSchema)


# Events and answers


class EventSchema(OpenObject):
    """Something that happened, and the rulings behind it; openapi.yaml lists each type with its fields."""

    seq = Whole(required=True)
    type = Text(pattern=SNAKE, required=True)
    rulings = rulings()
    player = Text(32)
    field = Text(pattern=SNAKE)
    from_ = Anything(data_key="from", allow_none=True)
    to = Anything(allow_none=True)
    card = CardId()
    dice = Array(Word(FACES))
    count = Whole()
    visible_to = Array(Id())
    message = Text()


# The fields of each type of event, from the engine's own table. `from` and `to` are whatever `field` holds.

EVENT_FIELDS: dict[str, Callable[[], Any]] = {
    "amount": Whole, "bay": Flag, "card": CardId, "cards": lambda: Array(CardId()), "claws": Whole, "count": Whole,
    "dice": lambda: Array(Word(FACES)), "edition": lambda: Word(tuple(EDITIONS)), "fewer": Whole,
    "field": lambda: Text(pattern=SNAKE), "from": Anything, "left": Whole,
    "market": lambda: Array(CardId()), "number": Whole, "order": lambda: Array(Word(GROUPS)), "player": Id,
    "players": lambda: Array(Id()), "price": Whole, "result": lambda: Word(RESULTS), "rolled": lambda: Array(Whole()),
    "size": Whole, "targets": lambda: Array(Id()), "to": Anything, "token": lambda: Word(("poison", "shrink")),
    "top": CardId, "winners": lambda: Array(Id()),
}  # fmt: skip


class AnyEventSchema(OpenObject):
    """What every event has; `visible_to` if it is private, `message` if that was asked for."""

    seq = Whole(required=True)
    rulings = rulings()
    visible_to = Array(Id())
    message = Text()


def _event(kind: str, event: Event) -> Shape:
    """The shape of one type of event."""
    told: Shape = {"type": {"const": kind}}
    told.update({name: shape_of(EVENT_FIELDS[name]()) for name in event.fields})
    base, own = reference(AnyEventSchema), {"properties": told, "required": [*told]}
    return {"type": "object", "description": event.what, "allOf": [base, own]}


def event_component(kind: str) -> str:
    """The name that a type of event goes by in openapi.yaml."""
    return "".join(part.capitalize() for part in kind.split("_")) + "Event"


EVENT_SHAPES = {event_component(kind): _event(kind, event) for kind, event in EVENTS.items()}
EVENT_SHAPE = {
    "description": "Something that happened, and the rulings behind it.",
    "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in EVENT_SHAPES],
    "discriminator": {
        "propertyName": "type",
        "mapping": {kind: f"#/components/schemas/{event_component(kind)}" for kind in EVENTS},
    },
}
