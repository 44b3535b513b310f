"""What is wrong with a request or its document, in the reader's language.

The engine and the schemas say it in English, by the templates of `details/en.toml`: the one that a detail was made from
leads to its translation. So the engine knows no languages.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from string import Formatter
from typing import NamedTuple

from service.i18n import ENGLISH, detail_texts

Error = dict[str, str]
BODY, AND_MORE = "body", "and_more"
AROUND = frozenset({BODY, AND_MORE})  # what lies around details and is none


class Template(NamedTuple):
    """An English template: its key, the pattern of what is made from it, and how much of that it says itself."""

    key: str
    pattern: re.Pattern[str]
    says: int


@cache
def templates() -> list[Template]:
    """Every English template of a detail; the one that says most itself comes first, for others may fit, too."""
    found = [template(key, text) for key, text in detail_texts(ENGLISH).items() if key not in AROUND]
    return sorted(found, key=lambda each: -each.says)


def template(key: str, text: str) -> Template:
    parts = [*Formatter().parse(text)]
    pattern = "".join(re.escape(said) + (f"(?P<{name}>.+?)" if name else "") for said, name, _, _ in parts)
    return Template(key, re.compile(pattern, re.DOTALL), sum(len(said) for said, _, _, _ in parts))


@lru_cache(maxsize=2048)
def known(detail: str) -> tuple[str, dict[str, str]] | None:
    """The key of the template a detail was made from, and the values in it; None of what no template makes."""
    for each in templates():
        match = each.pattern.fullmatch(detail)
        if match is not None:
            return each.key, match.groupdict()
    return None


def translated(detail: str, language: str) -> str:
    """A detail in a language; one that no template makes stays as it is."""
    found = None if language == ENGLISH else known(detail)
    return detail if found is None else str(detail_texts(language)[found[0]].format_map(found[1]))


def translate_all(errors: list[Error], language: str) -> list[Error]:
    return [{**each, "detail": translated(each["detail"], language)} for each in errors]


def in_short(errors: list[Error], language: str) -> str:
    """The first of some errors, and how many more there are."""
    texts, first = detail_texts(language), errors[0]
    told = f"{first['pointer'] or texts[BODY]} {first['detail']}"
    return told if len(errors) == 1 else str(texts[AND_MORE].format(first=told, count=len(errors) - 1))
