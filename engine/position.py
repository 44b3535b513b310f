"""Which positions are possible: every problem of an impossible one, at once (EXT-SETUP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.errors import Problem
from engine.state import (
    BAY_NEEDS,
    ENERGY_LIMIT,
    HEARTS,
    MARKET_SIZE,
    TOKENS,
    CardId,
    CardInPlay,
    Options,
    Player,
    Seat,
    State,
)
from engine.tokyo import bay_open
from engine.windows import adjusted

if TYPE_CHECKING:
    from engine.editions.ruleset import Ruleset


def max_hearts(state: State, seat: Seat) -> int:
    """Ten hearts, and what cards add (RESOLVE-HEART-4)."""
    return adjusted(state, "max_hearts", seat, HEARTS)


def seat_problems(players: Sequence[Player]) -> Iterator[Problem]:
    """Two to six play, each of its own id and monster (COMP-1, SETUP-1, SETUP-2)."""
    if not 2 <= len(players) <= 6:
        yield Problem("/players", "two to six monsters play (COMP-1)")
    ids = [player.id for player in players]
    monsters = [player.monster for player in players if player.monster is not None]
    for field, told in (("id", ids), ("monster", monsters)):
        if len(set(told)) < len(told):
            twice = [value for value, count in Counter(told).items() if count > 1]
            yield from (Problem("/players", f"{field} {value} is taken twice (SETUP-1)") for value in twice)


def bay_problems(bay: bool, rules: Ruleset, players: int) -> Iterator[Problem]:
    """The Bay needs players enough, and is then the edition's to allow or to want (SETUP-4)."""
    enough = players >= BAY_NEEDS
    if bay and not enough:
        yield Problem("/options/bay", f"the Bay needs {BAY_NEEDS} players (SETUP-4)")
    elif enough and bay != rules.bay_by_default and not rules.bay_optional:
        yield Problem("/options/bay", f"{rules.id} always plays with the Bay at 5 or 6 players (SETUP-4)")


def option_problems(options: Options) -> Iterator[Problem]:
    """What could be played twice from the same state would tell what is hidden, or let a seat take back its move."""
    if options.history == "free" and options.secrets == "sealed":
        yield Problem("/options/history", "a sealed game is always anchored")
    if options.history == "free" and options.auth == "seats":
        yield Problem("/options/history", "a game with seats is always anchored")


def position_problems(state: State) -> list[Problem]:
    """Everything that no game could show."""
    return [*_players(state), *_tokyo(state), *_tokens(state), *_cards(state), *_dice(state)]


def _players(state: State) -> Iterator[Problem]:
    if len(state.living) < (1 if "alone" in state.marks else 2) and state.outcome is None:
        yield Problem("/players", "at least two players must be alive")
    for seat, player in enumerate(state.players):
        most = max_hearts(state, seat)
        if player.eliminated:
            yield from _eliminated(player, f"/players/{seat}")
        elif not 1 <= player.hearts <= player.max_hearts and not (player.hearts == 0 and _falling(state, seat)):
            at, top = f"/players/{seat}/hearts", player.max_hearts
            yield Problem(at, f"a living monster has 1 to {top} hearts (RESOLVE-HEART-4, DEATH-1)")
        if player.max_hearts != most:
            yield Problem(f"/players/{seat}/max_hearts", f"must be {most} (RESOLVE-HEART-4)")
        if player.vp < 0:
            yield Problem(f"/players/{seat}/vp", "must not be negative")
        if not 0 <= player.energy <= ENERGY_LIMIT:
            yield Problem(f"/players/{seat}/energy", f"must be from 0 to {ENERGY_LIMIT}")


def _falling(state: State, seat: Seat) -> bool:
    """Whether a monster at 0 hearts still waits for the rest of its batch to land (G-37)."""
    return any(name == "death.toll" and seat in args["seats"] for name, args in state.stack)


