"""Who asks: where the settings name API keys, a request must send one, as `Authorization: Bearer <key>`.

What is `@public` needs none. A key says which client asks, not which player: that is what seats are for.
"""

from __future__ import annotations

import ipaddress
import logging
import re

from flask import Flask, current_app, request

from service import record
from service.apikeys import ApiKey, find_key
from service.config import Config
from service.ports import is_inside
from service.problems import PROBLEMS, Refusal

BEARER = re.compile(r"bearer +([!-~]{1,255})", re.IGNORECASE)
CHALLENGE = 'Bearer realm="kaijudge"'
CALLER = "kaijudge.caller"

log = logging.getLogger("kaijudge")


def register(app: Flask, keys: tuple[ApiKey, ...]) -> None:
    """Let only those ask who send one of these keys."""

    def identify() -> None:
        if is_open():
            return
        found = identified(keys, request.environ.get("HTTP_AUTHORIZATION"))
        record.current().caller = found.name
        request.environ[CALLER] = found

    app.before_request(identify)


def identified(keys: tuple[ApiKey, ...], sent: str | None) -> ApiKey:
    """The key that a request sent; who sent none is asked for one, who sent another is told so."""
    if sent is None:
        raise _refuse(CHALLENGE)
    told = BEARER.fullmatch(sent)
    found = find_key(keys, told[1]) if told else None
    if found is None:
        raise _refuse(f'{CHALLENGE}, error="invalid_token"')
    return found


def caller() -> ApiKey | None:
    """The key of the request at work."""
    found: ApiKey | None = request.environ.get(CALLER)
    return found


def is_open() -> bool:
    """Whether anybody may ask this: it is public, or came in by the operators' port."""
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "public", False) or is_inside()


def _refuse(challenge: str) -> Refusal:
    return Refusal("unauthenticated", PROBLEMS["unauthenticated"].meaning, {"WWW-Authenticate": challenge})


def warn(config: Config) -> None:
    """Say so when anybody on the network may ask."""
    if not config.api_keys and not is_loopback(config.host):
        log.warning("Whoever reaches %s may ask: there are no KAIJUDGE_API_KEYS (see SECURITY.md)", config.host)


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
