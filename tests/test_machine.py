"""The machine carries interrupts, however deep: tried with the made-up cards of tests/made_up.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import engine
from tests.made_up import BASES, Game, Json, rulesets

PARRY, CENSOR, FLIGHT, YIELD, BUY = "CARD-TEST-PARRY", "CARD-TEST-CENSOR", "CARD-TEST-FLIGHT", "YIELD-1", "BUY-1"


@pytest.fixture(autouse=True)
def made_up_rules() -> Iterator[None]:
    """The editions with the made-up cards; all gone after each test."""
    with rulesets():
        yield


def in_city(*cards: Any) -> Json:
    return {"place": "city", "cards": [*cards]}


# The target of damage interrupts


@pytest.mark.parametrize("base", BASES)
def test_a_target_interrupts_its_damage_and_the_attack_goes_on(base: str) -> None:
    game = Game(base, players={"b": in_city("test_parry")}).roll("claw", "claw")
    assert game.asked == ("b", PARRY)
    assert game.of("b")["hearts"] == 10
    game.says("b", True)
    assert game.of("b")["hearts"] == 9
    assert game.of("a")["hearts"] == 9
    assert game.asked == ("b", YIELD)
    game.says("b", True)
    assert game.asked == ("a", BUY)
    assert (game.of("a")["place"], game.of("b")["place"]) == ("city", "outside")


@pytest.mark.parametrize("base", BASES)
def test_a_declined_interrupt_leaves_the_damage_as_it_is(base: str) -> None:
    game = Game(base, players={"b": in_city("test_parry")}).roll("claw", "claw").says("b", False)
    assert game.of("b")["hearts"] == 8
    assert game.asked == ("b", YIELD)


@pytest.mark.parametrize("base", BASES)
def test_an_interrupt_interrupts_an_interrupt(base: str) -> None:
    cards = {"a": {"cards": ["test_parry"]}, "b": in_city("test_parry")}
    game = Game(base, players=cards).roll("claw", "claw").says("b", True)
    assert game.asked == ("a", PARRY)
    assert game.document["decision"]["amount"] == 1
    assert game.of("b")["hearts"] == 10, "the first blow waits until the one within it is done"
    game.says("a", True)
    assert (game.of("a")["hearts"], game.of("b")["hearts"]) == (10, 9)
    assert game.asked == ("b", YIELD)


@pytest.mark.parametrize("base", BASES)
def test_every_target_interrupts_in_turn_and_the_dead_fall_together(base: str) -> None:
    weak = {"hearts": 1, "cards": ["test_parry"]}
    game = Game(base, players={"a": in_city(), "b": weak, "c": weak}).roll("claw", "claw")
    assert game.asked == ("b", PARRY)
    game.says("b", False)
    assert game.of("b")["hearts"] == 0
    assert not game.of("b")["eliminated"], "deaths wait for the whole batch"
    assert game.asked == ("c", PARRY)
    game.says("c", False)
    assert [event["player"] for event in game.told("eliminated")] == ["b", "c"]
    assert game.document["outcome"]["winners"] == ["a"]
    assert game.document["resume"]["stack"] == []


# Somebody concedes in the middle


@pytest.mark.parametrize("base", BASES)
def test_a_question_is_dropped_when_the_one_asked_concedes(base: str) -> None:
    game = Game(base, players={"b": in_city("test_parry")}).roll("claw", "claw").act("concede", "b")
    assert game.asked == ("a", BUY)
    assert game.of("a")["place"] == "city"
    assert not game.told("damage")


@pytest.mark.parametrize("base", BASES)
def test_a_turn_ends_when_the_attacker_concedes_in_an_interrupt(base: str) -> None:
    game = Game(base, players={"b": in_city("test_parry")}).roll("claw", "claw").act("concede", "a")
    assert game.document["turn"]["player"] == "b"
    assert (game.of("b")["hearts"], game.of("b")["vp"]) == (10, 2)


@pytest.mark.parametrize("base", BASES)
def test_a_question_is_asked_again_when_a_bystander_concedes(base: str) -> None:
    game = Game(base, players={"b": in_city("test_parry")}).roll("claw", "claw")
    before = game.document["decision"]
    game.act("concede", "c")
    assert game.document["decision"] == before
    game.says("b", True)
    assert (game.of("a")["hearts"], game.of("b")["hearts"]) == (9, 9)


@pytest.mark.parametrize("base", BASES)
def test_conceding_in_a_nested_interrupt_leaves_the_outer_one_whole(base: str) -> None:
    cards = {"a": {"cards": ["test_parry"]}, "b": in_city("test_parry")}
    game = Game(base, players=cards).roll("claw", "claw").says("b", True).act("concede", "b")
    assert game.asked == ("a", PARRY), "the blow struck back is already on its way"
    game.says("a", False)
    assert game.of("a")["hearts"] == 9
    assert game.asked == ("a", BUY)


# Others interrupt a reveal


@pytest.mark.parametrize("base", BASES)
def test_others_interrupt_a_reveal_clockwise(base: str) -> None:
    censors = {"a": {"energy": 9}, "b": {"cards": ["test_censor"]}, "c": {"cards": ["test_censor"]}}
    deck = ["jets", "tanks", "heal", "wings"]
    game = Game(base, phase="buy", players=censors, market=["corner_store"], deck=deck)
    game.act("buy", "a", card="corner_store")
    assert game.document["market"] == ["jets"]
    assert game.asked == ("b", CENSOR)
    game.says("b", False)
    assert game.asked == ("c", CENSOR)
    game.says("c", True)
    assert game.document["market"] == ["tanks"]
    assert game.asked == ("b", CENSOR), "a replaced card is a reveal within the reveal"
    assert game.document["decision"]["cards"] == ["tanks"]
    game.says("b", True)
    assert game.asked == ("b", CENSOR)
    game.act("concede", "b")
    assert game.asked == ("c", CENSOR)
    game.says("c", False)
    assert game.asked == ("a", BUY)
    assert game.document["market"] == ["heal"]


@pytest.mark.parametrize("base", BASES)
def test_the_active_player_may_concede_while_others_look_at_a_reveal(base: str) -> None:
    censors = {"a": {"energy": 9}, "b": {"cards": ["test_censor"]}}
    game = Game(base, phase="buy", players=censors, market=["heal"], deck=["jets", "tanks"])
    game.act("sweep", "a").act("concede", "a")
    assert game.document["turn"]["player"] == "b"
    assert game.document["phase"] == "roll"


# A copy of another card


@pytest.mark.parametrize("base", BASES)
def test_a_copy_acts_as_what_it_copies(base: str) -> None:
    echo = {"card": "test_echo", "copies": {"player": "c", "card": "test_parry"}}
    game = Game(base, players={"b": in_city(echo), "c": {"cards": ["test_parry"]}}).roll("claw", "claw")
    assert game.asked == ("b", PARRY)
    game.says("b", True)
    assert game.told("parried")[0]["by"] == "test_echo"
    assert game.of("b")["hearts"] == 9


@pytest.mark.parametrize("base", BASES)
def test_a_copy_that_ends_in_the_middle_of_its_own_question_drops_it(base: str) -> None:
    echo = {"card": "test_echo", "copies": {"player": "c", "card": "test_parry"}}
    game = Game(base, players={"b": in_city(echo), "c": {"cards": ["test_parry"]}}).roll("claw", "claw")
    game.act("concede", "c")
    assert game.of("b")["cards"][0].get("copies") is None
    assert game.of("b")["hearts"] == 8, "the damage lands all the same"
    assert game.asked == ("b", YIELD)


@pytest.mark.parametrize("base", BASES)
def test_a_copy_does_what_its_card_does_when_gained(base: str) -> None:
    players = {"a": {"energy": 3}, "b": {"cards": ["test_drum"]}}
    game = Game(base, phase="buy", players=players, market=["test_echo"], deck=[])
    game.act("buy", "a", card="test_echo")
    assert game.of("a")["cards"][0]["copies"] == {"player": "b", "card": "test_drum"}
    assert game.of("a")["vp"] == 2


@pytest.mark.parametrize("base", BASES)
def test_card_and_copy_interrupt_one_after_the_other(base: str) -> None:
    echo = {"card": "test_echo", "copies": {"player": "c", "card": "test_parry"}}
    players = {"b": in_city("test_parry", echo), "c": {"cards": ["test_parry"]}}
    game = Game(base, players=players).roll("claw", "claw", "claw").says("b", True)
    assert game.asked == ("b", PARRY)
    assert game.document["decision"]["amount"] == 2
    game.says("b", True)
    assert [event["by"] for event in game.told("parried")] == ["test_parry", "test_echo"]
    assert (game.of("a")["hearts"], game.of("b")["hearts"]) == (8, 9)


# Switches that move when a step runs


@pytest.mark.parametrize(
    ("base", "rules", "late"),
    [("cs-2012", "plain", False), ("cs-2012", "enters late", True), ("cs-2016", "plain", True)],
)
def test_the_moment_of_entry_is_a_switch(base: str, rules: str, late: bool) -> None:
    hurt = {"a": {"hearts": 5}}
    game = Game(base, rules, players=hurt).roll("claw", "heart", order=("claws", "hearts", "numbers", "energy"))
    assert game.of("a")["place"] == "city"
    assert game.of("a")["hearts"] == (6 if late else 5), "in Tokyo hearts do nothing"
    assert game.asked == ("a", BUY)


@pytest.mark.parametrize(("rules", "heals"), [("plain", True), ("enters early", False)])
def test_the_moment_of_entry_after_an_attack_is_a_switch(rules: str, heals: bool) -> None:
    players = {"a": {"hearts": 5}, "b": in_city("test_parry")}
    game = Game("cs-2016", rules, players=players)
    game.roll("claw", "claw", "heart", order=("claws", "hearts", "numbers", "energy"))
    game.says("b", False).says("b", True)
    assert game.of("a")["place"] == "city"
    assert game.of("a")["hearts"] == (6 if heals else 5)


@pytest.mark.parametrize("base", BASES)
def test_yielding_comes_after_the_damage_or_by_a_card_before_it(base: str) -> None:
    after = Game(base, players={"b": in_city()}).roll("claw", "claw")
    assert after.asked == ("b", YIELD)
    assert after.of("b")["hearts"] == 8
    before = Game(base, players={"b": in_city("test_flight")}).roll("claw", "claw")
    assert before.asked == ("b", FLIGHT)
    assert before.of("b")["hearts"] == 10
    before.says("b", True)
    assert before.of("b")["hearts"] == 10
    assert before.of("a")["place"] == "city"


@pytest.mark.parametrize("base", BASES)
def test_staying_before_the_damage_leaves_the_choice_after_it(base: str) -> None:
    game = Game(base, players={"b": in_city("test_flight")}).roll("claw", "claw").says("b", False)
    assert game.of("b")["hearts"] == 8
    assert game.asked == ("b", YIELD)


@pytest.mark.parametrize("base", BASES)
def test_the_moment_of_sale_is_a_switch(base: str) -> None:
    seller = {"a": {"cards": ["metamorph", "jets"]}}
    after = Game(base, "plain", "buy", players=seller)
    with pytest.raises(engine.IllegalAction):
        after.act("sell", "a", card="jets")
    after.act("end_turn", "a")
    assert after.document["decision"]["kind"] == "sell"
    after.act("sell", "a", card="jets").act("pass", "a")
    assert (after.of("a")["energy"], after.document["turn"]["player"]) == (5, "b")

    before = Game(base, "sells", "buy", players=seller).act("sell", "a", card="jets")
    assert before.of("a")["energy"] == 5
    before.act("end_turn", "a")
    assert before.document["turn"]["player"] == "b"
