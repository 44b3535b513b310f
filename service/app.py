"""The application: made by `create_app`, with no global state of its own."""

from __future__ import annotations

from flask import Flask

from service import problems, wire
from service.config import Config
from service.routes import ALL
from service.rulings import rulings


def create_app(config: Config | None = None) -> Flask:
    """The service as a WSGI application."""
    config = config or Config.from_environment()
    app = Flask(__name__, static_folder=None)
    app.extensions["kaijudge"] = config
    app.url_map.merge_slashes = False  # or //v1/games would be answered with a redirect in HTML
    app.before_request(wire.check_accept)
    problems.register(app)
    for routes in ALL:
        app.register_blueprint(routes)
    rulings()  # read before the workers are forked
    return app
