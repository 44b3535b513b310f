"""Reading states: a good document is read, a damaged one is refused with the right pointer and never otherwise."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine import EDITIONS, InvalidState, canonical, read_state, state_id, write_decision, write_state
from engine.draft import Draft
from engine.fields import Reader
from engine.frames import STEPS
from engine.legal import ANSWERS
from engine.reader import _read
from tests.properties.player import choose, wander
from tests.properties.positions import opening

Json = dict[str, Any]


@lru_cache(maxsize=1)
def written() -> dict[str, bytes]:
    """A document for each kind of decision and one of a game that is over, from random play."""
    found: dict[str, bytes] = {}
    for seed in range(300):
        random = Random(seed)
        edition = sorted(EDITIONS)[seed % 4]
        last = None
        for state, action in wander(opening(random, edition, 2 + seed % 5), f"seed-{seed}", random):
            assert state.decision is not None
            if state.decision.kind not in found or (len(state.stack) > 3 and random.random() < 0.05):
                found[state.decision.kind] = canonical(write_state(state))
            last = state, action
        assert last is not None
        found["over"] = canonical(write_state(engine.apply(*last).state))
        if len(found) == len(ANSWERS) + 1:
            break
    return found


def document(kind: str = "roll") -> Json:
    loaded: Json = json.loads(written()[kind])
    return loaded


def refused(bad: Any) -> InvalidState:
    with pytest.raises(InvalidState) as raised:
        read_state(bad)
    assert raised.value.problems
    return raised.value


def pointers(bad: Any) -> list[str]:
    return [each.pointer for each in refused(bad).problems]


def put(bad: Any, pointer: str, value: Any) -> Any:
    """The document with one value replaced, or added."""
    *path, last = pointer[1:].split("/")
    at = bad
    for name in path:
        at = at[int(name) if isinstance(at, list) else name]
    at[int(last) if isinstance(at, list) else last] = value
    return bad


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


HIT: Json = {"seat": 0, "amount": 1, "dealer": None, "claw": False, "rulings": ["G-1"], "done": []}

FRAMES: list[tuple[Any, str]] = [
    (None, ""),
    ("roll.ask", ""),
    ([], ""),
    (["roll.ask"], ""),
    (["roll.ask", []], ""),
    ([3, {}], ""),
    ([["roll.ask"], {}], ""),
    (["roll.never", {}], ""),
    (["roll.answer", {}], ""),
    (["roll.ask", {"seat": 0}], ""),
    (["opportunist.offer", {"seat": 0}], ""),
    (["opportunist.offer", {"seat": 9, "card": "opportunist", "cards": [], "number": 0}], "/1/seat"),
    (["opportunist.offer", {"seat": "0", "card": "opportunist", "cards": [], "number": 0}], "/1/seat"),
    (["opportunist.offer", {"seat": 0, "card": "opportunist", "cards": [], "number": -1}], "/1/number"),
    (["opportunist.offer", {"seat": 0, "card": "opportunist", "cards": [], "number": True}], "/1/number"),
    (["effect.vp", {"seat": 0, "card": "skyscraper", "amount": 17}], "/1/amount"),
    (["turn.start", {"seat": 0, "fewer": 0}], ""),
    (["death.concede", {"seat": 0}], ""),
    (["roll.first", {"faces": ["1"]}], ""),
    (["market.used_up", {"seat": 0, "card": "moon"}], "/1/card"),
    (["tokyo.parting", {"attacker": 0, "leavers": [0, 9]}], "/1/leavers"),
    (["tokyo.parting", {"attacker": 0, "leavers": 0}], "/1/leavers"),
    (["yield.offer", {"seat": 0, "several": 1}], "/1/several"),
    (["camouflage.look", {"seat": 0, "hit": HIT, "faces": ["paw"]}], "/1/faces"),
    (["camouflage.look", {"seat": 0, "hit": HIT, "faces": ["3"] * 17}], "/1/faces"),
    (["resolve.begin", {"order": [1]}], "/1/order"),
    (["dice.wait", {"seat": 0, "count": 1, "then": "roll.first"}], "/1/then"),
    (["dice.wait", {"seat": 0, "count": 1, "then": ["roll.never", {}]}], "/1/then"),
    (["dice.wait", {"seat": 0, "count": 1, "then": [[], {}]}], "/1/then"),
    (["dice.wait", {"seat": 0, "count": 1, "then": ["roll.ask", {}]}], "/1/then"),
    (["dice.wait", {"seat": 0, "count": 1, "then": ["roll.again", {"dice": ["0"]}]}], "/1/then"),
    (["damage.hit", {"hit": []}], "/1/hit"),
    (["damage.hit", {"hit": {"seat": 0}}], "/1/hit"),
]


@pytest.mark.parametrize(("frame", "at"), FRAMES, ids=str)
def test_a_frame_that_fits_no_step_is_refused(frame: Any, at: str) -> None:
    bad = document()
    bad["resume"]["stack"].insert(0, frame)
    assert pointers(bad) == [f"/resume/stack/0{at}"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("seat", 9), ("amount", -1), ("amount", 17), ("dealer", 9), ("claw", 0), ("rulings", [1]),
     ("rulings", ["no ruling"]), ("done", "x"), ("more", 1)],
)
def test_a_hit_that_is_none_is_refused(field: str, value: Any) -> None:
    bad = document()
    bad["resume"]["stack"].insert(0, ["damage.hit", {"hit": {**HIT, field: value}}])
    assert pointers(bad) == ["/resume/stack/0/1/hit"]


MARKS: list[tuple[str, Any]] = [
    ("luck", 1),
    ("fewer", -1),
    ("vacated", {"moon": "died"}),
    ("vacated", {"city": ["died"]}),
    ("vacated", []),
    ("left", [9]),
    ("clawed", 0),
    ("dealt", ["0"]),
    ("bay_closed", False),
    ("alone", 1),
    ("shields", {"x": "G-1"}),
    ("shields", {"²": "G-1"}),
    ("shields", {"9": "G-1"}),
    ("shields", {"0": 1}),
    ("shields", {"0": "no ruling"}),
    ("dodged", []),
    ("probed", "yes"),
    ("probed", []),
    ("revealed", ["moon"]),
    ("offers", "1"),
    ("peeked", 9),
]


@pytest.mark.parametrize(("name", "value"), MARKS, ids=str)
def test_a_mark_that_no_turn_makes_is_refused(name: str, value: Any) -> None:
    assert pointers(put(document(), f"/resume/marks/{name}", value)) == [f"/resume/marks/{name}"]


@pytest.mark.parametrize("extra", [None, [], [0, 0], [9, 0, False], [0, -1, False], [0, 0, 0], [0, 0, False, 1]])
def test_an_extra_turn_that_is_none_is_refused(extra: Any) -> None:
    bad = put(document(), "/resume/extra_turns", [extra])
    assert set(pointers(bad)) == {"/resume/extra_turns/0"}


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


# Well formed, but no game can be so


def damaged(kind: str, damage: Callable[[Json], None]) -> InvalidState:
    bad = document(kind)
    damage(bad)
    error = refused(bad)
    assert not error.malformed
    return error


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


def test_a_pointer_is_escaped() -> None:
    bad = document()
    bad["resume"]["marks"] = {"a/b~": 1}
    assert pointers(bad) == ["/resume/marks/a~1b~0"]


def test_a_game_that_is_over_awaits_nothing() -> None:
    error = damaged("over", lambda bad: bad["resume"].update(stack=[["turn.finish", {}]]))
    assert [each.pointer for each in error.problems] == ["/decision"]
    error = damaged("over", lambda bad: bad.update(outcome=None))
    assert {each.pointer for each in error.problems} & {"/resume/stack", "/players"}


# Fuzz

PARTS = (
    "resume", "resume", "resume", "players", "players", "turn", "phase", "dice", "market", "options", "decision",
    "discard", "secrets", "edition", "outcome",
)  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    found = [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in items:
        found.extend(paths(each, (*at, name)))
    return found


NUMBERS = [-1, 0, 1, 2, 3, 5, 7, 12, 20, 66, 1000, 10**6, 10**12]
WORDS = ["", "p1", "p2", "p3", "jets", "mimic", "wings", "city", "bay", "outside", "claw", "1", "heart", "roll", "buy"]
STEP_NAMES = sorted(STEPS)
SCALARS: list[Any] = [None, True, False, *NUMBERS, *WORDS, [], {}]


def mutated(good: Any, data: st.DataObject) -> Any:
    """The document with something in it replaced, removed, doubled or moved."""
    bad = copy.deepcopy(good)
    part = data.draw(st.sampled_from([name for name in PARTS if bad.get(name)]))
    path = data.draw(st.sampled_from(paths(bad[part], (part,))))
    holder = bad
    for name in path[:-1]:
        holder = holder[name]
    how = data.draw(st.sampled_from(["put", "put", "put", "remove", "double", "swap"]))
    if how == "remove":
        del holder[path[-1]]
    elif how == "double" and isinstance(holder, list):
        holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    elif how == "swap" and isinstance(holder, list):
        holder.reverse()
    else:
        names = STEP_NAMES if isinstance(holder[path[-1]], str) and holder[path[-1]] in STEPS else []
        holder[path[-1]] = data.draw(st.sampled_from([*SCALARS, *names]))
    return bad


def made_consistent(bad: Any) -> None:
    """What somebody who knows the code would also do: count the deck, and name the decision the stack asks."""
    try:
        bad["deck_size"] = len(bad["secrets"]["deck"])
        reader = Reader()
        state = _read(reader, bad)
        assert state is not None
        g = Draft(state)
        name, args = state.stack[-1]
        STEPS[name](g, **args)
        assert g.decision is not None
        bad["decision"] = write_decision(state, g.decision)
    except Exception:
        return


def plays_on(state: engine.State, seed: int, most: int = 25) -> None:
    """Some more random actions, each offered and accepted, each state readable."""
    random = Random(seed)
    for _ in range(most):
        if state.outcome is not None:
            return
        offered = engine.legal_actions(state)
        action = choose(random, state, offered)
        state = engine.apply(state, action).state
    read_state(json.loads(canonical(write_state(state))))


@pytest.mark.parametrize("kind", [*ANSWERS, "over"])
def test_a_damaged_document_is_refused_or_plays_on(kind: str) -> None:
    good = document(kind)

    @settings(max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), st.integers(1, 3))
    def refused_or_lawful(data: st.DataObject, times: int) -> None:
        bad = good
        for _ in range(times):
            bad = mutated(bad, data)
        made_consistent(bad)
        try:
            state = read_state(bad)
        except InvalidState:
            return
        plays_on(state, times)

    refused_or_lawful()
