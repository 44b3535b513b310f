"""The two ways to check a revealed game without the service: the script, and code that knows no rule."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "verify"
JAVASCRIPT = ROOT / "tests" / "js" / "verify_vectors.mjs"


def run_script(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    """The script's exit code and words, as anyone runs it: without what is installed, far from the checkout."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, cwd="/", env={}, check=False, timeout=60)
    return done.returncode, (done.stdout + done.stderr).decode()


def run_javascript(*files: Path) -> tuple[int, str]:
    command = ["node", str(JAVASCRIPT), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr
