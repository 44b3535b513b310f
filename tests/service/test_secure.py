"""What is safe without being asked for, as a real server says it: headers, ports, keys that reach no log."""

import json
import re
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx
import pytest

from service import apikeys
from service.app import create_app
from service.config import MEMORY, BadSetting, Config
from tests.service.servers import ROOT, free_port, serving
from tests.service.test_refusals import problem
from tests.service.test_served import raw

KEY = apikeys.new_key()
GAME = {"players": [{"id": "a"}, {"id": "b"}]}
INSIDE = "127.0.0.1:9100"


class Guarded:
    """A service with keys, a limit, and a port for those who run it."""

    def __init__(self, url, operations, process):
        self.url = url
        self.operations = operations
        self.process = process


@pytest.fixture(scope="module")
def guarded():
    operations = f"127.0.0.1:{free_port()}"
    settings = {"KAIJUDGE_API_KEYS": apikeys.write_entry("shop", KEY) + ":1000/hour", "KAIJUDGE_LOG": "debug"}
    with serving(**settings, KAIJUDGE_OPERATIONS_BIND=operations) as (url, process):
        yield Guarded(url, f"http://{operations}", process)
        assert KEY not in process.log.read_text()
        assert '"caller":"shop"' in process.log.read_text()


@pytest.fixture
def public(guarded):
    with httpx.Client(base_url=guarded.url, timeout=10) as connection:
        yield connection


