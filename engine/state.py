"""The state of a game as plain records, and the words it is written in. No rules live here.

A State is never changed once it has been handed out: `apply` works on a private Draft (draft.py).
Sequences are tuples and records inside them are immutable, so copying a state is copying its slots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from engine.editions.ruleset import Ruleset

Seat: TypeAlias = int
CardId: TypeAlias = str
Face: TypeAlias = Literal["1", "2", "3", "energy", "claw", "heart"]
Place: TypeAlias = Literal["outside", "city", "bay"]
Phase: TypeAlias = Literal["roll", "resolve", "enter", "buy", "end", "over"]
Order: TypeAlias = list[str]  # a permutation of GROUPS
Args: TypeAlias = dict[str, Any]
Frame: TypeAlias = tuple[str, Args]
Waiting: TypeAlias = list[Any]  # a frame among the args of another, as JSON has it: [step, args]

FACES: Final[tuple[Face, ...]] = ("1", "2", "3", "energy", "claw", "heart")
PLACES: Final[tuple[Place, ...]] = ("outside", "city", "bay")
PHASES: Final[tuple[Phase, ...]] = ("roll", "resolve", "enter", "buy", "end", "over")
GROUPS: Final[tuple[str, ...]] = ("numbers", "energy", "hearts", "claws")

HEARTS: Final = 10
BLACK_DICE: Final = 6
ALL_DICE: Final = 8
ROLLS: Final = 3
MARKET_SIZE: Final = 3
TOKENS: Final = 12
WINNING_VP: Final = 20
BAY_NEEDS: Final = 5
ENERGY_LIMIT: Final = 1_000_000
VP_LIMIT: Final = 1_000_000_000  # no more are told, for no more are read

PLAYER_ID: Final = re.compile(r"[a-z0-9_-]{1,32}")
RESERVED: Final = frozenset({"deck", "market", "discard"})  # where a card may be besides


# Makes a NamedTuple at a third of the cost of its own constructor, which is a Python function.
record = tuple.__new__

# ORDERS[players][start]: the seats from `start` on to the left.
ORDERS: Final = tuple(
    tuple(tuple((start + step) % count for step in range(count)) for start in range(count)) for count in range(7)
)


class Copy(NamedTuple):
    """What a copying card copies: the card `card` that lies before `player`."""

    player: str
    card: CardId


class CardInPlay(NamedTuple):
    """A card before a player. `charges` is what lies on it, `paid` the price where the edition needs it."""

    card: CardId
    charges: int | None = None
    copies: Copy | None = None
    paid: int | None = None


class Options(NamedTuple):
    bay: bool = False
    dice: Literal["server", "client"] = "server"
    secrets: Literal["open", "sealed"] = "open"
    history: Literal["free", "anchored"] = "free"
    auth: Literal["none", "seats"] = "none"


class Decision(NamedTuple):
    """The one decision now awaited; `extra` are the fields its kind adds."""

    seat: Seat
    kind: str
    rulings: tuple[str, ...]
    extra: Mapping[str, Any] = {}


class Outcome(NamedTuple):
    result: Literal["win", "shared_win", "draw", "all_lose"]
    winners: tuple[str, ...]
    rulings: tuple[str, ...]


class ExtraTurn(NamedTuple):
    """A turn out of the usual order, with `fewer` dice; `frozen` when an earlier turn's dice earned it."""

    seat: Seat
    fewer: int = 0
    frozen: bool = False


@dataclass(slots=True, init=False)
class Player:
    id: str
    name: str | None
    monster: str | None
    hearts: int
    max_hearts: int
    vp: int
    energy: int
    place: Place
    eliminated: bool
    poison: int
    shrink: int
    cards: tuple[CardInPlay, ...]
    # What the cards act as: (acting card, card that lies there); they differ for a copying card only.
    faces: tuple[tuple[CardId, CardId], ...]
    # The windows, values and abilities that these cards have anything to do with: what is not here costs nothing.
    hooks: frozenset[str]

    def __init__(
        self, id: str, name: str | None = None, monster: str | None = None, hearts: int = HEARTS,
        max_hearts: int = HEARTS, vp: int = 0, energy: int = 0, place: Place = "outside", eliminated: bool = False,
        poison: int = 0, shrink: int = 0, cards: tuple[CardInPlay, ...] = (),
        faces: tuple[tuple[CardId, CardId], ...] = (), hooks: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.id = id
        self.name = name
        self.monster = monster
        self.hearts = hearts
        self.max_hearts = max_hearts
        self.vp = vp
        self.energy = energy
        self.place = place
        self.eliminated = eliminated
        self.poison = poison
        self.shrink = shrink
        self.cards = cards
        self.faces = faces
        self.hooks = hooks

    @property
    def in_tokyo(self) -> bool:
        return self.place != "outside"

    def clone(self) -> Player:
        return Player(
            self.id, self.name, self.monster, self.hearts, self.max_hearts, self.vp, self.energy,
            self.place, self.eliminated, self.poison, self.shrink, self.cards, self.faces, self.hooks,
        )  # fmt: skip


class State:
    """A game. Not a dataclass: those look up the types of their fields, and that of `rules` is made later."""

    __slots__ = (
        "active", "decision", "deck", "dice", "discard", "draws", "extra_turns", "game_id", "hooks", "market", "marks",
        "options", "outcome", "phase", "players", "regular", "rolls_allowed", "rolls_used", "rules", "seed", "stack",
        "turn", "version",
    )  # fmt: skip

    def __init__(
        self, game_id: str, rules: Ruleset, options: Options, players: list[Player], seed: str, version: int = 0,
        phase: Phase = "roll", turn: int = 0, rolls_used: int = 0, rolls_allowed: int = ROLLS,
        dice: tuple[Face, ...] = (), market: tuple[CardId, ...] = (), deck: tuple[CardId, ...] = (),
        discard: tuple[CardId, ...] = (), draws: int = 0,
    ) -> None:  # fmt: skip
        self.game_id = game_id
        self.rules = rules
        self.options = options
        self.players = players
        self.seed = seed
        self.version = version
        self.phase: Phase = phase
        self.turn = turn
        self.active: Seat = 0
        self.rolls_used = rolls_used
        self.rolls_allowed = rolls_allowed
        self.dice = dice
        self.market = market
        self.deck = deck
        self.discard = discard
        self.decision: Decision | None = None
        self.outcome: Outcome | None = None
        self.draws = draws
        self.stack: tuple[Frame, ...] = ()
        self.marks: Mapping[str, Any] = {}
        self.extra_turns: tuple[ExtraTurn, ...] = ()
        self.hooks: frozenset[str] = frozenset()  # all the players' hooks together
        self.regular: Seat = 0  # whose turn it last was in the usual order

    def seat_of(self, player: str) -> Seat | None:
        for seat, each in enumerate(self.players):
            if each.id == player:
                return seat
        return None

    def clockwise(self, start: Seat) -> list[Seat]:
        """Every living seat, from `start` on to the left (SETUP-9)."""
        players = self.players
        order = ORDERS[len(players)][start % len(players)]
        return [seat for seat in order if not players[seat].eliminated]

    @property
    def living(self) -> list[Seat]:
        return [seat for seat, player in enumerate(self.players) if not player.eliminated]
