"""Every answer in the tests is held against openapi.yaml: its path, method, status, media type, headers and body."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import orjson
import yaml
from flask.testing import FlaskClient

from service import headers
from service.application import Application

FILE = Path(__file__).parents[2] / "openapi.yaml"
PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
# Answers that belong to no operation: there is no such path, or not with this method, or the request is broken; and who
# has no key is not told which.
ALLOW = {"Allow": {"required": True, "schema": {"type": "string"}}}
CHALLENGE = {"WWW-Authenticate": {"required": True, "schema": {"type": "string"}}}
UNDESCRIBED = {
    "400": {"content": PROBLEM},
    "401": {"content": PROBLEM, "headers": CHALLENGE},
    "404": {"content": PROBLEM},
    "405": {"content": PROBLEM, "headers": ALLOW},
}
UNTOLD = re.compile("/static/.*")  # files of a page
# Headers that any answer may have; all others are told, with the answer or in the introduction.
COMMON = frozenset(
    ["access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin",
     "access-control-expose-headers", "access-control-max-age", "cache-control", "connection", "content-encoding",
     "content-length", "content-type", "date", "server", "transfer-encoding", "vary",
     *(name.lower() for name, _ in headers.SAFE_AND_ALONE)]
)  # fmt: skip


class Undescribed(AssertionError):
    """An answer that openapi.yaml does not describe."""


class Description:
    """What openapi.yaml says, ready to hold answers against."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.told = told
        self.paths = [(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), each)
                      for path, each in told["paths"].items()]  # fmt: skip
        self.common = COMMON | {name.lower() for name in re.findall(r"`([A-Z][\w-]+)`", told["info"]["description"])}
        self.validator = cache(self._compile)

    def check(self, method: str, path: str, status: int, found: Iterable[tuple[str, str]], body: bytes) -> None:
        """Raise Undescribed unless this is an answer the description knows."""
        if method == "OPTIONS" or UNTOLD.fullmatch(path):
            return
        given = {name.lower(): value for name, value in found}
        try:
            answer = self._answer(method, path, str(status))
            self._check_headers(answer.get("headers", {}), given)
            self._check_content(answer.get("content", {}), given, body if method != "HEAD" else None)
        except Undescribed as error:
            raise Undescribed(f"{method} {path} {status}: {error}\n{body[:1000]!r}") from None

    def _answer(self, method: str, path: str, status: str) -> Any:
        """The part about answers of this status to this request."""
        methods: Mapping[str, Any] = next((each for pattern, each in self.paths if pattern.fullmatch(path)), {})
        operation = methods.get("get" if method == "HEAD" else method.lower())
        answers = UNDESCRIBED if operation is None else operation["responses"]
        if status not in answers:
            raise Undescribed(f"this status is not among {', '.join(answers)}")
        return answers[status]

    def _check_headers(self, told: Mapping[str, Any], given: Mapping[str, str]) -> None:
        known = {name.lower(): each for name, each in told.items()}
        missing = [name for name, each in known.items() if each.get("required") and name not in given]
        if missing:
            raise Undescribed(f"the headers {missing} are missing")
        untold = [f"{name}: {given[name]}" for name in given.keys() - self.common - known.keys()]
        if untold:
            raise Undescribed(f"the headers {untold} are not told")
        for name in known.keys() & given.keys():
            self._check_value(known[name]["schema"], given[name])

    def _check_content(self, told: Mapping[str, Any], given: Mapping[str, str], body: bytes | None) -> None:
        media_type = given.get("content-type", "").partition(";")[0]
        if body is None or (not told and not body):
            return
        if media_type not in told:
            raise Undescribed(f"{media_type or 'a body'} is not among {[*told]}")
        if "json" in media_type and "ndjson" not in media_type:
            packed = given.get("content-encoding") == "gzip"
            self._check_value(told[media_type]["schema"], orjson.loads(gzip.decompress(body) if packed else body))

    def _check_value(self, schema: Any, value: Any) -> None:
        validator = self.validator(orjson.dumps(schema))
        if not validator.is_valid(value):
            first = next(iter(validator.iter_errors(value)))
            raise Undescribed(f"{'/'.join(map(str, first.instance_path)) or 'all of it'}: {first.message[:500]}")

    def _compile(self, schema: bytes) -> Any:
        whole = {**orjson.loads(schema), "components": {"schemas": self.told["components"]["schemas"]}}
        return jsonschema_rs.Draft202012Validator(whole)


@cache
def description() -> Description:
    return Description(yaml.load(FILE.read_bytes(), yaml.CSafeLoader))


class CheckedClient(FlaskClient):
    """Flask's client for tests, for which an answer that is not described is a failure."""

    def open(self, *args: Any, **kwargs: Any) -> Any:
        answer = super().open(*args, **kwargs)
        request, told = answer.request, description()
        told.check(request.method, request.path, answer.status_code, [*answer.headers], answer.get_data())
        return answer


@contextmanager
def checked():
    """Have every answer checked, within this process and from real servers."""
    send, client = httpx.Client.send, Application.test_client_class

    def send_and_check(self: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        answer = send(self, request, **options)
        if answer.headers.get("Server") == "kaijudge" and answer.is_stream_consumed:
            found = [(name, value) for name, value in answer.headers.items() if name != "content-encoding"]
            description().check(request.method, request.url.path, answer.status_code, found, answer.content)
        return answer

    httpx.Client.send, Application.test_client_class = send_and_check, CheckedClient  # type: ignore[method-assign]
    try:
        yield
    finally:
        httpx.Client.send, Application.test_client_class = send, client  # type: ignore[method-assign]


@contextmanager
def unchecked():
    """Let answers be while the description itself is written from them."""
    client = Application.test_client_class
    Application.test_client_class = FlaskClient
    try:
        yield
    finally:
        Application.test_client_class = client
