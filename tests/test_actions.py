"""Actions: read, written, in normal form; every problem of a bad one at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine import InvalidAction, read_action, write_action
from engine.actions import ACTIONS, Buy, CopyCard, Hearts, Reroll, Resolve, Yield
from engine.params import PARAMS
from engine.state import GROUPS, Copy

Json = dict[str, Any]

COMPLETE: list[Json] = [
    {"type": "roll"},
    {"type": "roll", "faces": ["1", "claw"]},
    {"type": "reroll", "dice": [0, 2], "with": "smoke_cloud", "faces": ["heart", "energy"]},
    {"type": "change_die", "card": "stretchy", "die": 3, "face": "heart"},
    {"type": "probe", "die": 1, "faces": ["3"]},
    {"type": "resolve", "order": ["claws", "numbers", "energy", "hearts"]},
    {"type": "hearts", "heal": 1, "poison": 2, "shrink": 0, "others": {"b": 1, "c": 2}},
    {"type": "yield", "leave": False},
    {"type": "buy", "card": "jets", "from": "b"},
    {"type": "buy", "from": "deck"},
    {"type": "sweep"},
    {"type": "peek"},
    {"type": "load", "amount": 0},
    {"type": "copy", "of": {"player": "b", "card": "jets"}},
    {"type": "sell", "card": "jets"},
    {"type": "use", "card": "wings"},
    {"type": "dice", "faces": ["claw"]},
    {"type": "pass"},
    {"type": "end_turn"},
    {"type": "concede"},
]


def act(document: Json) -> Json:
    return {**document, "player": "a"}


def problems(document: Any) -> list[str]:
    with pytest.raises(InvalidAction) as raised:
        read_action(document)
    assert all(each.detail for each in raised.value.problems)
    return [each.pointer for each in raised.value.problems]


def test_the_examples_show_every_kind() -> None:
    assert {each["type"] for each in COMPLETE} == set(ACTIONS) == set(PARAMS)


@pytest.mark.parametrize("document", COMPLETE, ids=str)
def test_an_action_is_written_as_it_was_read(document: Json) -> None:
    action = read_action(act(document))
    written = write_action(action)
    assert read_action(written) == action
    assert all(written[name] == value for name, value in act(document).items())


def test_defaults_are_filled_in() -> None:
    assert read_action(act({"type": "resolve"})) == Resolve("a", GROUPS)
    assert read_action(act({"type": "buy", "card": "jets"})) == Buy("a", "jets", "market")
    assert read_action(act({"type": "hearts"})) == Hearts("a")
    assert read_action(act({"type": "hearts", "others": {"b": 0}})) == Hearts("a")


def test_dice_are_sorted_together_with_their_faces() -> None:
    told = act({"type": "reroll", "dice": [4, 0, 2], "faces": ["1", "2", "3"]})
    assert read_action(told) == Reroll("a", (0, 2, 4), None, ("2", "3", "1"))
    assert read_action(act({"type": "reroll", "dice": [4, 0]})) == Reroll("a", (0, 4))
    odd = act({"type": "reroll", "dice": [4, 0], "faces": ["1"]})
    assert read_action(odd) == Reroll("a", (0, 4), None, ("1",))


def test_others_are_sorted() -> None:
    assert read_action(act({"type": "hearts", "others": {"c": 1, "b": 2}})) == Hearts("a", others=(("b", 2), ("c", 1)))


def test_records_carry_what_was_sent() -> None:
    assert read_action(act({"type": "yield", "leave": True})) == Yield("a", True)
    copy = act({"type": "copy", "of": {"player": "b", "card": "jets"}})
    assert read_action(copy) == CopyCard("a", Copy("b", "jets"))


@pytest.mark.parametrize("document", [None, [], "roll", 3, True])
def test_an_action_is_an_object(document: Any) -> None:
    assert problems(document) == [""]


@pytest.mark.parametrize("kind", [None, "fly", 3, ["roll"], {}])
def test_the_type_is_a_known_word(kind: Any) -> None:
    assert problems({"type": kind, "player": "a"}) == ["/type"]


WRONG: list[tuple[Json, str]] = [
    ({"type": "roll", "faces": "claw"}, "/faces"),
    ({"type": "roll", "faces": ["paw"]}, "/faces"),
    ({"type": "roll", "faces": [1]}, "/faces"),
    ({"type": "roll", "faces": None}, "/faces"),
    ({"type": "roll", "dice": [1]}, "/dice"),
    ({"type": "reroll"}, "/dice"),
    ({"type": "reroll", "dice": []}, "/dice"),
    ({"type": "reroll", "dice": 3}, "/dice"),
    ({"type": "reroll", "dice": [1, 1]}, "/dice"),
    ({"type": "reroll", "dice": [True]}, "/dice"),
    ({"type": "reroll", "dice": [-1]}, "/dice"),
    ({"type": "reroll", "dice": [1.0]}, "/dice"),
    ({"type": "reroll", "dice": [0], "with": "wings"}, "/with"),
    ({"type": "reroll", "dice": [0], "with": None}, "/with"),
    ({"type": "change_die", "card": "telepath", "die": 0, "face": "1"}, "/card"),
    ({"type": "change_die", "card": "stretchy", "die": "0", "face": "1"}, "/die"),
    ({"type": "change_die", "card": "stretchy", "die": 0, "face": 1}, "/face"),
    ({"type": "resolve", "order": ["numbers"]}, "/order"),
    ({"type": "resolve", "order": [*GROUPS, "claws"]}, "/order"),
    ({"type": "resolve", "order": [1, "energy", "hearts", "claws"]}, "/order"),
    ({"type": "resolve", "order": "numbers"}, "/order"),
    ({"type": "hearts", "heal": -1}, "/heal"),
    ({"type": "hearts", "poison": "1"}, "/poison"),
    ({"type": "hearts", "others": []}, "/others"),
    ({"type": "hearts", "others": {"b": True}}, "/others"),
    ({"type": "hearts", "others": {"": 1}}, "/others"),
    ({"type": "yield"}, "/leave"),
    ({"type": "yield", "leave": 1}, "/leave"),
    ({"type": "buy"}, "/card"),
    ({"type": "buy", "card": "moon"}, "/card"),
    ({"type": "buy", "card": ["jets"]}, "/card"),
    ({"type": "buy", "card": "jets", "from": 3}, "/from"),
    ({"type": "buy", "from": "b"}, "/card"),
    ({"type": "load", "amount": -1}, "/amount"),
    ({"type": "load", "amount": 10**9}, "/amount"),
    ({"type": "copy", "of": "jets"}, "/of"),
    ({"type": "copy", "of": {"player": "b"}}, "/of"),
    ({"type": "copy", "of": {"player": "b", "more": 1}}, "/of"),
    ({"type": "copy", "of": {"player": "b", "card": "jets", "more": 1}}, "/of/more"),
    ({"type": "copy", "of": {"player": "b", "card": "jets", "a/b": 1}}, "/of/a~1b"),
    ({"type": "copy", "of": {"player": 1, "card": "jets"}}, "/of"),
    ({"type": "copy", "of": {"player": "b", "card": []}}, "/of"),
    ({"type": "use", "card": "jets"}, "/card"),
    ({"type": "pass", "why": "no"}, "/why"),
]


@pytest.mark.parametrize(("document", "pointer"), WRONG, ids=str)
def test_what_is_wrong_is_pointed_at(document: Json, pointer: str) -> None:
    assert problems(act(document)) == [pointer]


@pytest.mark.parametrize("player", [None, 3, "", "x" * 65, ["a"]])
def test_the_player_is_a_word(player: Any) -> None:
    assert problems({"type": "pass", "player": player}) == ["/player"]


def test_every_problem_is_told_at_once() -> None:
    document = {"type": "change_die", "card": "jets", "die": -1, "colour": "red"}
    assert sorted(problems(document)) == ["/card", "/colour", "/die", "/face", "/player"]
