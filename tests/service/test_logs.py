"""The log: a line of JSON a request, and never a name, an id, a body or a key in it."""

import logging

import httpx
import orjson
import pytest

import engine
from service import logs
from service.app import create_app
from service.config import BadSetting, Config
from tests.service.servers import eventually, serving
from tests.service.test_served import raw

NAME = "Ann Secret"
GAME = {"players": [{"id": "annsecret", "name": NAME}, {"id": "b"}]}
FIELDS = {
    "time", "level", "logger", "message", "decision_id", "method", "route", "status", "duration_ms", "bytes_in",
    "bytes_out", "action", "problem", "code", "caller",
}  # fmt: skip


@pytest.fixture
def logged(capsys):
    """Ask for a level first; then for the lines logged since."""
    handlers, level, propagate = logs.log.handlers[:], logs.log.level, logs.log.propagate

    def lines(wanted=None):
        if wanted is not None:
            logs.configure(wanted)
        return [orjson.loads(line) for line in capsys.readouterr().err.splitlines()]

    yield lines
    logs.log.handlers[:], logs.log.propagate = handlers, propagate
    logs.log.setLevel(level)


def test_a_line_a_request(referee, logged):
    logged("info")
    state = referee.new_game()["state"]
    told = referee.adjudicate(state, {"type": "roll", "player": state["decision"]["player"]})
    first, second = logged()
    assert set(first) == set(second) == FIELDS
    assert (first["level"], first["route"], first["status"], first["action"]) == ("info", "/v1/games", 201, None)
    assert second["decision_id"] == told.get_json()["decision_id"]
    assert (second["method"], second["route"], second["action"]) == ("POST", "/v1/adjudicate", "roll")
    assert second["bytes_out"] == len(told.data)
    assert second["bytes_in"] > 1000
    assert second["duration_ms"] > 0
    assert second["time"].endswith("Z")


def test_a_refusal_is_logged_with_its_code(referee, logged):
    logged("info")
    state = referee.new_game()["state"]
    told = referee.adjudicate(state, {"type": "end_turn", "player": "a"}).get_json()
    line = logged()[-1]
    assert (line["status"], line["problem"], line["code"]) == (422, "illegal-action", told["violations"][0]["code"])
    assert line["decision_id"] == told["decision_id"]


def test_an_unknown_path_is_not_quoted(client, logged):
    logged("info")
    client.get("/v1/annsecret")
    assert logged()[-1]["route"] == "none"


@pytest.mark.parametrize("level", ["warning", "error", "off"])
def test_the_level_can_be_set(client, logged, level):
    logged(level)
    client.get("/healthz")
    assert logged() == []


def test_a_fault_is_an_error(client, logged, monkeypatch):
    def fail(*_):
        raise KeyError(NAME)

    logged("error")
    monkeypatch.setattr(engine, "new_game", fail)
    client.post("/v1/games", json=GAME)
    fault, line = lines = logged()
    assert (line["level"], line["status"], line["problem"]) == ("error", 500, "internal-error")
    assert line["decision_id"] in fault["message"]
    assert "Secret" not in str(lines)


def test_an_exception_is_told_without_its_message():
    name = "Ann Secret"
    try:
        raise ValueError(name)
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", None, (ValueError, error, error.__traceback__))
    line = orjson.loads(logs.Json().format(record))
    assert line["error"] == "ValueError"
    assert "test_logs" in line["trace"][0]
    assert "Secret" not in str(line)


def test_bad_levels():
    with pytest.raises(BadSetting, match="KAIJUDGE_LOG"):
        Config.from_environment({"KAIJUDGE_LOG": "loud"})


def test_without_settings_a_library_is_silent(capsys):
    create_app(Config()).test_client().get("/healthz")
    assert capsys.readouterr() == ("", "")


def spoken(url):
    """Requests with names and keys in every place where a client could put them, good, bad and broken."""
    with httpx.Client(base_url=url, headers={"Authorization": "Bearer topsecret"}) as http:
        state = http.post("/v1/games", json=GAME).json()["state"]
        action = state["decision"]["default"]
        headers = {"Idempotency-Key": "keysecret"}
        assert http.post("/v1/adjudicate", json={"state": state, "action": action}, headers=headers).status_code == 200
        http.post("/v1/adjudicate", json={"state": state, "action": {**action, "player": "bobsecret"}})
        http.post("/v1/adjudicate", json={"state": {**state, "annsecret": 1}, "action": action})
        http.post("/v1/view", json={"state": state, "player": "annsecret"})
        http.post("/v1/games?annsecret=1", json=GAME)
        http.get("/v1/rulings/annsecret")
        http.get("/annsecret")
        http.post("/v1/games", content=b'{"name": "Ann Secret"')
    raw(url, b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nAnn Secret and annsecret\r\n\r\n")
    raw(url, b"GET /annsecret HTTP/1.1\r\nHost: x\r\nann(secret): 1\r\n\r\n")
    raw(url, b"POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: annsecret\r\n\r\n")


def test_names_never_reach_the_log():
    with serving(REDIS_URL="none", KAIJUDGE_LOG="debug") as (url, process):
        spoken(url)
        assert eventually(lambda: process.log.read_text().count("Invalid request") == 3), process.log.read_text()
        lines = [orjson.loads(line) for line in process.log.read_bytes().splitlines()]
        assert sum(line["logger"] == "kaijudge.request" for line in lines) >= 9
        assert "secret" not in process.log.read_text().lower()
