"""What holds of every state, and of every step from one to the next."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import orjson

import engine
from engine import Action, State
from engine.cards.deck import all_cards
from engine.state import HEARTS, TOKENS
from service.wire import canonical
from tests.conformance.explain import explain
from tests.conformance.match import expect
from tests.conformance.rulings import known

Document = dict[str, Any]
MOST_HEARTS = HEARTS + 2 * 2  # one card and its copy


def saved(state: State) -> bytes:
    """The bytes a state is known by."""
    return canonical(engine.write_state(state))


def restored(written: bytes) -> State:
    return engine.read_state(orjson.loads(written))


# A state


def check_state(state: State, offered: list[Action], cards: Counter[str] | None = None) -> None:
    """All that must hold of any state a game can be in; its cards are the edition's deck, or the ones given."""
    _cards_are_kept(state, cards)
    for player in state.players:
        _player_is_sound(player)
    _tokyo_is_sound(state)
    for token in ("poison", "shrink"):
        expect(sum(getattr(player, token) for player in state.players) <= TOKENS, f"more than {TOKENS} {token}")
    _one_decision_or_over(state, offered)
    _view_is_public(state)


def cards_of(state: State) -> Counter[str]:
    """Every card of a game, wherever it lies."""
    lying = [each.card for player in state.players for each in player.cards]
    return Counter((*state.market, *state.deck, *state.discard, *lying))


def _cards_are_kept(state: State, cards: Counter[str] | None) -> None:
    found, wanted = cards_of(state), whole_deck(state.rules.id) if cards is None else cards
    if dict(found) != dict(wanted):
        raise AssertionError(f"cards made {found - wanted} or lost {wanted - found}")


@cache
def whole_deck(edition: str) -> Counter[str]:
    return Counter(all_cards(engine.EDITIONS[edition].deck))


def _player_is_sound(player: Any) -> None:
    for field in ("hearts", "max_hearts", "vp", "energy", "poison", "shrink"):
        expect(getattr(player, field) >= 0, f"{player.id} has {getattr(player, field)} {field}")
    expect(player.hearts <= player.max_hearts <= MOST_HEARTS, f"{player.id} has {player.hearts} hearts")
    for each in player.cards:
        expect((each.charges or 0) >= 0 and (each.paid or 0) >= 0, f"{player.id} has {each}")
    if player.eliminated:
        rest = (player.hearts, player.energy, player.cards, player.poison, player.shrink, player.in_tokyo)
        expect(not any(rest), f"{player.id} is eliminated and has {rest}")


def _tokyo_is_sound(state: State) -> None:
    places = Counter(player.place for player in state.players)
    expect(places["city"] <= 1 and places["bay"] <= 1, f"Tokyo is too full: {places}")
    expect(not places["bay"] or (state.options.bay and len(state.living) >= 5), "somebody is in a closed Bay")


def _one_decision_or_over(state: State, offered: list[Action]) -> None:
    over = state.outcome is not None
    expect((state.decision is None) == over == (state.phase == "over"), f"{state.decision=} {state.outcome=}")
    if over:
        expect(not state.stack, f"frames left over at the end: {state.stack}")
        expect(not offered, "something is offered after the end")
        return
    expect(offered, "nothing is offered")
    expect(len(set(offered)) == len(offered), "an action is offered twice")
    document = engine.write_decision(state, state.decision)  # type: ignore[arg-type]
    default = engine.read_action(document["default"])
    expect(default in offered, f"the default {default} is not offered")
    _cited(document["rulings"], "the decision")


def _view_is_public(state: State) -> None:
    for player in (None, state.players[0].id):
        shown = engine.view(state, player)
        expect(not {"secrets", "resume"} & shown.keys(), "a view shows what is secret")
        expect(state.seed.encode() not in orjson.dumps(shown), "a view shows the seed")


def _cited(rulings: list[str], who: str) -> None:
    expect(rulings, f"{who} names no ruling")
    unknown = set(rulings) - known().keys()
    expect(not unknown, f"{who} names rulings that do not exist: {sorted(unknown)}")


# A step


def check_step(before: Document, after: Document, events: list[Document]) -> None:
    """All that must hold of the way from one state to the next."""
    expect(after["version"] == before["version"] + 1, "the version did not grow by 1")
    for index, event in enumerate(events):
        expect(event["seq"] == index, f"{event} is event {index}")
        _cited(event["rulings"], f"event {event['type']}")
    explain(before, events, after)
