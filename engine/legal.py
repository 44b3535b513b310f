"""The one account of legality. `refusal` says why an action is not allowed now; `legal_actions` lists all that are.

Both ask the same small questions; what is offered is accepted, and what is not offered is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

from engine.actions import (
    DECK,
    MARKET,
    Action,
    Buy,
    ChangeDie,
    Concede,
    CopyCard,
    Dice,
    EndTurn,
    Hearts,
    Load,
    Pass,
    Peek,
    Probe,
    Reroll,
    Resolve,
    Roll,
    Sell,
    Sweep,
    Use,
    Yield,
)
from engine.cards.model import Ability
from engine.dice import pool_size, refuse_dice, refuse_faces, rerolls
from engine.errors import Violation
from engine.market import SWEEP_PRICE, can_pay, refuse_price
from engine.resolve import heart_ways, settled
from engine.state import ALL_DICE, GROUPS, CardId, Seat, State

INDEXES: Final = tuple(tuple(range(count)) for count in range(ALL_DICE + 1))

ANSWERS: Final[dict[str, tuple[type[Action], ...]]] = {
    "roll": (Roll, Reroll, ChangeDie, Resolve),
    "copy": (CopyCard, Pass),
    "probe": (Probe, Reroll, Pass),
    "dice": (Dice,),
    "hearts": (Hearts,),
    "damage": (Use, Pass),
    "camouflage": (Reroll, ChangeDie, Pass),
    "yield": (Yield,),
    "buy": (Buy, Sweep, Peek, Sell, EndTurn),
    "offer": (Buy, Pass),
    "load": (Load,),
    "sell": (Sell, Pass),
}


def answers(state: State, action: Action) -> bool:
    """Whether this is an answer to the decision now awaited, by the player who is to decide; allowed or not."""
    decision = state.decision
    assert decision is not None
    return type(action) in ANSWERS[decision.kind] and state.players[decision.seat].id == action.player


def refusal(state: State, action: Action) -> Violation | None:
    """Why this action is not allowed now, or None."""
    return refuse_answer(state, action) if answers(state, action) else refuse_interruption(state, action)


def refuse_answer(state: State, action: Action) -> Violation | None:
    """Why this answer to the decision now awaited is not allowed, or None."""
    assert state.decision is not None
    return REFUSALS[type(action)](state, state.decision.seat, action)


def refuse_interruption(state: State, action: Action) -> Violation | None:
    """Why this action, which is no answer to the decision now awaited, is not allowed, or None."""
    decision = state.decision
    assert decision is not None
    seat = state.seat_of(action.player)
    if seat is None:
        return Violation("unknown_player", "COMP-10", "/player", f"nobody here is called {action.player}")
    if state.players[seat].eliminated:
        return Violation("eliminated", "DEATH-1", "/player", "an eliminated monster does nothing more")
    if isinstance(action, Concede):
        return None
    if isinstance(action, Use):
        return _refuse_ability(state, seat, action, "use", action.card)
    if seat != decision.seat:
        who = state.players[decision.seat].id
        return Violation("not_your_decision", decision.rulings[0], "/player", f"{who} is to decide ({decision.kind})")
    kinds = ", ".join(each.type for each in ANSWERS[decision.kind])
    return Violation("not_awaited", decision.rulings[0], "/type", f"{decision.kind} is awaited: {kinds}")


def legal_actions(state: State) -> list[Action]:
    """Every action that is allowed now, complete and ready to be sent back."""
    decision = state.decision
    if decision is None:
        return []
    actions: list[Action] = []
    for kind in ANSWERS[decision.kind]:
        actions.extend(OFFERS[kind](state, decision.seat))
    living = state.clockwise(decision.seat)
    if "use" in state.hooks:
        for seat in living:
            if seat != decision.seat or decision.kind != "damage":
                actions.extend(_offers_ability(state, seat, "use"))
    actions.extend([_concede(state.players[seat].id) for seat in living])
    return actions


@lru_cache(maxsize=1024)
def _concede(player: str) -> Concede:
    return Concede(player)


# Cards' abilities


def ability_of(state: State, seat: Seat, ability: str, card: CardId | None = None) -> Ability | None:
    """The ability among what lies before a player, of any card or of the one named."""
    for face, _ in state.players[seat].faces:
        if (card is None or face == card) and ability in state.rules.cards[face].can:
            return state.rules.cards[face].can[ability]
    return None


def _refuse_ability(
    state: State, seat: Seat, action: Action, ability: str, card: CardId | None = None, pointer: str = "/card"
) -> Violation | None:
    able = ability_of(state, seat, ability, card)
    if able is None:
        what = card or f"a card that lets you {action.type}"
        return Violation("card_not_owned", "CARDTYPE-1", pointer, f"{action.player} does not have {what}")
    return able.refusal(state, seat, action)


def _offers_ability(state: State, seat: Seat, ability: str) -> Iterable[Action]:
    """What the player's cards offer for this ability; two of a kind offer it once."""
    player = state.players[seat]
    if ability not in player.hooks:
        return ()
    able = state.rules.able[ability]
    offers: list[Action] = []
    seen: list[CardId] = []
    for face, _ in player.faces:
        if face in able and face not in seen:
            seen.append(face)
            offers.extend(able[face].offers(state, seat))
    return offers


