"""The compiled engine put to the tests of the plain one: python -m tests.compiled [FOLDER] [--level N].

It is compiled first unless FOLDER (by default that of `make compiled`) is up to date. Then the conformance cases, the
golden games, the reader's bad documents and the machine's own tests run in a process whose engine is the compiled one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from service.compiled import FOLDER

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    "conformance", "golden", "reader", "reader_resume", "impossible", "damaged", "machine", "frames", "found_by_play",
    "perft", "proof", "actions", "events",
)  # fmt: skip
ASK = "from service.compiled import kind; print(kind())"


def environment(folder: Path) -> dict[str, str]:
    """In which the engine comes from the folder, and everything else from here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "PYTHONSAFEPATH": "1"}


def kind(folder: Path) -> str:
    """Which engine such a process has."""
    told = subprocess.run([sys.executable, "-c", ASK], env=environment(folder), stdout=subprocess.PIPE, check=True)
    return told.stdout.decode().strip()


def run(folder: Path) -> int:
    """The tests in a process of their own; `pythonpath` would put the plain engine first."""
    files = [f"tests/test_{name}.py" for name in TESTS]
    options = ["-q", "-n", "2", "--override-ini", "pythonpath=", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *files]
    return subprocess.run(command, cwd=ROOT, env=environment(folder), check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--level", default="2", choices="0123")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    command = [sys.executable, "scripts/compile", str(folder), "--level", asked.level]
    if failed := subprocess.run(command, cwd=ROOT, check=False).returncode:
        return failed
    if kind(folder) != "compiled":
        print(f"{folder} is not the engine that was imported", file=sys.stderr)
        return 1
    return run(folder)


if __name__ == "__main__":
    sys.exit(main())
