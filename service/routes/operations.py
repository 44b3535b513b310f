"""For those who run the service: is it alive, is it ready, what is it?"""

from __future__ import annotations

import platform

from flask import Blueprint, Response, current_app

from engine import EDITIONS
from engine.codec import SCHEMA
from service import __version__, compiled, files, metrics
from service.catalogue import HealthSchema, HomeSchema, VersionSchema
from service.config import Config
from service.operation import operation, public
from service.states import shelf
from service.wire import MEDIA_TYPE, best_form, reply

routes = Blueprint("operations", __name__)

HTML = "text/html"
PLAYGROUND = files.STATIC / "playground.html"


@routes.get("/healthz")
@public
@operation(HealthSchema, "operations")
def healthz() -> Response:
    """The process answers."""
    return reply({"status": "ok"})


@routes.get("/readyz")
@public
@operation(HealthSchema, "operations")
def readyz() -> Response:
    """The service can do its work; without the store `degraded`, but open games go on, so it is ready all the same."""
    store = shelf().store.condition()
    return reply({"status": "degraded" if store == "down" else "ok", "parts": {"engine": "ok", "store": store}})


@routes.get("/version")
@public
@operation(VersionSchema, "operations")
def version() -> Response:
    """What runs here."""
    config: Config = current_app.extensions["kaijudge"]
    told = {"name": "kaijudge", "version": __version__, "schema": SCHEMA, "editions": [*EDITIONS]}
    built = {"commit": config.commit or None, "python": platform.python_version(), "engine": compiled.kind()}
    return reply({**told, **built})


@routes.get("/")
@public
@operation(HomeSchema, "operations", query=("etag",), also=(HTML,))
def home() -> Response:
    """Where everything is; for a browser, the playground."""
    response = files.page(PLAYGROUND) if best_form([MEDIA_TYPE, HTML]) == HTML else paths()
    response.vary.add("Accept")
    return response


def paths() -> Response:
    """All paths, for programs."""
    found = sorted({rule.rule for rule in current_app.url_map.iter_rules()} - {"/", "/static/<path:name>"})
    return reply({"name": "kaijudge", "version": __version__, "paths": found})


@routes.get("/metrics")
@operation(None, "operations", refusals=("not-found",), media_type=metrics.MEDIA_TYPE)
def measured() -> Response:
    """What all workers have counted, for Prometheus; `not-found` where that is told at a port of its own."""
    return Response(metrics.write(), content_type=metrics.CONTENT_TYPE, headers={"Cache-Control": "no-store"})
