"""The command line: `python -m service.cli serve`, `… openapi > openapi.yaml`, `… new-key`, `… new-api-key`."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from service import apikeys, embedded, keyring
from service.config import MEMORY, BadSetting, Config

ROOT = Path(__file__).resolve().parents[1]
GUNICORN = ROOT / "deploy" / "gunicorn.conf.py"


def serve() -> int:
    """serve on HOST:PORT"""
    try:
        config = Config.from_environment()
        refuse_taken_ports(config)
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
        os.environ["REDIS_URL"] = address = embedded.start(config)
        if not config.keys:
            os.environ["KAIJUDGE_KEYS"] = keyring.keep_new_key(Path(address.removeprefix("unix://")).parent)
    except embedded.NoServer as error:
        print(f"No Redis: {error}. One worker serves, and keeps states in its own memory.", file=sys.stderr)
        os.environ.update(REDIS_URL=MEMORY, KAIJUDGE_WORKERS="1")


def refuse_taken_ports(config: Config) -> None:
    """Workers share their ports (SO_REUSEPORT), so a second service would go unnoticed and take half the requests."""
    refuse_taken_port(config.host, config.port)
    if config.operations_bind:
        host, _, port = config.operations_bind.rpartition(":")
        refuse_taken_port(host.strip("[]"), int(port))


def refuse_taken_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def describe() -> int:
    """print openapi.yaml"""
    from service import openapi
    from service.app import create_app

    print(openapi.write(create_app(Config(redis_url=MEMORY))), end="")
    return 0


def make_key() -> int:
    """print a new key for KAIJUDGE_KEYS"""
    print(keyring.new_key())
    return 0


def make_api_key(name: str) -> int:
    """print a new API key, and its entry for KAIJUDGE_API_KEYS"""
    key = apikeys.new_key()
    try:
        entry = apikeys.write_entry(name, key)
    except apikeys.BadKeys as error:
        print(f"No such name: {error}", file=sys.stderr)
        return 2
    print(f"the key, for whoever is to ask; it is told this once:\n  {key}")
    print(f"its entry in KAIJUDGE_API_KEYS, after which :600/minute or the like may stand:\n  {entry}")
    return 0


COMMANDS: dict[str, Callable[..., int]] = {
    "serve": serve, "openapi": describe, "new-key": make_key, "new-api-key": make_api_key,
}  # fmt: skip
ARGUMENTS = {"new-api-key": ["name"]}


def main(arguments: list[str] | None = None) -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(prog="python -m service.cli", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        taking = commands.add_parser(name, help=command.__doc__)
        for each in ARGUMENTS.get(name, ()):
            taking.add_argument(each)
    told = vars(parser.parse_args(arguments))
    return COMMANDS[told.pop("command")](**told)


if __name__ == "__main__":
    sys.exit(main())
