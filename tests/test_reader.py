"""Reading states: a good document is read, a malformed one is refused with the right pointer and never otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from engine import canonical, read_state, state_id, write_state
from engine.legal import ANSWERS
from engine.reader import LONGEST, _is_slug
from tests.reading import Json, document, pointers, put, refused, written


@pytest.mark.parametrize("kind", [*ANSWERS, "over"])
def test_every_kind_of_state_survives_its_json_form(kind: str) -> None:
    assert canonical(write_state(read_state(document(kind)))) == written()[kind]


def test_canonical_bytes_do_not_depend_on_the_order_of_keys() -> None:
    mixed = dict(reversed(document().items()))
    assert canonical(mixed) == written()["roll"]


def test_a_state_id_covers_the_whole_content() -> None:
    told = state_id(document())
    assert told.startswith("s_" + document()["game_id"][2:] + "_")
    assert state_id({**document(), "state_id": "s_x"}) == told
    assert state_id(put(document(), "/secrets/seed", "other")) != told
    assert state_id(put(document(), "/version", 99)) != told


# Malformed


@pytest.mark.parametrize("bad", [None, [], "state", 1, True])
def test_a_state_is_an_object(bad: Any) -> None:
    assert refused(bad).malformed
    assert pointers(bad) == [""]


@pytest.mark.parametrize("name", ["schema", "game_id", "version", "edition", "options", "turn", "decision", "resume"])
def test_a_missing_field_is_named(name: str) -> None:
    bad = document()
    del bad[name]
    assert pointers(bad) == [f"/{name}"]


@pytest.mark.parametrize("at", ["", "/options", "/turn", "/players/0", "/secrets", "/resume"])
def test_a_field_too_many_or_too_few_is_named(at: str) -> None:
    assert f"{at}/more" in pointers(put(document(), f"{at}/more", 1))
    bad = document()
    part: Any = bad
    for name in at.split("/")[1:]:
        part = part[int(name) if isinstance(part, list) else name]
    name = min(part)
    del part[name]
    assert f"{at}/{name}" in pointers(bad)


WRONG: list[tuple[str, Any]] = [
    ("/schema", "kaijudge/2"),
    ("/schema", []),
    ("/game_id", "x"),
    ("/game_id", "g_ä b"),
    ("/game_id", "g_ä"),
    ("/game_id", "g_²"),
    ("/game_id", 7),
    ("/version", -1),
    ("/version", 1.0),
    ("/version", True),
    ("/edition", "xx"),
    ("/edition", []),
    ("/options", []),
    ("/options/bay", 1),
    ("/options/dice", "loaded"),
    ("/options/secrets", None),
    ("/options/history", {}),
    ("/options/auth", "keys"),
    ("/options/auth", None),
    ("/phase", "lunch"),
    ("/phase", ["roll"]),
    ("/turn", None),
    ("/turn/number", 0),
    ("/turn/player", ["p1"]),
    ("/turn/rolls_used", -1),
    ("/turn/rolls_allowed", "3"),
    ("/players", {}),
    ("/players/0", "p1"),
    ("/players/0/id", "P 1"),
    ("/players/0/id", "deck"),
    ("/players/0/id", 1),
    ("/players/0/name", "x" * 65),
    ("/players/0/monster", "Big One"),
    ("/players/0/hearts", -1),
    ("/players/0/hearts", "10"),
    ("/players/0/max_hearts", None),
    ("/players/0/vp", -3),
    ("/players/0/energy", 2.5),
    ("/players/0/place", "moon"),
    ("/players/0/eliminated", 0),
    ("/players/0/poison", None),
    ("/players/0/shrink", []),
    ("/players/0/cards", None),
    ("/dice", {}),
    ("/market", "jets"),
    ("/deck_size", None),
    ("/deck_size", -1),
    ("/decision", []),
    ("/decision/more", 1),
    ("/decision/kind", "lunch"),
    ("/discard", 3),
    ("/outcome", []),
    ("/outcome", {"result": "win"}),
    ("/secrets", None),
    ("/secrets/deck", {}),
    ("/secrets/seed", 5),
    ("/secrets/seed", "x" * 257),
    ("/resume", []),
    ("/resume/draws", -1),
    ("/resume/stack", {}),
    ("/resume/marks", []),
    ("/resume/extra_turns", None),
    ("/resume/regular", 6),
    ("/resume/regular", "p1"),
]


@pytest.mark.parametrize(("pointer", "value"), WRONG, ids=str)
def test_a_wrong_value_is_pointed_at(pointer: str, value: Any) -> None:
    error = refused(put(document(), pointer, value))
    assert error.malformed
    assert any(each.pointer.startswith(pointer) for each in error.problems)


def with_card(card: Any) -> Json:
    bad = document()
    bad["players"][0]["cards"] = [card]
    return bad


CARDS: list[tuple[Any, str]] = [
    ("jets", ""),
    ({}, "/card"),
    ({"card": "moon"}, "/card"),
    ({"card": ["jets"]}, "/card"),
    ({"card": "jets", "colour": 1}, "/colour"),
    ({"card": "smoke_cloud", "charges": -1}, "/charges"),
    ({"card": "smoke_cloud", "charges": "3"}, "/charges"),
    ({"card": "jets", "paid": True}, "/paid"),
    ({"card": "mimic", "copies": "jets"}, "/copies"),
    ({"card": "mimic", "copies": {"player": "p2"}}, "/copies/card"),
    ({"card": "mimic", "copies": {"player": 2, "card": "jets"}}, "/copies/player"),
    ({"card": "mimic", "copies": {"player": "p2", "card": "moon"}}, "/copies/card"),
]


@pytest.mark.parametrize(("card", "at"), CARDS, ids=str)
def test_a_wrong_card_is_pointed_at(card: Any, at: str) -> None:
    assert f"/players/0/cards/0{at}" in pointers(with_card(card))


DICE: list[tuple[Any, str]] = [
    ("claw", ""),
    ({}, "/face"),
    ({"face": "paw"}, "/face"),
    ({"face": 1}, "/face"),
    ({"face": "claw", "green": True}, "/green"),
    ({"face": "claw", "green": 0}, "/green"),
    ({"face": "claw", "red": True}, "/red"),
]


@pytest.mark.parametrize(("die", "at"), DICE, ids=str)
def test_a_wrong_die_is_pointed_at(die: Any, at: str) -> None:
    assert f"/dice/0{at}" in pointers(put(document(), "/dice", [die]))


def test_too_many_of_anything_are_refused() -> None:
    assert "/dice" in pointers(put(document(), "/dice", [{"face": "claw"}] * 9))
    assert "/market" in pointers(put(document(), "/market", ["jets"] * 4))
    assert "/players" in pointers(put(document(), "/players", [document()["players"][0]] * 7))
    assert "/players" in pointers(put(document(), "/players", [document()["players"][0]] * 2))
    assert "/resume/stack" in pointers(put(document(), "/resume/stack", [["roll.ask", {}]] * 100))


@pytest.mark.parametrize("pile", ["/market", "/discard", "/secrets/deck"])
@pytest.mark.parametrize("card", ["moon", 3, ["jets"], None])
def test_a_pile_holds_cards_only(pile: str, card: Any) -> None:
    assert f"{pile}/0" in pointers(put(document(), pile, [card]))


OUTCOMES: list[tuple[str, Any]] = [
    ("/outcome/result", "tie"),
    ("/outcome/result", []),
    ("/outcome/winners", ["nobody"]),
    ("/outcome/winners", [["p1"]]),
    ("/outcome/winners", "p1"),
    ("/outcome/rulings", [1]),
    ("/outcome/rulings", []),
    ("/outcome/rulings", ["no ruling"]),
    ("/outcome/rulings", None),
]


@pytest.mark.parametrize(("pointer", "value"), OUTCOMES, ids=str)
def test_a_wrong_outcome_is_pointed_at(pointer: str, value: Any) -> None:
    assert pointer in pointers(put(document("over"), pointer, value))


def test_every_problem_is_told_at_once() -> None:
    bad = document()
    for pointer in ("/version", "/phase", "/players/0/hearts", "/players/1/vp", "/secrets/seed", "/resume/draws"):
        put(bad, pointer, None)
    found = pointers(bad)
    assert {"/version", "/phase", "/players/0/hearts", "/players/1/vp", "/secrets/seed", "/resume/draws"} <= set(found)


def test_what_is_longer_than_an_id_is_not_remembered() -> None:
    before = _is_slug.cache_info().currsize
    for number in range(3):
        long = f"{number}" + "a" * LONGEST
        bad = put(put(document(), "/players/0/id", long), "/players/0/monster", long)
        assert {"/players/0/id", "/players/0/monster"} <= {*pointers(bad)}
    assert _is_slug.cache_info().currsize == before
