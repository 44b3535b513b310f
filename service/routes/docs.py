"""The description of the API: as a file, and as a page on which it can be tried."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response

from service import files
from service.operation import operation, public
from service.problems import Refusal

routes = Blueprint("docs", __name__)

OPENAPI = Path(__file__).resolve().parents[2] / "openapi.yaml"
PAGE = files.STATIC / "docs.html"


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
    return files.page(PAGE)


@routes.get("/static/<path:name>")
@public
def static(name: str) -> Response:
    """A part of a page. No operation of the API."""
    path = files.static().get(name)
    if path is None:
        raise Refusal("not-found", "There is no such file")
    return files.answer(files.read(path))
