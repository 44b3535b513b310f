"""Flask, with shorter ways where every request goes: what Flask offers and nothing here uses is not paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response, has_app_context
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
            self.url_adapter = self.app.new_adapter(request)
            super().match_request()
        else:
            request.url_rule, request.view_args = rule, {}


class Application(Flask):
    """Hooks are the application's alone, not a blueprint's; nothing is torn down; no function is a coroutine."""

    session_interface = NoSessions()

    @cached_property
    def plain_rules(self) -> dict[tuple[str, str], Rule]:
        """The routes without variables, by path and method; asked for when all of them are known.

        Without OPTIONS: what is allowed is a question to the adapter.
        """
        plain = (rule for rule in self.url_map.iter_rules() if not rule.arguments)
        return {(rule.rule, method): rule for rule in plain for method in (rule.methods or set()) - {"OPTIONS"}}

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        return Context(self, environ)

    @cached_property
    def no_adapter(self) -> MapAdapter:
        """Stands for the adapter of a request: most need none, so it is made for those that do."""
        return MapAdapter(self.url_map, "", "", "", "", "", "GET")

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        return None if request is None else self.no_adapter

    def new_adapter(self, request: Request) -> MapAdapter:
        """Routes are known by their path: the host, which a client can write as it likes, is not looked at."""
        return MapAdapter(self.url_map, "", request.root_path, "", "", request.path, request.method)

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """A thread's first request makes the context of the application, and leaves it to those that follow."""
        if not has_app_context():
            self.app_context().push()
        return super().wsgi_app(environ, start_response)

    def full_dispatch_request(self) -> Response:
        try:
            answer = self.preprocess_request()
            if answer is None:
                answer = self.dispatch_request()
        except Exception as error:
            answer = self.handle_user_exception(error)
        return self.finalize_request(answer)

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
