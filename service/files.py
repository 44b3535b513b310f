"""Files that are served as they are: read once, packed once, each form with an ETag of its own."""

from __future__ import annotations

import hashlib
import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Response, request

from service.coding import GZIP, WINDOW, reads_gzip
from service.headers import CSP, PAGE_POLICY, tagged

STATIC = Path(__file__).parent / "static"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".yaml": "application/yaml",
}
ALWAYS_ASK = "no-cache"  # or a new page could meet the old parts of the one before


class Form(NamedTuple):
    """A file's bytes in one coding."""

    content: bytes
    tag: str


class File(NamedTuple):
    media_type: str
    plain: Form
    packed: Form


@cache
def read(path: Path) -> File:
    """A file in both codings."""
    content = path.read_bytes()
    return File(MEDIA_TYPES[path.suffix], _form(content), _form(zlib.compress(content, 9, WINDOW)))


@cache
def static() -> dict[str, Path]:
    """The files below service/static/ that may be served, by name: nothing else can be reached."""
    found = (path for path in STATIC.rglob("*") if path.suffix in MEDIA_TYPES)
    return {path.relative_to(STATIC).as_posix(): path for path in found}


def answer(file: File) -> Response:
    """A file, packed if the client can read it; 304 if the client has it already."""
    packed = reads_gzip(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    form = file.packed if packed else file.plain
    response = Response(form.content, content_type=file.media_type)
    response.headers.extend({"Cache-Control": ALWAYS_ASK, "Vary": "Accept-Encoding"})
    if packed:
        response.headers["Content-Encoding"] = GZIP
    return tagged(response, form.tag)


def page(path: Path) -> Response:
    """A page for people, whose scripts and styles are files of this server."""
    response = answer(read(path))
    response.headers[CSP] = PAGE_POLICY
    return response


def _form(content: bytes) -> Form:
    return Form(content, hashlib.sha256(content).hexdigest()[:32])
