"""Many requests in one."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response

from service.batch import LINES, count_items, judge_all, read_items, write_results
from service.idempotency import idempotent
from service.operation import BODY, KEYED, MOVED, counted, operation
from service.replies import BatchResultsSchema
from service.schemas import BatchSchema
from service.wire import read_include

routes = Blueprint("batch", __name__)


@routes.post("/v1/batch")
@counted(count_items)
@operation(BatchResultsSchema, "play", BatchSchema, (*BODY, *KEYED), (*MOVED, "key", "seat"), also=(LINES,))
@partial(idempotent, limit="batch_limit")
def batch() -> Response:
    """Adjudicate, validate or list legal actions for many states; `include` and `messages` are for all of them."""
    include = read_include()
    return write_results(judge_all(read_items(), include))
