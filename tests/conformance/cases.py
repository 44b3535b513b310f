"""The cases as data: reading the files, and what a case is in each edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.conformance.match import Json

FOLDER = Path(__file__).resolve().parent.parent / "cases"
NOT_SHOWN = FOLDER / "not_shown.yaml"
EDITIONS = ("cs-2012", "hu-2014", "pl", "cs-2016")

EXPECTATIONS = {"state", "events", "no_events", "legal", "not_legal"}
STEP_KEYS = EXPECTATIONS | {"action", "refused", "note"}
VARYING_KEYS = {"title", "shows", "implies", "example", "game", "created", "refused", "steps", "note"}
CASE_KEYS = VARYING_KEYS | {"editions", "except"}
REFUSED_KEYS = {"slug", "code", "ruling", "pointer"}


class BadCase(ValueError):
    """A case file does not keep to the format."""


@dataclass(frozen=True)
class Case:
    """One case as written, for all its editions."""

    file: str
    title: str
    editions: tuple[str, ...]
    told: Json = field(repr=False)

    def in_edition(self, edition: str) -> Json:
        """The case as this edition has it."""
        return {**self.told, **self.told.get("except", {}).get(edition, {})}


class Run(NamedTuple):
    """A case in one edition."""

    case: Case
    edition: str

    @property
    def name(self) -> str:
        return f"{self.case.file}: {self.case.title} [{self.edition}]"


def load(path: Path) -> list[Case]:
    """The cases of one file, checked for their form."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    listed = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    if not isinstance(listed, list):
        raise BadCase(f"{path.name}: must be a list of cases")
    return [_case(path.stem, told) for told in listed]


@lru_cache(maxsize=1)
def all_cases() -> tuple[Case, ...]:
    """Every case of tests/cases; no two have the same name."""
    found = [case for path in sorted(FOLDER.glob("*.yaml")) if path != NOT_SHOWN for case in load(path)]
    names = [(case.file, case.title) for case in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise BadCase(f"told twice: {sorted(twice)}")
    return tuple(found)


def runs(cases: Iterable[Case]) -> Iterator[Run]:
    for case in cases:
        for edition in case.editions:
            yield Run(case, edition)


def _case(file: str, told: Any) -> Case:
    if not isinstance(told, dict) or not isinstance(told.get("title"), str):
        raise BadCase(f"{file}: a case without a title")
    where = f"{file}: {told['title']}"
    _check_json(where, told)
    _check_keys(where, told, CASE_KEYS)
    editions = tuple(told.get("editions", EDITIONS))
    if not editions or not set(editions) <= set(EDITIONS):
        raise BadCase(f"{where}: unknown edition in {editions}")
    for edition, changes in told.get("except", {}).items():
        if edition not in editions:
            raise BadCase(f"{where}: except {edition}, in which the case does not run")
        _check_keys(f"{where}, except {edition}", changes, VARYING_KEYS)
    case = Case(file, told["title"], editions, told)
    for edition in editions:
        _check_form(f"{where} [{edition}]", case.in_edition(edition))
    return case


def _check_form(where: str, told: Json) -> None:
    if "game" not in told:
        raise BadCase(f"{where}: no game")
    if not told.get("shows") and not told.get("implies"):
        raise BadCase(f"{where}: shows nothing")
    _check_keys(where, told.get("created", {}), EXPECTATIONS)
    _check_keys(where, told.get("refused", {}), REFUSED_KEYS)
    if "refused" in told and ("steps" in told or "created" in told):
        raise BadCase(f"{where}: a game that is refused goes no further")
    for index, step in enumerate(told.get("steps", [])):
        _check_keys(f"{where}, step {index}", step, STEP_KEYS)
        _check_keys(f"{where}, step {index}", step.get("refused", {}), REFUSED_KEYS)
        if "action" not in step:
            raise BadCase(f"{where}, step {index}: no action")


def _check_keys(where: str, told: Any, allowed: set[str]) -> None:
    if not isinstance(told, dict):
        raise BadCase(f"{where}: must be an object, not {told!r}")
    unknown = set(told) - allowed
    if unknown:
        raise BadCase(f"{where}: unknown keys {sorted(map(str, unknown))}")


def _check_json(where: str, value: Any) -> None:
    """Only what JSON knows, without floats."""
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                raise BadCase(f"{where}: the key {key!r} must be a string")
            _check_json(where, each)
    elif isinstance(value, list):
        for each in value:
            _check_json(where, each)
    elif value is not None and type(value) not in (str, int, bool):
        raise BadCase(f"{where}: {value!r} is not a JSON value of ours")
