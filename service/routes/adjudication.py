"""The one question this service is for: what does this action make of this state?"""

from __future__ import annotations

from flask import Blueprint, Response

from service import answers
from service.idempotency import idempotent
from service.operation import ANCHORED, KEYED, MOVED, SEATED, STATE, operation
from service.replies import AdjudicatedSchema
from service.returned import parse_lifted
from service.schemas import MoveEnvelope
from service.wire import read_body, read_include, reply

routes = Blueprint("adjudication", __name__)


@routes.post("/v1/adjudicate")
@operation(
    AdjudicatedSchema, "play", MoveEnvelope, (*STATE, *KEYED, *SEATED, *ANCHORED, "illegal-action", "game-over"),
    query=(*MOVED, "key", "seat"),
)  # fmt: skip
@idempotent
def adjudicate() -> Response:
    """Apply an action to a state."""
    include = read_include()
    return reply(answers.adjudicate(read_body(parse_lifted), include))
