"""Languages: which one is chosen, and that none lacks a word."""

import ast
import random
import re
from pathlib import Path
from string import Formatter

import pytest

import engine
from engine.events import EVENTS
from engine.params import CARD_WORDS
from engine.state import FACES, GROUPS, PLACES
from service.documents import RESULTS
from service.i18n import ENGLISH, LANGUAGES, best_language, cards, messages, ruling_texts, switch_texts
from service.messages import PILES, tell
from service.problems import PROBLEMS
from service.rulings import rulings

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
WORDS = {*PLACES, *PILES, *GROUPS, *FACES[3:], *RESULTS, "poison", "shrink"}


def violation_codes():
    """Every code of a violation in the engine's source."""
    trees = [ast.parse(path.read_text()) for path in Path(engine.__file__).parent.rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    codes = [call.args[0] for call in calls if getattr(call.func, "id", "") == "Violation" and call.args]
    return {code.value for code in codes if isinstance(code, ast.Constant)}


# Choosing


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"), ("", "en"), ("cs", "cs"), ("cs-CZ", "cs"), ("CS-cz", "cs"), ("hu-HU,hu;q=0.9,en;q=0.5", "hu"),
        ("de, pl;q=0.1", "pl"), ("de", "en"), ("en;q=0.5, pl;q=0.7", "pl"), ("cs;q=0.5,hu;q=0.5", "cs"),
        ("cs;q=0", "en"), ("cs;q=0, hu;q=0.001", "hu"), ("*", "en"), ("*;q=0.1, hu", "hu"),
        ("de, *;q=0.5, pl;q=0.6", "pl"), ("czech", "en"), ("zh-Hant-TW, pl-PL;q=0.2", "pl"),
        ("cs; q=0.9 , pl;q=0.8", "cs"), ("cs;q=x, pl", "pl"), ("cs;level=1", "en"), (";;,,;q=", "en"),
        ("cs;q=nan", "en"), ("cs;q=inf", "cs"), ("cs;q=-1", "en"),
    ],
)  # fmt: skip
def test_the_language_of_a_header(accepted, language):
    assert best_language(accepted) == language


