"""Random openings: requests for new games, most of them set up so that the players hold cards from the start."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import EDITIONS
from engine.cards.deck import all_cards
from engine.state import TOKENS

Request = dict[str, Any]


def opening(random: Random, edition: str, players: int) -> Request:
    """The body of a request for a game of this edition with so many players."""
    names = [f"p{number}" for number in range(1, players + 1)]
    request: Request = {
        "edition": edition,
        "players": [{"id": name} for name in names],
        "first_player": random.choice(names),
        "options": {"dice": random.choice(["server", "client"])},
    }
    if players >= 5 and EDITIONS[edition].bay_optional:
        request["options"]["bay"] = random.random() < 0.7
    if random.random() < 0.8:
        request["setup"] = _setup(random, edition, names, request)
    return request


def _setup(random: Random, edition: str, names: list[str], request: Request) -> Request:
    cards = EDITIONS[edition].cards
    keep = [card for card in all_cards(EDITIONS[edition].deck) if cards[card].keep]
    random.shuffle(keep)
    dealt = {name: [keep.pop() for _ in range(random.randint(1, 4 + 10 // len(names)))] for name in names}
    setup: Request = {"phase": random.choice(["start", "roll", "roll", "buy"])}
    setup["players"] = {name: _player(random, edition, name, dealt) for name in names}
    _share_tokens(random, setup["players"])
    _seat_in_tokyo(random, setup["players"], request)
    return setup


def _player(random: Random, edition: str, name: str, dealt: dict[str, list[str]]) -> Request:
    return {
        "hearts": random.choice([1, 2, 3, 5, 8, 10]),
        "vp": random.choice([0, 0, 3, 8, 14, 18]),
        "energy": random.choice([0, 1, 2, 4, 8, 20]),
        "cards": [_card(random, edition, name, card, dealt) for card in dealt[name]],
    }


def _card(random: Random, edition: str, owner: str, card: str, dealt: dict[str, list[str]]) -> Request | str:
    """A card as dealt; one that copies copies something that may be copied, if there is anything."""
    rules = EDITIONS[edition]
    if "copy" not in rules.cards[card].can:
        return card
    others = [
        {"player": player, "card": found}
        for player, hand in dealt.items()
        for found in hand
        if player != owner and "copy" not in rules.cards[found].can
    ]
    if not others or random.random() < 0.2:
        return card
    copies = random.choice(others)
    charges = rules.cards[copies["card"]].charges
    return {"card": card, "copies": copies} | ({} if charges is None else {"charges": charges})


def _share_tokens(random: Random, players: dict[str, Request]) -> None:
    for token in ("poison", "shrink"):
        left = TOKENS if random.random() < 0.3 else 0
        for player in players.values():
            player[token] = random.randint(0, min(left, 5))
            left -= player[token]


def _seat_in_tokyo(random: Random, players: dict[str, Request], request: Request) -> None:
    order = random.sample(list(players.values()), len(players))
    if random.random() < 0.7:
        order[0]["place"] = "city"
    if len(players) >= 5 and request["options"].get("bay", EDITIONS[request["edition"]].bay_by_default):
        order[1]["place"] = random.choice(["outside", "bay"])
