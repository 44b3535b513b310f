"""The rulings the project knows, from engine/rulings/*.toml, and which of them the cases show."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import yaml

from tests.conformance.cases import EDITIONS, NOT_SHOWN, Run

FOLDER = Path(__file__).resolve().parents[2] / "engine" / "rulings"

# Families whose every ruling a case must show.
DEMANDED = frozenset(
    ("COMP", "SETUP", "TURN", "ROLL", "RESOLVE", "END", "BUY", "CARDTYPE",
     "TOKYO", "YIELD", "DEATH", "BAY", "WIN", "DEF", "EXT", "CARD", "CARDGEN")
)  # fmt: skip
# Families whose coverage is only told.
TOLD = frozenset(("G",))

_ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+[a-z]?")


@lru_cache(maxsize=1)
def known() -> dict[str, frozenset[str]]:
    """Every ruling id, and the editions it speaks about (all of them where it names none)."""
    found: dict[str, frozenset[str]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for name, ruling in tomllib.loads(path.read_text(encoding="utf-8")).items():
            found[name] = frozenset(ruling.get("editions") or EDITIONS)
    return found


def named_in(text: str) -> set[str]:
    """The rulings a sentence names."""
    return set(_ID.findall(text)) & known().keys()


def family(ruling: str) -> str:
    return ruling.partition("-")[0]


def not_shown() -> dict[str, str]:
    """Rulings no case can show, each with the reason."""
    listed: dict[str, str] = yaml.safe_load(NOT_SHOWN.read_text(encoding="utf-8"))
    return listed


def shown_by(run: Run) -> set[str]:
    told = run.case.in_edition(run.edition)
    return {*told.get("shows", ()), *told.get("implies", ())}


def holes(runs: Iterable[Run], families: frozenset[str] = DEMANDED) -> dict[str, list[str]]:
    """For each edition the rulings of these families that no case shows."""
    shown: dict[str, set[str]] = {edition: set() for edition in EDITIONS}
    for run in runs:
        shown[run.edition] |= shown_by(run)
    return {
        edition: [
            ruling
            for ruling, editions in known().items()
            if family(ruling) in families and edition in editions and ruling not in shown[edition]
        ]
        for edition in EDITIONS
    }
