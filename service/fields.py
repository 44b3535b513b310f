"""The kinds of field our documents have. They take JSON's types as they are: no "1" for 1, no 1 for true, no object for
a list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from engine.actions import CARD_WORDS
from engine.codec import BIGGEST, is_player_id

STATE_ID = re.compile(r"^s_[A-Za-z0-9]{1,64}_[0-9a-f]{32}$")

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


