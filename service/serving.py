"""What gunicorn answers by itself, to requests that never reach the app: a problem document, too."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable

import orjson
from gunicorn import util
from gunicorn.http import wsgi

from service import headers
from service.problems import MEDIA_TYPE, PROBLEMS, Refusal, write_problem

HEAD = (
    "HTTP/1.1 {status} {reason}\r\nConnection: close\r\n"
    "Content-Type: {media_type}\r\nContent-Length: {length}\r\n{safe}\r\n"
)
SILENCE = 10  # seconds without a byte
SAFE = "".join(f"{name}: {value}\r\n" for name, value in headers.SAFE_AND_ALONE)


def write_error(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """Answer a request that is no HTTP we read. A transfer coding we lack is the sender's to change, so no 501."""
    slug = "internal-error" if status_int == 500 else "bad-parameter"
    body = orjson.dumps(write_problem(Refusal(slug, f"The request cannot be read: {reason}"), "/"))
    kind = PROBLEMS[slug]
    reason = "Bad Request" if kind.status == 400 else "Internal Server Error"
    head = HEAD.format(status=kind.status, reason=reason, media_type=MEDIA_TYPE, length=len(body), safe=SAFE)
    util.write_nonblock(sock, head.encode() + body)


def limit_silence(listeners: Iterable[socket.socket]) -> None:
    """Give up on clients that stop in the middle of a request: a few of them would take every thread for good.

    Connections inherit it from the socket that accepts them; gunicorn itself waits without a limit.
    """
    for listener in listeners:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", SILENCE, 0))


def install() -> None:
    """Let gunicorn's workers answer so, and not tell what they are."""
    util.write_error = write_error
    wsgi.SERVER = "kaijudge"  # type: ignore[attr-defined]  # the module imported it
