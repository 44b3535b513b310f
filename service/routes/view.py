"""The state as a player may see it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

import engine
from engine import Problem, State
from service import schemas, seats, states
from service.documents import ViewSchema
from service.operation import SEATED, STATE, operation
from service.problems import refuse_document
from service.schemas import ViewEnvelope
from service.wire import read_body, read_query, reply

routes = Blueprint("view", __name__)


@routes.post("/v1/view")
@operation(ViewSchema, "play", ViewEnvelope, (*STATE, *SEATED), query=("seat",))
def view() -> Response:
    """The state without its secrets, with what one player has seen."""
    read_query()
    body = read_body()
    loaded = states.load_state(body, schemas.VIEW)
    player = seat_named(loaded.state, body)
    if player is not None:
        seats.admit(loaded.state, player)
    seen = engine.view(loaded.state, player)
    return reply({"state_id": loaded.state_id, **seen})


def seat_named(state: State, body: dict[str, Any]) -> str | None:
    """Whose view is asked for, if anybody's."""
    player: str | None = body.get("player")
    if player is not None and state.seat_of(player) is None:
        raise refuse_document("schema-violation", [Problem("/player", "must be the id of a player of this game")])
    return player
