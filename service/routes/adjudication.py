"""The one question this service is for: what does this action make of this state?"""

from __future__ import annotations

from flask import Blueprint, Response

from service import answers, states
from service.documents import AdjudicatedSchema
from service.operation import STATE, operation
from service.problems import decision_id
from service.schemas import MoveEnvelope
from service.wire import read_body, read_include, reply

routes = Blueprint("adjudication", __name__)


@routes.post("/v1/adjudicate")
@operation(AdjudicatedSchema, "play", MoveEnvelope, (*STATE, "illegal-action", "game-over"), query=("include",))
def adjudicate() -> Response:
    """Apply an action to a state."""
    include = read_include()
    loaded, action = states.load_move(read_body())
    result = states.apply(loaded.state, action)
    return reply({"decision_id": decision_id(), **answers.moved(result, include, loaded.document)})