@pytest.fixture
def operations(guarded):
    """Asks at the operators' port, which is not the one that openapi.yaml describes."""

    def ask(path, method="GET", **headers):
        address = urlsplit(guarded.operations)
        with closing(HTTPConnection(address.hostname, address.port, timeout=10)) as connection:
            connection.request(method, path, headers={**sent(), **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    return ask


def sent():
    return {"Authorization": f"Bearer {KEY}"}


# Headers


def answers(http):
    """An answer of every sort: pages, files, data, games, refusals."""
    made = http.post("/v1/games", json=GAME, headers=sent())
    state = made.json()["state"]
    move = {"state": state, "action": state["decision"]["default"]}
    return {
        "a game": made,
        "a move": http.post("/v1/adjudicate", json=move, headers=sent()),
        "a kept state": http.get(made.headers["Location"], headers=sent()),
        "a view": http.post("/v1/view", json={"state": state}, headers=sent()),
        "data": http.get("/v1/cards", headers=sent()),
        "no key": http.get("/v1/cards"),
        "no path": http.get("/nowhere", headers=sent()),
        "no JSON": http.post("/v1/games", content=b"{", headers=sent()),
        "a page": http.get("/docs"),
        "a file": http.get("/static/docs.js"),
        "the description": http.get("/openapi.yaml"),
        "health": http.get("/healthz"),
    }


def test_the_headers_of_every_answer(public):
    for name, answer in answers(public).items():
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["Referrer-Policy"] == "no-referrer", name
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", name
        assert headers.get_list("Server") == ["kaijudge"], name
        assert "X-Powered-By" not in headers, name
        assert "Strict-Transport-Security" not in headers, name  # for the proxy to say, which speaks TLS
        assert "Set-Cookie" not in headers, name
        (policy,) = headers.get_list("Content-Security-Policy")
        assert policy.startswith("default-src 'none';"), name
        assert "unsafe" not in policy, name
        assert len(headers.get_list("Cache-Control")) == 1, name


def test_a_page_loads_only_from_here(public):
    told = answers(public)
    assert told["a page"].headers["Content-Type"].startswith("text/html")
    assert "script-src 'self'" in told["a page"].headers["Content-Security-Policy"]
    data = {name: answer for name, answer in told.items() if name != "a page"}
    assert {answer.headers["Content-Security-Policy"] for answer in data.values()} == {
        "default-src 'none'; frame-ancestors 'none'"
    }


def test_nobody_keeps_what_is_a_players_own(public):
    told = answers(public)
    for name in ("a game", "a move", "a view", "no key", "no path", "no JSON", "health"):
        assert told[name].headers["Cache-Control"] == "no-store", name
    assert told["a kept state"].headers["Cache-Control"].startswith("private")


def test_a_broken_request_is_answered_as_safely(guarded):
    head = raw(guarded.url, b"nonsense\r\n\r\n").partition(b"\r\n\r\n")[0].decode()
    assert "X-Content-Type-Options: nosniff" in head
    assert "Cache-Control: no-store" in head
    assert not re.search("gunicorn|python", head, re.IGNORECASE)


def test_a_refused_body_does_not_become_the_next_request(guarded):
    """What came with a request that was not let in is read past, not taken for a request of its own."""
    hidden = b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
    head = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    after = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    told = raw(guarded.url, head % len(hidden) + hidden + after)
    assert re.findall(rb"HTTP/1\.1 (\d+)", told) == [b"401", b"200"]
    assert b"editions" not in told


# Keys and limits, as they are served


def test_keys_and_limits_are_served(public):
    assert public.get("/v1/editions", headers=sent()).headers["RateLimit-Limit"] == "1000"
    assert public.get("/v1/editions").status_code == 401
    assert public.get("/v1/editions", headers={"Authorization": f"Bearer {KEY}x"}).status_code == 401


# The operators' port


def test_metrics_are_at_the_operators_port_alone(guarded, public, operations):
    status, told = operations("/metrics", Authorization="")
    assert status == 200
    assert "kaijudge_request_seconds_count" in told
    for headers in ({}, sent(), {"Host": urlsplit(guarded.operations).netloc}):
        assert public.get("/metrics", headers=headers).status_code == 404


def test_health_is_at_both(public, operations):
    for path in ("/healthz", "/readyz"):
        assert public.get(path).status_code == operations(path)[0] == 200


@pytest.mark.parametrize("path", ["/", "/docs", "/version", "/v1/editions", "/v1/games", "/nowhere"])
def test_nothing_else_is_at_the_operators_port(operations, path):
    for method in ("GET", "POST"):
        status, told = operations(path, method)
        assert (status, json.loads(told)["type"]) == (404, "/v1/problems/not-found")


def test_every_worker_has_both_ports(guarded):
    for url in (guarded.url, guarded.operations):
        for _ in range(12):
            assert httpx.get(url + "/healthz", headers={"Connection": "close"}).status_code == 200


def test_a_taken_operators_port_is_noticed(guarded):
    taken = urlsplit(guarded.operations).netloc
    environment = {"PORT": str(free_port()), "PATH": "", "KAIJUDGE_OPERATIONS_BIND": taken}
    command = [sys.executable, "-m", "service.cli", "serve"]
    second = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30)
    assert (second.returncode, "Cannot serve" in second.stderr) == (2, True)


def test_without_an_operators_port_metrics_need_a_key(client):
    assert client.get("/metrics").status_code == 200
    keyed = create_app(Config(redis_url=MEMORY, api_keys=apikeys.write_entry("shop", KEY))).test_client()
    problem(keyed.get("/metrics"), "unauthenticated")
    assert keyed.get("/metrics", headers=sent()).status_code == 200


def test_ports_are_told_by_the_socket():
    client = create_app(Config(redis_url=MEMORY, operations_bind=INSIDE)).test_client()
    inside, outside = {"SERVER_PORT": "9100"}, {"SERVER_PORT": "8000"}
    told = {"Host": INSIDE, "X-Forwarded-Host": INSIDE, "X-Forwarded-Port": "9100"}
    problem(client.get("/metrics", environ_overrides=outside, headers=told), "not-found")
    assert client.get("/metrics", environ_overrides=inside, headers={"Host": "x:8000"}).status_code == 200


@pytest.mark.parametrize(
    "told", ["9100", ":9100", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:x", "127.0.0.1:99999", "::1:9100", "10.0.0.1:8000"]
)
def test_what_is_no_port(told):
    with pytest.raises(BadSetting, match="KAIJUDGE_OPERATIONS_BIND"):
        Config.from_environment({"KAIJUDGE_OPERATIONS_BIND": told})


@pytest.mark.parametrize("told", [INSIDE, "[::1]:9100", "0.0.0.0:9100", "operations.example:1"])
def test_what_is_a_port(told):
    assert Config.from_environment({"KAIJUDGE_OPERATIONS_BIND": told}).operations_bind == told


# SECURITY.md


def test_the_security_page_names_settings_that_exist():
    told = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    known = (ROOT / "service" / "config.py").read_text(encoding="utf-8")
    named = set(re.findall(r"KAIJUDGE_[A-Z_]+", told))
    assert {"KAIJUDGE_API_KEYS", "KAIJUDGE_RATE_LIMIT", "KAIJUDGE_OPERATIONS_BIND", "KAIJUDGE_KEYS"} <= named
    assert named <= set(re.findall(r"KAIJUDGE_[A-Z_]+", known))
