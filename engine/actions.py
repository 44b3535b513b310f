"""What a player may send: one frozen record a kind. Reading and writing them is params.py's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from engine.state import GROUPS, Copy, Face

Faces: TypeAlias = tuple[Face, ...]
MARKET = "market"
DECK = "deck"


@dataclass(frozen=True, slots=True)
class Action:
    player: str
    type: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Roll(Action):
    faces: Faces | None = None
    type: ClassVar[str] = "roll"


@dataclass(frozen=True, slots=True)
class Reroll(Action):
    dice: tuple[int, ...]
    with_: str | None = None
    faces: Faces | None = None
    type: ClassVar[str] = "reroll"


@dataclass(frozen=True, slots=True)
class ChangeDie(Action):
    card: str
    die: int
    face: Face
    type: ClassVar[str] = "change_die"


@dataclass(frozen=True, slots=True)
class Probe(Action):
    die: int
    faces: Faces | None = None
    type: ClassVar[str] = "probe"


@dataclass(frozen=True, slots=True)
class Resolve(Action):
    order: tuple[str, ...] = GROUPS
    type: ClassVar[str] = "resolve"


@dataclass(frozen=True, slots=True)
class Hearts(Action):
    heal: int = 0
    poison: int = 0
    shrink: int = 0
    others: tuple[tuple[str, int], ...] = ()
    type: ClassVar[str] = "hearts"

    @property
    def spent(self) -> int:
        own = self.heal + self.poison + self.shrink
        return own + sum([count for _, count in self.others]) if self.others else own


@dataclass(frozen=True, slots=True)
class Yield(Action):
    leave: bool
    type: ClassVar[str] = "yield"


@dataclass(frozen=True, slots=True)
class Buy(Action):
    card: str | None = None
    from_: str = MARKET
    type: ClassVar[str] = "buy"


@dataclass(frozen=True, slots=True)
class Sweep(Action):
    type: ClassVar[str] = "sweep"


@dataclass(frozen=True, slots=True)
class Peek(Action):
    type: ClassVar[str] = "peek"


@dataclass(frozen=True, slots=True)
class Load(Action):
    amount: int
    type: ClassVar[str] = "load"


@dataclass(frozen=True, slots=True)
class CopyCard(Action):
    of: Copy
    type: ClassVar[str] = "copy"


@dataclass(frozen=True, slots=True)
class Sell(Action):
    card: str
    type: ClassVar[str] = "sell"


@dataclass(frozen=True, slots=True)
class Use(Action):
    card: str
    type: ClassVar[str] = "use"


@dataclass(frozen=True, slots=True)
class Dice(Action):
    faces: Faces | None = None
    type: ClassVar[str] = "dice"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    type: ClassVar[str] = "end_turn"


@dataclass(frozen=True, slots=True)
class Concede(Action):
    type: ClassVar[str] = "concede"


ACTIONS: dict[str, type[Action]] = {
    each.type: each
    for each in (
        Roll,
        Reroll,
        ChangeDie,
        Probe,
        Resolve,
        Hearts,
        Yield,
        Buy,
        Sweep,
        Peek,
        Load,
        CopyCard,
        Sell,
        Use,
        Dice,
        Pass,
        EndTurn,
        Concede,
    )
}
