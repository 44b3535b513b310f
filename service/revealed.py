"""The shape of a revealed game, as it is told and as it is sent to be verified, and of the verdict on it."""

from __future__ import annotations

from engine import EDITIONS
from engine.state import FACES
from service.documents import GAME_ID, HASH, OutcomeSchema
from service.fields import Array, CardId, Flag, Id, Object, Part, Read, Text, Whole, Word
from service.schemas import CLIENT_SEED, STATE_ID, NewOptionsSchema, NewPlayerSchema

MOST_ACTIONS = 10_000
CHECKS = ("commitment", "opening", "deck", "actions", "states", "dice", "reshuffles", "outcome")


class RevealedGameSchema(Object):
    """What the game was asked to be."""

    edition = Word(tuple(EDITIONS))
    players = Array(Part(NewPlayerSchema), 2, 6, required=True)
    first_player = Id()
    options = Part(NewOptionsSchema)


class SeedRollSchema(Object):
    """A roll of the seed: the number of its draw, the version it led to, who rolled, and the faces."""

    draw = Whole(required=True)
    version = Whole(required=True)
    player = Id(required=True)
    dice = Array(Word(FACES), required=True)


class ReshuffleSchema(Object):
    """The discards become the deck: as they lay, oldest first, and as they lie now, top first."""

    draw = Whole(required=True)
    version = Whole(required=True)
    pile = Array(CardId(), required=True)
    cards = Array(CardId(), required=True)


class RevealedSchema(Object):
    """A game that is over, with the seed behind its commitment, its actions, and all that chance did in it."""

    game_id = Text(pattern=GAME_ID, required=True)
    commitment = Text(pattern=HASH, required=True)
    seed = Text(pattern=HASH, required=True)
    client_seed = Text(pattern=CLIENT_SEED)
    game = Part(RevealedGameSchema, required=True)
    actions = Array(Read("Action"), 0, MOST_ACTIONS, required=True)
    states = Array(Text(pattern=STATE_ID), 1, MOST_ACTIONS + 1, required=True)
    deck = Array(CardId(), required=True)
    rolls = Array(Part(SeedRollSchema), required=True)
    reshuffles = Array(Part(ReshuffleSchema), required=True)


class CheckSchema(Object):
    """One thing that a revealed game claims, whether it is so, and else the index at which it first is not."""

    name = Word(CHECKS, required=True)
    ok = Flag(required=True)
    detail = Text(required=True)
    index = Whole()


class VerifiedSchema(Object):
    """Whether all that a revealed game claims is so, and what chance does in the game of its seed and its actions."""

    verified = Flag(required=True)
    checks = Array(Part(CheckSchema), required=True)
    deck = Array(CardId(), required=True)
    rolls = Array(Part(SeedRollSchema), required=True)
    reshuffles = Array(Part(ReshuffleSchema), required=True)
    outcome = Part(OutcomeSchema, required=True, allow_none=True)


REVEALED = RevealedSchema()
