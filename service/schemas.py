"""The shape of every body a client sends, as marshmallow schemas, each made once.

They check what is made rarely (a new game) and explain what was refused elsewhere. No state is loaded by a schema on
its way to the engine: `engine.read_state` does that, at a small part of the cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from engine import EDITIONS, Problem, revealed
from engine.state import PLACES
from service.fields import (
    ID,
    MESSAGES,
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
    shape_of,
)
from service.problems import Refusal, refuse_document
from service.wire import escaped

STATE_ID = r"^s_[A-Za-z0-9]{1,64}_[0-9a-f]{32}$"
SETUP_PHASES = ("start", "roll", "buy")
DICE = ("server", "client")
SECRETS = ("open", "sealed")
HISTORY = ("free", "anchored")
AUTH = ("none", "seats")
NAME_LENGTH = 64
SEED_LENGTH = 256
CLIENT_SEED = f"^{revealed.CLIENT_SEED.pattern}$"

# A new game


class CopySchema(Object):
    """What a Mimic copies."""

    player = Id(required=True)
    card = CardId(required=True)


class CardSchema(Object):
    """A card in play."""

    card = CardId(required=True)
    charges = Whole()
    copies = Part(CopySchema, allow_none=True)
    paid = Whole()


class CardOrId(fields.Field[Any]):
    """A card in play, or only its id."""

    default_error_messages = MESSAGES
    card = Part(CardSchema)
    id = CardId()

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return self.card.deserialize(value) if type(value) is dict else self.id.deserialize(value)

    def shape(self) -> Shape:
        return {"anyOf": [shape_of(self.id), shape_of(self.card)]}


class NewPlayerSchema(Object):
    """Who plays."""

    id = Id(required=True)
    name = Text(NAME_LENGTH)
    monster = Text(pattern=ID.pattern)


class NewOptionsSchema(Object):
    """How the game is played; what is left out has the edition's default."""

    bay = Flag()
    dice = Word(DICE)
    secrets = Word(SECRETS)
    history = Word(HISTORY)
    auth = Word(AUTH)


class SetupPlayerSchema(Object):
    """Where a player stands; what is left out is as at the start of a game."""

    hearts = Whole()
    vp = Whole()
    energy = Whole()
    place = Word(PLACES)
    poison = Whole()
    shrink = Whole()
    eliminated = Flag()
    cards = Array(CardOrId())


class SetupSchema(Object):
    """Any position."""

    phase = Word(SETUP_PHASES)
    players = Each(Part(SetupPlayerSchema))
    market = Array(CardId())
    deck = Array(CardId())
    discard = Array(CardId())


class NewGameSchema(Object):
    """A game to be set up."""

    edition = Word(tuple(EDITIONS))
    players = Array(Part(NewPlayerSchema), 1, required=True)
    first_player = Id()
    seed = Text(SEED_LENGTH)
    client_seed = Text(pattern=CLIENT_SEED)
    options = Part(NewOptionsSchema)
    setup = Part(SetupSchema)


# Envelopes: what lies around a state and an action. Their content is the engine's to read.


class StateEnvelope(Object):
    """A state, or its id."""

    # a body of just these keys needs no schema
    usual: tuple[frozenset[str], ...] = (frozenset({"state"}), frozenset({"state_id"}))
    extra_shape: Shape = {"oneOf": [{"required": ["state"]}, {"required": ["state_id"]}]}  # noqa: RUF012 - never changed
    state = Read("State")
    state_id = Text(pattern=STATE_ID)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def check_start(self, _loaded: Any, body: Any, **_options: Any) -> None:
        """Told beside whatever else is wrong."""
        if isinstance(body, dict) and ("state" in body) == ("state_id" in body):
            raise ValidationError({"state": ["is required, or else state_id, and not both"]})


class MoveEnvelope(StateEnvelope):
    """A state, or its id, and an action."""

    usual = (frozenset({"state", "action"}), frozenset({"state_id", "action"}))
    action = Read("Action", required=True)


class ViewEnvelope(StateEnvelope):
    """A state, or its id, and whose view of it is asked for."""

    player = Id()


class OddsEnvelope(StateEnvelope):
    """A state, or its id, and dice to be rolled again: indexes into `decision.dice` where it has some, else `dice`."""

    usual = ()
    dice = Array(Whole(), 1, unique=True, required=True)


STARTS = ("game", "state", "state_id")


class ReplayEnvelope(StateEnvelope):
    """A game to be set up, a state, or its id, and the actions that follow."""

    usual = (frozenset({"state", "actions"}),)  # checked before the state is read
    extra_shape: Shape = {"oneOf": [{"required": [name]} for name in STARTS]}  # noqa: RUF012 - never changed
    game = Part(NewGameSchema)
    actions = Array(Read("Action"), required=True)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def check_start(self, _loaded: Any, body: Any, **_options: Any) -> None:
        if isinstance(body, dict) and sum(name in body for name in STARTS) != 1:
            raise ValidationError({"game": ["is required, or else state or state_id, and only one of them"]})


OPS = ("adjudicate", "validate", "legal-actions")
MOST_ITEMS = 256
ID_LENGTH = 64


class ItemSchema(OpenObject):
    """A request in a batch: the rest of it is the body of that endpoint."""

    id = Text(ID_LENGTH, 1, required=True)
    op = Word(OPS, required=True)


class BatchSchema(Object):
    """Many requests at once. Each should be an `Item`; one that is not is refused alone, in its place."""

    items = Array(Anything(allow_none=True), 0, MOST_ITEMS, required=True)


NEW_GAME = NewGameSchema()
STATE = StateEnvelope()
MOVE = MoveEnvelope()
VIEW = ViewEnvelope()
ODDS = OddsEnvelope()
REPLAY = ReplayEnvelope()
ITEM = ItemSchema()
BATCH = BatchSchema()


# Explaining


def check(schema: Schema, body: Any) -> Any:
    """The body, if the schema has nothing to say against it; else a refusal that lists it all."""
    try:
        schema.load(body)
    except ValidationError as error:
        raise explained(error) from None
    return body


def explained(error: ValidationError) -> Refusal:
    """marshmallow's errors as a problem."""
    return refuse_document("schema-violation", _flat(error.messages, ""))


def _flat(messages: Any, at: str) -> Iterator[Problem]:
    """marshmallow's tree of errors as a list of pointers."""
    if not isinstance(messages, Mapping):
        yield from (Problem(at, str(each)) for each in messages)
        return
    for name, below in messages.items():
        yield from _flat(below, at if name == "_schema" else f"{at}/{escaped(str(name))}")
