"""What is wrong with a request or its document is told in every language, whoever finds it."""

import ast
import importlib
from pathlib import Path
from string import Formatter

import pytest

import engine
from engine import InvalidState
from service import fields
from service.i18n import ENGLISH, LANGUAGES, detail_texts, details
from tests.service.test_languages import OTHERS, ask

ROOT = Path(engine.__file__).parents[1]
SAMPLE = "x7"
# which argument is the detail
SAYING = {"Problem": 1, "wrong": 1, "_matching": 4, "ValidationError": 0, "Refusal": 1, "unavailable": 1}


def sources():
    for package in ("engine", "service"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path, ".".join(path.relative_to(ROOT).with_suffix("").parts)


class Said:
    """The details that a module may say, with samples in the places of values."""

    def __init__(self, path, name):
        self.tree = ast.parse(path.read_text())
        self.module = importlib.import_module(name)
        self.saying = {**SAYING, "ValueError": 0} if name == "engine.params" else SAYING

    def texts(self):
        for call in (node for node in ast.walk(self.tree) if isinstance(node, ast.Call)):
            at = self.saying.get(getattr(call.func, "id", getattr(call.func, "attr", "")))
            if at is not None and at < len(call.args):
                yield from self.read(call.args[at])
            yield from (text for each in call.keywords if each.arg == "error" for text in self.read(each.value))

    def read(self, node):
        """Every text that an expression may be; nothing where it only hands on what was said elsewhere."""
        if isinstance(node, ast.Constant):
            return [node.value]
        if isinstance(node, ast.JoinedStr):
            return ["".join(map(self.part, node.values))]
        if isinstance(node, ast.BinOp):
            return [text + SAMPLE for text in self.read(node.left)]
        if isinstance(node, ast.IfExp | ast.BoolOp):
            both = (node.body, node.orelse) if isinstance(node, ast.IfExp) else node.values
            return [text for each in both for text in self.read(each)]
        if isinstance(node, ast.Name):
            return self.assigned(node.id)
        if isinstance(node, ast.Dict):
            return [text for each in node.values if isinstance(each, ast.List) for text in self.read(each.elts[0])]
        return []

    def part(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        name = getattr(node.value, "id", "")
        return str(getattr(self.module, name, SAMPLE)) if name.isupper() else SAMPLE

    def assigned(self, name):
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Assign)]
        values = [node.value for node in nodes if any(getattr(each, "id", None) == name for each in node.targets)]
        return [text for value in values for text in self.read(value)]


def said():
    """Every detail of the engine and the service."""
    found = {text for path, name in sources() for text in Said(path, name).texts()}
    kinds = (fields.MESSAGES, fields.TEXT_MESSAGES, fields.READ_MESSAGES)
    return sorted(found | {text for messages in kinds for text in messages.values()})


def test_every_detail_has_its_template():
    unknown = [text for text in said() if details.known(text) is None]
    assert not unknown, "add them to service/i18n/details/*.toml"


def test_every_template_is_of_use():
    made = {found[0] for found in map(details.known, said()) if found is not None}
    assert made == detail_texts(ENGLISH).keys() - details.AROUND
    assert len(made) > 80


def names(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize("language", OTHERS)
def test_every_template_is_translated(language):
    english, texts = detail_texts(ENGLISH), detail_texts(language)
    assert texts.keys() == english.keys()
    for key, text in texts.items():
        assert text != english[key]
        assert names(text) == names(english[key]), key


@pytest.mark.parametrize("key", sorted(detail_texts(ENGLISH).keys() - details.AROUND))
def test_a_detail_is_known_by_its_own_template(key):
    text = detail_texts(ENGLISH)[key]
    values = {name: f"{name}&more" for name in names(text)}
    assert details.known(text.format(**values)) == (key, values)


def test_the_template_that_says_most_is_meant():
    assert details.known("a sealed game takes no seed") == ("sealed_takes_no", {"field": "seed"})
    assert details.known("must be one of roll, buy") == ("one_of", {"words": "roll, buy"})
    assert details.known("something new") is None


def test_what_no_template_makes_stays_as_it_is():
    assert details.translated("something new", "cs") == "something new"


def test_values_are_never_taken_for_templates():
    told = details.translated("nobody here is called {words} (SETUP-7)", "pl")
    assert told == "nikt nie nazywa się tu {words} (SETUP-7)"


# Over HTTP

TOLD = {
    "cs": ("musí být celé číslo od 0 do 1000000000", "Tělo požadavku musí být objekt", "(a další chyby: 1)"),
    "hu": ("0 és 1000000000 közötti egész számnak kell lennie", "A kérés törzse objektumnak kell lennie",
           "(és további hibák: 1)"),
    "pl": ("musi być liczbą całkowitą od 0 do 1000000000", "Treść żądania musi być obiektem", "(i dalsze błędy: 1)"),
}  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_a_wrong_document_in_a_language(referee, language):
    whole, body, more = TOLD[language]
    state = referee.new_game()["state"]
    for player in state["players"]:
        player["vp"] = -1
    told = ask(referee, "/v1/legal-actions", {"state": state}, language, "").get_json()
    assert [each["detail"] for each in told["errors"]] == [whole, whole]
    assert told["detail"] == f"/state/players/0/vp {whole} {more}"
    assert ask(referee, "/v1/games", [], language, "").get_json()["detail"] == body


@pytest.mark.parametrize("language", OTHERS)
def test_an_impossible_position_in_a_language(referee, language):
    state = referee.new_game()["state"]
    state["players"][0]["hearts"] = 11
    del state["state_id"]
    told = ask(referee, "/v1/legal-actions", {"state": state}, language, "").get_json()
    text = detail_texts(language)["living_hearts"].format(most=10)
    assert told["errors"] == [{"pointer": "/state/players/0/hearts", "detail": text}]
    assert told["type"].endswith("invalid-state")


REQUESTS = {
    "/v1/cards?speed=1": ("unknown_query", {"name": "'speed'"}),
    "/v1/cards?edition=x": ("one_word", {"name": "'edition'", "words": "cs-2012, cs-2016, hu-2014, pl"}),
    "/v1/cards/moon": ("no_such_card", {}),
    "/v1/rulings/MOON?edition=pl": ("no_such_ruling_in", {"edition": "pl"}),
    "/v1/states/moon": ("state_gone", {}),
    "/v1/adjudicate": ("method", {"method": "GET"}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", REQUESTS)
def test_a_refused_request_in_a_language(client, path, language):
    answer = client.get(path, headers={"Accept-Language": language})
    key, values = REQUESTS[path]
    assert answer.get_json()["detail"] == detail_texts(language)[key].format(**values)
    assert answer.headers["Content-Language"] == language


def test_in_english_it_is_what_the_engine_said(referee):
    state = referee.new_game()["state"]
    state["players"][0]["hearts"] = -1
    with pytest.raises(InvalidState) as refused:
        engine.read_state(state)
    told = referee.post("/v1/legal-actions", {"state": state}).get_json()
    assert [each["detail"] for each in told["errors"]] == [each.detail for each in refused.value.problems]


def test_errors_of_a_batch_are_told_in_the_language(referee):
    item = {"id": "x", "op": "validate", "state": {}, "action": {}}
    told = ask(referee, "/v1/batch", {"items": [item]}, "cs", "").get_json()
    assert told["results"][0]["body"]["errors"][0]["detail"] == detail_texts("cs")["required"]


def test_there_are_four_languages():
    assert {path.stem for path in (Path(details.__file__).parent / "details").glob("*.toml")} == set(LANGUAGES)
