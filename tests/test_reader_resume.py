"""Reading what a state holds to go on: frames that fit their steps, hits, marks, extra turns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reading import HIT, document, pointers, put

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


def test_a_pointer_is_escaped() -> None:
    bad = document()
    bad["resume"]["marks"] = {"a/b~": 1}
    assert pointers(bad) == ["/resume/marks/a~1b~0"]
