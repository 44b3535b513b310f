"""Servers of the tests' own: the service under gunicorn, and Redis on a socket nobody else knows."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
SERVE = (sys.executable, "-m", "service.cli", "serve")


PATIENCE = 60  # seconds: what comes at all comes much sooner, but for a machine that has a lot else to do


def eventually(check, seconds=PATIENCE):
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if check():
            return True
        time.sleep(0.02)
    return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(process, url):
    def answers():
        assert process.poll() is None, process.log.read_text()
        try:
            with urlopen(url + "/healthz", timeout=PATIENCE):  # httpx would load all certificates at every try
                return True
        except OSError:
            return False

    assert eventually(answers), "the service did not come up"


class Service(subprocess.Popen):
    """The process of a service, and where its log is."""

    log = Path(os.devnull)


@contextmanager
def serving(command=SERVE, **settings):
    """A real service: its address and its process, with its log. Stopped by the signal an operator would use.

    The log goes to a file: a pipe that nobody reads is full after some hundred requests, and the service waits.
    """
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "KAIJUDGE_WORKERS": "2", "REDIS_URL": "", **settings}
    with (
        NamedTemporaryFile() as file,
        Service(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT) as process,
    ):
        process.log = Path(file.name)
        try:
            wait_until_up(process, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait()
            log = process.log.read_text()
    assert process.returncode == 0, log
    assert "Traceback" not in log, log


class RedisServer:
    """A Redis server that can be killed, frozen and started again."""

    def __init__(self, folder, *settings, program="redis-server"):
        short = Path("/tmp") / f"kj-{os.getpid()}-{time.monotonic_ns()}"  # a socket's path must be short
        short.mkdir(mode=0o700)
        self.folder = short
        self.socket = str(short / "r.sock")
        self.url = f"unix://{self.socket}"
        self.command = [
            program, "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no",
            "--dir", str(folder), "--logfile", str(folder / "redis.log"), *settings,
        ]  # fmt: skip
        self.process: Any = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder)

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        assert eventually(self.answers)

    def answers(self):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(0.2)
            return probe.connect_ex(self.socket) == 0

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


def on_port(folder, port, *settings):
    """A Redis server that listens on a port, too."""
    return RedisServer(folder, "--port", str(port), "--bind", "127.0.0.1", *settings)


def ask(port, *words):
    """What the Redis server on a port says to a command."""
    command = ["redis-cli", "-p", str(port), *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@contextmanager
def clustered(folder):
    """A Redis Cluster of one node, which has every slot: the node and the address of the cluster."""
    port = free_port()
    bus = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with on_port(folder, port, *bus) as server:
        ask(port, "cluster", "addslotsrange", 0, 16383)
        assert eventually(lambda: "cluster_state:ok" in ask(port, "cluster", "info"))
        yield server, f"redis+cluster://127.0.0.1:{port}"
