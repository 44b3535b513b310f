"""Provable dice: the seed of a game that is over, and whether its dice and its deck follow from it."""

from __future__ import annotations

from flask import Blueprint, Response

from service import proof
from service.operation import ANCHORED, BODY, STATE, counted, operation
from service.replay import count_actions
from service.revealed import RevealedSchema, VerifiedSchema
from service.schemas import StateEnvelope
from service.wire import read_body, read_query, reply

routes = Blueprint("proof", __name__)


@routes.post("/v1/reveal")
@operation(RevealedSchema, "play", StateEnvelope, (*STATE, *ANCHORED, "game-not-over"))
def reveal() -> Response:
    """The seed of a sealed game that is over, with all that follows from it; send its last state."""
    read_query()
    return reply(proof.reveal(read_body()))


@routes.post("/v1/verify")
@counted(count_actions)
@operation(VerifiedSchema, "play", RevealedSchema, BODY)
def verify() -> Response:
    """Whether the dice and the deck of a revealed game follow from its seed."""
    read_query()
    return reply(proof.verify(read_body()))
