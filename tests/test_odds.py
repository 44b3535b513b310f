"""The odds of a reroll are exact: they add up, and agree with counting every outcome."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import engine
from engine.state import FACES

GAME = {"players": [{"id": "a"}, {"id": "b"}], "first_player": "a", "options": {"dice": "client"}}
ROLL = {"type": "roll", "player": "a", "faces": ["1", "1", "2", "claw", "heart", "energy"]}


@pytest.fixture
def rolled() -> engine.State:
    return engine.apply(engine.new_game(GAME, "odds").state, engine.read_action(ROLL)).state


@pytest.mark.parametrize("dice", [[], [0], [2, 5], [2, 3, 4], [0, 1, 2, 3]])
def test_odds_agree_with_counting_every_outcome(rolled: engine.State, dice: list[int]) -> None:
    kept = [face for die, face in enumerate(rolled.dice) if die not in dice]
    counted = Counter(tuple(sorted([*kept, *faces])) for faces in product(FACES, repeat=len(dice)))
    odds = engine.reroll_odds(rolled, dice)
    assert odds["total"] == 6 ** len(dice)
    assert {tuple(sorted(each["dice"])): each["ways"] for each in odds["outcomes"]} == counted
    claws = Counter(faces.count("claw") for faces in counted.elements())
    assert {each["value"]: each["ways"] for each in odds["faces"]["claw"]} == claws


def test_points_of_a_reroll_for_a_third_one(rolled: engine.State) -> None:
    odds = engine.reroll_odds(rolled, [2, 3])
    assert odds["vp"] == [{"value": 0, "ways": 25}, {"value": 1, "ways": 10}, {"value": 2, "ways": 1}]


@pytest.fixture
def camouflaged() -> engine.State:
    """Two claws and a 3 have hit b, who has rolled a heart and a 3 against them."""
    cards = {"place": "city", "cards": ["camouflage", "background_dweller"]}
    state = engine.new_game({**GAME, "setup": {"players": {"b": cards}}}, "odds").state
    for action in (
        {"type": "roll", "player": "a", "faces": ["claw", "claw", "3", "2", "2", "2"]},
        {"type": "resolve", "player": "a"},
        {"type": "dice", "player": "b", "faces": ["heart", "3"]},
    ):
        state = engine.apply(state, engine.read_action(action)).state
    assert state.decision is not None
    assert state.decision.kind == "camouflage"
    return state


def test_odds_are_those_of_the_dice_that_a_decision_brings(camouflaged: engine.State) -> None:
    odds = engine.reroll_odds(camouflaged, [1])
    assert [each["dice"] for each in odds["outcomes"]] == [
        ["1", "heart"], ["2", "heart"], ["3", "heart"], ["energy", "heart"], ["claw", "heart"], ["heart", "heart"],
    ]  # fmt: skip
    assert odds["faces"]["heart"] == [{"value": 1, "ways": 5}, {"value": 2, "ways": 1}]


def test_the_turns_dice_are_not_in_question_then(camouflaged: engine.State) -> None:
    with pytest.raises(engine.IllegalAction, match="no_such_die"):
        engine.reroll_odds(camouflaged, [2])


def test_a_die_that_is_not_there_has_no_odds(rolled: engine.State) -> None:
    with pytest.raises(engine.IllegalAction, match="no_such_die"):
        engine.reroll_odds(rolled, [6])
