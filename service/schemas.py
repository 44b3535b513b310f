"""The shape of every body, as marshmallow schemas, each made once.

They check what is made rarely (a new game) and explain what was refused elsewhere. No state is loaded by a schema on
its way to the engine: `engine.read_state` does that, and costs a thirtieth of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from engine import EDITIONS, Problem
from engine.actions import CARD_WORDS
from engine.codec import BIGGEST, is_player_id
from engine.state import PLACES
from service.problems import Refusal, refuse_document
from service.wire import escaped

STATE_ID = re.compile(r"^s_[A-Za-z0-9]{1,64}_[0-9a-f]{32}$")
SETUP_PHASES = ("start", "roll", "buy")
NAME_LENGTH = 64
SEED_LENGTH = 256

# Fields that take JSON's types as they are: no "1" for 1, no 1 for true, no object for a list.

Messages = dict[str, str | list[Any] | dict[Any, Any]]

OBJECT_MESSAGES = {"type": "must be an object", "unknown": "is not a field of this"}
MESSAGES: Messages = {"required": "is required", "null": "must not be null", **OBJECT_MESSAGES}
TEXT_MESSAGES: Messages = {**MESSAGES, "invalid": "must be a text"}
ANYTHING_MESSAGES: Messages = {**MESSAGES, "invalid": "must be an object"}


class Whole(fields.Integer):
    """A whole number from 0 on."""

    default_error_messages = MESSAGES

    def __init__(self, most: int = BIGGEST, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(0, most, error=f"must be a whole number from 0 to {most}"), **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError("must be a whole number")
        return value


class Flag(fields.Boolean):
    """True or false."""

    default_error_messages = MESSAGES

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("must be true or false")
        return value


class Text(fields.String):
    """A text."""

    default_error_messages = TEXT_MESSAGES


class Word(Text):
    """One of a few words."""

    def __init__(self, words: Any, told: str | None = None, **kwargs: Any) -> None:
        error = told or "must be one of " + ", ".join(words)
        super().__init__(validate=validate.OneOf(sorted(words), error=error), **kwargs)


class Id(Text):
    """The id of a player, or of a monster."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=_check_id, **kwargs)


def _check_id(value: str) -> None:
    if not is_player_id(value):
        raise ValidationError("must be 1 to 32 of a-z, 0-9, _ and -, and not deck, market or discard")


class Array(fields.List[Any]):
    """A list."""

    default_error_messages = MESSAGES

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        if type(value) is not list:
            raise ValidationError("must be a list")
        return super()._deserialize(value, attr, data, **kwargs)


class Each(fields.Field[dict[str, Any]]):
    """An object of player ids and, for each, the same kind of value."""

    default_error_messages = MESSAGES

    def __init__(self, inner: fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.inner = inner

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise ValidationError("must be an object, with player ids as keys")
        errors = {}
        for name, each in value.items():
            try:
                self.inner.deserialize(each)
            except ValidationError as error:
                errors[name] = error.messages
        if errors:
            raise ValidationError(errors)
        return value


class Object(Schema):
    """A schema whose complaints read like the engine's."""

    error_messages = OBJECT_MESSAGES


class Part(fields.Nested):
    """An object of a schema of its own."""

    default_error_messages = MESSAGES


# A new game


class CopySchema(Object):
    player = Id(required=True)
    card = Word(CARD_WORDS["card"], "must be the id of a card", required=True)


class CardSchema(Object):
    """A card in play."""

    card = Word(CARD_WORDS["card"], "must be the id of a card", required=True)
    charges = Whole()
    copies = Part(CopySchema, allow_none=True)
    paid = Whole()


class CardOrId(fields.Field[Any]):
    """A card in play, or only its id."""

    default_error_messages = MESSAGES
    card = Part(CardSchema)
    id = Word(CARD_WORDS["card"], "must be the id of a card")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return self.card.deserialize(value) if type(value) is dict else self.id.deserialize(value)


class NewPlayerSchema(Object):
    id = Id(required=True)
    name = Text(validate=validate.Length(max=NAME_LENGTH, error=f"must have {NAME_LENGTH} characters at most"))
    monster = Id()


class NewOptionsSchema(Object):
    bay = Flag()
    dice = Word(("server", "client"))
    secrets = Word(("open", "sealed"))
    history = Word(("free", "anchored"))


class SetupPlayerSchema(Object):
    hearts = Whole()
    vp = Whole()
    energy = Whole()
    place = Word(PLACES)
    poison = Whole()
    shrink = Whole()
    eliminated = Flag()
    cards = Array(CardOrId())


def _cards() -> Array:
    return Array(Word(CARD_WORDS["card"], "must be the id of a card"))


class SetupSchema(Object):
    """Any position."""

    phase = Word(SETUP_PHASES)
    players = Each(Part(SetupPlayerSchema))
    market = _cards()
    deck = _cards()
    discard = _cards()


class NewGameSchema(Object):
    """The body of POST /v1/games."""

    edition = Word(tuple(EDITIONS))
    players = Array(Part(NewPlayerSchema), required=True)
    first_player = Id()
    seed = Text(validate=validate.Length(max=SEED_LENGTH, error=f"must have {SEED_LENGTH} characters at most"))
    options = Part(NewOptionsSchema)
    setup = Part(SetupSchema)


# Envelopes: what lies around a state and an action. Their content is the engine's to read.


class Anything(fields.Dict):
    """An object that the engine reads."""

    default_error_messages = ANYTHING_MESSAGES


class StateEnvelope(Object):
    """The body of POST /v1/legal-actions: a state, or its id. A body of the `usual` keys needs no schema."""

    usual = frozenset({"state"})
    state = Anything()
    state_id = Text(validate=validate.Regexp(STATE_ID, error="must be s_, the game's tag, _ and 32 hex digits"))

    def load(self, data: Any, **kwargs: Any) -> Any:
        loaded = super().load(data, **kwargs)
        if ("state" in loaded) == ("state_id" in loaded):
            raise ValidationError({"state": ["is required, or else state_id, and not both"]})
        return loaded


class MoveEnvelope(StateEnvelope):
    """The body of POST /v1/adjudicate and /v1/validate: a state or its id, and an action."""

    usual = frozenset({"state", "action"})
    action = Anything(required=True)


class ViewEnvelope(StateEnvelope):
    """The body of POST /v1/view: a state or its id, and whose view it shall be."""

    player = Id()


NEW_GAME = NewGameSchema()
STATE = StateEnvelope()
MOVE = MoveEnvelope()
VIEW = ViewEnvelope()


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
