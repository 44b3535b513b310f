"""States that were told, by their id. A state never changes, so whoever has it need never ask again."""

from __future__ import annotations

from flask import Blueprint, Response

from service import states
from service.documents import StateSchema
from service.headers import tagged
from service.operation import operation
from service.wire import MEDIA_TYPE, read_query

routes = Blueprint("states", __name__)

REFUSALS = ("bad-parameter", "seal-invalid", "state-not-found", "store-unavailable")
# Not for shared caches: an open game shows its deck and its seed.
FOREVER = "private, max-age=31536000, immutable"


@routes.get("/v1/states/<state_id>")
@operation(StateSchema, "play", refusals=REFUSALS, query=("etag",))
def state(state_id: str) -> Response:
    """A state that was told."""
    read_query()
    content = states.find_content(state_id)
    response = Response(content, headers={"Cache-Control": FOREVER}, content_type=MEDIA_TYPE)
    return tagged(response, state_id)
