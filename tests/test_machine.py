"""The machine carries interrupts: made-up cards that interrupt damage, a reveal, an attack, and one that copies them.

Every state passes through JSON before the next action, so nothing but the state can carry what is still to come.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from engine import EDITIONS
from engine.actions import Action, Yield
from engine.belongings import change_card
from engine.cards.economy import METAMORPH_IN_BUY_PHASE
from engine.cards.model import KEEP, Ability, Card, card
from engine.checks import checks_of, stackable
from engine.damage import Hit, deal, hit
from engine.draft import Draft
from engine.editions.cs_2016 import never
from engine.editions.ruleset import SWITCHES, Because
from engine.frames import KEPT, STEPS, THEN, listener, question, step
from engine.market import gain, reveal
from engine.params import CARD_WORDS
from engine.state import CardId, Copy, Seat
from engine.tokyo import leave

Json = dict[str, Any]
BASES = ("cs-2012", "cs-2016")
TRIED = Because("made up", "TURN-1", "judgement", "To try the machine.")


# Parry: the target of damage may lessen it by one; parried claws strike back at their owner.


def parry_ask(g: Draft, seat: Seat, card: CardId, hit: Hit) -> None:
    if ("test_parry", card) in g.players[seat].faces:
        g.ask(seat, "yield", ("CARD-TEST-PARRY",), amount=hit["amount"])
    else:
        g.push(("damage.hit", {"hit": hit}))


def parry_answer(g: Draft, answer: Action, seat: Seat, card: CardId, hit: Hit) -> None:
    assert isinstance(answer, Yield)
    if not answer.leave:
        g.push(("damage.hit", {"hit": hit}))
        return
    left = hit["amount"] - 1
    g.emit("parried", ("CARD-TEST-PARRY",), player=answer.player, by=card, left=left)
    g.push(("damage.hit", {"hit": {**hit, "amount": left}}))
    if hit["claw"] and hit["dealer"] is not None:
        deal(g, [strike_back(hit["dealer"], seat)], seat)


def strike_back(target: Seat, by: Seat) -> Hit:
    return hit(target, 1, by, ("CARD-TEST-PARRY",))


# Censor: whoever is not active may have a card just revealed replaced, which is a reveal again.


def censor_ask(g: Draft, seat: Seat, card: CardId, cards: list[CardId], number: int) -> None:
    there = [each for each in cards if each in g.market]
    if there and number == g.marks.get("offers") and ("test_censor", card) in g.players[seat].faces:
        g.ask(seat, "yield", ("CARD-TEST-CENSOR",), cards=there)


def censor_answer(g: Draft, answer: Action, seat: Seat, card: CardId, cards: list[CardId], number: int) -> None:
    assert isinstance(answer, Yield)
    if not answer.leave:
        return
    banned = next(each for each in cards if each in g.market)
    slot = g.market.index(banned)
    g.market = (*g.market[:slot], *g.market[slot + 1 :])
    g.discard = (*g.discard, banned)
    g.move_card("censored", ("CARD-TEST-CENSOR",), banned, "market", "discard")
    g.mark("revealed", ())
    reveal(g, slot)
    g.push(("market.offer", {}))


# Flight: a target of an attack may leave Tokyo before any of its damage.


def flight_ask(g: Draft, seat: Seat, card: CardId, dealer: Seat) -> None:
    if g.players[seat].in_tokyo and ("test_flight", card) in g.players[seat].faces:
        g.ask(seat, "yield", ("CARD-TEST-FLIGHT",))


def flight_answer(g: Draft, answer: Action, seat: Seat, card: CardId, dealer: Seat) -> None:
    assert isinstance(answer, Yield)
    if answer.leave:
        leave(g, "flown", ("CARD-TEST-FLIGHT",), seat, "yielded")
        g.mark("dodged", {**g.marks.get("dodged", {}), str(seat): "CARD-TEST-FLIGHT"})


# Echo: copies the first card of the next monster to the left when it is gained.


def echo_gained(g: Draft, seat: Seat, card: CardId) -> None:
    source = g.players[next(other for other in g.clockwise(seat + 1) if other != seat)]
    found = source.cards[0].card
    change_card(g, "echoed", ("CARD-TEST-ECHO",), seat, card, "copies", Copy(source.id, found))
    gain(g, seat, found, card)


def drum_gained(g: Draft, seat: Seat, card: CardId) -> None:
    """Two points to whoever gains it, or a copy of it."""
    g.gain_vp(("CARD-TEST-DRUM",), seat, 2)


def made_up() -> tuple[Card, ...]:
    """Record the cards and register their steps."""
    question("test_parry.ask", then="test_parry.answer")(parry_ask)
    step("test_parry.answer")(parry_answer)
    question("test_censor.ask", then="test_censor.answer")(censor_ask)
    step("test_censor.answer")(censor_answer)
    question("test_flight.ask", then="test_flight.answer")(flight_ask)
    step("test_flight.answer")(flight_answer)
    listener("test_echo.gained")(echo_gained)
    listener("test_drum.gained")(drum_gained)
    idle = Ability(lambda *_: None, lambda *_: (), lambda *_: None)
    return (
        card("test_parry", 1, KEEP, copies=6, on={"struck": "test_parry.ask"}),
        card("test_censor", 1, KEEP, copies=6, on={"revealed": "test_censor.ask"}),
        card("test_flight", 1, KEEP, copies=6, on={"targeted": "test_flight.ask"}),
        card("test_echo", 1, KEEP, copies=6, on={"gained": "test_echo.gained"}, can={"copy": idle}),
        card("test_drum", 1, KEEP, on={"gained": "test_drum.gained"}),
    )


@pytest.fixture(autouse=True)
def rulesets() -> Iterator[None]:
    """Test editions, each a real one with the made-up cards and at most one switch turned; all gone afterwards."""
    tables: list[dict[str, Any]] = [STEPS, THEN, EDITIONS]
    words: list[set[str]] = [KEPT, CARD_WORDS["card"]]
    before = [dict(table) for table in tables], [set(each) for each in words]
    try:
        _register_all({each.id: each for each in made_up()})
        yield
    finally:
        for table, kept in zip(tables, before[0], strict=True):
            for name in table.keys() - kept.keys():
                del table[name]
        for each, known in zip(words, before[1], strict=True):
            each &= known
        checks_of.cache_clear()
        stackable.cache_clear()


def _register_all(cards: dict[str, Card]) -> None:
    stackable.cache_clear()
    for base in BASES:
        _register(base, "plain", cards)
        _register(base, "sells", {**cards, "metamorph": METAMORPH_IN_BUY_PHASE})
    _register("cs-2012", "enters late", cards, claws_take_empty_city=never, after_attack=(), after_dice=LATE)
    _register("cs-2016", "enters early", cards, after_attack=("tokyo.enter",))


LATE = ("tokyo.enter_phase", "buy.phase", "turn.end")


def _register(base: str, name: str, cards: dict[str, Card], **switches: Any) -> None:
    because = {SWITCHES.get(each, each): TRIED for each in (*switches, *cards)}
    rules = EDITIONS[base].but(f"{base} {name}", name, "en", because=because, cards=cards, **switches)
    EDITIONS[rules.id] = rules


# Playing


class Game:
    """A client-dice game of a, b, c; `a` begins. Every state is written and read before it is used."""

    def __init__(self, base: str, rules: str = "plain", phase: str = "roll", **setup: Any) -> None:
        request = {
            "edition": f"{base} {rules}", "players": [{"id": name} for name in "abc"], "first_player": "a",
            "options": {"dice": "client"}, "setup": {"phase": phase, **setup},
        }  # fmt: skip
        self.events: list[Json] = []
        self._come_to(engine.new_game(request, "machine"))

    def _come_to(self, result: engine.Result) -> None:
        written = engine.canonical(engine.write_state(result.state))
        self.state = engine.read_state(json.loads(written))
        assert engine.canonical(engine.write_state(self.state)) == written
        self.document: Json = json.loads(written)
        self.events.extend(result.events)

    def act(self, kind: str, player: str, **params: Any) -> Game:
        action = engine.read_action({"type": kind, "player": player, **params})
        self._come_to(engine.apply(self.state, action))
        return self

    def roll(self, *faces: str, order: tuple[str, ...] = ("numbers", "energy", "hearts", "claws")) -> Game:
        """The active player rolls these faces and resolves them."""
        player = self.document["turn"]["player"]
        self.act("roll", player, faces=[*faces, *["1", "2"] * 3][:6])
        return self.act("resolve", player, order=[*order])

    def says(self, player: str, yes: bool) -> Game:
        return self.act("yield", player, leave=yes)

    @property
    def asked(self) -> tuple[str, str]:
        """Who is asked, and by which ruling."""
        decision = self.document["decision"]
        return decision["player"], decision["rulings"][0]

    def of(self, player: str) -> Json:
        return next(each for each in self.document["players"] if each["id"] == player)

    def told(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["type"] == kind]


PARRY, CENSOR, FLIGHT, YIELD, BUY = "CARD-TEST-PARRY", "CARD-TEST-CENSOR", "CARD-TEST-FLIGHT", "YIELD-1", "BUY-1"


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
