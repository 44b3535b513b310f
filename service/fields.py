"""The kinds of field our documents have, each able to read a value and to say its shape (JSON Schema).

They take JSON's types as they are: no "1" for 1, no 1 for true, no object for a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate

from engine.params import CARD_WORDS

LARGEST = 1_000_000_000
ID = re.compile(r"^[a-z0-9_-]{1,32}$")
RESERVED = ("deck", "market", "discard")

Shape = dict[str, Any]
Messages = dict[str, str | list[Any] | dict[Any, Any]]

OBJECT_MESSAGES = {"type": "must be an object", "unknown": "is not a field of this"}
MESSAGES: Messages = {"required": "is required", "null": "must not be null", **OBJECT_MESSAGES}
TEXT_MESSAGES: Messages = {**MESSAGES, "invalid": "must be a text"}
READ_MESSAGES: Messages = {**MESSAGES, "invalid": "must be an object"}


class Object(Schema):
    """An object with these fields and no others, which complains in the engine's words."""

    error_messages = OBJECT_MESSAGES


class OpenObject(Object):
    """An object with these fields and perhaps more."""

    class Meta:
        unknown = INCLUDE


class Whole(fields.Integer):
    """A whole number from 0 on."""

    default_error_messages = MESSAGES

    def __init__(self, most: int = LARGEST, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(0, most, error=f"must be a whole number from 0 to {most}"), **kwargs)
        self.most = most

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError("must be a whole number")
        return value

    def shape(self) -> Shape:
        return {"type": "integer", "minimum": 0, "maximum": self.most}


class Flag(fields.Boolean):
    """True or false."""

    default_error_messages = MESSAGES

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("must be true or false")
        return value

    def shape(self) -> Shape:
        return {"type": "boolean"}


class Text(fields.String):
    """A text, of a length or a pattern where one is given."""

    default_error_messages = TEXT_MESSAGES

    def __init__(self, most: int | None = None, least: int = 0, pattern: str | None = None, **kwargs: Any) -> None:
        checks: list[Any] = []
        if most is not None:
            checks.append(validate.Length(least, most, error="must have {min} to {max} characters"))
        if pattern is not None:
            ending = pattern.removesuffix("$") + r"\Z"  # a "$" would let a newline pass
            said = pattern.replace("{", "{{").replace("}", "}}")
            checks.append(validate.Regexp(ending, error=f"must match {said}"))
        super().__init__(validate=kwargs.pop("validate", checks), **kwargs)
        self.limits = {"minLength": least or None, "maxLength": most, "pattern": pattern}

    def shape(self) -> Shape:
        return {"type": "string", **{name: value for name, value in self.limits.items() if value is not None}}


class Word(Text):
    """One of a few words."""

    def __init__(self, words: Iterable[str], told: str | None = None, **kwargs: Any) -> None:
        self.words = list(words)
        error = told or "must be one of " + ", ".join(self.words)
        super().__init__(validate=validate.OneOf(self.words, error=error), **kwargs)

    def shape(self) -> Shape:
        return {"type": "string", "enum": self.words}


class CardId(Word):
    """The id of a card."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(sorted(CARD_WORDS["card"]), "must be the id of a card", **kwargs)

    def shape(self) -> Shape:
        return {"$ref": "#/components/schemas/CardId"}


class Id(Text):
    """The id of a player."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=_check_id, **kwargs)

    def shape(self) -> Shape:
        return {"type": "string", "pattern": ID.pattern, "not": {"enum": [*RESERVED]}}


def _check_id(value: str) -> None:
    if not ID.fullmatch(value) or value in RESERVED:
        raise ValidationError("must be 1 to 32 of a-z, 0-9, _ and -, and not deck, market or discard")


class Array(fields.List[Any]):
    """A list."""

    default_error_messages = MESSAGES

    def __init__(
        self, inner: fields.Field[Any], least: int = 0, most: int | None = None, unique: bool = False, **kwargs: Any
    ) -> None:
        error = "must not be empty" if most is None else f"must have {least} to {most} values"
        checks: list[Any] = [validate.Length(least, most, error=error), *([_check_unique] if unique else [])]
        super().__init__(inner, validate=checks, **kwargs)
        self.limits = {"minItems": least or None, "maxItems": most, "uniqueItems": unique or None}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        if type(value) is not list:
            raise ValidationError("must be a list")
        return super()._deserialize(value, attr, data, **kwargs)

    def shape(self) -> Shape:
        limits = {name: value for name, value in self.limits.items() if value is not None}
        return {"type": "array", "items": shape_of(self.inner), **limits}


def _check_unique(values: list[Any]) -> None:
    if len(set(values)) < len(values):
        raise ValidationError("must not have the same value twice")


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

    def shape(self) -> Shape:
        return {"type": "object", "additionalProperties": shape_of(self.inner)}


class Part(fields.Nested):
    """An object of a schema of its own."""

    default_error_messages = MESSAGES

    def shape(self) -> Shape:
        return reference(type(self.schema))


class Read(fields.Dict):
    """An object that the engine reads; the name is that of the schema which describes it."""

    default_error_messages = READ_MESSAGES

    def __init__(self, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.refers = name

    def shape(self) -> Shape:
        return {"$ref": f"#/components/schemas/{self.refers}"} if self.refers else {"type": "object"}


class Anything(fields.Raw):
    """Any JSON value."""

    def shape(self) -> Shape:
        return {}


# Shapes


def component(schema: type[Schema]) -> str:
    """The name a schema goes by in openapi.yaml."""
    return schema.__name__.removesuffix("Schema")


def reference(schema: type[Schema]) -> Shape:
    return {"$ref": f"#/components/schemas/{component(schema)}"}


def shape_of(field: Any) -> Shape:
    """The JSON Schema of a field."""
    shape: Shape = field.shape()
    return {"anyOf": [shape, {"type": "null"}]} if field.allow_none and shape else shape


def shape_of_schema(schema: type[Schema]) -> Shape:
    """The JSON Schema of an object."""
    told = schema()
    properties = {field.data_key or name: shape_of(field) for name, field in told.fields.items()}
    shape: Shape = {"type": "object", "description": (schema.__doc__ or "").strip(), "properties": properties}
    required = [field.data_key or name for name, field in told.fields.items() if field.required]
    if required:
        shape["required"] = required
    shape.update(getattr(schema, "extra_shape", {}))
    return shape if told.unknown == INCLUDE else {**shape, "additionalProperties": False}
