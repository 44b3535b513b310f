"""Games played again."""

from __future__ import annotations

from flask import Blueprint, Response

from service.idempotency import idempotent
from service.operation import ANCHORED, KEYED, STATE, counted, operation
from service.replay import count_actions, replay
from service.replies import ReplayedSchema
from service.schemas import ReplayEnvelope
from service.wire import read_body, read_messages, reply

routes = Blueprint("replay", __name__)


@routes.post("/v1/replay")
@counted(count_actions)
@operation(
    ReplayedSchema, "play", ReplayEnvelope, (*STATE, *KEYED, *ANCHORED, "illegal-action", "game-over"),
    query=("messages", "language", "key", "seat"),
)  # fmt: skip
@idempotent
def replay_game() -> Response:
    """Apply many actions, one after another; the first that is not legal is refused with its `index`."""
    include = read_messages()
    return reply(replay(read_body(), include))
