"""The rulings as the engine's data has them: id, text, and what each edition's rulebook says."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import engine
from service.i18n import ENGLISH, LANGUAGES, ruling_texts

Values = dict[str, Any]


@cache
def rulings(language: str = ENGLISH) -> dict[str, Values]:
    """Every ruling by its id, in the order of the files, told in a language."""
    if language != ENGLISH:
        texts = ruling_texts(language)
        return {name: _translated(told, texts[name]) for name, told in rulings().items()}
    found: dict[str, Values] = {}
    for path in sorted((Path(engine.__file__).parent / "rulings").glob("*.toml")):
        for name, told in tomllib.loads(path.read_text("utf-8")).items():
            found[name] = {"id": name, **told}
    return found


def _translated(ruling: Values, texts: Values) -> Values:
    """A ruling with its title, its text and what editions say in another language."""
    says = texts.get("says", {})
    editions = {
        edition: {**told, "says": says[edition]} if edition in says else told
        for edition, told in ruling["editions"].items()
    }
    return {**ruling, "title": texts["title"], "text": texts["text"], "editions": editions}


def read_all() -> None:
    """Read the rulings in every language, so that no request has to wait for them."""
    for language in LANGUAGES:
        rulings(language)


def of_edition(ruling: Values, edition: str | None) -> Values | None:
    """A ruling with one edition only, or None where that edition has no such ruling."""
    if edition is None:
        return ruling
    editions = ruling.get("editions", {})
    return {**ruling, "editions": {edition: editions[edition]}} if edition in editions else None
