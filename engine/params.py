"""The parameters of every kind of action: one table, by which actions are read from JSON and written to it.

Reading an action puts it into its normal form: defaults filled in, dice sorted together with their faces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.actions import ACTIONS, DECK, MARKET, Action, Faces, Reroll
from engine.errors import InvalidAction, Problem, escaped
from engine.state import ENERGY_LIMIT, FACES, GROUPS, Copy, Face


class Param(NamedTuple):
    """A parameter: its attribute in the record, how to read it, whether it must be there, what it is."""

    attribute: str
    read: Callable[[Any], Any]
    required: bool
    kind: str


def _integer(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return value

    return read


def _word(value: Any) -> str:
    if type(value) is not str or not 1 <= len(value) <= 64:
        raise ValueError("must be a word of 1 to 64 characters")
    return value


# Which cards each parameter may name; cards/model.py fills them in as the cards are recorded.
CARD_WORDS: dict[str, set[str]] = {"card": set(), "reroll": set(), "change_die": set(), "use": set()}


def _card(ability: str) -> Callable[[Any], str]:
    words = CARD_WORDS[ability]

    def read(value: Any) -> str:
        if type(value) is not str or value not in words:
            raise ValueError("must be the id of a card" if ability == "card" else f"must be a card that can {ability}")
        return value

    return read


def _face(value: Any) -> Face:
    if type(value) is not str or value not in FACES:
        raise ValueError("must be one of " + ", ".join(FACES))
    return value


def _faces(value: Any) -> Faces:
    if type(value) is not list:
        raise ValueError("must be a list of faces: " + ", ".join(FACES))
    return tuple(_face(each) for each in value)


_die = _integer(0, ENERGY_LIMIT)


def _dice(value: Any) -> tuple[int, ...]:
    if type(value) is not list or not value:
        raise ValueError("must be a non-empty list of dice")
    dice = tuple(_die(each) for each in value)
    if len(set(dice)) != len(dice):
        raise ValueError("must not name a die twice")
    return dice


def _order(value: Any) -> tuple[str, ...]:
    if type(value) is not list or sorted(map(str, value)) != sorted(GROUPS) or any(type(v) is not str for v in value):
        raise ValueError("must be a permutation of " + ", ".join(GROUPS))
    return tuple(value)


def _boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("must be true or false")
    return value


class Unknown(ValueError):
    """A parameter has fields that it should not have."""


def _copy(value: Any) -> Copy:
    if type(value) is not dict or not {"player", "card"} <= value.keys():
        raise ValueError("must be an object with player and card")
    if len(value) > 2:
        raise Unknown(*(name for name in value if name not in ("player", "card")))
    return Copy(_word(value["player"]), _card("card")(value["card"]))


_count = _integer(0, ENERGY_LIMIT)


def _others(value: Any) -> tuple[tuple[str, int], ...]:
    if type(value) is not dict:
        raise ValueError("must be an object of player: number of dice")
    return tuple(sorted((_word(player), count) for player, count in value.items() if _count(count)))


_FACES = Param("faces", _faces, False, "faces")
_CARD = Param("card", _card("card"), True, "card")

PARAMS: dict[str, dict[str, Param]] = {
    "roll": {"faces": _FACES},
    "reroll": {
        "dice": Param("dice", _dice, True, "dice"),
        "with": Param("with_", _card("reroll"), False, "card:reroll"),
        "faces": _FACES,
    },
    "change_die": {
        "card": Param("card", _card("change_die"), True, "card:change_die"),
        "die": Param("die", _die, True, "die"),
        "face": Param("face", _face, True, "face"),
    },
    "probe": {"die": Param("die", _die, True, "die"), "faces": _FACES},
    "resolve": {"order": Param("order", _order, False, "order")},
    "hearts": {
        "heal": Param("heal", _count, False, "count"),
        "poison": Param("poison", _count, False, "count"),
        "shrink": Param("shrink", _count, False, "count"),
        "others": Param("others", _others, False, "others"),
    },
    "yield": {"leave": Param("leave", _boolean, True, "boolean")},
    "buy": {"card": Param("card", _card("card"), False, "card"), "from": Param("from_", _word, False, "source")},
    "sweep": {},
    "peek": {},
    "load": {"amount": Param("amount", _integer(0, ENERGY_LIMIT), True, "amount")},
    "copy": {"of": Param("of", _copy, True, "copy")},
    "sell": {"card": _CARD},
    "use": {"card": Param("card", _card("use"), True, "card:use")},
    "dice": {"faces": _FACES},
    "pass": {},
    "end_turn": {},
    "concede": {},
}


def read_action(document: Any) -> Action:
    """An action from JSON values, in normal form; every problem is listed at once."""
    if type(document) is not dict:
        raise InvalidAction([Problem("", "must be an object")])
    kind = document.get("type")
    if type(kind) is not str or kind not in PARAMS:
        raise InvalidAction([Problem("/type", "must be one of " + ", ".join(PARAMS))])
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    params = PARAMS[kind]
    try:
        values["player"] = _word(document.get("player"))
    except ValueError as error:
        problems.append(Problem("/player", str(error)))
    for name, value in document.items():
        if name in ("type", "player"):
            continue
        param = params.get(name)
        if param is None:
            problems.append(Problem(f"/{escaped(name)}", f"is not a parameter of {kind}"))
            continue
        try:
            values[param.attribute] = param.read(value)
        except Unknown as unknown:
            problems.extend(Problem(f"/{name}/{escaped(each)}", "is not a field of this") for each in unknown.args)
        except ValueError as error:
            problems.append(Problem(f"/{name}", str(error)))
    for name, param in params.items():
        if param.required and name not in document:
            problems.append(Problem(f"/{name}", "is required"))
    if kind == "buy" and "card" not in document and values.get("from_", MARKET) != DECK:
        problems.append(Problem("/card", "is required, except from the deck"))
    if problems:
        raise InvalidAction(problems)
    return normal(ACTIONS[kind](**values))


def normal(action: Action) -> Action:
    """Dice in ascending order, each with the face it showed."""
    if not isinstance(action, Reroll) or action.dice == tuple(sorted(action.dice)):
        return action
    if action.faces is None or len(action.faces) != len(action.dice):
        return Reroll(action.player, tuple(sorted(action.dice)), action.with_, action.faces)
    dice, faces = zip(*sorted(zip(action.dice, action.faces, strict=True)), strict=True)
    return Reroll(action.player, dice, action.with_, faces)


def write_action(action: Action) -> dict[str, Any]:
    """The JSON values of an action, without what is at its default and says nothing."""
    document: dict[str, Any] = {"type": action.type, "player": action.player}
    for name, param in PARAMS[action.type].items():
        value = getattr(action, param.attribute)
        if value is not None and (param.required or value != ()):
            document[name] = _plain(value)
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, Copy):
        return {"player": value.player, "card": value.card}
    if type(value) is not tuple:
        return value
    if value and type(value[0]) is tuple:
        return dict(value)
    return [*value]
