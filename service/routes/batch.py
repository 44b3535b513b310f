"""Many requests in one."""

from __future__ import annotations

from flask import Blueprint, Response

from service.batch import LINES, judge, read_items, write_results
from service.documents import BatchResultsSchema
from service.operation import BODY, MOVED, operation
from service.schemas import BatchSchema
from service.wire import read_include

routes = Blueprint("batch", __name__)


@routes.post("/v1/batch")
@operation(BatchResultsSchema, "play", BatchSchema, BODY, MOVED, also=(LINES,))
def batch() -> Response:
    """Adjudicate, validate or list legal actions for many states; `include` and `messages` are for all of them."""
    include = read_include()
    return write_results([judge(item, include) for item in read_items()])
