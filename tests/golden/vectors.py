"""Published vectors of chance, and one whole revealed game: python -m tests.golden.vectors writes both anew.

SECURITY.md says what they are; tests/js/ computes them from its words alone.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from engine import State, apply, legal_actions, new_game, proof, rng, write_action
from engine.actions import Action, Concede, Sweep
from engine.cards.deck import FIRST_DECK, all_cards
from tests.golden.games import FOLDER

VECTORS = FOLDER / "rng_vectors.json"
REVEALED = FOLDER / "revealed.json"

Json = dict[str, Any]
SERVER = "c1f3" * 16
SEEDS = ["", "kaijudge", SERVER, SERVER + ":any dice but mine", "kříž 東京", "x" * 64, "x" * 65]
GAME: Json = {
    "edition": "cs-2016",
    "players": [{"id": "ann", "name": "Ánn"}, {"id": "bob", "monster": "gigazaur"}, {"id": "cyd"}, {"id": "dan"}],
    "options": {"secrets": "sealed"},
}
LETTERS = ("a", "b", "c", "d", "e", "f")


def vectors() -> Json:
    """Every vector as the engine computes it now."""
    return {
        "blocks": [_block(seed, *of) for seed in SEEDS for of in (("dice", 0, 0), ("shuffle", 7, 1))],
        "dice": [_dice(seed, draw, count) for seed in SEEDS for draw, count in ((0, 6), (1, 8), (12345, 40), (2, 0))],
        "shuffles": [_shuffle(seed, draw, pile) for seed in SEEDS for draw, pile in ((0, LETTERS), (3, ("a", "b")))]
        + [_shuffle(SERVER, draw, all_cards(FIRST_DECK)) for draw in range(3)],
        "commitments": [{"seed": seed, "commitment": proof.commitment(seed)} for seed in (SERVER, "00" * 32)],
        "seeds": [
            {"server": SERVER, "client_seed": told, "seed": proof.joined(SERVER, told)} for told in (None, "a:b c")
        ],
    }


def _block(seed: str, purpose: str, draw: int, number: int) -> Json:
    drawn = rng.block(seed, purpose.encode(), draw, number)
    return {"seed": seed, "purpose": purpose, "draw": draw, "block": number, "hex": drawn.hex()}


def _dice(seed: str, draw: int, count: int) -> Json:
    return {"seed": seed, "draw": draw, "dice": rng.faces(seed, draw, count)}


def _shuffle(seed: str, draw: int, pile: tuple[str, ...]) -> Json:
    return {"seed": seed, "draw": draw, "pile": [*pile], "cards": [*rng.shuffled(seed, draw, pile)]}


# A game


def swept(random: Random, state: State) -> Action:
    """A random action, but never to leave the game, and always new cards for the market: so the deck runs out."""
    offered = [action for action in legal_actions(state) if not isinstance(action, Concede)]
    return next((action for action in offered if isinstance(action, Sweep)), None) or random.choice(offered)


def played(game: Json, seed: str, random: Random) -> list[Action]:
    """The actions of a whole game."""
    state, actions = new_game(game, seed).state, []
    while state.outcome is None:
        actions.append(swept(random, state))
        state = apply(state, actions[-1]).state
    return actions


def reveal(game: Json, server: str, client: str | None, actions: list[Action]) -> Json:
    """A game as POST /v1/reveal tells it."""
    told = {} if client is None else {"client_seed": client}
    account = proof.recount({**game, **told}, proof.joined(server, client), actions)
    return {
        "game_id": account.game_id,
        "commitment": proof.commitment(server),
        "seed": server,
        **told,
        "game": game,
        "actions": [write_action(action) for action in actions],
        "states": account.states,
        "deck": account.deck,
        "rolls": account.rolls,
        "reshuffles": account.reshuffles,
    }


def revealed() -> Json:
    """A game in which the discards were shuffled into the deck again."""
    for number in range(1000):
        client = f"client {number}"
        actions = played(GAME, proof.joined(SERVER, client), Random(number))
        told = reveal(GAME, SERVER, client, actions)
        if told["reshuffles"]:
            return told
    raise LookupError("no game went through the deck")


def written(document: Json) -> str:
    """A document with a line for each of its longer parts' values."""
    parts = []
    for name, value in document.items():
        lines = ",\n  ".join(_line(each) for each in value) if isinstance(value, list) else None
        parts.append(f"{_line(name)}: " + (_line(value) if lines is None else f"[\n  {lines}\n ]" if lines else "[]"))
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    VECTORS.write_text(written(vectors()), encoding="utf-8")
    REVEALED.write_text(written(revealed()), encoding="utf-8")
    print(VECTORS, REVEALED, sep="\n")
