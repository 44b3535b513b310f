"""Who answers the cases: the engine, or a service over HTTP by its public contract alone."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import engine
from tests.conformance.match import Json, expect

SEED = "conformance"


class Reason(NamedTuple):
    """One reason of a refusal; `ruling` and `code` are those of a violation, `detail` may name rulings too."""

    pointer: str
    detail: str
    code: str | None = None
    ruling: str | None = None


class Refused(Exception):
    """The referee says no."""

    def __init__(self, slug: str, reasons: Sequence[Reason]) -> None:
        self.slug = slug
        self.reasons = list(reasons)
        super().__init__(f"{slug}: {self.reasons}")


class Answer(NamedTuple):
    """A state as a document, and the events that led to it; `live` is the engine's own record of it."""

    document: Json
    events: list[Json]
    live: Any = None


class Referee(Protocol):
    """What a case needs."""

    replays: bool

    def create(self, game: Json) -> Answer: ...

    def act(self, before: Answer, action: Json) -> Answer: ...

    def legal(self, at: Answer) -> list[Json]: ...


def with_seed(game: Json) -> Json:
    """Cases that name no seed all have the same one, so that every answer is fixed."""
    if "seed" in game or game.get("options", {}).get("secrets") == "sealed":
        return game
    return {**game, "seed": SEED}


# The engine


class EngineReferee:
    """The engine, with every promise checked that only a look inside can check."""

    replays = True

    def create(self, game: Json) -> Answer:
        body = with_seed(game)
        try:
            result = engine.new_game(body, body.get("seed", SEED))
        except engine.InvalidState as error:
            raise _refused_document(error) from error
        return self._answer(result)

    def act(self, before: Answer, action: Json) -> Answer:
        try:
            parsed = engine.read_action(action)
        except engine.InvalidAction as error:
            raise Refused("schema-violation", _reasons(error.problems)) from error
        violations = engine.validate(before.live, parsed)
        try:
            result = engine.apply(before.live, parsed)
        except engine.IllegalAction as error:
            expect(error.violations == violations, f"validate says {violations}, apply {error.violations}")
            self._unchanged(before)
            slug = "game-over" if isinstance(error, engine.GameOver) else "illegal-action"
            raise Refused(slug, [Reason(v.pointer, v.detail, v.code, v.ruling) for v in violations]) from error
        expect(not violations, f"apply accepts what validate refuses: {violations}")
        self._unchanged(before)
        answer = self._answer(result)
        again = engine.apply(engine.read_state(before.document), parsed)
        same = _bytes(again.state) == _bytes(result.state) and again.events == result.events
        expect(same, "a saved game does not go on as the live one does")
        return answer

    def legal(self, at: Answer) -> list[Json]:
        return [engine.write_action(action) for action in engine.legal_actions(at.live)]

    def _unchanged(self, before: Answer) -> None:
        expect(_bytes(before.live) == engine.canonical(before.document), "the state was changed in place")

    def _answer(self, result: engine.Result) -> Answer:
        written = _bytes(result.state)
        document = json.loads(written)
        try:
            read = engine.read_state(json.loads(written))
        except engine.InvalidState as error:
            raise AssertionError(f"the engine does not read its own state: {error}") from error
        expect(_bytes(read) == written, "a state read back is not the state written")
        return Answer(document, json.loads(json.dumps(result.events)), result.state)


def _bytes(state: engine.State) -> bytes:
    return engine.canonical(engine.write_state(state))


def _reasons(problems: Sequence[engine.Problem]) -> list[Reason]:
    return [Reason(problem.pointer, problem.detail) for problem in problems]


def _refused_document(error: engine.InvalidState) -> Refused:
    return Refused("schema-violation" if error.malformed else "invalid-state", _reasons(error.problems))


# Over HTTP

Post = Callable[[str, Json], tuple[int, Json]]


class HttpReferee:
    """A service, by `post(path, body) -> (status, answer)`; `HttpReferee.at(url)` makes one."""

    replays = False

    def __init__(self, post: Post) -> None:
        self.post = post
        self._listed: tuple[Json, list[Json]] = ({}, [])  # a document, and what was offered there

    @classmethod
    def at(cls, base_url: str) -> HttpReferee:
        return cls(poster(base_url))

    def create(self, game: Json) -> Answer:
        return self._answer("/v1/games", with_seed(game), 201)

    def act(self, before: Answer, action: Json) -> Answer:
        return self._answer("/v1/adjudicate", {"state": before.document, "action": action}, 200)

    def legal(self, at: Answer) -> list[Json]:
        if self._listed[0] is at.document:
            return self._listed[1]
        status, body = self.post("/v1/legal-actions", {"state": at.document})
        expect(status == 200, f"legal-actions: {status} {body}")
        self._listed = at.document, list(body["actions"])
        return self._listed[1]

    def _answer(self, path: str, body: Json, wanted: int) -> Answer:
        status, answer = self.post(path, body)
        if status == wanted:
            return Answer(answer["state"], answer["events"])
        expect(400 <= status < 500, f"{path}: {status} {answer}")
        told = answer.get("violations") or answer.get("errors") or []
        reasons = [Reason(each["pointer"], each["detail"], each.get("code"), each.get("ruling")) for each in told]
        raise Refused(answer["type"].rpartition("/")[2], reasons)


def poster(base_url: str) -> Post:
    """Posts JSON over one kept connection."""
    url = urlsplit(base_url)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname or "127.0.0.1", url.port, timeout=30)

    def post(path: str, body: Json) -> tuple[int, Json]:
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        connection.request("POST", url.path.rstrip("/") + path, json.dumps(body).encode(), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    return post
