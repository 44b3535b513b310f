"""granian in gunicorn's place: python deploy/with_granian.py. The settings are the same; README.md says what is not."""

import gc
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
sys.path.insert(0, ROOT)

from service import cells, compiled  # noqa: E402 - the path comes first
from service.config import MEMORY, Config  # noqa: E402

if __name__ == "__main__":
    cells.share()  # before metrics are imported: they look for its directory


def create():
    """The application of a worker."""
    config = Config.from_environment()
    if config.engine != "python":
        compiled.use()
    from service import logs
    from service.app import create_app

    logs.configure(config.log)
    app = create_app(config)
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)  # as in gunicorn.conf.py
    return app


def main():
    """Serve until told to stop."""
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    from service import callers, logs

    config = Config.from_environment()
    if config.operations_bind:
        sys.exit("granian has one port: KAIJUDGE_OPERATIONS_BIND needs gunicorn")
    if config.redis_url == MEMORY and config.workers > 1:
        sys.exit("granian's workers share no memory: set REDIS_URL, or KAIJUDGE_WORKERS to 1")
    logs.configure(config.log)
    callers.warn(config)
    Granian(
        "deploy.with_granian:create",
        factory=True,
        address=config.host,
        port=config.port,
        interface=Interfaces.WSGI,
        workers=config.workers,
        blocking_threads=config.threads,
        backlog=2048,
        websockets=False,
        log_level=LogLevels.warning,
        working_dir=Path(ROOT),
        workers_kill_timeout=config.grace,
        respawn_failed_workers=True,
    ).serve()


if __name__ == "__main__":
    main()
