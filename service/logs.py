"""The log: a JSON object a line, one a request. Players' names and ids, bodies, paths and keys never get into it;
of an API key only the name that the settings give it."""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

import orjson
from gunicorn import glogging

from service.record import Record

OFF = "off"
LEVELS = {logging.INFO: "info", logging.WARNING: "warning", logging.ERROR: "error"}
ONE_LINE = orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE

log = logging.getLogger("kaijudge")
requests = logging.getLogger("kaijudge.request")


class Json(logging.Formatter):
    """A record as a line of JSON. Of an exception only its type and place: its message could quote a request."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            line["trace"] = traceback.format_tb(record.exc_info[2])
        return orjson.dumps(line, default=str, option=orjson.OPT_UTC_Z).decode()


def configure(level: str) -> None:
    """Write the service's own log to the standard error stream, from this level on."""
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(Json())
    log.handlers[:] = [stream]
    log.propagate = False
    log.setLevel(logging.CRITICAL + 1 if level == OFF else level.upper())


def level_of(status: int) -> int:
    """How much an answer matters to those who run the service: a fault of ours most."""
    if status < 500:
        return logging.INFO
    return logging.WARNING if status == 503 else logging.ERROR


def answered(record: Record, method: str, route: str, status: int, seconds: float, bytes_out: int | None) -> None:
    """Log a request. The line is made and written by hand: `logging` takes several times as long over it."""
    level = level_of(status)
    if not log.handlers or not requests.isEnabledFor(level):
        return
    line = {
        "time": datetime.now(UTC),
        "level": LEVELS[level],
        "logger": requests.name,
        "message": "request",
        "decision_id": record.decision_id or None,
        "method": method,
        "route": route,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
        "bytes_in": record.bytes_in,
        "bytes_out": bytes_out,
        "action": record.action or None,
        "problem": record.problem or None,
        "code": record.code or None,
        "caller": record.caller or None,
    }
    write(orjson.dumps(line, option=ONE_LINE).decode())


def write(line: str) -> None:
    """Write a line in one piece, so that those of several workers do not mix."""
    sys.stderr.write(line)
    sys.stderr.flush()


class GunicornLog(glogging.Logger):
    """gunicorn's own log in the same form, without what it quotes from requests."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for stream in self.error_log.handlers:
            stream.setFormatter(Json())

    def warning(self, msg: object, *args: object, **options: Any) -> None:
        """A bad request is quoted after a colon."""
        told = str(msg).partition(": ")[0] if str(msg).startswith("Invalid request") else msg
        super().warning(told, *args, **options)

    def exception(self, msg: object, *args: object, **options: Any) -> None:
        """The path of a request that failed comes as an argument; a client that fell silent is no fault of ours."""
        if isinstance(sys.exc_info()[1], BlockingIOError):
            self.info("A client stopped in the middle of a request")
            return
        if str(msg).startswith("Error handling request"):
            msg, args = "Error handling request", ()
        super().exception(msg, *args, **options)
