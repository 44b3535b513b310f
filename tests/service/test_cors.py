"""Pages of other sites: by default they may not ask; the settings say which may."""

import pytest

from service import headers
from service.app import create_app
from service.config import BadSetting, Config

ORIGIN = {"Origin": "https://game.example"}
PREFLIGHT = {**ORIGIN, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
# What any page may read of an answer that was let through, and what it need not.
ALWAYS = {"Content-Type", "Content-Length", "Content-Language", "Cache-Control", "Expires", "Last-Modified", "Pragma"}
UNSEEN = {
    "Date", "Vary", "X-Content-Type-Options", "Referrer-Policy", "Content-Security-Policy",
    "Cross-Origin-Resource-Policy",
}  # fmt: skip


def client_for(origins):
    return create_app(Config(cors_origins=origins, redis_url="memory://")).test_client()


def cors(answer):
    return {name for name, _ in answer.headers if name.startswith("Access-Control-")}


def test_off_by_default(client):
    for answer in (client.get("/v1/editions", headers=ORIGIN), client.options("/v1/games", headers=PREFLIGHT)):
        assert not cors(answer)
        assert "Origin" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize("origins", ["https://game.example", "https://a.example:8443, https://game.example"])
def test_an_allowed_origin(origins):
    answer = client_for(origins).get("/v1/editions", headers=ORIGIN)
    assert answer.headers["Access-Control-Allow-Origin"] == "https://game.example"
    assert "Origin" in ", ".join(answer.headers.getlist("Vary"))
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_any_origin():
    answer = client_for("*").get("/v1/editions", headers=ORIGIN)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Origin" not in ", ".join(answer.headers.getlist("Vary"))


@pytest.mark.parametrize("origin", ["https://evil.example", "http://game.example", "https://game.example.evil", "null"])
def test_another_origin(origin):
    client = client_for("https://game.example")
    for answer in (
        client.get("/v1/editions", headers={"Origin": origin}),
        client.options("/v1/games", headers={**PREFLIGHT, "Origin": origin}),
    ):
        assert not cors(answer)
        assert "Origin" in ", ".join(answer.headers.getlist("Vary"))


def test_a_refusal_can_be_read_too():
    answer = client_for("*").get("/nowhere", headers=ORIGIN)
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (404, "*")


def test_preflight():
    answer = client_for("https://game.example").options("/v1/games", headers=PREFLIGHT)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "https://game.example"
    assert "POST" in answer.headers["Access-Control-Allow-Methods"].split(", ")
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Content-Type", "Content-Encoding", "Idempotency-Key", "Prefer"} <= set(allowed)
    assert answer.headers["Access-Control-Max-Age"] == "86400"


def test_preflight_of_nothing():
    assert client_for("*").options("/nowhere", headers=PREFLIGHT).status_code == 404


def test_options_alone_is_no_preflight():
    answer = client_for("*").options("/v1/games", headers=ORIGIN)
    assert "Access-Control-Allow-Methods" not in answer.headers
    assert "POST" in answer.headers["Allow"]


def test_every_header_of_ours_can_be_read():
    client = client_for("*")
    told = {**ORIGIN, "Prefer": "server-timing", "Accept-Encoding": "gzip", "Idempotency-Key": "k"}
    made = client.post("/v1/games", json={"players": [{"id": "a"}, {"id": "b"}]}, headers=told)
    answers = [
        made,
        client.get(made.headers["Location"], headers=told),
        client.get("/v1/adjudicate", headers=told),
        client.post("/v1/games", data=b"", headers=told),
        client.post("/v1/games", json={}, headers={**ORIGIN, "Content-Encoding": "br"}),
        client.get("/docs", headers=told),
    ]
    sent = {name for answer in answers for name, _ in answer.headers} - cors(made) - ALWAYS - UNSEEN
    exposed = made.headers["Access-Control-Expose-Headers"].split(", ")
    assert sent <= set(exposed)
    assert exposed == [*headers.READ]


@pytest.mark.parametrize("origins", ["game.example", "https://game.example/", "https://*.example", "null", "* *"])
def test_what_is_no_origin(origins):
    with pytest.raises(BadSetting, match="KAIJUDGE_CORS_ORIGINS"):
        Config.from_environment({"KAIJUDGE_CORS_ORIGINS": origins})
