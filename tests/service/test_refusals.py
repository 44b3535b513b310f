"""Everything that is no success is a problem document."""

import logging
import re
from pathlib import Path

import pytest

import engine
from service import schemas
from service.app import create_app
from service.config import Config
from service.problems import PROBLEMS

GAME = {"players": [{"id": "a", "name": "Ann Secret"}, {"id": "b"}]}
JSON = {"content_type": "application/json"}


def problem(answer, slug):
    told = answer.get_json(force=True)
    assert answer.mimetype == "application/problem+json"
    assert told["type"] == f"/v1/problems/{slug}"
    assert answer.status_code == told["status"] == PROBLEMS[slug].status
    assert {"title", "detail", "instance", "decision_id"} <= set(told)
    return told


@pytest.mark.parametrize("path", ["/nothing", "/v1/", "/v1/games/", "//v1/games", "/v1/editions/xx", "/v1/rulings/G-0",
                                  "/v1/problems/none", "/v1/é%2F", "/v1/rulings/G-01?edition=pl"])  # fmt: skip
def test_not_found(client, path):
    problem(client.get(path), "not-found")


def test_method_not_allowed(client):
    answer = client.get("/v1/adjudicate")
    assert "POST" in problem(answer, "method-not-allowed")["allow"]
    assert "POST" in answer.headers["Allow"]
    problem(client.delete("/healthz"), "method-not-allowed")


@pytest.mark.parametrize("accept", ["text/html", "application/xml, image/*", "application/json;q=0", "nonsense"])
def test_not_acceptable(client, accept):
    answer = client.get("/v1/editions", headers={"Accept": accept})
    assert problem(answer, "not-acceptable")["available"] == ["application/json"]


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/json", "application/json; charset=utf-8", "Application/JSON;v=1;q=0.3", "application/*;q=0.1",
     "text/html,*/*;q=0.8", ""],
)  # fmt: skip
def test_acceptable(client, accept):
    assert client.get("/v1/editions", headers={"Accept": accept}).status_code == 200


def test_metrics_are_told_to_who_asks_for_just_their_media_type(client):
    kind = client.get("/metrics").headers["Content-Type"]
    assert client.get("/metrics", headers={"Accept": kind}).status_code == 200


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_unsupported_media_type(client, kind):
    answer = client.post("/v1/games", data=b"{}", content_type=kind)
    assert problem(answer, "unsupported-media-type")["accepted"] == ["application/json"]


def test_a_charset_does_no_harm(client):
    assert client.post("/v1/games", json=GAME, content_type="application/json; charset=utf-8").status_code == 201


def test_too_large():
    client = create_app(Config(body_limit=100)).test_client()
    assert problem(client.post("/v1/games", data=b" " * 101, **JSON), "too-large")["limit"] == 100
    problem(client.post("/v1/games", data=b" " * 100, **JSON), "malformed-json")


@pytest.mark.parametrize(
    ("path", "pointers"),
    {"adjudicate": ["/action", "/state", "/x"], "odds": ["/dice", "/state", "/x"], "view": ["/state", "/x"],
     "replay": ["/actions", "/game", "/x"]}.items(),
)  # fmt: skip
def test_all_that_a_body_lacks_is_told_at_once(client, path, pointers):
    errors = problem(client.post(f"/v1/{path}", json={"x": 1}), "schema-violation")["errors"]
    assert sorted(each["pointer"] for each in errors) == pointers


def test_malformed_json(client):
    assert "twice" in problem(client.post("/v1/games", data=b'{"a":1,"a":2}', **JSON), "malformed-json")["detail"]


@pytest.mark.parametrize("query", ["speed=1", "include=", "include=all", "include=patch,all", "include=patch,",
                                   "include=patch&include=patch", "%ff=1", "edition=pl"])  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/games", "/v1/adjudicate"])
def test_bad_parameters(client, path, query):
    problem(client.post(f"{path}?{query}", json=GAME), "bad-parameter")


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/legal-actions", "/v1/view"])
def test_parameters_where_there_are_none(client, path):
    assert problem(client.post(path + "?include=patch", json=GAME), "bad-parameter")["parameter"] == "include"


@pytest.mark.parametrize("path", ["/v1/editions?x=1", "/v1/editions/pl?x=1", "/v1/rulings?edition=xx",
                                  "/v1/rulings?a=1", "/v1/rulings/G-01?edition=xx",
                                  "/v1/problems/not-found?x"])  # fmt: skip
def test_bad_parameters_of_the_catalogue(client, path):
    problem(client.get(path), "bad-parameter")


def test_a_fault_tells_nothing(client, monkeypatch, caplog):
    def fail(request, seed):
        raise KeyError(request["players"][0]["name"])

    monkeypatch.setattr(engine, "new_game", fail)
    with caplog.at_level(logging.ERROR, "kaijudge"):
        answer = client.post("/v1/games", json=GAME)
    told = problem(answer, "internal-error")
    assert "Secret" not in answer.get_data(as_text=True)
    assert "KeyError" not in answer.get_data(as_text=True)
    assert told["decision_id"] in caplog.text
    assert "in fail" in caplog.text
    assert "Secret" not in caplog.text


def test_every_type_of_problem_is_explained(client):
    for slug, kind in PROBLEMS.items():
        told = client.get(f"/v1/problems/{slug}").get_json()
        assert told == {"type": f"/v1/problems/{slug}", **kind._asdict()}


def test_every_refusal_in_the_code_is_in_the_table():
    pattern = re.compile(r"""(?:Refusal|refuse_document|unavailable)\(\s*"([a-z-]+)\"""")
    source = "".join(path.read_text() for path in Path(schemas.__file__).parent.rglob("*.py"))
    assert pattern.findall(source)
    assert set(pattern.findall(source)) <= set(PROBLEMS)
