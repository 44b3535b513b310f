"""The service in two forms: inside this process, and as a real gunicorn on a port of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import orjson
import pytest

from service.app import create_app
from service.config import Config

ROOT = Path(__file__).resolve().parents[2]


class Referee:
    """What a client does, in a word each."""

    def __init__(self, client):
        self.client = client

    def post(self, path, document, **options):
        return self.client.post(path, data=orjson.dumps(document), content_type="application/json", **options)

    def new_game(self, query="", **asked):
        asked.setdefault("players", [{"id": "a"}, {"id": "b"}])
        asked.setdefault("seed", "a seed")
        answer = self.post("/v1/games" + query, asked)
        assert answer.status_code == 201, answer.get_json()
        return answer.get_json()

    def adjudicate(self, state, action, query=""):
        return self.post("/v1/adjudicate" + query, {"state": state, "action": action})

    def legal(self, state):
        return self.post("/v1/legal-actions", {"state": state}).get_json()["actions"]


@pytest.fixture
def app():
    return create_app(Config())


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def referee(client):
    return Referee(client)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(process, url):
    for _ in range(200):
        assert process.poll() is None, process.stdout.read().decode()
        try:
            return httpx.get(url + "/healthz").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("the service did not come up")


@pytest.fixture(scope="session")
def served():
    """The address of a real service, stopped by the signal an operator would use."""
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "KAIJUDGE_WORKERS": "2"}
    command = [sys.executable, "-m", "service.cli", "serve"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            wait_until_up(process, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            log = process.communicate()[0].decode()
    assert process.returncode == 0, log
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def http(served):
    with httpx.Client(base_url=served, timeout=10) as connection:
        yield connection
