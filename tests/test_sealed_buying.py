"""Buying from a sealed deck: neither the offer nor a refusal tells what lies on it (CARD-MADE-IN-A-LAB-3)."""

import pytest

import engine
from engine import EDITIONS

PEEK = engine.read_action({"type": "peek", "player": "a"})
BUY = {"type": "buy", "player": "a", "from": "deck"}
DECKS = (["corner_store", "heal"], ["jets", "heal"])  # 3 and 5 energy
ENERGY = 4


def sealed(edition, deck, cards=("made_in_a_lab",)):
    """A sealed game whose owner of a laboratory has four energy, before this deck."""
    setup = {"phase": "buy", "players": {"a": {"energy": ENERGY, "cards": [*cards]}}, "deck": deck, "market": ["tanks"]}
    asked = {"edition": edition, "players": [{"id": "a"}, {"id": "b"}], "first_player": "a", "setup": setup}
    state = engine.new_game(asked, "sealed buying").state
    state.options = state.options._replace(secrets="sealed", history="anchored")
    return state


def offers(state):
    return [engine.write_action(each) for each in engine.legal_actions(state)]


@pytest.fixture(params=EDITIONS)
def peeked(request):
    """The same position twice, but for the card on top of the deck: one can be paid for, one cannot."""
    return [engine.apply(sealed(request.param, deck), PEEK) for deck in DECKS]


def test_the_offer_is_the_same_whatever_the_card_costs(peeked):
    cheap, dear = (offers(each.state) for each in peeked)
    assert cheap == dear
    assert {"type": "buy", "player": "a", "from": "deck"} in cheap


@pytest.mark.parametrize("named", ["corner_store", "jets", "wings"])
def test_no_name_is_taken_right_or_wrong(peeked, named):
    action = engine.read_action({**BUY, "card": named})
    refused = [engine.validate(each.state, action) for each in peeked]
    assert refused[0] == refused[1]
    assert [each.code for each in refused[0]] == ["card_unnamed"]


def test_what_can_be_paid_is_bought(peeked):
    state, events = engine.apply(peeked[0].state, engine.read_action(BUY))
    assert [each["type"] for each in events][:2] == ["energy_paid", "card_bought"]
    assert state.players[0].energy == ENERGY - 3


def test_what_cannot_be_paid_stays_and_the_look_is_over(peeked):
    before = peeked[1].state
    state, events = engine.apply(before, engine.read_action(BUY))
    told = {"seq": 0, "type": "too_dear", "player": "a"}
    assert events == [{**told, "rulings": ["CARD-MADE-IN-A-LAB", "BUY-2", "CARD-MADE-IN-A-LAB-3"]}]
    assert (state.deck, state.market, state.players[0].energy) == (before.deck, before.market, ENERGY)
    assert state.players[0].cards == before.players[0].cards
    assert BUY not in offers(state)
    assert engine.validate(state, engine.read_action(BUY))[0].code == "not_peeked"
    assert engine.validate(state, PEEK)[0].code == "used_up"
    assert state.decision is not None
    assert state.decision.kind == "buy"
    assert "seen" not in engine.view(state, "a")


def test_a_price_is_asked_with_its_discount():
    state = engine.apply(sealed("cs-2016", DECKS[1], ("made_in_a_lab", "alien_metabolism")), PEEK).state
    state, events = engine.apply(state, engine.read_action(BUY))
    assert "card_bought" in [each["type"] for each in events]
    assert state.players[0].energy == 0


def test_nothing_is_offered_before_the_look():
    state = sealed("cs-2016", DECKS[0])
    assert BUY not in offers(state)
    assert engine.validate(state, engine.read_action(BUY))[0].code == "not_peeked"
    assert engine.validate(state, engine.read_action({**BUY, "card": "corner_store"}))[0].code == "not_peeked"


def test_an_open_deck_is_named_and_must_be_paid():
    state = sealed("cs-2016", DECKS[1])
    state.options = state.options._replace(secrets="open", history="free")
    state = engine.apply(state, PEEK).state
    assert engine.validate(state, engine.read_action(BUY))[0].code == "too_expensive"
    assert engine.validate(state, engine.read_action({**BUY, "card": "wings"}))[0].code == "not_on_top"
