"""The description of the API: as a file, and as a page on which it can be tried."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response

from service import files
from service.headers import CSP
from service.operation import operation, public
from service.problems import Refusal

routes = Blueprint("docs", __name__)

OPENAPI = Path(__file__).resolve().parents[2] / "openapi.yaml"
PAGE = files.STATIC / "docs.html"
# The page loads what this server has, and asks this server; data: images are those in Swagger UI's style sheet.
PAGE_POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
])  # fmt: skip


@routes.get("/openapi.yaml")
@public
@operation(None, "operations", query=("etag",), media_type="application/yaml")
def openapi() -> Response:
    """This description."""
    return files.answer(files.read(OPENAPI))


@routes.get("/docs")
@public
@operation(None, "operations", query=("etag",), media_type="text/html")
def docs() -> Response:
    """This description as a page, on which every operation can be tried."""
    response = files.answer(files.read(PAGE))
    response.headers[CSP] = PAGE_POLICY
    return response


@routes.get("/static/<path:name>")
@public
def static(name: str) -> Response:
    """A part of a page. No operation of the API."""
    path = files.static().get(name)
    if path is None:
        raise Refusal("not-found", "There is no such file")
    return files.answer(files.read(path), files.TEN_MINUTES)
