"""The service as an operator runs it: gunicorn on a port of its own, its log in a file, stopped by a signal."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import orjson

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 30  # seconds


@dataclass
class Serving:
    """A running service."""

    url: str
    process: subprocess.Popen
    log: Path

    def lines(self) -> list[dict]:
        """What it has logged; every line must be JSON."""
        return [orjson.loads(line) for line in self.log.read_bytes().splitlines()]

    def stop(self) -> int:
        """Stop it by the signal an operator would use, and say how it ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(**settings: str) -> Iterator[Serving]:
    """A service with these variables in its environment; it must start, and end well."""
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "KAIJUDGE_WORKERS": "2", **settings}
    command = [sys.executable, "-m", "service.cli", "serve"]
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        running = Serving(f"http://127.0.0.1:{port}", process, log)
        try:
            wait_until_up(running)
            yield running
        finally:
            status = running.stop()
        assert status == 0, log.read_text()
        assert "Traceback" not in log.read_text(), log.read_text()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(running: Serving) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert running.process.poll() is None, running.log.read_text()
        try:
            httpx.get(running.url + "/healthz").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the service did not come up")
