"""The application: made by `create_app`, with no global state of its own."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import apikeys, callers, exchange, i18n, ports, problems, rulings, wire
from service.application import Application
from service.chains import open_chains
from service.config import MEMORY, Config
from service.keyring import KeyRing, new_key, read_keys
from service.routes import ALL
from service.shelf import Shelf
from service.store import open_store
from service.waiting import Waiters


def create_app(config: Config | None = None) -> Flask:
    """The service as a WSGI application."""
    config = config or Config.from_environment()
    app = Application(__name__, static_folder=None)
    app.extensions["kaijudge"] = config
    app.extensions["kaijudge.keys"] = ring = open_ring(config)
    store = open_store(config)
    app.extensions["kaijudge.shelf"] = Shelf(store, config, ring)
    app.extensions["kaijudge.chains"] = open_chains(store, config)
    app.extensions["kaijudge.waiters"] = Waiters(config.threads // 2)
    app.url_map.merge_slashes = False  # or //v1/games would be answered with a redirect in HTML
    exchange.register(app, config)
    guard(app, config)
    app.before_request(wire.check_accept)
    app.after_request(i18n.say_language)
    problems.register(app)
    for routes in ALL:
        app.register_blueprint(routes)
    rulings.read_all()  # texts are read before the workers are forked
    i18n.read_all()
    return app


def guard(app: Flask, config: Config) -> None:
    """Let in whom the settings let in, where, and as often as they say; what they leave open costs nothing."""
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=0)  # type: ignore[method-assign]
    if config.operations_bind:
        ports.keep_apart(app, config.operations_bind)
    keys = apikeys.read_keys(config.api_keys)
    if keys:
        callers.register(app, keys)
    if config.rate_limit or any(key.rate for key in keys):
        from service import limits  # its library takes a while to load

        limits.register(app, app.extensions["kaijudge.shelf"].store, keys, config.rate_limit)


def open_ring(config: Config) -> KeyRing:
    """The keys of the settings; a service that lives in one process makes one that lives as long."""
    return read_keys(new_key() if config.redis_url == MEMORY and not config.keys else config.keys)
