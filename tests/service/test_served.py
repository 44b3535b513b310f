"""The service as it runs: gunicorn, real sockets, whole games, and everything a bad client may send."""

import json
import random
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

import engine
from service import serving
from tests.service.bodies import FLOATS, MALFORMED
from tests.service.servers import PATIENCE

LONGEST = 3000


def played(http, edition, rng):
    """The states of a game in which every answer is one of the offered actions."""
    players = [{"id": f"p{n}", "name": "Ann"} for n in range(rng.randint(2, 6))]
    body = {"edition": edition, "players": players, "seed": f"served {edition}"}
    told = http.post("/v1/games?include=legal_actions", json=body).raise_for_status().json()
    while told["state"]["outcome"] is None and told["state"]["version"] < LONGEST:
        yield told["state"]
        moves = [action for action in told["legal_actions"] if action["type"] != "concede"]
        request = {"state": told["state"], "action": rng.choice(moves)}
        answer = http.post("/v1/adjudicate?include=legal_actions", json=request)
        assert answer.status_code == 200, answer.text
        told = answer.json()
    yield told["state"]


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_whole_game_by_what_is_offered(http, edition):
    *_, last = played(http, edition, random.Random(edition))
    assert last["phase"] == "over"
    assert last["outcome"]["rulings"]
    again = http.post("/v1/adjudicate", json={"state": last, "action": {"type": "roll", "player": "p0"}})
    assert (again.status_code, again.json()["type"]) == (409, "/v1/problems/game-over")


def send(http, body, path="/v1/adjudicate"):
    answer = http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed(http, body):
    status, told = send(http, body)
    assert (status, told["type"]) == (400, "/v1/problems/malformed-json")


@pytest.mark.parametrize("body", FLOATS)
def test_floats(http, body):
    status, told = send(http, body)
    assert (status, told["type"]) == (422, "/v1/problems/schema-violation")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games",
        "/v1/adjudicate",
        "/v1/validate",
        "/v1/legal-actions",
        "/v1/view",
        "/v1/replay",
        "/v1/batch",
        "/v1/odds",
    ],
)
@pytest.mark.parametrize("body", [b"null", b"[]", b"0", b'""', b"{}", b"[" * 200 + b"]" * 200, b"1" + b"0" * 20])
def test_wrong_documents(http, path, body):
    status, told = send(http, body, path)
    assert (status, told["type"]) == (422, "/v1/problems/schema-violation")


@pytest.mark.parametrize("field", ["marks", "stack", "extra_turns", "draws"])
@pytest.mark.parametrize("value", [None, -1, 2**63, "x", [[[]]], {"a": {}}, True, [["x", {}]], {"peeked": []}])
def test_a_spoilt_resume(http, field, value):
    state = http.post("/v1/games", json={"players": [{"id": "a"}, {"id": "b"}]}).json()["state"]
    state["resume"][field] = value
    answer = http.post("/v1/legal-actions", json={"state": state})
    assert answer.status_code == 422, answer.text


def test_too_large_by_its_length(http):
    status, told = send(http, b" " * (1024 * 1024 + 1))
    assert (status, told["type"], told["limit"]) == (413, "/v1/problems/too-large", 1024 * 1024)


@pytest.mark.parametrize("pieces", [17, 60])
def test_too_large_in_chunks(http, pieces):
    status, told = send(http, (b" " * 65536 for _ in range(pieces)))
    assert (status, told["type"], told["limit"]) == (413, "/v1/problems/too-large", 1024 * 1024)


def test_as_large_as_may_be(http):
    for body in (b" " * 1024 * 1024, (b" " * 65536 for _ in range(16))):
        assert send(http, body)[0] == 400


def test_a_body_in_chunks(http):
    answer = http.post(
        "/v1/games", content=iter([b'{"players": [{"id": "a"},', b' {"id": "b"}]}']),
        headers={"Content-Type": "application/json"},
    )  # fmt: skip
    assert answer.status_code == 201


def raw(served, request):
    """What a client gets that speaks HTTP badly."""
    address = urlsplit(served)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


HEAD = b"POST /v1/adjudicate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        HEAD + b"Content-Length: 100\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: snail\r\n\r\n{}",
        HEAD + b"X: " + b"x" * 10_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
def test_broken_requests_get_a_problem_too(served, request_bytes):
    head, _, body = raw(served, request_bytes).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 "), head
    assert b"Content-Type: application/problem+json" in head
    assert json.loads(body)["type"] in ("/v1/problems/bad-parameter", "/v1/problems/malformed-json")


def test_a_body_that_never_comes_is_too_large_all_the_same(served):
    """It is given up on after a while, not waited for: a few such clients would take every thread."""
    address = urlsplit(served)
    with socket.create_connection((address.hostname, address.port), timeout=3 * serving.SILENCE) as connection:
        connection.sendall(HEAD + b"Content-Length: 99999999\r\n\r\n{}")
        told = b""
        while not told.endswith(b"}"):
            told += connection.recv(65536)
    head, _, body = told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 "), head
    assert json.loads(body)["limit"] == 1024 * 1024


def test_a_connection_that_falls_silent_is_given_up(monkeypatch):
    monkeypatch.setattr(serving, "SILENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving.limit_silence([listener])
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            accepted.setblocking(True)
            with pytest.raises(BlockingIOError):
                accepted.recv(1)


def test_both_workers_answer_alike(served, http):
    state = http.post("/v1/games", json={"players": [{"id": "a"}, {"id": "b"}], "seed": "s"}).json()["state"]
    request = {"state": state, "action": state["decision"]["default"]}
    answers = [http.post("/v1/adjudicate", json=request, headers={"Connection": "close"}).json() for _ in range(12)]
    assert len({answer["state"]["state_id"] for answer in answers}) == 1
    assert len({answer["decision_id"] for answer in answers}) == 12


def test_a_taken_port_is_noticed(served):
    environment = {"PORT": str(urlsplit(served).port), "PATH": ""}
    second = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve"], env=environment, capture_output=True, text=True, timeout=30
    )
    assert second.returncode == 2
    assert "Cannot serve" in second.stderr
