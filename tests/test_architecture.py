"""What the language cannot enforce: imports, names, sizes, and that what is named exists."""

from __future__ import annotations

import ast
import inspect
import re
import statistics
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import engine
from engine import EDITIONS
from engine.checks import CHECKS
from engine.frames import STEPS, THEN, parameters
from engine.reader import RENAMED
from engine.windows import VALUES, WINDOWS
from tests.conformance.rulings import known

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "engine"
STEP_LIST = ROOT / "tests" / "golden" / "steps.txt"

MODULES = sorted(ENGINE.rglob("*.py"))
CORE = sorted(ENGINE.glob("*.py"))
CARDS = sorted((ENGINE / "cards").glob("*.py"))
FORBIDDEN = {"random", "time", "os", "datetime", "secrets", "socket", "logging", "io", "pathlib", "threading"}
CARD_IDS = {card for rules in EDITIONS.values() for card in rules.cards}
ALSO_WORDS = {"heal", "camouflage"}  # card ids that are words of actions and decisions, too
RULING = re.compile(r"(?<![A-Za-z0-9-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+[a-z]?(?![A-Za-z0-9-])")
NOT_RULINGS = {"HMAC-SHA256", "SHA-256", "AES-GCM", "UTF-8"}
VAGUE = {"util", "utils", "helper", "helpers", "manager", "handle", "handler", "process", "processor"}
LONGEST_FUNCTION, MEDIAN_FUNCTION, LONGEST_MODULE = 40, 10, 400


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@lru_cache(maxsize=256)
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """The modules a file imports, by their whole names."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)} imports relatively"
            found.add(node.module or "")
    return found


def docstrings(path: Path) -> set[int]:
    """The ids of the nodes that are docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(tree(path)) if isinstance(node, documented) and node.body]
    return {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}


def literals(path: Path, documentation: bool = False) -> Iterator[tuple[int, str]]:
    """Every string in the code of a file with its line."""
    skipped = set() if documentation else docstrings(path)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


# Imports


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_engine_imports_the_standard_library_and_itself_only(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imported(path)}
    assert roots - {"engine"} <= sys.stdlib_module_names
    assert not roots & FORBIDDEN


def test_only_editions_and_codecs_know_that_there_are_several_editions() -> None:
    users = {name_of(path) for path in CORE if "engine.editions" in imported(path)}
    assert users <= {
        "engine/__init__.py", "engine/setup.py", "engine/codec.py", "engine/reader.py", "engine/checks.py",
        "engine/catalogue.py", "engine/revealed.py",
    }  # fmt: skip


# Names


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent.name != "editions"], ids=name_of)
def test_no_edition_is_named_outside_editions(path: Path) -> None:
    long = [edition for edition in EDITIONS if len(edition) > 2]
    named = [
        (line, text)
        for line, text in literals(path)
        if text in EDITIONS or any(edition in text for edition in long)
    ]
    assert not named


def cards_named(path: Path) -> set[str]:
    """The cards a file names in its code: an id, or a step of one."""
    words = {text.partition(".")[0] if "." in text else text for _, text in literals(path)}
    return words & CARD_IDS


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_no_core_file_names_a_card(path: Path) -> None:
    assert not cards_named(path) - ALSO_WORDS


def recorded(path: Path) -> set[str]:
    """The cards a file records by `card("…", …)`."""
    calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and node.args]
    first = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "card"]
    return {str(node.value) for node in first if isinstance(node, ast.Constant)}


@pytest.mark.parametrize("path", CARDS, ids=name_of)
def test_a_card_is_named_in_its_own_family_only(path: Path) -> None:
    assert not cards_named(path) - recorded(path) - ALSO_WORDS