# Nothing is missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_of_event_has_a_template_of_its_own_fields(language):
    templates = messages(language)["events"]
    assert set(templates) == set(EVENTS)
    for kind, template in templates.items():
        assert {name for _, name, _, _ in Formatter().parse(template) if name is not None} <= set(EVENTS[kind].fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_has_a_translation(language):
    assert set(messages(language)["words"]) == WORDS
    assert all(messages(language)["words"].values())


@pytest.mark.parametrize("language", OTHERS)
def test_every_problem_and_violation_has_a_translation(language):
    told = messages(language)
    assert set(told["problems"]) == set(told["meanings"]) == set(PROBLEMS)
    assert set(told["codes"]) == violation_codes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_and_a_text(language):
    assert set(cards(language)) == CARD_WORDS["card"]
    assert all(each["name"] and each["text"] and "official" in each for each in cards(language).values())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_keeps_what_is_code(language):
    for slug, text in messages(language)["meanings"].items():
        assert sorted(re.findall("`[^`]+`", text)) == sorted(re.findall("`[^`]+`", PROBLEMS[slug].meaning))


@pytest.mark.parametrize("language", OTHERS)
def test_every_ruling_has_a_translation(language):
    told = ruling_texts(language)
    assert told.keys() == rulings().keys()
    for name, ruling in rulings().items():
        says = {edition for edition, each in ruling["editions"].items() if "says" in each}
        assert told[name].keys() == {"title", "text", *(["says"] if says else [])}, name
        assert told[name].get("says", {}).keys() == says, name
        assert told[name]["text"] != ruling["text"], name
        assert names_in(told[name]["text"]) == names_in(ruling["text"]), name


def names_in(text):
    """The ids of rulings and editions in a text."""
    return sorted(re.findall(r"\b(?:[A-Z]{2,}(?:-[A-Z0-9]+)+|G-[0-9]+|[ch][su]-20[0-9]{2})\b", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_switch_of_an_edition_has_a_translation(language):
    told = [text for rules in engine.EDITIONS.values() for each in rules.because.values() for text in each[::3]]
    assert switch_texts(language).keys() == {*told}
    assert all(switch_texts(language).values())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_is_one(language):
    english = messages(ENGLISH)["events"]
    assert not [kind for kind, text in messages(language)["events"].items() if text == english[kind]]


# Messages


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_every_event_of_a_game_can_be_told(edition):
    rng = random.Random(edition)
    players = [{"id": f"p{n}", "name": f"Player {n} {{0}}"} for n in range(5)]
    rich = {each["id"]: {"energy": 30} for each in players}
    result = engine.new_game({"edition": edition, "players": players, "setup": {"players": rich}}, edition)
    while result.state.outcome is None and result.state.version < 300:
        for language in LANGUAGES:
            for event in tell(result.events, result.state, language):
                assert event["message"].endswith(".")
                assert not re.search(r"\bNone\b|\bp\d\b|_|\[", event["message"]), event
        kinds: dict = {}
        for action in engine.legal_actions(result.state):
            kinds.setdefault(action.type, []).append(action)
        del kinds["concede"]
        result = engine.apply(result.state, rng.choice(kinds[rng.choice([*kinds])]))


def test_only_who_asks_gets_messages(referee):
    assert "message" not in referee.new_game()["events"][0]
    assert "message" not in referee.new_game("?messages=false")["events"][0]
    assert all(each["message"] for each in referee.new_game("?messages=true")["events"])


def ask(referee, path, body, language, query="?messages=true"):
    return referee.post(path + query, body, headers={"Accept-Language": language})


def test_messages_of_a_roll(referee):
    state = referee.new_game(first_player="a", players=[{"id": "a", "name": "Žofie"}, {"id": "b"}])["state"]
    body = {"state": state, "action": {"type": "roll", "player": "a"}}
    answer = ask(referee, "/v1/adjudicate", body, "cs-CZ,cs;q=0.9")
    assert answer.headers["Content-Language"] == "cs"
    assert "Accept-Language" in answer.headers["Vary"]
    assert answer.get_json()["events"][0]["message"].startswith("Žofie – hod: ")
    for language in LANGUAGES:
        told = ask(referee, "/v1/adjudicate", body, language).get_json()
        assert [{**each, "message": ""} for each in told["events"]] == [
            {**each, "message": ""} for each in answer.get_json()["events"]
        ]
        assert told["state"] == answer.get_json()["state"]


def test_messages_of_replays_and_batches(referee):
    game = {"players": [{"id": "a"}, {"id": "b"}], "seed": "s"}
    told = ask(referee, "/v1/replay", {"game": game, "actions": []}, "pl").get_json()
    assert told["events"][0]["message"].startswith("Gra jest przygotowana.")
    item = {"id": "x", "op": "adjudicate", "state": told["state"], "action": told["state"]["decision"]["default"]}
    answer = ask(referee, "/v1/batch", {"items": [item]}, "hu")
    assert "dobás" in answer.get_json()["results"][0]["body"]["events"][0]["message"]
    assert answer.headers["Content-Language"] == "hu"


def test_a_word_as_the_id_of_a_player():
    players = [{"id": "city"}, {"id": "claw"}]
    result = engine.new_game({"players": players, "first_player": "claw", "options": {"dice": "client"}}, "s")
    told = tell(
        [*result.events, {"type": "attack", "player": "city", "claws": 1, "targets": ["claw"]}], result.state, "cs"
    )
    assert told[-1]["message"] == "city – útok (síla: 1), cíle: claw."


# Refusals


@pytest.mark.parametrize("language", OTHERS)
def test_a_refusal_in_a_language(referee, language):
    state = referee.new_game(first_player="a")["state"]
    body = {"state": state, "action": {"type": "roll", "player": "b"}}
    answer = ask(referee, "/v1/adjudicate", body, language, "")
    told, texts = answer.get_json(), messages(language)
    assert answer.headers["Content-Language"] == language
    assert told["title"] == texts["problems"]["illegal-action"]
    assert told["detail"] == told["violations"][0]["detail"] == texts["codes"]["not_your_decision"]
    checked = ask(referee, "/v1/validate", body, language, "").get_json()
    assert checked["violations"] == told["violations"]


def test_english_details_have_the_values(referee):
    state = referee.new_game(first_player="a")["state"]
    told = referee.adjudicate(state, {"type": "roll", "player": "b"}).get_json()
    assert told["title"] == PROBLEMS["illegal-action"].title
    assert told["detail"] == told["violations"][0]["detail"] == "a is to decide (roll)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_type_of_problem_in_a_language(client, language):
    told = client.get("/v1/problems/too-large", headers={"Accept-Language": language}).get_json()
    missing = client.get("/nothing", headers={"Accept-Language": language})
    if language == ENGLISH:
        assert told["title"] == PROBLEMS["too-large"].title
    else:
        assert told["meaning"] == messages(language)["meanings"]["too-large"]
        assert missing.get_json()["detail"] == messages(language)["meanings"]["not-found"]
    assert missing.headers["Content-Language"] == language


@pytest.mark.parametrize(("language", "title"), [("cs", "Kdy"), ("hu", "Mikor"), ("pl", "Kiedy")])
def test_the_catalogue_in_a_language(client, language, title):
    answer = client.get("/v1/rulings/BAY-1", headers={"Accept-Language": language})
    assert answer.headers["Content-Language"] == language
    assert answer.get_json()["title"].startswith(title)
    english, told = (
        client.get("/v1/editions/cs-2016", headers={"Accept-Language": each}).get_json()["switches"]
        for each in (ENGLISH, language)
    )
    assert [each["name"] for each in told] == [each["name"] for each in english]
    assert not [each for each, before in zip(told, english, strict=True) if each["why"] == before["why"]]
