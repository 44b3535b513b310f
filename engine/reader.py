"""Reading a state document: a good one fast; of a bad one every problem is listed, each with its pointer.

Two layers are kept apart: a document that is *malformed* (types, words, unknown fields, frames that fit no step), and a
position that no game can be in (position.py).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from engine.awaited import decision_problems
from engine.belongings import wear_all
from engine.checks import MARKS, Checks, is_ruling_id, stackable
from engine.codec import SCHEMA, Values
from engine.editions import EDITIONS, Ruleset
from engine.errors import InvalidState, Problem, escaped
from engine.fields import BIGGEST, Reader
from engine.position import bay_problems, option_problems, position_problems, seat_problems
from engine.state import (
    ALL_DICE,
    BLACK_DICE,
    FACES,
    PHASES,
    PLACES,
    PLAYER_ID,
    RESERVED,
    CardId,
    CardInPlay,
    Copy,
    ExtraTurn,
    Face,
    Frame,
    Options,
    Outcome,
    Player,
    State,
    record,
)

# Old names of steps, for games that were saved before a step was renamed.
RENAMED: dict[str, str] = {}
DEEPEST: Final = 64
LONGEST: Final = 32  # ids of players
GAME_ID: Final = re.compile(r"g_[A-Za-z0-9]{1,64}")
RESULTS: Final = ("win", "shared_win", "draw", "all_lose")

_STATE: Final = frozenset(
    ["schema", "game_id", "version", "edition", "options", "phase", "turn", "players", "dice", "market", "deck_size",
     "discard", "decision", "outcome", "secrets", "resume"]
)  # fmt: skip
_STATE_MAY: Final = _STATE | {"state_id"}
_OPTIONS_MAY: Final = frozenset(Options._fields)
_OPTIONS: Final = _OPTIONS_MAY - {"auth"}
_TURN: Final = frozenset({"number", "player", "rolls_used", "rolls_allowed"})
_PLAYER: Final = frozenset(
    {"id", "hearts", "max_hearts", "vp", "energy", "place", "eliminated", "poison", "shrink", "cards"}
)
_PLAYER_MAY: Final = _PLAYER | {"name", "monster"}
_DIE: Final = frozenset({"face"})
_DIE_MAY: Final = frozenset({"face", "green"})
_CARD: Final = frozenset({"card"})
_CARD_MAY: Final = frozenset({"card", "charges", "copies", "paid"})
_COPY: Final = frozenset({"player", "card"})
_SECRETS: Final = frozenset({"deck", "seed"})
_RESUME: Final = frozenset({"draws", "stack", "marks", "extra_turns", "regular"})
_OUTCOME: Final = frozenset({"result", "winners", "rulings"})
_PLAYERS: Final = tuple(f"/players/{index}" for index in range(6))
_STACK: Final = "/resume/stack"
_FACES: Final[dict[str, Face]] = {each: each for each in FACES}


def read_state(document: Any) -> State:
    """A state from JSON values; InvalidState lists every problem."""
    reader = Reader()
    state = _read(reader, document)
    if reader.problems:
        raise InvalidState(reader.problems, malformed=True)
    if state is None:
        raise InvalidState(reader.impossible)
    options = (*bay_problems(state.options.bay, state.rules, len(state.players)), *option_problems(state.options))
    problems = [*reader.impossible, *options, *position_problems(state)]
    if not problems:
        problems = decision_problems(state, document)
    if problems:
        raise InvalidState(problems)
    return state


def _read(reader: Reader, document: Any) -> State | None:
    if not _whole(reader, document):
        return None
    if document["schema"] != SCHEMA:
        reader.wrong("/schema", f"must be {SCHEMA}")
    rules = EDITIONS[reader.word(document["edition"], EDITIONS, "/edition")]
    players = [
        _read_player(reader, each, _PLAYERS[index], rules)
        for index, each in enumerate(reader.array(document["players"], 6, "/players"))
    ]
    reader.impossible.extend(seat_problems(players))
    if reader.impossible:
        return None
    state = _read_table(reader, document, rules, players)
    if reader.integer(document["deck_size"], "/deck_size") != len(state.deck):
        reader.impossible.append(Problem("/deck_size", f"must be {len(state.deck)}, the number of cards in the deck"))
    _read_resume(reader, state, document["resume"])
    if document["outcome"] is not None:
        state.outcome = _read_outcome(reader, state, document["outcome"])
    wear_all(state)
    return state


def _whole(reader: Reader, document: Any) -> bool:
    """The document and the objects in it have the fields they should have."""
    if not reader.fields(document, "", _STATE, _STATE_MAY):
        return False
    secrets = reader.fields(document["secrets"], "/secrets", _SECRETS, _SECRETS)
    resume = reader.fields(document["resume"], "/resume", _RESUME, _RESUME)
    turn = reader.fields(document["turn"], "/turn", _TURN, _TURN)
    options = reader.fields(document["options"], "/options", _OPTIONS, _OPTIONS_MAY)
    return secrets and resume and turn and options


def _read_table(reader: Reader, document: Values, rules: Ruleset, players: list[Player]) -> State:
    secrets: Values = document["secrets"]
    turn: Values = document["turn"]
    state = State(
        game_id=_read_game_id(reader, document["game_id"]),
        rules=rules,
        options=_read_options(reader, document["options"]),
        players=players,
        seed=reader.text(secrets["seed"], "/secrets/seed"),
        version=reader.integer(document["version"], "/version"),
        phase=reader.word(document["phase"], PHASES, "/phase"),
        turn=reader.integer(turn["number"], "/turn/number", least=1),
        rolls_used=reader.integer(turn["rolls_used"], "/turn/rolls_used", most=1000),
        rolls_allowed=reader.integer(turn["rolls_allowed"], "/turn/rolls_allowed", most=1000),
        dice=_read_dice(reader, document["dice"]),
        market=_read_cards(reader, document["market"], "/market", rules.names, 3),
        deck=_read_cards(reader, secrets["deck"], "/secrets/deck", rules.names, 66),
        discard=_read_cards(reader, document["discard"], "/discard", rules.names, 66),
        draws=reader.integer(document["resume"]["draws"], "/resume/draws"),
    )
    active = state.seat_of(reader.text(turn["player"], "/turn/player"))
    if active is None:
        reader.impossible.append(Problem("/turn/player", "must be the id of a player"))
    state.active = active or 0
    return state


def _read_game_id(reader: Reader, value: Any) -> str:
    if type(value) is str and GAME_ID.fullmatch(value):
        return value
    reader.wrong("/game_id", "must be g_ and letters or digits")
    return "g_0"


def _read_options(reader: Reader, told: Values) -> Options:
    read = (
        reader.boolean(told["bay"], "/options/bay"),
        reader.word(told["dice"], ("server", "client"), "/options/dice"),
        reader.word(told["secrets"], ("open", "sealed"), "/options/secrets"),
        reader.word(told["history"], ("free", "anchored"), "/options/history"),
        reader.word(told.get("auth", "none"), ("none", "seats"), "/options/auth"),
    )
    return record(Options, read)


def _read_player(reader: Reader, document: Any, at: str, rules: Ruleset) -> Player:
    if not reader.fields(document, at, _PLAYER, _PLAYER_MAY):
        return Player(at)
    told: Values = document
    identity = told["id"]
    if type(identity) is not str or not is_slug(identity) or identity in RESERVED:
        reader.wrong(f"{at}/id", "must be 1 to 32 of a-z, 0-9, _ and -, and no reserved word")
        identity = at
    name, monster = told.get("name"), told.get("monster")
    if name is not None:
        name = reader.text(name, f"{at}/name", 64)
    if monster is not None and (type(monster) is not str or not is_slug(monster)):
        reader.wrong(f"{at}/monster", "must be a slug of a-z, 0-9, _ and -")
        monster = None
    return Player(
        identity,
        name,
        monster,
        reader.integer(told["hearts"], at, "/hearts"),
        reader.integer(told["max_hearts"], at, "/max_hearts"),
        reader.integer(told["vp"], at, "/vp"),
        reader.integer(told["energy"], at, "/energy"),
        reader.word(told["place"], PLACES, at, "/place"),
        reader.boolean(told["eliminated"], at, "/eliminated"),
        reader.integer(told["poison"], at, "/poison"),
        reader.integer(told["shrink"], at, "/shrink"),
        tuple([
            _read_card(reader, each, at, index, rules)
            for index, each in enumerate(reader.array(told["cards"], 66, at, "/cards"))
        ]),
    )


def is_slug(value: str) -> bool:
    """Whether this could be an id of a player; what is longer than any is not remembered."""
    return len(value) <= LONGEST and _is_slug(value)


@lru_cache(maxsize=4096)
def _is_slug(value: str) -> bool:
    return PLAYER_ID.fullmatch(value) is not None


def _read_card(reader: Reader, document: Any, holder: str, index: int, rules: Ruleset) -> CardInPlay:
    if type(document) is dict:
        told: Values = document
        card = told.get("card")
        plain = rules.plain.get(card) if type(card) is str else None
        if plain is not None:
            if len(told) == 1:
                return plain
            paid = told.get("paid")
            if len(told) == 2 and type(paid) is int and 0 <= paid <= BIGGEST:
                return record(CardInPlay, (plain.card, None, None, paid))
    return _read_unusual(reader, document, f"{holder}/cards/{index}", rules.names)


def _read_unusual(reader: Reader, told: Any, at: str, names: dict[CardId, CardId]) -> CardInPlay:
    """A card with something on it, or one that is wrong."""
    if not reader.fields(told, at, _CARD, _CARD_MAY):
        return CardInPlay(next(iter(names)))
    charges, copies, paid = told.get("charges"), told.get("copies"), told.get("paid")
    copied = None
    if copies is not None and reader.fields(copies, f"{at}/copies", _COPY, _COPY):
        copied = Copy(
            reader.text(copies["player"], f"{at}/copies/player", 32),
            names[reader.word(copies["card"], names, at, "/copies/card")],
        )
    return CardInPlay(
        names[reader.word(told["card"], names, at, "/card")],
        None if charges is None else reader.integer(charges, at, "/charges"),
        copied,
        None if paid is None else reader.integer(paid, at, "/paid"),
    )


def _read_cards(reader: Reader, told: Any, at: str, names: dict[CardId, CardId], most: int) -> tuple[str, ...]:
    listed = reader.array(told, most, at)
    try:
        return tuple(map(names.__getitem__, listed))
    except (KeyError, TypeError):
        for index, each in enumerate(listed):
            reader.word(each, names, f"{at}/{index}")
    return ()


def _read_dice(reader: Reader, told: Any) -> tuple[Any, ...]:
    faces = []
    for index, die in enumerate(reader.array(told, ALL_DICE, "/dice")):
        shown = die.get("face") if type(die) is dict else None
        face = _FACES.get(shown) if type(shown) is str else None
        if face is None or len(die) > 1 or index >= BLACK_DICE:
            face = _read_unusual_die(reader, die, index)
        faces.append(face)
    return tuple(faces)


def _read_unusual_die(reader: Reader, die: Any, index: int) -> Any:
    """A green die, or one that is wrong."""
    at = f"/dice/{index}"
    if not reader.fields(die, at, _DIE, _DIE_MAY):
        return FACES[0]
    if die.get("green", False) is not (index >= BLACK_DICE):
        reader.wrong(f"{at}/green", "the seventh and eighth die are green, the others are not")
    return _FACES[reader.word(die["face"], FACES, at, "/face")]


def _read_outcome(reader: Reader, state: State, told: Any) -> Outcome | None:
    if not reader.fields(told, "/outcome", _OUTCOME, _OUTCOME):
        return None
    winners = reader.array(told["winners"], 6, "/outcome/winners")
    rulings = reader.array(told["rulings"], 16, "/outcome/rulings")
    ids = [player.id for player in state.players]
    if any(type(each) is not str or each not in ids for each in winners):
        reader.wrong("/outcome/winners", "must be ids of players")
    if not rulings or any(type(each) is not str or not is_ruling_id(each) for each in rulings):
        reader.wrong("/outcome/rulings", "must be ids of rulings")
    return Outcome(reader.word(told["result"], RESULTS, "/outcome/result"), tuple(winners), tuple(rulings))


# What is needed to resume: frames, marks, extra turns


def _read_resume(reader: Reader, state: State, resume: Values) -> None:
    seats = len(state.players)
    steps = stackable()
    frames: list[Frame] = []
    for index, told in enumerate(reader.array(resume["stack"], DEEPEST, _STACK)):
        frame = _read_frame(reader, told, index, seats, steps)
        if frame is not None:
            frames.append(frame)
    state.stack = tuple(frames)
    marks = resume["marks"]
    if type(marks) is dict:
        state.marks = {str(name): _frozen(value) for name, value in marks.items()}
        _check_marks(reader, marks, seats)
    else:
        reader.wrong("/resume/marks", "must be an object")
    turns = []
    for index, told in enumerate(reader.array(resume["extra_turns"], 64, "/resume/extra_turns")):
        at = f"/resume/extra_turns/{index}"
        if type(told) is list and len(told) == 3:
            turns.append(
                ExtraTurn(
                    reader.integer(told[0], at, "", 0, seats - 1), reader.integer(told[1], at, "", 0, ALL_DICE),
                    reader.boolean(told[2], at),
                )
            )  # fmt: skip
        else:
            reader.wrong(at, "must be a seat, a number of dice and true or false")
    state.extra_turns = tuple(turns)
    state.regular = reader.integer(resume["regular"], "/resume/regular", "", 0, seats - 1)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if type(value) is list else value


def _read_frame(reader: Reader, told: Any, at: int, seats: int, steps: dict[str, Checks]) -> Frame | None:
    if type(told) is not list or len(told) != 2 or type(told[0]) is not str or type(told[1]) is not dict:
        reader.wrong(f"{_STACK}/{at}", "must be a step and its args")
        return None
    name: str = RENAMED.get(told[0], told[0])
    args: Values = told[1]
    wanted = steps.get(name)
    if wanted is None:
        reader.wrong(f"{_STACK}/{at}", "names no step")
        return None
    if args.keys() != wanted.keys():
        reader.wrong(f"{_STACK}/{at}", f"{name} takes {', '.join(sorted(wanted)) or 'nothing'}")
        return None
    for key, check in wanted.items():
        if not check(args[key], seats):
            reader.wrong(f"{_STACK}/{at}/1/{key}", f"does not fit {name}")
            return None
    return name, args


def _check_marks(reader: Reader, marks: Values, seats: int) -> None:
    for name, value in marks.items():
        check = MARKS.get(name)
        if check is None or not check(value, seats):
            reader.wrong(f"/resume/marks/{escaped(name)}", "is not something a turn remembers")
