"""The compiled engine: a copy of the sources in a folder of the virtual environment, most with a compiled twin.

`make compiled` makes it. It is the same engine, but faster, and used only while it is made of the very sources that lie
here: SOURCES in it holds their digest. Where it is missing or older plain Python runs, and nothing else is different.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Literal

SOURCES = Path(__file__).resolve().parents[1] / "engine"
FOLDER = Path(sys.prefix) / "compiled"
MADE_OF = "SOURCES"  # the file in it that holds their digest


def digest(sources: Path) -> str:
    """What the compiled engine is made of: every file of the sources, and the Python it is made for."""
    seen = sha256(EXTENSION_SUFFIXES[0].encode())
    for path in sorted(each for each in sources.rglob("*") if each.is_file() and each.suffix != ".pyc"):
        seen.update(f"\n{path.relative_to(sources).as_posix()} {path.stat().st_size}\n".encode())
        seen.update(path.read_bytes())
    return seen.hexdigest()


def is_fresh(folder: Path = FOLDER) -> bool:
    """Whether there is a compiled engine, made of the sources as they are now."""
    try:
        return (folder / MADE_OF).read_text(encoding="ascii").strip() == digest(SOURCES)
    except (OSError, ValueError):
        return False


def use(folder: Path = FOLDER) -> bool:
    """Let the engine be imported from there if it is fresh; to be called before anything imports the engine."""
    fresh = "engine" not in sys.modules and is_fresh(folder)
    if fresh:
        sys.path.insert(0, str(folder))
    return fresh


def kind() -> Literal["compiled", "python"]:
    """Which engine runs here."""
    from engine import apply

    return "python" if hasattr(apply, "__code__") else "compiled"
