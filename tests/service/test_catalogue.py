"""Editions, rulings, and what operators ask."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import engine
from service import __version__, config
from service.config import BadSetting, Config
from service.headers import PAGE_POLICY


def test_editions(client):
    told = client.get("/v1/editions").get_json()
    assert told["default"] == "cs-2016"
    assert [each["id"] for each in told["editions"]] == [*engine.EDITIONS]


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_an_edition_gives_reasons(client, edition):
    told = client.get(f"/v1/editions/{edition}").get_json()
    assert {each["name"] for each in told["switches"]} == set(engine.EDITIONS[edition].because)
    for each in told["switches"]:
        assert set(each) == {"name", "value", "basis", "ruling", "why"}
        assert each["basis"] in ("rulebook", "cards", "judgement")
        assert client.get(f"/v1/rulings/{each['ruling']}").status_code == 200


def test_rulings(client):
    told = client.get("/v1/rulings").get_json()["rulings"]
    assert len(told) > 300
    assert all({"id", "title", "text", "editions"} <= set(each) for each in told)


def test_rulings_of_an_edition(client):
    told = client.get("/v1/rulings?edition=pl").get_json()["rulings"]
    assert all(set(each["editions"]) == {"pl"} for each in told)
    assert "G-01" not in {each["id"] for each in told}


def test_a_ruling(client):
    told = client.get("/v1/rulings/BAY-1").get_json()
    assert told["id"] == "BAY-1"
    assert set(told["editions"]) == set(engine.EDITIONS)
    assert set(client.get("/v1/rulings/BAY-1?edition=hu-2014").get_json()["editions"]) == {"hu-2014"}


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/healthz?probe=kubernetes"])
def test_health(client, path):
    assert client.get(path).get_json()["status"] == "ok"
    assert client.head(path).status_code == 200


def test_version(client):
    told = client.get("/version").get_json()
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert told["version"] == project["version"] == __version__
    assert told["schema"] == "kaijudge/1"


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


PROGRAMS = [None, "*/*", "application/json", "text/html;q=0.5, application/json", "*/*, text/html;q=0.1"]


@pytest.mark.parametrize("accept", PROGRAMS)
def test_home_lists_the_paths(client, accept):
    answer = client.get("/", headers={} if accept is None else {"Accept": accept})
    assert "/v1/adjudicate" in answer.get_json()["paths"]
    assert "Accept" in answer.vary


@pytest.mark.parametrize("accept", [BROWSER, "text/html", "application/json;q=0.1, text/html"])
def test_home_is_a_page_for_browsers(client, accept):
    answer = client.get("/", headers={"Accept": accept})
    assert answer.mimetype == "text/html"
    assert b"static/playground/main.js" in answer.data
    assert {"Accept", "Accept-Encoding"} <= {*answer.vary}
    assert answer.headers["Content-Security-Policy"] == PAGE_POLICY
    again = client.get("/", headers={"Accept": accept, "If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Accept" in again.vary


def test_home_is_nothing_else(client):
    answer = client.get("/", headers={"Accept": "image/png"})
    assert answer.status_code == 406
    assert answer.get_json()["available"] == ["application/json", "text/html"]


def test_settings_come_from_the_environment():
    config = Config.from_environment({"PORT": "9000", "KAIJUDGE_BODY_LIMIT": "5", "KAIJUDGE_WORKERS": "3", "HOST": ""})
    assert (config.host, config.port, config.body_limit, config.workers) == ("127.0.0.1", 9000, 5, 3)
    assert Config().workers >= 1


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5", "٣"])
def test_a_bad_setting_is_named(value):
    with pytest.raises(BadSetting, match="KAIJUDGE_THREADS"):
        Config.from_environment({"KAIJUDGE_THREADS": value})


def test_the_settings_are_in_the_readme():
    """The table of README.md is that of service/config.py, and has every setting."""
    told = (config.__doc__ or "").splitlines()
    rows = [line for line in told if line.startswith("|")]
    assert "\n".join(rows) in (Path(__file__).parents[2] / "README.md").read_text()
    assert all(f"`{config.variable(each.name)}`" in "\n".join(rows) for each in fields(Config))