# Dice


def _refuse_roll(state: State, seat: Seat, action: Roll) -> Violation | None:
    if state.rolls_used:
        return Violation("already_rolled", "ROLL-1", "/type", "the first roll of this turn has been made")
    return None if action.faces is None else refuse_faces(state, action.faces, pool_size(state, seat))


def _offers_roll(state: State, seat: Seat) -> Iterable[Action]:
    return () if state.rolls_used else (Roll(state.players[seat].id),)


def may_reroll(state: State) -> Violation | None:
    """A roll of the turn's own must be left, and rolling must not be over (ROLL-3)."""
    if not state.rolls_used:
        return Violation("not_rolled", "ROLL-1", "/type", "the first roll comes first")
    if "probed" in state.marks:
        return Violation("rolling_is_over", "ROLL-5", "/type", "the turn's own rolls ended with the first resolve")
    if state.rolls_used >= state.rolls_allowed:
        return Violation("no_rolls_left", "ROLL-3", "/type", f"all {state.rolls_allowed} rolls of this turn are used")
    return None


def _refuse_reroll(state: State, seat: Seat, action: Reroll) -> Violation | None:
    if action.with_ is not None:
        return _refuse_ability(state, seat, action, "reroll", action.with_, "/with")
    decision = state.decision
    if decision is not None and decision.kind != "roll":
        return Violation("not_awaited", decision.rulings[0], "/with", "only a card's reroll is possible here")
    refused = may_reroll(state) or refuse_dice(state, action.dice, len(state.dice))
    return refused if refused or action.faces is None else refuse_faces(state, action.faces, len(action.dice))


def _offers_reroll(state: State, seat: Seat) -> Iterable[Action]:
    own: Iterable[Action] = ()
    player = state.players[seat]
    if state.decision is not None and state.decision.kind == "roll" and may_reroll(state) is None:
        own = rerolls(player.id, INDEXES[len(state.dice)], None)
    return [*own, *_offers_ability(state, seat, "reroll")] if "reroll" in player.hooks else own


def _refuse_change(state: State, seat: Seat, action: ChangeDie) -> Violation | None:
    return _refuse_ability(state, seat, action, "change_die", action.card)


def _refuse_resolve(state: State, seat: Seat, action: Resolve) -> Violation | None:
    if not state.rolls_used:
        return Violation("not_rolled", "ROLL-1", "/type", "the first roll comes first")
    return None


@lru_cache(maxsize=1024)
def _resolves(player: str) -> tuple[Resolve, ...]:
    return tuple(Resolve(player, order) for order in permutations(GROUPS))


def _offers_resolve(state: State, seat: Seat) -> Iterable[Action]:
    return _resolves(state.players[seat].id) if state.rolls_used else ()


def _refuse_shown(state: State, seat: Seat, action: Dice) -> Violation | None:
    assert state.decision is not None
    count = state.decision.extra["count"]
    if action.faces is None:
        return Violation("faces_missing", "ROLL-7", "/faces", f"the faces of {count} dice are awaited")
    return refuse_faces(state, action.faces, count)


# Hearts


def _refuse_hearts(state: State, seat: Seat, action: Hearts) -> Violation | None:
    assert state.decision is not None
    count = state.decision.extra["count"]
    player = state.players[seat]
    if action.spent > count:
        return Violation(
            "too_many_hearts", "RESOLVE-HEART-1", "/heal", f"{count} hearts were rolled, {action.spent} spent"
        )
    if action.poison > player.poison:
        return Violation("no_such_token", "RESOLVE-HEART-5", "/poison", f"there are {player.poison} poison tokens")
    if action.shrink > player.shrink:
        return Violation("no_such_token", "RESOLVE-HEART-5", "/shrink", f"there are {player.shrink} shrink tokens")
    if settled(state, seat, count, action) in heart_ways(state, seat, count):
        return None
    if action.others:
        return Violation("cannot_heal_others", "RESOLVE-HEART-1", "/others", "these hearts cannot go to those monsters")
    return Violation("hearts_wasted", "G-39", "/heal", "a heart that can help must help")


