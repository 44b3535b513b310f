"""New games."""

from __future__ import annotations

from flask import Blueprint, Response

from service import answers, schemas, states
from service.documents import MovedSchema
from service.idempotency import idempotent
from service.operation import BODY, KEYED, MOVED, operation
from service.schemas import NewGameSchema
from service.wire import read_body, read_include, reply

routes = Blueprint("games", __name__)


@routes.post("/v1/games")
@operation(MovedSchema, "play", NewGameSchema, (*BODY, *KEYED), query=(*MOVED, "key"), status=201)
@idempotent
def new_game() -> Response:
    """Set up a game, or any position."""
    include = read_include()
    made = states.new_game(schemas.check(schemas.NEW_GAME, read_body()))
    answer = answers.moved(made, include)
    return reply(answer, 201, Location=f"/v1/states/{answer['state']['state_id']}")
