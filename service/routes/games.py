"""New games."""

from __future__ import annotations

from flask import Blueprint, Response

from service import answers, proof, schemas, seats, states
from service.idempotency import idempotent
from service.operation import ANCHORED, BODY, KEYED, MOVED, operation
from service.replies import CreatedSchema
from service.schemas import NewGameSchema
from service.wire import read_body, read_include, reply

routes = Blueprint("games", __name__)


@routes.post("/v1/games")
@operation(CreatedSchema, "play", NewGameSchema, (*BODY, *KEYED, *ANCHORED), query=(*MOVED, "key"), status=201)
@idempotent
def new_game() -> Response:
    """Set up a game, or any position."""
    include = read_include()
    asked = schemas.check(schemas.NEW_GAME, read_body())
    made = states.new_game(asked)
    told = answers.opening(made, asked)
    given = {**proof.promised(made.state), **seats.given(made.state)}
    answer = {**answers.moved(made, told, include), **given}
    return reply(answer, 201, Location=f"/v1/states/{told.state_id}")