# Buying


def _refuse_buy(state: State, seat: Seat, action: Buy) -> Violation | None:
    assert state.decision is not None
    if action.from_ != MARKET:
        ability = "buy_deck" if action.from_ == DECK else "buy_player"
        return _refuse_ability(state, seat, action, ability, pointer="/from")
    assert action.card is not None
    on_offer = state.decision.extra.get("cards", state.market)
    if action.card not in on_offer:
        return Violation("not_in_market", "BUY-2", "/card", f"{action.card} is not on offer")
    return refuse_price(state, seat, action.card)


def _offers_buy(state: State, seat: Seat) -> Iterable[Action]:
    assert state.decision is not None
    player = state.players[seat]
    on_offer = state.decision.extra.get("cards", state.market)
    own: list[Action] = [Buy(player.id, card) for card in dict.fromkeys(on_offer) if can_pay(state, seat, card)]
    if state.decision.kind == "buy":
        own.extend(_offers_ability(state, seat, "buy_deck"))
        own.extend(_offers_ability(state, seat, "buy_player"))
    return own


def _refuse_sweep(state: State, seat: Seat, action: Sweep) -> Violation | None:
    energy = state.players[seat].energy
    if energy < SWEEP_PRICE:
        return Violation("too_expensive", "BUY-5", "/type", f"a sweep costs {SWEEP_PRICE}, there are {energy} energy")
    if not state.market:
        return Violation("nothing_to_sweep", "G-19", "/type", "the market is empty")
    return None


def _offers_sweep(state: State, seat: Seat) -> Iterable[Action]:
    player = state.players[seat]
    return (Sweep(player.id),) if player.energy >= SWEEP_PRICE and state.market else ()


# The tables


def _free(state: State, seat: Seat, action: Any) -> Violation | None:
    return None


def _by_card(ability: str) -> Callable[[State, Seat, Any], Violation | None]:
    def refuse(state: State, seat: Seat, action: Action) -> Violation | None:
        return _refuse_ability(
            state, seat, action, ability, getattr(action, "card", None) if ability == "use" else None
        )

    return refuse


def _refuse_pass(state: State, seat: Seat, action: Pass) -> Violation | None:
    assert state.decision is not None
    if state.decision.extra.get("must"):
        return Violation("must_choose", state.decision.rulings[0], "/type", "this choice cannot be declined")
    return None


REFUSALS: Final[dict[type[Action], Callable[[State, Seat, Any], Violation | None]]] = {
    Roll: _refuse_roll,
    Reroll: _refuse_reroll,
    ChangeDie: _refuse_change,
    Probe: _by_card("probe"),
    Resolve: _refuse_resolve,
    Hearts: _refuse_hearts,
    Yield: _free,
    Buy: _refuse_buy,
    Sweep: _refuse_sweep,
    Peek: _by_card("peek"),
    Load: _by_card("load"),
    CopyCard: _by_card("copy"),
    Sell: _by_card("sell"),
    Use: _by_card("use"),
    Dice: _refuse_shown,
    Pass: _refuse_pass,
    EndTurn: _free,
}


def _by_ability(ability: str) -> Callable[[State, Seat], Iterable[Action]]:
    return lambda state, seat: _offers_ability(state, seat, ability) if ability in state.hooks else ()


def _one(kind: Callable[[str], Action]) -> Callable[[State, Seat], Iterable[Action]]:
    return lambda state, seat: (kind(state.players[seat].id),)


OFFERS: Final[dict[type[Action], Callable[[State, Seat], Iterable[Action]]]] = {
    Roll: _offers_roll,
    Reroll: _offers_reroll,
    ChangeDie: _by_ability("change_die"),
    Probe: _by_ability("probe"),
    Resolve: _offers_resolve,
    Hearts: lambda state, seat: heart_ways(state, seat, state.decision.extra["count"]),  # type: ignore[union-attr]
    Yield: lambda state, seat: (Yield(state.players[seat].id, False), Yield(state.players[seat].id, True)),
    Buy: _offers_buy,
    Sweep: _offers_sweep,
    Peek: _by_ability("peek"),
    Load: _by_ability("load"),
    CopyCard: _by_ability("copy"),
    Sell: _by_ability("sell"),
    Use: _by_ability("use"),
    Dice: _one(Dice),
    Pass: lambda s, seat: () if _refuse_pass(s, seat, Pass("")) else (Pass(s.players[seat].id),),
    EndTurn: _one(EndTurn),
}
