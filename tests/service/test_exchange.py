"""What is around every answer: its coding, its timing, and the headers that keep browsers safe."""

import gzip
import re
import zlib

import orjson
import pytest

from service import files
from service.app import create_app
from service.coding import LEAST, PIECE
from service.config import Config
from tests.service.test_refusals import problem
from tests.service.test_served import raw

GAME = {"players": [{"id": "a"}, {"id": "b"}], "seed": "s"}
GZIP = {"Content-Encoding": "gzip", "Content-Type": "application/json"}


def packed(client, body, **headers):
    return client.post("/v1/games", data=body, headers={**GZIP, **headers})


# Bodies in gzip


@pytest.mark.parametrize("coding", ["gzip", "GZIP", " x-gzip"])
def test_a_packed_body(client, coding):
    answer = packed(client, gzip.compress(orjson.dumps(GAME)), **{"Content-Encoding": coding})
    assert answer.status_code == 201
    assert answer.get_json()["state"] == client.post("/v1/games", json=GAME).get_json()["state"]


def test_a_packed_body_of_two_members(client):
    body = orjson.dumps(GAME)
    assert packed(client, gzip.compress(body[:20]) + gzip.compress(body[20:])).status_code == 201


def test_a_body_that_is_not_packed_may_say_so(client):
    assert packed(client, orjson.dumps(GAME), **{"Content-Encoding": "identity"}).status_code == 201


GOOD = gzip.compress(orjson.dumps(GAME))


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", GOOD[:-1], GOOD[:10], GOOD[:-5] + b"12345", GOOD + b"more", zlib.compress(b"{}")],
    ids=["nothing", "plain", "cut short", "a head", "a wrong sum", "more behind it", "zlib"],
)
def test_a_badly_packed_body(client, body):
    problem(packed(client, body), "malformed-json")


@pytest.mark.parametrize("coding", ["br", "deflate", "zstd", "gzip, gzip", "nonsense"])
def test_codings_that_are_not_read(client, coding):
    answer = packed(client, GOOD, **{"Content-Encoding": coding})
    assert problem(answer, "unsupported-media-type")["encodings"] == ["gzip"]
    assert answer.headers["Accept-Encoding"] == "gzip"


def bomb(size):
    """Blanks, packed a thousandfold."""
    return gzip.compress(b" " * size)


def test_a_bomb_is_too_large_and_is_never_unpacked(client, monkeypatch):
    unpacked = []
    real = zlib.decompressobj

    class Watched:
        def __init__(self, window):
            self.inner = real(window)

        def decompress(self, data, most):
            content = self.inner.decompress(data, most)
            unpacked.append(len(content))
            return content

    monkeypatch.setattr("service.coding.zlib.decompressobj", Watched)
    limit = Config().body_limit
    assert problem(packed(client, bomb(100 * limit)), "too-large")["limit"] == limit
    assert sum(unpacked) == limit + 1


def test_a_bomb_of_many_members(client):
    problem(packed(client, bomb(600_000) * 2), "too-large")


def test_a_body_of_very_many_members_is_read_once(client, monkeypatch):
    read = []
    real = zlib.decompressobj

    class Watched:
        def __init__(self, window):
            self.inner = real(window)

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def decompress(self, data, most):
            read.append(len(data))
            return self.inner.decompress(data, most)

    monkeypatch.setattr("service.coding.zlib.decompressobj", Watched)
    members = [gzip.compress(b"")] * 5000
    assert packed(client, b"".join([*members, GOOD])).status_code == 201
    assert max(read) <= PIECE


def test_as_large_as_may_be():
    client = create_app(Config(body_limit=1000)).test_client()
    problem(packed(client, bomb(1000)), "malformed-json")
    problem(packed(client, bomb(1001)), "too-large")


# Answers in gzip


