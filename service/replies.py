"""The shape of every answer, and of every refusal. Like documents.py, the source of openapi.yaml alone."""

from __future__ import annotations

from engine.state import FACES
from service.documents import (
    DECISION_ID,
    GAME_ID,
    HASH,
    RULING,
    SNAKE,
    DecisionSchema,
    EventSchema,
    OutcomeSchema,
    StateSchema,
)
from service.fields import Anything, Array, Each, Flag, Object, OpenObject, Part, Read, Text, Whole, Word
from service.problems import PROBLEMS
from service.schemas import CLIENT_SEED, STATE_ID


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
