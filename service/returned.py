"""States that come as they are told, to the byte: most do, for most clients send what they got.

One that is at hand needs neither be parsed nor checked again, which is most of what a request costs: it could show
nothing new. One that is new is read as any document is, but for its keys: written as we write them, none comes twice.
Both are lifted out of the body before the rest is looked at, and what is known of them is put where they lay. Every
other state, be it the same in another order of keys, stays; and so does all of a body in which anything is unusual.
"""

from __future__ import annotations

import re
import secrets
from hmac import compare_digest
from typing import Any

import orjson

from service.problems import Refusal
from service.shelf import Recent
from service.states import Loaded, content_of, found_state, new_state, shelf
from service.wire import Parsed, has_floats, is_sealed, parse_any

BEGINS = b'"state":{"state_id":"s_'
TOLD = re.compile(rb'"state":\{"state_id":"(s_[A-Za-z0-9]{1,64}_[0-9a-f]{32})",')
PLACE = secrets.token_hex(16)  # stands for a state in a body, with a number; nobody outside can write it


def parse_lifted(body: bytes) -> Parsed:
    """The JSON value of a body, in which a state that came as it is told is loaded already."""
    shorter, lifted = lift(body) if BEGINS in body else (body, {})
    if not lifted:
        return parse_any(body)
    try:
        parsed = parse_any(shorter)
    except Refusal:  # to be told of the body as it came
        return parse_any(body)
    if (parsed.floating and has_floats(parsed.value)) or put_back(parsed.value, lifted) != len(lifted):
        return parse_any(body)  # to be told of the floats as it came, or one lay where no state belongs
    return Parsed(parsed.value, False)


def lift(body: bytes) -> tuple[bytes, dict[str, Loaded]]:
    """A body without its states, as far as they came as they are told, and those, each by the text in its place."""
    shorter, lifted = lift_known(body)
    return (shorter, lifted) if lifted else lift_new(body)


def lift_known(body: bytes) -> tuple[bytes, dict[str, Loaded]]:
    """The same for the states that are at hand."""
    pieces: list[bytes] = []
    lifted: dict[str, Loaded] = {}
    done = 0
    at = body.find(BEGINS)
    while at >= 0:
        found = TOLD.match(body, at)
        state_id = found[1].decode() if found else ""
        known = shelf().known(state_id) if found else None
        if found and known and _stands_at(body, found.end(), known):
            place = f"{PLACE}{len(lifted)}"
            pieces += (body[done:at], _place(place))
            lifted[place] = found_state(state_id, known, sent=True)
            done = found.end() + len(known.content) - 1
        at = body.find(BEGINS, max(at + 1, done))
    return b"".join((*pieces, body[done:])), lifted


def lift_new(body: bytes) -> tuple[bytes, dict[str, Loaded]]:
    """The same for one state that is not at hand. If it is unsound it stays, and those who read it say why."""
    found = TOLD.search(body)
    if found is None or body.find(BEGINS, found.end()) >= 0:
        return body, {}
    try:
        value = orjson.loads(body)
        document = value.get("state") if type(value) is dict else None
        if type(document) is not dict or is_sealed(document):
            return body, {}
        content = content_of(document)
        if not body.startswith(content[1:], found.end()):
            return body, {}
        loaded = new_state(document, content)
    except (orjson.JSONDecodeError, Refusal):
        return body, {}
    rest = found.end() + len(content) - 1
    return body[: found.start()] + _place(PLACE) + body[rest:], {PLACE: loaded}


def _place(place: str) -> bytes:
    return b'"state":"%s"' % place.encode()


def _stands_at(body: bytes, at: int, known: Recent) -> bool:
    """Whether what is kept of a state follows here, behind its id and the brace before that.

    For how long a seal is right is not told by how long that takes; an open game has no secrets.
    """
    content = known.content[1:]
    if known.key:
        return compare_digest(body[at : at + len(content)], content)
    return body.startswith(content, at)


def put_back(value: Any, lifted: dict[str, Loaded]) -> int:
    """How many of the requests in a value, one or a batch of them, got their state back."""
    items = value.get("items") if type(value) is dict else None
    count = 0
    for each in items if type(items) is list else [value]:
        place = each.get("state") if type(each) is dict else None
        if type(place) is str and place in lifted:
            each["state"] = lifted[place]
            count += 1
    return count
