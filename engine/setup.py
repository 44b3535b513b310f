"""Setting up: a new game by the edition's procedure, or any position, all problems of an impossible one listed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine.apply import Result
from engine.belongings import wear_all
from engine.cards.deck import all_cards
from engine.dice import rolls_allowed
from engine.draft import Draft
from engine.editions import DEFAULT_EDITION, EDITIONS, Ruleset
from engine.errors import InvalidState, Problem, escaped
from engine.frames import run
from engine.position import bay_problems, max_hearts, option_problems, position_problems, seat_problems
from engine.state import BAY_NEEDS, BLACK_DICE, HEARTS, MARKET_SIZE, CardInPlay, Copy, Options, Player, Seat, State


def new_game(request: Mapping[str, Any], seed: str) -> Result:
    """A new game from the body of POST /v1/games, already checked for shape; `seed` is all its chance."""
    rules = EDITIONS[request.get("edition", DEFAULT_EDITION)]
    problems: list[Problem] = []
    options = _options(request, rules, problems)
    players = _players(request, problems)
    g = Draft(State(_game_id(request, seed), rules, options, players, seed))
    position = request.get("setup")
    if position is not None:
        _place(g, position, problems)
    else:
        g.deck = g.shuffle(all_cards(rules.deck))
        g.market, g.deck = g.deck[:MARKET_SIZE], g.deck[MARKET_SIZE:]
    wear_all(g)
    for seat, player in enumerate(g.players):
        player.max_hearts = max_hearts(g, seat)
    if position is not None:
        problems.extend(Problem(_in_setup(g, each.pointer), each.detail) for each in position_problems(g))
    first = _first_player(request, g, problems)
    if problems:
        raise InvalidState(problems)
    _open(g, position, first)
    g.close()
    return Result(g, g.events)


def _in_setup(state: State, pointer: str) -> str:
    """Where a problem of the position lies in the request: players are named there, not numbered."""
    parts = pointer.split("/")
    if len(parts) > 2 and parts[1] == "players":
        parts[2] = state.players[int(parts[2])].id
    return "/setup" + "/".join(parts)


def _game_id(request: Mapping[str, Any], seed: str) -> str:
    """The same request and seed are the same game."""
    told = json.dumps([request, seed], sort_keys=True, separators=(",", ":"))
    return "g_" + hashlib.sha256(told.encode()).hexdigest()[:16]


# The request


def _options(request: Mapping[str, Any], rules: Ruleset, problems: list[Problem]) -> Options:
    """The options of the game; the Bay is the edition's to allow (SETUP-4)."""
    asked = request.get("options", {})
    count = len(request["players"])
    bay = asked.get("bay", rules.bay_by_default and count >= BAY_NEEDS)
    problems.extend(bay_problems(bay, rules, count))
    secrets, auth = asked.get("secrets", "open"), asked.get("auth", "none")
    history = asked.get("history", "free" if (secrets, auth) == ("open", "none") else "anchored")
    options = Options(bay, asked.get("dice", "server"), secrets, history, auth)
    problems.extend(_hidden_problems(request, options))
    problems.extend(option_problems(options))
    return options


def _hidden_problems(request: Mapping[str, Any], options: Options) -> Iterator[Problem]:
    """What would tell what is hidden; a game of the same seed would have the same id, and so the same seats."""
    if options.secrets == "sealed":
        named = (each for each in ("seed", "setup") if each in request)
        yield from (Problem(f"/{each}", f"a sealed game takes no {each}") for each in named)
        return
    if options.auth == "seats" and "seed" in request:
        yield Problem("/seed", "a game with seats takes no seed")
    if "client_seed" in request:
        yield Problem("/client_seed", "only a sealed game takes a client_seed")


def _players(request: Mapping[str, Any], problems: list[Problem]) -> list[Player]:
    players = [Player(each["id"], each.get("name"), each.get("monster")) for each in request["players"]]
    problems.extend(seat_problems(players))
    return players


def _first_player(request: Mapping[str, Any], state: State, problems: list[Problem]) -> Seat | None:
    """Who begins: as told, or None where dice decide (SETUP-7)."""
    named = request.get("first_player")
    if named is None:
        if not state.rules.first_player_rolls:
            return next(iter(state.living), 0)
        if state.options.dice == "client":
            problems.append(Problem("/first_player", "a client-dice game names its first player (SETUP-7)"))
        return None
    seat = state.seat_of(named)
    if seat is None:
        problems.append(Problem("/first_player", f"nobody here is called {named} (SETUP-7)"))
    elif state.players[seat].eliminated:
        problems.append(Problem("/first_player", f"{named} is eliminated and cannot begin (DEATH-1)"))
    return seat


