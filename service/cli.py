"""The command line: `python -m service.cli serve`, `python -m service.cli openapi > openapi.yaml`."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path

from service import embedded
from service.config import MEMORY, BadSetting, Config

ROOT = Path(__file__).resolve().parents[1]
GUNICORN = ROOT / "deploy" / "gunicorn.conf.py"


def serve() -> int:
    """serve on HOST:PORT"""
    try:
        config = Config.from_environment()
        refuse_taken_port(config)
        provide_store(config)
    except (BadSetting, OSError) as error:
        print(f"Cannot serve: {error}", file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "gunicorn", "--config", str(GUNICORN), "service.app:create_app()"]
    return os.execv(sys.executable, command)


def provide_store(config: Config) -> None:
    """Put the address of a store into the environment where there is none: a Redis of our own, else our memory."""
    if config.redis_url:
        return
    try:
        os.environ["REDIS_URL"] = embedded.start(config)
    except embedded.NoServer as error:
        print(f"No Redis: {error}. One worker serves, and keeps states in its own memory.", file=sys.stderr)
        os.environ.update(REDIS_URL=MEMORY, KAIJUDGE_WORKERS="1")


def refuse_taken_port(config: Config) -> None:
    """Workers share their port (SO_REUSEPORT), so a second service would go unnoticed and take half the requests."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((config.host, config.port))


def describe() -> int:
    """print openapi.yaml"""
    from service import openapi
    from service.app import create_app

    print(openapi.write(create_app(Config(redis_url=MEMORY))), end="")
    return 0


COMMANDS = {"serve": serve, "openapi": describe}


def main(arguments: list[str] | None = None) -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(prog="python -m service.cli", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.__doc__)
    return COMMANDS[parser.parse_args(arguments).command]()


if __name__ == "__main__":
    sys.exit(main())
