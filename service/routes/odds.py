"""Chances: exact, never a sample."""

from __future__ import annotations

from flask import Blueprint, Response

from service import schemas, states
from service.operation import STATE, operation
from service.replies import OddsSchema
from service.schemas import OddsEnvelope
from service.wire import read_body, read_query, reply

routes = Blueprint("odds", __name__)


@routes.post("/v1/odds")
@operation(OddsSchema, "play", OddsEnvelope, (*STATE, "illegal-action"))
def odds() -> Response:
    """What the dice in question may show after a reroll of some: each outcome, and its equally likely ways."""
    read_query()
    body = read_body()
    loaded = states.load_state(body, schemas.ODDS)
    return reply(states.odds(loaded.state, body["dice"]))
