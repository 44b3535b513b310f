"""The shape of what the service tells, and of what the engine reads: states, actions, events and every answer.

No document passes through these schemas on its way: they are the source of openapi.yaml, and the tests hold the real
documents against them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import Schema

from engine import EDITIONS
from engine.actions import CARD_WORDS, PARAMS
from engine.codec import SCHEMA
from engine.events import EVENTS, Event
from engine.legal import ANSWERS
from engine.state import FACES, GROUPS, PHASES, PLACES
from service.fields import (
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
from service.problems import PROBLEMS
from service.schemas import AUTH, CLIENT_SEED, DICE, HISTORY, NAME_LENGTH, SECRETS, SEED_LENGTH, STATE_ID, CardSchema

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
    monster = Id(allow_none=True)
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
    "dice": lambda: Array(Word(FACES)), "edition": lambda: Word(tuple(EDITIONS)), "faces": lambda: Array(Word(FACES)),
    "fewer": Whole, "field": lambda: Text(pattern=SNAKE), "from": Anything, "left": Whole,
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


class PatchSchema(Object):
    """One operation of a JSON Patch (RFC 6902)."""

    op = Word(("add", "remove", "replace"), required=True)
    path = Text(required=True)
    value = Anything(allow_none=True)


class MovedSchema(Object):
    """A game that has moved; `legal_actions` and `patch` if they were asked for."""

    state = Part(StateSchema, required=True)
    events = Array(Part(EventSchema), required=True)
    legal_actions = Array(Read("Action"))
    patch = Array(Part(PatchSchema))


class CreatedSchema(MovedSchema):
    """A game that was set up; `seats` has the token of each player, if the game asks for them: keep them.

    A sealed one has the `commitment` to its seed (keep it, too), and the `client_seed` that it was given.
    """

    seats = Each(Text())
    commitment = Text(pattern=HASH)
    client_seed = Text(pattern=CLIENT_SEED)


class AdjudicatedSchema(MovedSchema):
    """What an action made of a state; `legal_actions` and `patch` if they were asked for."""

    decision_id = Text(pattern=DECISION_ID, required=True)


class ReplayedSchema(Object):
    """A game after all actions, with the events of all of them."""

    state = Part(StateSchema, required=True)
    events = Array(Part(EventSchema), required=True)
    applied = Whole(required=True)


class GameSchema(Object):
    """How far an anchored game has come; of a sealed one also the commitment to its seed."""

    game_id = Text(pattern=GAME_ID, required=True)
    state_id = Text(pattern=STATE_ID, required=True)
    version = Whole(required=True)
    decision = Part(DecisionSchema, required=True, allow_none=True)
    outcome = Part(OutcomeSchema, required=True, allow_none=True)
    commitment = Text(pattern=HASH)
    client_seed = Text(pattern=CLIENT_SEED)


class StepSchema(Object):
    """A state that an anchored game came to, the action that led there, and the events if they were asked for."""

    version = Whole(required=True)
    state_id = Text(pattern=STATE_ID, required=True)
    action = Read("Action", required=True, allow_none=True)
    events = Array(Part(EventSchema))


class HistorySchema(Object):
    """How an anchored game came to where it is. If the last entry is not of its `version`, ask for those after it."""

    game_id = Text(pattern=GAME_ID, required=True)
    version = Whole(required=True)
    entries = Array(Part(StepSchema), required=True)


class ResultSchema(Object):
    """What became of one item of a batch: the status and the body that it would have got by itself."""

    id = Text(allow_none=True, required=True)
    status = Whole(599, required=True)
    body = Read(required=True)


class BatchResultsSchema(Object):
    """The results of a batch, in the order of its items."""

    results = Array(Part(ResultSchema), required=True)


class WaysSchema(Object):
    """A value, and in how many ways it comes about."""

    value = Whole(required=True)
    ways = Whole(required=True)


class DiceWaysSchema(Object):
    """What all dice show, and in how many ways it comes about."""

    dice = Array(Word(FACES), required=True)
    ways = Whole(required=True)


class OddsSchema(Object):
    """The exact distribution of a reroll: of `total` equally likely ways, how many lead to what."""

    total = Whole(required=True)
    outcomes = Array(Part(DiceWaysSchema), required=True)
    faces = Each(Array(Part(WaysSchema)), required=True)
    vp = Array(Part(WaysSchema), required=True)


class ViolationSchema(Object):
    """A rule that an action breaks."""

    code = Text(pattern=SNAKE, required=True)
    ruling = Text(pattern=RULING, required=True)
    pointer = Text(required=True)
    detail = Text(required=True)


class ValidatedSchema(Object):
    """Whether an action is legal."""

    legal = Flag(required=True)
    violations = Array(Part(ViolationSchema), required=True)


class LegalActionsSchema(Object):
    """All that may be done; a game that is over awaits no decision and has no actions."""

    decision = Part(DecisionSchema, required=True, allow_none=True)
    actions = Array(Read("Action"), required=True)


class ErrorSchema(Object):
    """What is wrong with a document, and where."""

    pointer = Text(required=True)
    detail = Text(required=True)


class ProblemSchema(OpenObject):
    """A refusal (RFC 9457). Some types carry more: see /v1/problems/{slug}."""

    type = Word([f"/v1/problems/{slug}" for slug in PROBLEMS], required=True)
    title = Text(required=True)
    status = Whole(599, required=True)
    detail = Text(required=True)
    instance = Text(required=True)
    decision_id = Text(pattern=DECISION_ID, required=True)
    errors = Array(Part(ErrorSchema))
    violations = Array(Part(ViolationSchema))
    decision = Part(DecisionSchema)
    index = Whole()
    head = Text(pattern=STATE_ID)
