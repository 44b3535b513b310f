"""Languages: which one a client reads, and the texts of each, read once from the files beside this one.

English details of refusals are written where they arise, and English titles in the table of problems; the other
languages have theirs in `messages/`, and in `details/` for what is wrong with a request. Rulings and the switches of
editions are the engine's own, in English; `rulings/` (a file for each of the engine's) and `switches/` have the others.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from flask import Response

from service import record

ENGLISH = "en"
LANGUAGES = (ENGLISH, "cs", "hu", "pl")
SPOKEN = "kaijudge.language"
HERE = Path(__file__).parent

Texts = dict[str, Any]


def asked_language() -> str:
    """The language the client of this request reads; from here on the answer is known to depend on it."""
    environ = record.current().environ
    language = environ[SPOKEN] = best_language(environ.get("HTTP_ACCEPT_LANGUAGE"))
    return language


def say_language(response: Response) -> Response:
    """Put the language into the head of an answer that depends on it."""
    language = record.current().environ.get(SPOKEN)
    if language is not None:
        response.headers["Content-Language"] = language
        response.vary.add("Accept-Language")
    return response


@lru_cache(maxsize=256)
def best_language(accepted: str | None) -> str:
    """The language of ours that an Accept-Language header likes best; the first of equals, English if none."""
    likings = [_liking(part) for part in (accepted or "").split(",")]
    liked = [(quality, language) for quality, language in likings if quality > 0 and language in LANGUAGES]
    return max(liked, key=lambda each: each[0])[1] if liked else ENGLISH


def _liking(part: str) -> tuple[float, str]:
    """One part of an Accept-Language header: `cs-CZ;q=0.8` is (0.8, "cs")."""
    tag, _, weight = part.replace(" ", "").lower().partition(";q=")
    language = tag.partition("-")[0]
    try:
        return min(float(weight or 1), 1.0), ENGLISH if language == "*" else language
    except ValueError:
        return 0.0, language


@cache
def messages(language: str) -> Texts:
    """Templates of events, and the words in them; but for English also titles of problems and violations."""
    return _read("messages", language)


@cache
def cards(language: str) -> Texts:
    """Names and texts of the cards."""
    return _read("cards", language)


@cache
def detail_texts(language: str) -> Texts:
    """Templates of what can be wrong with a request: see details.py."""
    return _read("details", language)


@cache
def ruling_texts(language: str) -> Texts:
    """Titles and texts of the rulings, and what editions say about them, in a language but English."""
    files = sorted((HERE / "rulings" / language).glob("*.toml"))
    return {name: told for path in files for name, told in tomllib.loads(path.read_text("utf-8")).items()}


@cache
def switch_texts(language: str) -> dict[str, str]:
    """What is said of the switches of editions, by the English of it."""
    return {} if language == ENGLISH else _read("switches", language)


def read_all() -> None:
    """Read every file, so that no request has to wait for one."""
    for language in LANGUAGES:
        messages(language), cards(language), detail_texts(language), switch_texts(language)


def _read(kind: str, language: str) -> Texts:
    return tomllib.loads((HERE / kind / f"{language}.toml").read_text("utf-8"))


def card_texts(card: str, language: str, edition: str | None = None) -> Texts:
    """The name of a card, whether that is official, and its text; of an edition as that has them."""
    told: Texts = {**cards(language)[card]}
    editions = told.pop("editions", {})
    return {**told, **editions.get(edition, {})}


def title_of(slug: str, english: str, language: str) -> str:
    """The title of a type of problem."""
    title: str = english if language == ENGLISH else messages(language)["problems"][slug]
    return title


def meaning_of(slug: str, english: str, language: str) -> str:
    """What a type of problem means."""
    meaning: str = english if language == ENGLISH else messages(language)["meanings"][slug]
    return meaning


def translated(violations: list[Texts], language: str) -> list[Texts]:
    """Violations with their details in a language; English has the engine's own."""
    if language == ENGLISH:
        return violations
    codes = messages(language)["codes"]
    return [{**each, "detail": codes[each["code"]]} for each in violations]