def test_a_long_answer_is_packed_for_who_can_read_it(client):
    plain = client.get("/v1/editions/pl")
    answer = client.get("/v1/editions/pl", headers={"Accept-Encoding": "gzip, deflate"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == plain.data
    assert len(answer.data) == answer.content_length < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in answer.headers.getlist("Vary")
    assert "Accept-Encoding" in plain.headers.getlist("Vary")


@pytest.mark.parametrize("accepted", ["", "identity", "br, deflate", "gzip;q=0", "*;q=0", "nonsense"])
def test_who_cannot_read_it_gets_it_plain(client, accepted):
    answer = client.get("/v1/editions/pl", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert answer.get_json()["id"] == "pl"


@pytest.mark.parametrize("accepted", ["*", "br;q=1, GZIP;q=0.1"])
def test_ways_to_say_gzip(client, accepted):
    answer = client.get("/v1/editions/pl", headers={"Accept-Encoding": accepted})
    assert answer.headers["Content-Encoding"] == "gzip"


def test_a_short_answer_is_not_packed(client):
    answer = client.get("/healthz", headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < LEAST
    assert "Content-Encoding" not in answer.headers


def test_an_answer_with_a_tag_keeps_its_bytes(referee):
    state = referee.new_game()["state"]
    answer = referee.client.get(f"/v1/states/{state['state_id']}", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["ETag"] == f'"{state["state_id"]}"'
    assert "Content-Encoding" not in answer.headers


# Timing


def test_timing_on_request(referee):
    state = referee.new_game()["state"]
    body = {"state": state, "action": {"type": "roll", "player": "a"}}
    answer = referee.post("/v1/adjudicate", body, headers={"Prefer": "server-timing"})
    parts = dict(re.findall(r"(\w+);dur=(\d+\.\d+)", answer.headers["Server-Timing"]))
    assert set(parts) >= {"body", "rules", "total"}
    assert float(parts["total"]) >= float(parts["body"]) + float(parts["rules"])
    assert answer.headers["Preference-Applied"] == "server-timing"


@pytest.mark.parametrize("headers", [{}, {"Prefer": "return=minimal"}])
def test_no_timing_unless_asked(client, headers):
    assert "Server-Timing" not in client.get("/v1/editions", headers=headers).headers


def test_a_refusal_has_its_timing_too(client):
    answer = client.get("/nowhere", headers={"Prefer": "respond-async, server-timing"})
    assert answer.headers["Server-Timing"].startswith("total;dur=")


# Headers that keep browsers safe


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/editions", "/nowhere", "/metrics", "/openapi.yaml", "/docs"])
def test_every_answer_is_guarded(client, path):
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert len(headers.getlist("Content-Security-Policy")) == 1
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_the_server_does_not_say_what_it_is(served, http):
    assert http.get("/healthz").headers.get_list("Server") == ["kaijudge"]
    broken = raw(served, b"nonsense\r\n\r\n").partition(b"\r\n\r\n")[0]
    assert b"gunicorn" not in broken.lower()
    assert b"X-Content-Type-Options: nosniff" in broken


# Files


@pytest.mark.parametrize("path", ["/openapi.yaml", "/docs", "/static/docs.js", "/static/swagger-ui/swagger-ui.css"])
def test_files_are_tagged_and_packed(client, path):
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert plain.headers["ETag"] != packed.headers["ETag"]
    assert packed.headers["Vary"] == "Accept-Encoding"
    headers = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    again = client.get(path, headers=headers)
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    assert client.head(path).data == b""


def test_caching(client):
    assert client.get("/openapi.yaml").headers["Cache-Control"] == "no-cache"
    assert client.get("/static/docs.js").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", ["", "none.js", "../app.py", "%2e%2e/app.py", "swagger-ui/LICENSE", "swagger-ui/"])
def test_nothing_else_is_served(client, name):
    problem(client.get(f"/static/{name}"), "not-found")


def test_every_file_a_page_names_is_there(client):
    for page in files.STATIC.glob("*.html"):
        names = re.findall(r'(?:src|href)="(static/[^"]+)"', page.read_text())
        assert names
        assert all(client.get("/" + name).status_code == 200 for name in names)


@pytest.mark.parametrize("page", [*files.STATIC.glob("*.html")], ids=lambda page: page.name)
def test_pages_have_no_scripts_or_styles_inside(page):
    assert not re.search(r"<script>|<script [^>]*>\s*[^<\s]|<style| style=| on\w+=", page.read_text())


@pytest.mark.parametrize("module", [*files.STATIC.glob("playground/**/*.js")], ids=lambda module: module.name)
def test_the_playground_makes_text_of_what_it_is_told(module):
    text = module.read_text()
    assert not re.search(r"(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.style\b", text)
    for name in re.findall(r'from "(.+)"', text):
        assert (module.parent / name).resolve() in files.static().values()
