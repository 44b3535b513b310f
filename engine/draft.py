"""The draft: a private copy of the state at work on one action, and the verbs that change it.

Every public change goes through `change`, `move_card` or `show_dice`, each of which logs the event that explains
it, and every event names its rulings: `emit` has no default for them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import rng
from engine.errors import Bug
from engine.state import (
    VP_LIMIT,
    CardId,
    Decision,
    Face,
    Frame,
    Outcome,
    Player,
    Seat,
    State,
    record,
)

Rulings = tuple[str, ...]


class Rolled(NamedTuple):
    """Dice that the seed rolled: the number of the draw, for whom, and what they showed."""

    draw: int
    seat: Seat
    faces: list[Face]


class Shuffled(NamedTuple):
    """Cards that the seed shuffled: the number of the draw, how they lay before, and how they lie now."""

    draw: int
    pile: tuple[CardId, ...]
    cards: tuple[CardId, ...]


class Draft(State):
    """A state that may still be written. `events` is the log of this action, `drawn` what chance had to do with it."""

    __slots__ = ("drawn", "events", "owned", "pending")

    drawn: list[Rolled | Shuffled]
    events: list[dict[str, Any]]
    owned: int  # bit n is set when player n has been copied into this draft
    pending: list[Frame]  # the stack at work; `close` freezes it into `stack`

    def __init__(self, state: State) -> None:
        self.game_id = state.game_id
        self.rules = state.rules
        self.options = state.options
        self.players = state.players[:]
        self.seed = state.seed
        self.version = state.version
        self.phase = state.phase
        self.turn = state.turn
        self.active = state.active
        self.rolls_used = state.rolls_used
        self.rolls_allowed = state.rolls_allowed
        self.dice = state.dice
        self.market = state.market
        self.deck = state.deck
        self.discard = state.discard
        self.decision = state.decision
        self.outcome = state.outcome
        self.draws = state.draws
        self.marks = state.marks
        self.extra_turns = state.extra_turns
        self.regular = state.regular
        self.hooks = state.hooks
        self.stack = state.stack
        self.pending = list(state.stack)
        self.drawn = []
        self.events = []
        self.owned = 0

    def close(self) -> None:
        """Freeze the draft: from here on it is a State like any other."""
        self.stack = tuple(self.pending)

    # The log

    def emit(self, kind: str, rulings: Rulings, **fields: Any) -> None:
        """Log what happened and the rulings behind it."""
        events = self.events
        events.append({"seq": len(events), "type": kind, **fields, "rulings": [*rulings]})

    # Players

    def edit(self, seat: Seat) -> Player:
        """The player at `seat`, safe to write in this draft."""
        if self.owned >> seat & 1:
            return self.players[seat]
        self.owned |= 1 << seat
        player = self.players[seat] = self.players[seat].clone()
        return player

    def change(self, kind: str, rulings: Rulings, seat: Seat, field: str, to: Any, **more: Any) -> None:
        """Set a public field of a player and log the change; setting what is already so does nothing."""
        player = self.players[seat]
        before = getattr(player, field)
        if before == to:
            return
        if not self.owned >> seat & 1:
            player = self.edit(seat)
        setattr(player, field, to)
        events = self.events
        events.append(
            {"seq": len(events), "type": kind, "player": player.id, "field": field, "from": before, "to": to,
             **more, "rulings": [*rulings]}
        )  # fmt: skip

    def gain_vp(self, rulings: Rulings, seat: Seat, amount: int) -> None:
        if amount:
            self.change("vp_gained", rulings, seat, "vp", min(VP_LIMIT, self.players[seat].vp + amount))

    # Cards

    def move_card(self, kind: str, rulings: Rulings, card: CardId, source: str, target: str, **more: Any) -> None:
        """Log that a card moved; the caller has moved it."""
        events = self.events
        events.append(
            {"seq": len(events), "type": kind, "card": card, "from": source, "to": target, **more,
             "rulings": [*rulings]}
        )  # fmt: skip

    # Chance: one draw of the game's seed after another

    def roll(self, seat: Seat, count: int) -> list[Face]:
        """The faces of so many dice, rolled for `seat` (COMP-6)."""
        faces = rng.faces(self.seed, self.draws, count)
        self.drawn.append(record(Rolled, (self.draws, seat, faces)))
        self.draws += 1
        return faces

    def shuffle(self, pile: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """The cards of a pile in a new order, top first."""
        cards = rng.shuffled(self.seed, self.draws, pile)
        self.drawn.append(Shuffled(self.draws, pile, cards))
        self.draws += 1
        return cards

    # Dice

    def show_dice(self, kind: str, rulings: Rulings, dice: tuple[Face, ...], **more: Any) -> None:
        """Put dice on the table and log all faces after it."""
        self.dice = dice
        events, player = self.events, self.players[self.active].id
        events.append(
            {"seq": len(events), "type": kind, "player": player, "dice": [*dice], **more, "rulings": [*rulings]}
        )

    # Marks: what a turn remembers. Values are replaced, never edited.

    def mark(self, name: str, value: Any) -> None:
        self.marks = {**self.marks, name: value}

    # The stack

    def push(self, *frames: Frame) -> None:
        """Put frames on the stack so that the first one given runs first."""
        self.pending.extend(frames[::-1])

    def ask(self, seat: Seat, kind: str, rulings: Rulings, **extra: Any) -> None:
        """Wait for a decision of `seat`; only a question step may call this, as the last thing it does."""
        if self.decision is not None:
            raise Bug("asked twice", kind=kind)
        self.decision = record(Decision, (seat, kind, rulings, extra))

    def end_game(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.phase = "over"
        self.emit("game_over", outcome.rulings, result=outcome.result, winners=[*outcome.winners])
