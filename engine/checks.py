"""What a stored frame and a stored mark may hold: they name code to run, so they are checked against that code.

A step's parameters are the schema of its frame: what each holds has its check here. What a turn remembers (its marks)
has a check each. A document whose resume part does not pass is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from engine.editions import EDITIONS
from engine.fields import BIGGEST
from engine.frames import STEPS, THEN, parameters
from engine.state import ALL_DICE, FACES, GROUPS

Check = Callable[[Any, int], bool]
Checks = dict[str, Check]  # of a step's args, by their names

MOST: Final = 16  # no attack does more than 14 damage, no card gives more than 9 of anything
AT_ONCE: Final = ("turn.start", "death.after", "death.concede", "death.eliminate")


@lru_cache(maxsize=1024)
def checks_of(name: str) -> Checks:
    return {key: _check_of(key, annotation) for key, annotation in parameters(name).items()}


def _check_of(key: str, annotation: str) -> Check:
    return _is_amount if key == "amount" else CHECKS[annotation]


def _is_integer(value: Any, seats: int) -> bool:
    return type(value) is int and 0 <= value <= BIGGEST


def _is_amount(value: Any, seats: int) -> bool:
    """Of damage, or of what a card gives: a die may be rolled for each of it, and the odds of each are told."""
    return type(value) is int and 0 <= value <= MOST


def _is_seat(value: Any, seats: int) -> bool:
    return type(value) is int and 0 <= value < seats


def _is_card(value: Any, seats: int) -> bool:
    return type(value) is str and any(value in rules.cards for rules in EDITIONS.values())


def _is_list_of(check: Check, most: int = 66) -> Check:
    return lambda value, seats: type(value) is list and len(value) <= most and all(check(v, seats) for v in value)


def _is_frame(value: Any, seats: int) -> bool:
    """A frame that still waits for the faces of a roll."""
    if type(value) is not list or len(value) != 2 or type(value[0]) is not str or type(value[1]) is not dict:
        return False
    if value[0] not in STEPS:
        return False
    wanted = checks_of(value[0])
    return (
        "faces" in wanted
        and all(key in value[1] and check(value[1][key], seats) for key, check in wanted.items() if key != "faces")
        and len(value[1]) == len(wanted) - 1
    )


def _is_hit(value: Any, seats: int) -> bool:
    return (
        type(value) is dict
        and value.keys() == {"seat", "amount", "dealer", "claw", "rulings", "done"}
        and _is_seat(value["seat"], seats)
        and _is_amount(value["amount"], seats)
        and (value["dealer"] is None or _is_seat(value["dealer"], seats))
        and type(value["claw"]) is bool
        and _is_list_of(_is_ruling)(value["rulings"], seats)
        and _is_list_of(_is_text)(value["done"], seats)
    )


def _is_text(value: Any, seats: int) -> bool:
    return type(value) is str and len(value) <= 64


def _is_ruling(value: Any, seats: int) -> bool:
    return type(value) is str and is_ruling_id(value)


def is_ruling_id(value: str) -> bool:
    """Whether this could be the id of a ruling; events repeat it, so it must at least look like one."""
    return 1 <= len(value) <= 64 and not value.strip(_RULING_LETTERS)


_RULING_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"


def _is_face(value: Any, seats: int) -> bool:
    return type(value) is str and value in FACES


CHECKS: dict[str, Check] = {
    "Seat": _is_seat,
    "Seat | None": lambda value, seats: value is None or _is_seat(value, seats),
    "int": _is_integer,
    "bool": lambda value, seats: type(value) is bool,
    "str": _is_text,
    "CardId": _is_card,
    "Hit": _is_hit,
    "Waiting": _is_frame,
    "list[Seat]": _is_list_of(_is_seat),
    "list[int]": _is_list_of(_is_integer),
    "list[str]": _is_list_of(_is_text),
    "list[Face]": _is_list_of(_is_face, MOST),
    "list[CardId]": _is_list_of(_is_card),
    "Order": lambda value, seats: type(value) is list and sorted(map(str, value)) == sorted(GROUPS),
}


def _is_vacated(value: Any, seats: int) -> bool:
    return type(value) is dict and all(
        k in ("city", "bay") and v in ("yielded", "died", "gone", "evicted") for k, v in value.items()
    )


def _is_shields(value: Any, seats: int) -> bool:
    return (
        type(value) is dict
        and len(value) <= seats
        and all(k in map(str, range(seats)) and _is_ruling(v, seats) for k, v in value.items())
    )


MARKS: dict[str, Check] = {
    "fewer": lambda value, seats: type(value) is int and 0 <= value <= ALL_DICE,
    "vacated": _is_vacated,
    "left": _is_list_of(_is_seat),
    "answered": _is_list_of(_is_seat),
    "clawed": _is_list_of(_is_seat),
    "dealt": _is_list_of(_is_seat, 1000),
    "bay_closed": lambda value, seats: value is True,
    "alone": lambda value, seats: value is True,
    "shields": _is_shields,
    "probed": lambda value, seats: value in ("changed", "final", "unchanged"),
    "revealed": _is_list_of(_is_card),
    "offers": _is_integer,
    "culled": _is_integer,
    "peeks": _is_integer,
    "peeked": _is_seat,
    "dodged": _is_shields,
}


@lru_cache(maxsize=1)
def stackable() -> dict[str, Checks]:
    """The steps that may lie on a stack while a decision is awaited, each with what its args must be.

    Not those that take an answer or faces just shown, nor those that are run as soon as they are pushed.
    """
    fleeting = {*THEN.values(), *AT_ONCE}
    shown = {name for name in STEPS if name not in THEN and "faces" in parameters(name)}
    return {name: checks_of(name) for name in STEPS.keys() - fleeting - shown}
