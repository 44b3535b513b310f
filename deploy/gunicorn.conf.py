"""gunicorn's settings; service/config.py says which variables of the environment they come from.

Threads, for a request that waits (for Redis, for a slow client) must not hold up a core; SO_REUSEPORT, or keep-alive
connections may all end up with one worker; everything is loaded before the fork, so that workers share its memory.
"""

import gc
import os
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
sys.path.insert(0, ROOT)

from service import cells, compiled  # noqa: E402 - the path comes first
from service.config import Config  # noqa: E402

cells.share()
_config = Config.from_environment()
if _config.engine != "python":
    compiled.use()

# metrics look for their directory when imported, and some of these import the engine
from service import callers, logs, metrics, serving, waiting  # noqa: E402

serving.install()
logs.configure(_config.log)

chdir = ROOT
_public = f"[{_config.host}]:{_config.port}" if ":" in _config.host else f"{_config.host}:{_config.port}"
bind = [_public, _config.operations_bind] if _config.operations_bind else [_public]
worker_class = "gthread"
workers = _config.workers
threads = _config.threads
reuse_port = True
preload_app = True
keepalive = _config.keepalive
graceful_timeout = _config.grace
worker_tmp_dir = cells.MEMORY if os.access(cells.MEMORY, os.W_OK) else None
control_socket_disable = True
logger_class = logs.GunicornLog
loglevel = {"debug": "info", "off": "critical"}.get(_config.log, _config.log)  # its debug lines quote paths
accesslog = None


def when_ready(server):
    """What is loaded by now stays: no worker need look through it for garbage, nor copy its memory by doing so."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)  # a request makes hundreds of objects, and almost no cycles
    callers.warn(_config)
    # gunicorn does not tell where workers listen that share a port.
    server.log.info("Serving on http://%s (try /docs)", _public)


def post_worker_init(worker):
    """Who waits for a move is answered as soon as the worker is told to stop; who stops sending holds no thread."""
    waiting.serve_while(lambda: worker.alive)
    serving.limit_silence(worker.sockets)


def child_exit(server, worker):
    """What a worker that ended has counted stays; what it showed of itself does not."""
    metrics.cells.forget(worker.pid)
