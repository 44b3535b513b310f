"""What an app may send when a player's time runs out: for every kind of decision the answer that hurts least."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Final

from engine.actions import Action, CopyCard, Dice, EndTurn, Pass, Resolve, Roll, Use, Yield
from engine.damage import can_save
from engine.legal import ANSWERS, OFFERS
from engine.state import Decision, State


def default_action(state: State, decision: Decision) -> Action:
    """The complete action that stands for no answer."""
    return DEFAULTS[decision.kind](state, decision)


def _first_offer(state: State, decision: Decision) -> Action:
    return next(iter(chain.from_iterable(OFFERS[kind](state, decision.seat) for kind in ANSWERS[decision.kind])))


def _default_roll(state: State, decision: Decision) -> Action:
    player = state.players[decision.seat].id
    return Resolve(player) if state.rolls_used else Roll(player)


def _default_copy(state: State, decision: Decision) -> Action:
    """What is copied stays copied, where nothing must be chosen; else the first card that asks for no loading.

    Loaded with nothing, which is what no answer means there, the copying card would be lost (CARD-MIMIC-9).
    """
    if not decision.extra.get("must"):
        return Pass(state.players[decision.seat].id)
    offers = [each for each in OFFERS[CopyCard](state, decision.seat) if isinstance(each, CopyCard)]
    return next((each for each in offers if "load" not in state.rules.cards[each.of.card].can), offers[0])


def _default_damage(state: State, decision: Decision) -> Action:
    """What saves a life is used; nothing else is."""
    player, amount = state.players[decision.seat], decision.extra["amount"]
    saving = can_save(state, decision.seat, amount) if amount >= player.hearts else []
    return Use(player.id, saving[0]) if saving else Pass(player.id)


def _default_yield(state: State, decision: Decision) -> Action:
    """Stay, unless leaving escapes a deadly blow that is still to land."""
    player = state.players[decision.seat]
    return Yield(player.id, decision.extra.get("amount", 0) >= player.hearts)


def _default(kind: Callable[[str], Action]) -> Callable[[State, Decision], Action]:
    return lambda state, decision: kind(state.players[decision.seat].id)


DEFAULTS: Final[dict[str, Callable[[State, Decision], Action]]] = {
    "roll": _default_roll,
    "copy": _default_copy,
    "probe": _default(Pass),
    "dice": _default(Dice),
    "hearts": _first_offer,
    "damage": _default_damage,
    "camouflage": _default(Pass),
    "yield": _default_yield,
    "buy": _default(EndTurn),
    "offer": _default(Pass),
    "load": _first_offer,
    "sell": _default(Pass),
}
