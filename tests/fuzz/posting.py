"""The judgement of one input over HTTP: an answer, or a problem document; never a fault of ours."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import orjson
from flask.testing import FlaskClient

from service.app import create_app
from service.config import MEMORY, Config
from tests.conformance.match import expect
from tests.fuzz.corpus import Document

STEPS = 3
AWAY = 503  # what is not to be had here, told with its problem document


@cache
def client() -> FlaskClient:
    return create_app(Config(redis_url=MEMORY, log="off")).test_client()


def written(document: Any) -> bytes:
    """The text of any document, also of one with numbers beyond 64 bits."""
    return json.dumps(document).encode()


def judge(state: bytes, random: Random) -> str:
    """Ask what may be done in a state, do some of it, and go on by the id of what came of it."""
    told = ask("/v1/legal-actions", b'{"state":%s}' % state)
    if "actions" not in told:
        return str(told["type"]).rpartition("/")[2]
    actions, sent = told["actions"], b'"state":%s' % state
    for _ in range(STEPS):
        if not actions:
            return "over"
        action = orjson.dumps(random.choice(actions))
        told = ask("/v1/adjudicate?include=legal_actions&messages=true", b'{%s,"action":%s}' % (sent, action))
        if "state" not in told:
            return f"stopped by {told['type'].rpartition('/')[2]}"
        actions, sent = told["legal_actions"], b'"state_id":"%s"' % told["state"]["state_id"].encode()
    return "played"


def ask(path: str, body: bytes) -> Document:
    """The answer to a body, which must be one or a problem document."""
    answer = client().post(path, data=body, content_type="application/json")
    told: Document = answer.get_json(force=True)
    if answer.status_code != 200:
        expect(answer.mimetype == "application/problem+json", f"{answer.status_code} is no problem document")
        expect(400 <= answer.status_code < 500 or answer.status_code == AWAY, f"{answer.status_code}: {told}")
        expect(told["status"] == answer.status_code and told["detail"], f"an odd problem: {told}")
    return told