def test_every_card_is_recorded_once() -> None:
    families = [recorded(path) for path in CARDS]
    assert sum(map(len, families)) == len(set().union(*families))
    assert set().union(*families) == CARD_IDS


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_names_say_what_they_mean(path: Path) -> None:
    named = [node.name for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    words = {word for name in (path.stem, *named) for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", name)}
    assert not {word.lower() for word in words} & VAGUE


def test_every_public_name_is_there_and_in_order() -> None:
    names = engine.__all__
    assert all(hasattr(engine, name) for name in names)
    assert names == sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


# Rulings


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_ruling_cited_exists(path: Path) -> None:
    cited = {found for _, text in literals(path, documentation=True) for found in RULING.findall(text)}
    assert not cited - known().keys() - NOT_RULINGS


def test_every_card_has_its_ruling() -> None:
    rulings = {card.ruling for rules in EDITIONS.values() for card in rules.cards.values()}
    assert not rulings - known().keys()


# Steps


def listed_steps() -> list[str]:
    return STEP_LIST.read_text(encoding="utf-8").split()


def test_every_step_is_listed() -> None:
    """A new step: run `python -m tests.test_architecture` and commit tests/golden/steps.txt."""
    assert sorted(set(STEPS) - set(listed_steps())) == [], test_every_step_is_listed.__doc__


def test_a_listed_step_is_there_or_renamed() -> None:
    """Games in flight name their steps: one that is gone needs an entry in reader.RENAMED, and stays listed."""
    gone = set(listed_steps()) - set(STEPS)
    assert sorted(gone - set(RENAMED)) == [], test_a_listed_step_is_there_or_renamed.__doc__
    assert set(RENAMED.values()) <= set(STEPS)
    assert not set(RENAMED) & set(STEPS)


def test_the_list_of_steps_is_sorted() -> None:
    assert listed_steps() == sorted(set(listed_steps()))


def test_every_parameter_of_a_step_can_be_checked() -> None:
    unknown = [(name, each) for name in STEPS for each in parameters(name).values() if each not in CHECKS]
    assert unknown == []


def test_a_parameter_of_one_name_holds_the_same_in_every_step() -> None:
    for name, function in STEPS.items():
        told = inspect.signature(function).parameters
        assert parameters(name) == {each: told[each].annotation for each in parameters(name)}, name


def test_every_question_has_a_step_that_takes_its_answer() -> None:
    for asking, then in THEN.items():
        assert parameters(then) == parameters(asking), f"{asking} and {then} take different args"


def test_every_step_of_a_card_exists() -> None:
    named = {
        each.step
        for rules in EDITIONS.values()
        for card in rules.cards.values()
        for listeners in card.on.values()
        for each in listeners
    }
    assert not named - set(STEPS)


# Windows and values


def called_with(names: set[str], attributes: set[str]) -> set[str]:
    """The strings given to these functions, or looked up in these attributes, anywhere in the core."""
    found: set[str] = set()
    for path in CORE:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                found |= _told(node, names, attributes)
            elif isinstance(node, ast.Compare) and getattr(node.comparators[0], "attr", "") in attributes:
                found |= _strings([node.left])
            elif isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") in attributes:
                found |= _strings([node.slice])
    return found


def _told(call: ast.Call, names: set[str], attributes: set[str]) -> set[str]:
    if isinstance(call.func, ast.Name) and call.func.id in names:
        return _strings(call.args[1:2])
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "get":
        return set()
    return _strings(call.args[:1]) if getattr(call.func.value, "attr", "") in attributes else set()


def _strings(nodes: list[ast.expr]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_window_is_opened_and_no_other() -> None:
    opened = called_with({"open_window"}, {"on", "listeners"})
    assert opened == set(WINDOWS)


def test_every_value_is_asked_for_and_no_other() -> None:
    asked = called_with({"adjusted", "explained"}, {"adjusters", "adjust"})
    assert asked == set(VALUES)


def test_every_window_and_value_has_a_card_that_needs_it() -> None:
    cards = [card for rules in EDITIONS.values() for card in rules.cards.values()]
    assert {window for card in cards for window in card.on} == set(WINDOWS)
    assert {value for card in cards for value in card.adjust} == set(VALUES)


# Sizes


def length(function: ast.FunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_function_is_long(path: Path) -> None:
    assert {each.name: length(each) for each in functions(path) if length(each) > LONGEST_FUNCTION} == {}


def test_functions_are_short() -> None:
    assert statistics.median(length(each) for path in MODULES for each in functions(path)) <= MEDIAN_FUNCTION


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_belongs_in_it(path: Path) -> None:
    assert ast.get_docstring(tree(path)), "a module begins with what belongs in it"


if __name__ == "__main__":
    kept = listed_steps() if STEP_LIST.exists() else []
    STEP_LIST.write_text("\n".join(sorted({*kept, *STEPS})) + "\n", encoding="utf-8")
    print(f"{STEP_LIST}: {len(STEPS)} steps, {len(set(STEPS) - set(kept))} new")
