"""Well formed, but no game can be so: what contradicts itself, and a stack that asks something else."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine import canonical, read_state, write_state
from tests.reading import HIT, Json, damaged, document, pointers, put, refused

ANN: Json = {
    "id": "p1", "hearts": 10, "max_hearts": 10, "vp": 0, "energy": 0, "place": "outside", "eliminated": False,
    "poison": 0, "shrink": 0, "cards": [],
}  # fmt: skip

IMPOSSIBLE: list[tuple[str, Any]] = [
    ("/players", []),
    ("/players", [ANN]),
    ("/players", [ANN, ANN]),
    ("/turn/player", "nobody"),
    ("/deck_size", 65),
    ("/dice", [{"face": "claw"}]),
    ("/options/bay", True),
]


@pytest.mark.parametrize(("pointer", "value"), IMPOSSIBLE, ids=str)
def test_what_contradicts_the_rest_is_impossible(pointer: str, value: Any) -> None:
    good = write_state(engine.new_game({"players": [{"id": "p1"}, {"id": "p2"}], "first_player": "p1"}, "seed").state)
    error = refused(put(json.loads(canonical(good)), pointer, value))
    assert not error.malformed
    assert {each.pointer for each in error.problems} == {pointer}


def test_no_two_play_the_same_monster() -> None:
    players = [{"id": "p1", "monster": "gigazaur"}, {"id": "p2", "monster": "the_king"}]
    good = json.loads(canonical(write_state(engine.new_game({"players": players}, "seed").state)))
    assert read_state(good).players[1].monster == "the_king"
    error = refused(put(good, "/players/1/monster", "gigazaur"))
    assert (error.malformed, [each.pointer for each in error.problems]) == (False, ["/players"])


@pytest.mark.parametrize("options", [{"secrets": "sealed"}, {"auth": "seats"}])
def test_what_hides_or_has_seats_is_anchored(options: Json) -> None:
    error = damaged("roll", lambda bad: bad["options"].update(options))
    assert [each.pointer for each in error.problems] == ["/options/history"]


def test_who_may_move_is_written_only_where_it_is_asked() -> None:
    plain = document("roll")
    assert "auth" not in plain["options"]
    assert read_state(plain).options.auth == "none"
    seated = put(put(plain, "/options/auth", "seats"), "/options/history", "anchored")
    assert read_state(seated).options.auth == "seats"
    assert write_state(read_state(seated)) == seated
    assert write_state(read_state(put(seated, "/options/auth", "none")))["options"] == {
        "bay": seated["options"]["bay"], "dice": seated["options"]["dice"], "secrets": "open", "history": "anchored",
    }  # fmt: skip


# What is awaited


def test_the_decision_must_be_the_one_awaited() -> None:
    error = damaged("roll", lambda bad: bad["decision"].update(kind="buy"))
    assert [each.pointer for each in error.problems] == ["/decision"]
    error = damaged("roll", lambda bad: bad.update(decision=None))
    assert [each.pointer for each in error.problems] == ["/decision"]


@pytest.mark.parametrize("stack", [[], [["turn.finish", {}]], [["buy.phase", {}]]])
def test_the_stack_must_ask(stack: list[Any]) -> None:
    error = damaged("roll", lambda bad: bad["resume"].update(stack=stack))
    assert [each.pointer for each in error.problems] == ["/resume/stack"]


def test_a_hit_is_followed_by_its_toll() -> None:
    """Or a monster would live on without hearts."""
    toll = ["death.toll", {"seats": [0], "by_claws": []}]
    for late in (["damage.hit", {"hit": HIT}], ["camouflage.wait", {"seat": 0, "hit": HIT}]):
        bad = put(document(), "/options/dice", "client")
        bad["resume"]["stack"].insert(1, late)
        assert "toll" in refused(bad).problems[0].detail
        bad["resume"]["stack"].insert(2, toll)
        assert "toll" in refused(bad).problems[0].detail
        bad["resume"]["stack"].insert(1, toll)
        engine.read_state(bad)


def test_faces_are_awaited_only_where_the_table_rolls() -> None:
    bad = document("dice")
    assert pointers(put(bad, "/options/dice", "server")) == ["/resume/stack"]


def test_faces_are_awaited_before_all_else() -> None:
    bad = document("dice")
    wait = ["dice.wait", {"seat": 0, "count": 1, "then": ["roll.first", {}]}]
    bad["resume"]["stack"].insert(1, wait)
    assert pointers(bad) == ["/resume/stack"]


def test_faces_are_awaited_of_some_die() -> None:
    bad = put(document(), "/options/dice", "client")
    bad["resume"]["stack"].append(["dice.wait", {"seat": 0, "count": 0, "then": ["roll.again", {"dice": []}]}])
    assert pointers(bad) == ["/resume/stack"]


def test_a_question_that_has_no_answer_is_refused() -> None:
    """Only an edition of the first deck lets its owner say what is put on Monster Batteries."""
    position = {"phase": "buy", "players": {"a": {"energy": 2, "cards": ["monster_batteries"]}}}
    request = {"edition": "cs-2016", "players": [{"id": "a"}, {"id": "b"}], "first_player": "a", "setup": position}
    bad = json.loads(canonical(write_state(engine.new_game(request, "seed").state)))
    bad["resume"]["stack"].append(["monster_batteries.load", {"seat": 0, "card": "monster_batteries"}])
    assert pointers(bad) == ["/resume/stack"]


def test_a_game_that_is_over_awaits_nothing() -> None:
    error = damaged("over", lambda bad: bad["resume"].update(stack=[["turn.finish", {}]]))
    assert [each.pointer for each in error.problems] == ["/decision"]
    error = damaged("over", lambda bad: bad.update(outcome=None))
    assert {each.pointer for each in error.problems} & {"/resume/stack", "/players"}
