"""How the service is run: gunicorn's settings as gunicorn reads them, a stop that waits, and the files in deploy/."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
import yaml

from service.config import Config, cores
from tests.service.servers import PATIENCE, ROOT, RedisServer, serving

DEPLOY = ROOT / "deploy"
GAME = orjson.dumps({"players": [{"id": "a"}, {"id": "b"}]})
HEAD = (
    "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
    "Expect: 100-continue\r\n\r\n"
)


# gunicorn


READ = """
import json, sys
from gunicorn.app.wsgiapp import WSGIApplication
sys.argv = ["gunicorn", "--config", "deploy/gunicorn.conf.py", "service.app:create_app()"]
settings = WSGIApplication().cfg.settings
print(json.dumps({name: str(setting.get()) for name, setting in settings.items()}))
"""


def settings(**variables):
    """gunicorn's settings as it reads them itself, in a process of its own."""
    environment = {"PATH": os.environ["PATH"], **variables}
    told = subprocess.run([sys.executable, "-c", READ], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return orjson.loads(told.stdout)


def test_the_settings_hold():
    read = settings(KAIJUDGE_GRACE="7")
    expected = {
        "worker_class": "gthread", "workers": str(cores()), "threads": "4", "reuse_port": "True",
        "preload_app": "True", "keepalive": "65", "graceful_timeout": "7", "control_socket_disable": "True",
        "accesslog": "None", "loglevel": "info", "bind": "['127.0.0.1:8000']", "max_requests": "0",
    }  # fmt: skip
    assert {name: read[name] for name in expected} == expected
    assert read["worker_tmp_dir"] == ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "None")
    assert "GunicornLog" in read["logger_class"]


def test_settings_from_the_environment():
    read = settings(HOST="::1", PORT="81", KAIJUDGE_WORKERS="3", KAIJUDGE_THREADS="9", KAIJUDGE_LOG="off")
    told = read["bind"], read["workers"], read["threads"], read["loglevel"]
    assert told == ("['[::1]:81']", "3", "9", "critical")


def test_a_running_request_is_finished_before_the_end():
    """A worker asks for the body of its request, the master is told to stop, the body follows: it is answered."""
    with serving(REDIS_URL="none") as (url, process):
        address = urlsplit(url)
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
            connection.sendall(HEAD.format(len(GAME)).encode())
            assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")
            process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert process.poll() is None
            connection.sendall(GAME)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert b'"state"' in answer
        assert process.wait(PATIENCE) == 0


# Containers


@pytest.fixture(scope="module")
def dockerfile():
    return (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")


def test_the_image_runs_as_an_ordinary_user(dockerfile):
    stages = dockerfile.split("\nFROM ")
    assert len(stages) == 4
    assert re.search(r"^USER [1-9]\d*$", stages[-1], re.MULTILINE)
    assert all("--require-hashes" in stage for stage in stages[1:3])
    assert '"service.cli", "serve"' in stages[-1]


def test_what_the_image_copies_is_there_and_let_through(dockerfile):
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for name in copied(dockerfile):
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored


def copied(dockerfile):
    """The names of what the image takes from the repository."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    return [name for line in lines for name in line.split()]


def test_no_registry_is_named(dockerfile):
    """A name with a dot or a port before its first slash would be a host."""
    images = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    images += [each["image"] for each in compose()["services"].values()]
    assert not [image for image in images if re.match(r"[^/]*[.:][^/]*/", image)]


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


@pytest.mark.parametrize("name", ["kaijudge", "redis"])
def test_containers_can_write_nothing_but_memory(name):
    service = compose()["services"][name]
    assert service["read_only"] is True
    assert service["tmpfs"]
    assert service["cap_drop"] == ["ALL"]
    assert "volumes" not in service


def test_compose_listens_where_the_service_does_by_default():
    (port,) = compose()["services"]["kaijudge"]["ports"]
    assert port == f"${{HOST:-{Config().host}}}:${{PORT:-{Config().port}}}:8000"


def test_compose_waits_long_enough_to_stop():
    seconds = int(compose()["services"]["kaijudge"]["stop_grace_period"].rstrip("s"))
    assert seconds > Config().grace


def test_every_setting_of_the_files_is_known():
    told = (ROOT / "service" / "config.py").read_text()
    text = "".join(path.read_text() for path in DEPLOY.iterdir() if path.is_file())
    assert set(re.findall(r"KAIJUDGE_[A-Z_]+", text)) <= set(re.findall(r"KAIJUDGE_[A-Z_]+", told))


def test_what_the_image_copies_is_enough_to_serve(tmp_path, dockerfile):
    for name in copied(dockerfile):
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, target)
    check = [sys.executable, "-m", "gunicorn", "--check-config", "--config", "deploy/gunicorn.conf.py"]
    environment = {"PATH": os.environ["PATH"], "REDIS_URL": "none"}
    command = [*check, "service.app:create_app()"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# granian


def test_the_other_server_plays_and_counts_and_stops(tmp_path):
    command = [sys.executable, str(DEPLOY / "with_granian.py")]
    with RedisServer(tmp_path) as redis, serving(command, REDIS_URL=redis.url) as (url, _), httpx.Client() as client:
        state = client.post(f"{url}/v1/games", json=orjson.loads(GAME)).json()["state"]
        action = {"type": "roll", "player": state["turn"]["player"]}
        for _ in range(8):  # of both workers
            assert client.post(f"{url}/v1/adjudicate", json={"state": state, "action": action}).status_code == 200
        told = client.get(f"{url}/metrics").text
        assert 'kaijudge_adjudications_total{action="roll",outcome="accepted"} 8.0' in told
        assert client.get(f"{url}/v1/states/{state['state_id']}").status_code == 200


def test_the_other_server_has_one_port():
    command = [sys.executable, str(DEPLOY / "with_granian.py")]
    told = subprocess.run(
        command, env={**os.environ, "KAIJUDGE_OPERATIONS_BIND": "127.0.0.1:9"}, capture_output=True, text=True
    )
    assert told.returncode == 1
    assert "KAIJUDGE_OPERATIONS_BIND needs gunicorn" in told.stderr
