"""Flask, with shorter ways where every request goes: what Flask offers and nothing here uses is not paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response
from flask.ctx import RequestContext
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter, Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Answer(Response):
    """A plain answer, whose body is at hand: its headers are what they are, and nothing has to be closed."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if self.status_code != 200 or environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return self.response  # type: ignore[return-value]  # bytes, for it was set at once


class NoSessions(SessionInterface):
    """There are no cookies: all requests share one session, which nobody reads."""

    none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        return self.none


class Context(RequestContext):
    """A request; where its path is one without variables, a look-up finds its route."""

    app: Application

    def match_request(self) -> None:
        request = self.request
        rule = self.app.plain_rules.get((request.path, request.method))
        if rule is None:
            super().match_request()
        else:
            request.url_rule, request.view_args = rule, {}


class Application(Flask):
    """Hooks are the application's alone, not a blueprint's; nothing is torn down; no function is a coroutine."""

    session_interface = NoSessions()

    @cached_property
    def plain_rules(self) -> dict[tuple[str, str], Rule]:
        """The routes without variables, by path and method; asked for when all of them are known."""
        plain = (rule for rule in self.url_map.iter_rules() if not rule.arguments)
        return {(rule.rule, method): rule for rule in plain for method in rule.methods or ()}

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        return Context(self, environ)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Routes are known by their path: the host, which a client can write as it likes, is not looked at."""
        if request is None:
            return None
        return MapAdapter(self.url_map, "", request.root_path, "", "", request.path, request.method)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def preprocess_request(self) -> Any:
        for function in self.before_request_funcs.get(None, ()):
            answer = function()
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        for function in reversed(self.after_request_funcs.get(None, ())):
            response = function(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        pass

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        pass
