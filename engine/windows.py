"""The moments at which cards may act. Core code opens a window; cards listen; neither names the other.

Two kinds. A *window* runs steps, which may ask questions: `open_window` puts one frame on the stack for each listening
card, clockwise from the active player, in the order the cards were gained (or by rank, where the order is a rule).
A *value* is adjusted at once by small functions: `adjusted`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.draft import Draft
from engine.state import Frame, Seat, State

WINDOWS: dict[str, str] = {
    "turn_starting": "before the two points for starting in Tokyo; active",
    "turn_started": "after them; active",
    "before_roll": "just before the first roll is asked; active",
    "rolling_over": "the active player has stopped rolling; everyone else",
    "dice_locked": "the dice are final and none has taken effect; active",
    "numbers_scored": "a triple has just scored (number, count); active",
    "attacking": "claws are about to take effect; active",
    "targeted": "before any damage of an attack on it (dealer); each target",
    "struck": "damage is about to land (hit); the one it lands on, one listener after another",
    "hurt": "a monster has lost hearts (victim, dealer, amount, claw); dealer and victim",
    "dying": "a monster is at 0 hearts and about to be eliminated (by_claws); that monster",
    "died": "monsters have dropped to 0 hearts (victims); everyone living",
    "parting": "monsters have left Tokyo before the attacker enters (leavers, attacker); each leaver",
    "buying": "a card has just been paid for (bought); the buyer",
    "gained": "a card has come before a player, or a copy of it; that card alone",
    "loaded": "a card is new, bought or copied, and is filled; that card alone",
    "revealed": "new cards lie in the market (cards); everyone but the active",
    "turn_ending": "after end_turn, before everything else at the end of the turn; active",
    "turn_end": "the end of the turn, in the order of rank; everyone",
}

VALUES: dict[str, str] = {
    "price": "what a card costs this buyer",
    "pool": "how many dice the active player has",
    "max_hearts": "how many hearts a monster can have",
    "heart_loss": "hearts left to a monster that has just lost this card",
    "rolls": "how many rolls a turn has",
    "claws": "claws of the dice; what is added here makes claws out of nothing",
    "more_claws": "claws of an attack there is anyway",
    "bare_damage": "damage to those whom claws would hit, attack or not",
    "more_damage": "damage of an attack there is anyway",
    "energy_gain": "energy about to be gained",
    "heart_gain": "hearts about to be gained",
    "damage": "damage about to land",
}


def _rank(each: tuple[int, Frame]) -> int:
    return each[0]


def open_window(g: Draft, name: str, seats: Iterable[Seat] | None = None, **args: Any) -> None:
    """Let every listening card act, each in a frame of its own."""
    if name not in g.hooks:
        return
    players = g.players
    found: list[tuple[int, Frame]] = []
    for seat in g.clockwise(g.active) if seats is None else seats:
        if name not in players[seat].hooks:
            continue
        listeners = g.rules.listeners[name]
        for face, card in players[seat].faces:
            if face in listeners:
                for step, rank, own in listeners[face]:
                    found.append((rank, (step, {"seat": seat, "card": card, **own, **args})))
    if len(found) > 1:
        found.sort(key=_rank)
    g.pending.extend([frame for _, frame in found[::-1]])


def adjusted(state: State, name: str, seat: Seat, value: int) -> int:
    """A value after the player's cards have had their say on it."""
    return explained(state, name, seat, value)[0] if name in state.players[seat].hooks else value


def explained(state: State, name: str, seat: Seat, value: int) -> tuple[int, tuple[str, ...]]:
    """The same, with the rulings of the cards that changed it."""
    player = state.players[seat]
    if name not in player.hooks:
        return value, ()
    adjusters = state.rules.adjusters[name]
    cites: tuple[str, ...] = ()
    for face, _ in player.faces:
        adjust = adjusters.get(face)
        if adjust is None:
            continue
        before, value = value, adjust(state, seat, value)
        if value != before:
            more = state.rules.cards[face].rulings(state, seat, name)
            cites += tuple(each for each in more if each not in cites)
    return value, cites


def copies_of(state: State, seat: Seat, face: str) -> int:
    """How many cards before this player act as this one."""
    return sum(1 for acting, _ in state.players[seat].faces if acting == face)


def is_first(state: State, seat: Seat, face: str, card: str) -> bool:
    """Whether this is the first of the player's cards that act so: where two of a kind act once, together."""
    return next((lying for acting, lying in state.players[seat].faces if acting == face), None) == card