# The opening


def _open(g: Draft, position: Mapping[str, Any] | None, first: Seat | None) -> None:
    """Announce the game and run to its first decision (SETUP-2, SETUP-3, SETUP-5)."""
    ids = [player.id for player in g.players]
    g.emit(
        "game_created", ("SETUP-2", "SETUP-3", "SETUP-4", "SETUP-5", "SETUP-6", "G-03"),
        edition=g.rules.id, players=ids, market=[*g.market], bay=g.options.bay,
    )  # fmt: skip
    seat = _roll_for_first(g) if first is None else first
    g.emit("first_player", ("SETUP-7",), player=ids[seat])
    g.regular = seat
    phase = "start" if position is None else position.get("phase", "roll")
    if phase == "start":
        g.push(("turn.start", {"seat": seat, "fewer": 0}))
    else:
        g.turn = 1
        g.active = seat
        g.rolls_allowed = rolls_allowed(g, seat)
        rest = g.rules.after_dice if phase == "roll" else g.rules.after_dice[g.rules.after_dice.index("buy.phase") :]
        steps = (*(["turn.roll"] if phase == "roll" else []), *rest, "turn.finish")
        g.push(*((name, {}) for name in steps))
    run(g)


def _roll_for_first(g: Draft) -> Seat:
    """Everyone living rolls six dice; most claws begins, and those who tie roll again (SETUP-7, SETUP-8, G-02)."""
    rolling = g.living
    rulings: tuple[str, ...] = ("SETUP-7", *g.rules.open_gaps("G-47"))
    while len(rolling) > 1:
        best = -1
        leaders: list[Seat] = []
        for seat in rolling:
            faces = g.roll(seat, BLACK_DICE)
            g.emit("first_player_roll", rulings, player=g.players[seat].id, dice=[*faces])
            claws = faces.count("claw")
            if claws > best:
                best, leaders = claws, []
            if claws == best:
                leaders.append(seat)
        rolling = leaders
        rulings = ("SETUP-8", *g.rules.open_gaps("G-02"))
    return rolling[0]


# Any position


def _place(g: Draft, position: Mapping[str, Any], problems: list[Problem]) -> None:
    """Set the board as told; what is left out is as at the start of a game (EXT-SETUP)."""
    told = position.get("players", {})
    known = {player.id: seat for seat, player in enumerate(g.players)}
    for name, values in told.items():
        if name not in known:
            problems.append(Problem(f"/setup/players/{escaped(name)}", "is not a player of this game"))
            continue
        _set_player(g, known[name], values)
    g.discard = tuple(position.get("discard", ()))
    _lay_cards(g, position)


def _set_player(g: Draft, seat: Seat, values: Mapping[str, Any]) -> None:
    player = g.edit(seat)
    player.eliminated = values.get("eliminated", False)
    player.cards = tuple(_card(g.rules, each) for each in values.get("cards", ()))
    player.hearts = values.get("hearts", 0 if player.eliminated else HEARTS)
    for field in ("vp", "energy", "place", "poison", "shrink"):
        setattr(player, field, values.get(field, getattr(player, field)))


def _card(rules: Ruleset, told: str | Mapping[str, Any]) -> CardInPlay:
    """A card as told; one on which counters lie, or a copy of it, has a full set unless told otherwise."""
    values: Mapping[str, Any] = {"card": told} if isinstance(told, str) else told
    record = rules.cards[values["card"]]
    copies = values.get("copies")
    acting = record if copies is None else rules.cards[copies["card"]]
    return CardInPlay(
        record.id,
        values.get("charges", acting.charges),
        None if copies is None else Copy(copies["player"], copies["card"]),
        values.get("paid", record.cost if rules.keeps_price and record.keep else None),
    )


def _lay_cards(g: Draft, position: Mapping[str, Any]) -> None:
    """Market and deck as told, else from the shuffled rest of the edition's cards."""
    market = position.get("market")
    if "deck" in position:
        g.deck = tuple(position["deck"])
        g.market = tuple(market or ())
        return
    lying = [each.card for player in g.players for each in player.cards]
    rest = Counter(all_cards(g.rules.deck))
    rest.subtract(Counter([*lying, *g.discard, *(market or ())]))
    g.deck = g.shuffle(tuple(card for card, count in rest.items() for _ in range(max(0, count))))
    if market is None:
        g.market, g.deck = g.deck[:MARKET_SIZE], g.deck[MARKET_SIZE:]
    else:
        g.market = tuple(market)
