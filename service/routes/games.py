"""New games."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Response

import engine
from service import answers, schemas, states
from service.documents import MovedSchema
from service.operation import BODY, operation
from service.problems import refuse_document
from service.schemas import NewGameSchema
from service.wire import read_body, read_include, reply

routes = Blueprint("games", __name__)


@routes.post("/v1/games")
@operation(MovedSchema, "play", NewGameSchema, BODY, query=("include",), status=201)
def new_game() -> Response:
    """Set up a game, or any position."""
    include = read_include()
    asked = schemas.check(schemas.NEW_GAME, read_body())
    made = set_up(asked, asked["seed"] if "seed" in asked else secrets.token_hex(16))
    states.check_offered(made.state)
    answer = answers.moved(made, include)
    return reply(answer, 201, Location=f"/v1/states/{answer['state']['state_id']}")


def set_up(asked: dict[str, Any], seed: str) -> engine.Result:
    """The new game, or a refusal that lists all that makes it impossible."""
    try:
        return engine.new_game(asked, seed)
    except engine.InvalidState as error:
        raise refuse_document("invalid-state", error.problems) from None
