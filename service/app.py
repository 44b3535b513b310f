"""The application: made by `create_app`, with no global state of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from service import exchange, i18n, problems, wire
from service.config import Config
from service.routes import ALL
from service.rulings import rulings
from service.shelf import Shelf
from service.store import open_store


class Application(Flask):
    """Flask, but it does not look at every function of every request whether it is a coroutine: none is."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(config: Config | None = None) -> Flask:
    """The service as a WSGI application."""
    config = config or Config.from_environment()
    app = Application(__name__, static_folder=None)
    app.extensions["kaijudge"] = config
    app.extensions["kaijudge.shelf"] = Shelf(open_store(config), config)
    app.url_map.merge_slashes = False  # or //v1/games would be answered with a redirect in HTML
    exchange.register(app, config)
    app.before_request(wire.check_accept)
    app.after_request(i18n.say_language)
    problems.register(app)
    for routes in ALL:
        app.register_blueprint(routes)
    rulings()  # texts are read before the workers are forked
    i18n.read_all()
    return app
