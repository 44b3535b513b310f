"""Many sealed games, one after another, against a service in this process or on a port."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from io import BytesIO
from random import Random
from typing import Any

import httpx
import orjson
from redis import Redis

from engine import EDITIONS
from service.keyring import KeyRing
from tests.secrecy.search import LONG_WINDOW, Document
from tests.secrecy.table import Send, Table

ACTIONS = 20  # of a game


def play(send: Send, ring: KeyRing, number: int, everything: Callable[[str], str]) -> Counter[str]:
    """The game of a number: what was done in it. `everything` is what else the service has said or keeps of a game."""
    random = Random(number)
    table = Table(send, ring, asked(number), random)
    table.play(ACTIONS)
    table.hidden.search(everything(table.state["game_id"]), table.ever, LONG_WINDOW)
    return table.counts


def asked(number: int) -> Document:
    """Editions, numbers of players, and options in turn."""
    editions = [*EDITIONS]
    players = [{"id": f"p{seat}", "name": f"Player {seat}"} for seat in range(2 + number // 4 % 5)]
    dice, auth = ("client", "server")[number // 2 % 2], ("seats", "none")[number % 2]
    options = {"secrets": "sealed", "dice": dice, "auth": auth}
    return {"edition": editions[number % 4], "players": players, "first_player": "p0", "options": options}


def inside(app: Callable[[Any, Any], Iterable[bytes]]) -> Send:
    """Ask an application in this process as a server would; a test client takes longer over it than the application."""

    def send(method: str, path: str, body: Document | None, headers: dict[str, str]) -> tuple[int, str]:
        status, head = "", [("", "")]

        def start(told: str, fields: list[tuple[str, str]], *_: Any) -> None:
            nonlocal status, head
            status, head = told, fields

        answer = app(environ(method, path, b"" if body is None else orjson.dumps(body), headers), start)
        content = b"".join(answer)
        getattr(answer, "close", lambda: None)()
        told = "\n".join(f"{name}: {value}" for name, value in head)
        return int(status[:3]), f"{told}\n\n{content.decode()}"

    return send


def environ(method: str, path: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    """What a server tells an application of a request."""
    place, _, query = path.partition("?")
    sent = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
    return {
        "REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": place, "QUERY_STRING": query, "SERVER_NAME": "test",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1", "wsgi.version": (1, 0), "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body), "wsgi.errors": sys.stderr, "wsgi.multithread": False, "wsgi.multiprocess": False,
        "wsgi.run_once": False, **sent,
    }  # fmt: skip


def outside(client: httpx.Client) -> Send:
    """Ask a service on a port; not in gzip, in which a state's id makes an answer longer or shorter."""

    def send(method: str, path: str, body: Document | None, headers: dict[str, str]) -> tuple[int, str]:
        answer = client.request(method, path, json=body, headers={**headers, "Accept-Encoding": "identity"})
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers.multi_items())
        return answer.status_code, head + "\n\n" + answer.text

    return send


def stored(url: str, game_id: str) -> str:
    """Everything that a Redis server holds, but for what is of other games; it is then emptied."""
    tag = game_id.removeprefix("g_").encode()
    found: list[bytes] = []
    with Redis.from_url(url) as client:
        for key in client.scan_iter():
            if tag in key or not (key.endswith(b":chain") or b":state:" in key):
                found += [key, *values(client, key)]
        client.flushall()
    assert any(each.endswith(b":chain") for each in found)
    return b"\n".join(found).decode("latin-1")


def values(client: Any, key: bytes) -> list[bytes]:
    """What lies under a key."""
    if client.type(key) == b"list":
        return [*client.lrange(key, 0, -1)]
    return [client.get(key)] if client.type(key) == b"string" else []
