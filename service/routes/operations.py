"""For those who run the service: is it alive, is it ready, what is it?"""

from __future__ import annotations

import platform

from flask import Blueprint, Response, current_app

from engine import EDITIONS
from engine.codec import SCHEMA
from service import __version__
from service.config import Config
from service.wire import reply

routes = Blueprint("operations", __name__)


@routes.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return reply({"status": "ok"})


@routes.get("/readyz")
def readyz() -> Response:
    """The service can do its work; `parts` says what it rests on."""
    return reply({"status": "ok", "parts": {"engine": "ok"}})


@routes.get("/version")
def version() -> Response:
    """What runs here."""
    config: Config = current_app.extensions["kaijudge"]
    told = {"name": "kaijudge", "version": __version__, "schema": SCHEMA, "editions": [*EDITIONS]}
    return reply({**told, "commit": config.commit or None, "python": platform.python_version()})


@routes.get("/")
def home() -> Response:
    """Where everything is."""
    paths = sorted({rule.rule for rule in current_app.url_map.iter_rules()} - {"/"})
    return reply({"name": "kaijudge", "version": __version__, "paths": paths})