def _eliminated(player: Player, at: str) -> Iterator[Problem]:
    for field in ("hearts", "energy", "cards", "poison", "shrink"):
        if getattr(player, field):
            yield Problem(f"{at}/{field}", f"an eliminated player has no {field} (DEATH-4)")
    if player.in_tokyo:
        yield Problem(f"{at}/place", "an eliminated player is not in Tokyo (DEATH-4)")


def _tokyo(state: State) -> Iterator[Problem]:
    for place in ("city", "bay"):
        there = [seat for seat, player in enumerate(state.players) if player.place == place]
        if len(there) > 1:
            names = ", ".join(state.players[seat].id for seat in there)
            yield Problem("/players", f"only one can be in the {place}, not {names} (TOKYO-EFFECT-2, BAY-10)")
        if place == "bay" and there and not bay_open(state):
            yield Problem(f"/players/{there[0]}/place", "the Bay is not open (BAY-1)")


def _tokens(state: State) -> Iterator[Problem]:
    if not _are_there([player.poison for player in state.players]):
        yield Problem("/players", f"there are {TOKENS} poison tokens (COMP-4)")
    if not _are_there([player.shrink for player in state.players]):
        yield Problem("/players", f"there are {TOKENS} shrink tokens (COMP-4)")


def _are_there(tokens: list[int]) -> bool:
    left = TOKENS
    for count in tokens:
        left -= count
        if count < 0 or left < 0:
            return False
    return True


def _cards(state: State) -> Iterator[Problem]:
    cards, plain = state.rules.cards, state.rules.plain
    everywhere = [*state.market, *state.deck, *state.discard]
    for seat, player in enumerate(state.players):
        for index, lying in enumerate(player.cards):
            card = lying.card
            everywhere.append(card)
            if card not in plain or lying.charges is not None or lying.copies is not None:
                yield from _lying(state, seat, index)
    again = _others(everywhere)
    for card in dict.fromkeys(again):
        count = again.count(card) + 1
        if count > cards[card].copies:
            yield Problem("", f"there are {cards[card].copies} of {card}, not {count} (COMP-3)")
    if len(state.market) > MARKET_SIZE:
        yield Problem("/market", f"the market has {MARKET_SIZE} places (SETUP-5)")


def _others(cards: list[CardId]) -> list[CardId]:
    """The cards that lie there besides one of each kind."""
    seen: set[CardId] = set()
    others: list[CardId] = []
    for card in cards:
        if card in seen:
            others.append(card)
        else:
            seen.add(card)
    return others


def _dice(state: State) -> Iterator[Problem]:
    if state.dice and not state.rolls_used:
        yield Problem("/dice", "no dice lie there before the first roll of a turn (ROLL-1)")


def _holds(state: State, lying: CardInPlay, charges: int) -> bool:
    """Whether so much can lie on a card: of tokens a full set, of energy what it was filled with (COMP-4)."""
    record = state.rules.cards[lying.card if lying.copies is None else lying.copies.card]
    if record.charges is None:
        return False
    return charges <= (ENERGY_LIMIT if "loaded" in record.on else record.charges)


def _lying(state: State, seat: Seat, index: int) -> Iterator[Problem]:
    player = state.players[seat]
    lying = player.cards[index]
    record = state.rules.cards[lying.card]
    at = f"/players/{seat}/cards/{index}"
    if not record.keep and ("market.used_up", {"seat": seat, "card": lying.card}) not in state.stack:
        yield Problem(at, f"{lying.card} is a Discard card: it lies before nobody (CARDTYPE-2)")
    if lying.charges is not None and not _holds(state, lying, lying.charges):
        yield Problem(f"{at}/charges", f"{lying.card} holds no such charges (COMP-4)")
    if lying.copies is None:
        return
    copied = state.rules.cards[lying.copies.card]
    if "copy" not in record.can or "copy" in copied.can or not copied.keep:
        yield Problem(f"{at}/copies", f"{lying.card} cannot copy {copied.id} (CARD-MIMIC-2)")
    elif not state.rules.may_copy(state, player, lying.copies):
        yield Problem(f"{at}/copies", "there is no such card to copy (CARD-MIMIC-2)")
