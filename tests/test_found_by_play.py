"""What random play and damaged documents found, reduced to the smallest game that shows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine import EDITIONS, IllegalAction, InvalidState, State, canonical, read_action, read_state, write_state
from engine.actions import Reroll


def game(edition: str, *actions: dict[str, Any], **setup: Any) -> State:
    """A client-dice game of a and b after these actions."""
    request = {
        "edition": edition, "players": [{"id": "a"}, {"id": "b"}], "first_player": "a", "options": {"dice": "client"},
        "setup": setup,
    }  # fmt: skip
    state = engine.new_game(request, "found").state
    for action in actions:
        state = engine.apply(state, read_action(action)).state
    return state


def reread(state: State) -> State:
    return read_state(json.loads(canonical(write_state(state))))


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_offer_is_of_the_market_alone(edition: str) -> None:
    players = {
        "a": {"energy": 9, "cards": ["jets"]},
        "b": {"energy": 9, "cards": ["opportunist", "parasitic_tentacles"]},
    }
    sweep = {"type": "sweep", "player": "a"}
    state = game(edition, sweep, phase="buy", players=players, market=["heal"], deck=["tanks", "wings"])
    assert state.decision is not None
    assert state.decision.kind == "offer"
    with pytest.raises(IllegalAction) as raised:
        engine.apply(state, read_action({"type": "buy", "player": "b", "from": "a", "card": "jets"}))
    assert raised.value.violations[0].pointer == "/from"


@pytest.mark.parametrize("edition", ["pl", "cs-2016"])
def test_the_last_monster_may_still_be_asked_before_its_turn_ends(edition: str) -> None:
    players = {"a": {"place": "city", "poison": 2, "cards": ["camouflage"]}, "b": {"hearts": 1}}
    roll = {"type": "roll", "player": "a", "faces": ["claw", "1", "1", "2", "2", "3"]}
    state = game(edition, roll, {"type": "resolve", "player": "a"}, players=players)
    assert state.living == [0]
    assert state.decision is not None
    assert state.decision.kind == "dice"
    assert canonical(write_state(reread(state))) == canonical(write_state(state))


@pytest.mark.parametrize(
    ("dice", "count"), [([0, 6], 2), ([0, 1], 3), ([0, 0], 2)], ids=["not there", "too many faces", "twice"]
)
def test_faces_are_awaited_of_dice_that_are_there(dice: list[int], count: int) -> None:
    roll = {"type": "roll", "player": "a", "faces": ["1", "1", "2", "2", "3", "3"]}
    state = game("pl", roll, {"type": "reroll", "player": "a", "dice": [0, 1]})
    document = json.loads(canonical(write_state(state)))
    args = document["resume"]["stack"][-1][1]
    args["then"][1]["dice"], args["count"], document["decision"]["count"] = dice, count, count
    with pytest.raises(InvalidState):
        read_state(document)
    reread(state)


def test_a_discard_card_lies_before_nobody_but_while_it_acts() -> None:
    state = game("pl", phase="buy", players={"a": {"cards": ["jets"]}}, market=[], deck=[])
    document = json.loads(canonical(write_state(state)))
    document["players"][0]["cards"] = [{"card": "heal"}]
    with pytest.raises(InvalidState, match="Discard card"):
        read_state(document)


def test_an_eliminated_monster_has_no_turn() -> None:
    request = {"edition": "pl", "players": [{"id": name} for name in "abc"], "first_player": "a"}
    opening = engine.new_game(request, "found").state
    state = engine.apply(opening, read_action({"type": "concede", "player": "c"})).state
    document = json.loads(canonical(write_state(state)))
    document["turn"]["player"] = "c"
    document["decision"].update(player="c", default={"type": "roll", "player": "c"})
    with pytest.raises(InvalidState, match="has no turn"):
        read_state(document)


@pytest.mark.parametrize("edition", ["cs-2012", "hu-2014", "pl"])
def test_deaths_that_bring_about_another_close_the_bay_once(edition: str) -> None:
    request = {
        "edition": edition, "players": [{"id": name} for name in "abcdef"], "first_player": "a",
        "options": {"dice": "client", "bay": True},
        "setup": {"players": {
            "a": {"place": "city"}, "b": {"hearts": 1, "cards": ["even_bigger"]}, "d": {"place": "bay"},
            "c": {"hearts": 3, "cards": [{"card": "mimic", "copies": {"player": "b", "card": "even_bigger"}}]},
        }},
    }  # fmt: skip
    state = engine.new_game(request, "found").state
    roll = {"type": "roll", "player": "a", "faces": ["claw", "1", "1", "2", "2", "3"]}
    state = engine.apply(state, read_action(roll)).state
    result = engine.apply(state, read_action({"type": "resolve", "player": "a"}))
    assert [each["type"] for each in result.events].count("bay_closed") == 1
    assert result.state.living == [0, 3, 4, 5]


def test_a_great_many_dice_against_damage_are_offered_by_their_number() -> None:
    players = {"a": {"poison": 12, "cards": ["camouflage", "background_dweller"]}}
    shown = {"type": "dice", "player": "a", "faces": ["3"] * 12}
    state = game("pl", {"type": "end_turn", "player": "a"}, shown, phase="buy", players=players)
    assert state.decision is not None
    assert state.decision.kind == "camouflage"
    rerolls = [each for each in engine.legal_actions(state) if isinstance(each, Reroll)]
    assert [len(each.dice) for each in rerolls] == [*range(1, 13)]
    other = {"type": "reroll", "player": "a", "dice": [3, 11], "with": "background_dweller"}
    assert not engine.validate(state, read_action(other))
    assert engine.reroll_odds(state, [*range(12)])["total"] == 6**12
