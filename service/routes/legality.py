"""What is allowed: of one action, or all that are. Nothing is applied, rolled or revealed."""

from __future__ import annotations

from flask import Blueprint, Response

import engine
from service import states
from service.documents import LegalActionsSchema, ValidatedSchema
from service.operation import STATE, operation
from service.schemas import MoveEnvelope, StateEnvelope
from service.wire import read_body, read_query, reply

routes = Blueprint("legality", __name__)


@routes.post("/v1/validate")
@operation(ValidatedSchema, "play", MoveEnvelope, STATE)
def validate() -> Response:
    """Whether an action is legal, and if not, which rules it breaks."""
    read_query()
    loaded, action = states.load_move(read_body())
    violations = engine.validate(loaded.state, action)
    return reply({"legal": not violations, "violations": [each._asdict() for each in violations]})


@routes.post("/v1/legal-actions")
@operation(LegalActionsSchema, "play", StateEnvelope, STATE)
def legal_actions() -> Response:
    """Every legal action, complete and ready to be sent."""
    read_query()
    loaded = states.load_state(read_body())
    return reply({"decision": loaded.document["decision"], "actions": states.write_actions(loaded.state)})
