"""Made-up cards that interrupt damage, a reveal, an attack, and one that copies them; editions that have them.

Every state of a Game passes through JSON before the next action, so nothing but the state can carry what is to come.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


@contextmanager
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
