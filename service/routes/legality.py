"""What is allowed: of one action, or all that are. Nothing is applied, rolled or revealed."""

from __future__ import annotations

from flask import Blueprint, Response

from service import answers
from service.operation import STATE, operation
from service.replies import LegalActionsSchema, ValidatedSchema
from service.returned import parse_lifted
from service.schemas import MoveEnvelope, StateEnvelope
from service.wire import read_body, read_query, reply

routes = Blueprint("legality", __name__)


@routes.post("/v1/validate")
@operation(ValidatedSchema, "play", MoveEnvelope, STATE, query=("language",))
def validate() -> Response:
    """Whether an action is legal, and if not, which rules it breaks."""
    read_query()
    return reply(answers.validate(read_body(parse_lifted)))


@routes.post("/v1/legal-actions")
@operation(LegalActionsSchema, "play", StateEnvelope, STATE)
def legal_actions() -> Response:
    """Every legal action, complete and ready to be sent."""
    read_query()
    return reply(answers.legal_actions(read_body(parse_lifted)))
