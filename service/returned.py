"""States that come back, to the byte, as they were told a moment ago: most do, for most clients send what they got.

Parsing and checking such a state again could find nothing new, and is most of what a request costs. So it is lifted out
of the body before that is parsed, and its id put in its place: `"state":{"state_id":"s_…",…}` becomes
`"state_id":"s_…"`. A text cannot be taken for it: quotes in a text are escaped. Every other state, be it the same in
another order of keys, is read as any document is.
"""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import Any, NamedTuple

from service import record
from service.problems import Refusal
from service.shelf import Recent
from service.states import RETURNED, shelf
from service.wire import Parsed, parse_any

BEGINS = b'"state":{"state_id":"s_'
TOLD = re.compile(rb'"state":\{"state_id":"(s_[A-Za-z0-9]{1,64}_[0-9a-f]{32})",')


class Lifted(NamedTuple):
    """A body with ids in the place of states, how many, and the states by their ids."""

    body: bytes
    lifts: int
    states: dict[str, Recent]


def parse_lifted(body: bytes) -> Parsed:
    """The JSON value of a body, in which its id stands for a state that came back as it was told."""
    lifted = lift(body) if BEGINS in body else None
    if lifted is None or not lifted.lifts:
        return parse_any(body)
    try:
        parsed = parse_any(lifted.body)
    except Refusal:  # to be told of the body as it came
        return parse_any(body)
    if named(parsed.value, lifted.states) != lifted.lifts:  # one lay where no state belongs
        return parse_any(body)
    record.current().environ.setdefault(RETURNED, {}).update(lifted.states)
    return parsed


def lift(body: bytes) -> Lifted:
    """A body without the states that are at hand."""
    pieces: list[bytes] = []
    states: dict[str, Recent] = {}
    done = lifts = 0
    at = body.find(BEGINS)
    while at >= 0:
        found = TOLD.match(body, at)
        known = shelf().known(found[1].decode()) if found else None
        if found and known and _stands_at(body, found.end(), known.content):
            pieces += (body[done:at], b'"state_id":"', found[1], b'"')
            states[found[1].decode()] = known
            lifts += 1
            done = found.end() + len(known.content) - 1
        at = body.find(BEGINS, max(at + 1, done))
    return Lifted(b"".join((*pieces, body[done:])), lifts, states)


def _stands_at(body: bytes, at: int, content: bytes) -> bool:
    """Whether what is kept of a state follows here, behind its id and the brace before that."""
    return compare_digest(body[at : at + len(content) - 1], content[1:])


def named(value: Any, states: dict[str, Recent]) -> int:
    """How many of the requests in a value, one or a batch of them, name one of these states."""
    items = value.get("items") if type(value) is dict else None
    requests = items if type(items) is list else [value]
    ids = [each.get("state_id") for each in requests if type(each) is dict]
    return sum([type(each) is str and each in states for each in ids])
