"""The rulings as the engine's data has them: id, text, and what each edition's rulebook says."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import engine

Values = dict[str, Any]


@cache
def rulings() -> dict[str, Values]:
    """Every ruling by its id, in the order of the files."""
    found: dict[str, Values] = {}
    for path in sorted((Path(engine.__file__).parent / "rulings").glob("*.toml")):
        for name, told in tomllib.loads(path.read_text("utf-8")).items():
            found[name] = {"id": name, **told}
    return found


def of_edition(ruling: Values, edition: str | None) -> Values | None:
    """A ruling with one edition only, or None where that edition has no such ruling."""
    if edition is None:
        return ruling
    editions = ruling.get("editions", {})
    return {**ruling, "editions": {edition: editions[edition]}} if edition in editions else None
