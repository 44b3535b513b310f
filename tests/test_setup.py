"""Setting up: every problem of an impossible game, each with its pointer; what is left out has its usual value."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine import EDITIONS, InvalidState, apply, new_game, read_action, read_state, write_state
from engine.cards.deck import all_cards

Json = dict[str, Any]


def request(edition: str = "cs-2012", players: int = 3, **more: Any) -> Json:
    names = "abcdefgh"[:players]
    return {"edition": edition, "players": [{"id": name} for name in names], "first_player": "a", **more}


def with_setup(**setup: Any) -> Json:
    return request(setup=setup)


def with_player(**values: Any) -> Json:
    return with_setup(players={"b": values})


def problems(body: Json) -> list[str]:
    with pytest.raises(InvalidState) as raised:
        new_game(body, "setup")
    assert not raised.value.malformed
    return [each.pointer for each in raised.value.problems]


OF_A_PLAYER: list[tuple[Json, str]] = [
    ({"hearts": 0}, "hearts"),
    ({"hearts": 11}, "hearts"),
    ({"energy": 1_000_001}, "energy"),
    ({"energy": -1}, "energy"),
    ({"vp": -1}, "vp"),
    ({"place": "bay"}, "place"),
    ({"eliminated": True, "hearts": 3}, "hearts"),
    ({"eliminated": True, "energy": 3}, "energy"),
    ({"eliminated": True, "cards": ["jets"]}, "cards"),
    ({"eliminated": True, "place": "city"}, "place"),
    ({"eliminated": True, "poison": 1}, "poison"),
    ({"cards": ["heal"]}, "cards/0"),
    ({"cards": ["jets", {"card": "wings", "charges": 2}]}, "cards/1/charges"),
    ({"cards": [{"card": "jets", "copies": {"player": "c", "card": "wings"}}]}, "cards/0/copies"),
    ({"cards": [{"card": "mimic", "copies": {"player": "c", "card": "wings"}}]}, "cards/0/copies"),
    ({"cards": [{"card": "mimic", "copies": {"player": "c", "card": "heal"}}]}, "cards/0/copies"),
    ({"cards": [{"card": "mimic", "copies": {"player": "z", "card": "wings"}}]}, "cards/0/copies"),
]


@pytest.mark.parametrize(("values", "at"), OF_A_PLAYER, ids=str)
def test_an_impossible_player_is_pointed_at(values: Json, at: str) -> None:
    assert f"/setup/players/b/{at}" in problems(with_player(**values))


OF_A_GAME: list[tuple[Json, str]] = [
    (request(players=1), "/players"),
    (request(players=7), "/players"),
    (request(options={"bay": True}), "/options/bay"),
    (request("cs-2016", 5, options={"bay": False}), "/options/bay"),
    (request(first_player="z"), "/first_player"),
    (request(options={"secrets": "sealed"}, seed="x"), "/seed"),
    (request(options={"secrets": "sealed"}, setup={}), "/setup"),
    (request(options={"secrets": "sealed", "history": "free"}), "/options/history"),
    (request(options={"auth": "seats", "history": "free"}), "/options/history"),
    (request(options={"auth": "seats"}, seed="x"), "/seed"),
    (request(players=2) | {"players": [{"id": "a"}, {"id": "a"}]}, "/players"),
    (request() | {"players": [{"id": "a", "monster": "m"}, {"id": "b", "monster": "m"}]}, "/players"),
    (with_setup(players={"z": {}}), "/setup/players/z"),
    (with_setup(players={"a": {"eliminated": True}}), "/first_player"),
    (with_setup(players={"b": {"eliminated": True}, "c": {"eliminated": True}}), "/setup/players"),
    (with_setup(players={"a": {"place": "city"}, "b": {"place": "city"}}), "/setup/players"),
    (with_setup(players={"a": {"poison": 7}, "b": {"poison": 6}}), "/setup/players"),
    (with_setup(players={"a": {"shrink": 13}}), "/setup/players"),
    (with_setup(market=["heal", "jets", "wings", "tanks"], deck=[]), "/setup/market"),
    (with_setup(market=["heal"], deck=["heal"]), "/setup"),
    (with_setup(players={"a": {"cards": ["jets"]}, "b": {"cards": ["jets"]}}), "/setup"),
]


@pytest.mark.parametrize(("body", "pointer"), OF_A_GAME, ids=lambda each: str(each)[:80])
def test_an_impossible_game_is_pointed_at(body: Json, pointer: str) -> None:
    assert pointer in problems(body)


@pytest.mark.parametrize(("name", "at"), [("z", "z"), ("a/b~c", "a~1b~0c")])
def test_a_stranger_is_pointed_at(name: str, at: str) -> None:
    assert problems(with_setup(players={name: {}})) == [f"/setup/players/{at}"]


def test_what_was_not_sent_is_not_pointed_at() -> None:
    assert problems(request(players=1)) == ["/players"]


def test_every_problem_is_told_at_once() -> None:
    found = problems(with_setup(players={"a": {"vp": -1}, "b": {"hearts": 0}, "z": {}}) | {"first_player": "y"})
    assert set(found) == {"/setup/players/a/vp", "/setup/players/b/hearts", "/setup/players/z", "/first_player"}


def test_client_dice_name_the_first_player_but_where_no_dice_decide() -> None:
    body = request(options={"dice": "client"})
    del body["first_player"]
    assert problems(body) == ["/first_player"]
    assert new_game({**body, "edition": "pl"}, "setup").state.active == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_new_game_has_all_its_cards_and_three_in_the_market(edition: str) -> None:
    state = new_game(request(edition), "setup").state
    assert len(state.market) == 3
    assert Counter((*state.market, *state.deck)) == Counter(all_cards(EDITIONS[edition].deck))
    assert sum(Counter((*state.market, *state.deck)).values()) == 66


def test_what_a_setup_leaves_out_is_as_at_the_start() -> None:
    state = new_game(with_player(vp=3, cards=["smoke_cloud"]), "setup").state
    assert [player.hearts for player in state.players] == [10, 10, 10]
    assert state.players[1].vp == 3
    assert state.players[1].cards[0].charges == 3
    assert len(state.market) + len(state.deck) == 65


def test_a_deck_that_is_given_is_the_whole_deck() -> None:
    state = new_game(with_setup(deck=["heal", "jets"]), "setup").state
    assert (state.deck, state.market) == (("heal", "jets"), ())
    state = new_game(with_setup(market=["wings"]), "setup").state
    assert state.market == ("wings",)
    assert len(state.deck) == 65


@pytest.mark.parametrize(("phase", "kind"), [("start", "roll"), ("roll", "roll"), ("buy", "buy")])
def test_a_position_stands_in_its_phase(phase: str, kind: str) -> None:
    state = new_game(with_setup(phase=phase, players={"a": {"place": "city"}}), "setup").state
    assert state.decision is not None
    assert state.decision.kind == kind
    assert state.players[0].vp == (2 if phase == "start" else 0)


def test_the_same_request_and_seed_are_the_same_game() -> None:
    assert write_state(new_game(request(), "x").state) == write_state(new_game(request(), "x").state)
    assert new_game(request(), "x").state.game_id != new_game(request(), "y").state.game_id


def test_ties_for_the_first_player_are_rolled_again() -> None:
    body = request()
    del body["first_player"]
    events = next(
        told
        for seed in range(100)
        if (told := new_game(body, f"tie-{seed}").events) and sum(e["type"] == "first_player_roll" for e in told) > 3
    )
    rolls = [event for event in events if event["type"] == "first_player_roll"]
    most = max(event["dice"].count("claw") for event in rolls[:3])
    tied = [event["player"] for event in rolls[:3] if event["dice"].count("claw") == most]
    assert [event["player"] for event in rolls[3 : 3 + len(tied)]] == tied
    assert "SETUP-8" in rolls[3]["rulings"]


def test_a_game_from_the_most_points_can_be_told_on_and_read_again() -> None:
    body = {**with_setup(players={"a": {"vp": 1_000_000_000}}), "options": {"dice": "client"}}
    state = new_game(body, "setup").state
    for action in ({"type": "roll", "faces": ["3", "3", "3", "1", "1", "2"]}, {"type": "resolve"}):
        state = apply(state, read_action({"player": "a", **action})).state
    assert read_state(write_state(state)).players[0].vp == 1_000_000_000
