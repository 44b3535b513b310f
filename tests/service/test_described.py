"""The check of every answer against openapi.yaml finds what is wrong with one."""

import httpx
import orjson
import pytest
from flask import Response

from service.routes import operations
from tests.service.described import Undescribed, description

JSON, PROBLEM = "application/json", "application/problem+json"
GAME = {"players": [{"id": "a"}, {"id": "b"}], "seed": "s"}


@pytest.fixture
def said(referee):
    """A good answer to a request for a game: its headers and its body."""
    answer = referee.post("/v1/games", GAME)
    return dict(answer.headers), answer.get_json()


def check(headers, body, status=201, method="POST", path="/v1/games"):
    description().check(method, path, status, [*headers.items()], orjson.dumps(body))


def test_a_good_answer_passes(said):
    check(*said)


@pytest.mark.parametrize(
    ("field", "value"),
    [("state", None), ("events", [{"seq": 0, "type": "none", "rulings": ["G-01"]}]), ("more", 1),
     ("events", [{"seq": 0, "type": "turn_started", "player": "a", "rulings": ["G-01"]}])],
    ids=["a wrong type", "an unknown event", "an unknown field", "a field that is missing"],
)  # fmt: skip
def test_a_wrong_body(said, field, value):
    headers, body = said
    with pytest.raises(Undescribed, match="/v1/games 201"):
        check(headers, {**body, field: value})


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"status": 200}, "not among 201"),
        ({"method": "PUT"}, "not among 400, "),
        ({"path": "/v1/nothing"}, "not among 400, "),
        ({"path": "/v1/games/g_0/more"}, "not among 400, "),
    ],
)
def test_an_answer_nobody_tells_of(said, change, found):
    with pytest.raises(Undescribed, match=found):
        check(*said, **change)


@pytest.mark.parametrize(
    ("change", "found"),
    [({"Content-Type": "text/html"}, "text/html is not among"), ({"X-Luck": "1"}, "x-luck: 1"),
     ({"Content-Type": PROBLEM}, "is not among")],
)  # fmt: skip
def test_wrong_headers(said, change, found):
    headers, body = said
    with pytest.raises(Undescribed, match=found):
        check({**headers, **change}, body)


def test_a_method_that_is_not_allowed_says_which_are(client):
    answer = client.put("/v1/games")
    headers = {name: value for name, value in answer.headers if name != "Allow"}
    with pytest.raises(Undescribed, match="allow"):
        check(headers, answer.get_json(), 405, "PUT")


def test_the_client_of_the_tests_checks(client, app, monkeypatch):
    monkeypatch.setitem(app.view_functions, "operations.healthz", lambda: Response(b"{}", content_type=JSON))
    assert operations.routes.name == "operations"
    with pytest.raises(Undescribed, match="/healthz"):
        client.get("/healthz")


def test_the_client_of_real_servers_checks():
    def answer(request):
        return httpx.Response(200, headers={"Server": "kaijudge", "Content-Type": JSON}, content=b"{}")

    with httpx.Client(transport=httpx.MockTransport(answer), base_url="http://service") as http:
        with pytest.raises(Undescribed, match="/healthz"):
            http.get("/healthz")
        assert http.get("/static/any").status_code == 200
