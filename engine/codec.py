"""Writing a state as JSON values, and the id it is known by. Reading is reader.py's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from engine.defaults import default_action
from engine.params import write_action
from engine.state import BLACK_DICE, CardInPlay, Decision, Options, Outcome, Player, State

SCHEMA: Final = "kaijudge/1"

Values = dict[str, Any]


def write_state(state: State) -> Values:
    """The whole document but for its `state_id`."""
    players = state.players
    return {
        "schema": SCHEMA,
        "game_id": state.game_id,
        "version": state.version,
        "edition": state.rules.id,
        "options": _write_options(state.options),
        "phase": state.phase,
        "turn": {
            "number": state.turn,
            "player": players[state.active].id,
            "rolls_used": state.rolls_used,
            "rolls_allowed": state.rolls_allowed,
        },
        "players": [_write_player(player) for player in players],
        "dice": [{"face": f} if n < BLACK_DICE else {"face": f, "green": True} for n, f in enumerate(state.dice)],
        "market": [*state.market],
        "deck_size": len(state.deck),
        "discard": [*state.discard],
        "decision": None if state.decision is None else write_decision(state, state.decision),
        "outcome": None if state.outcome is None else _write_outcome(state.outcome),
        "secrets": {"deck": [*state.deck], "seed": state.seed},
        "resume": {
            "draws": state.draws,
            "stack": [[name, args] for name, args in state.stack],
            "marks": dict(state.marks),
            "extra_turns": [[turn.seat, turn.fewer, turn.frozen] for turn in state.extra_turns],
            "regular": state.regular,
        },
    }


def _write_options(options: Options) -> Values:
    """The options; `auth` only where it asks for something."""
    document: Values = {
        "bay": options.bay, "dice": options.dice, "secrets": options.secrets, "history": options.history,
    }  # fmt: skip
    if options.auth != "none":
        document["auth"] = options.auth
    return document


def _write_player(player: Player) -> Values:
    document: Values = {"id": player.id}
    if player.name is not None:
        document["name"] = player.name
    if player.monster is not None:
        document["monster"] = player.monster
    document["hearts"] = player.hearts
    document["max_hearts"] = player.max_hearts
    document["vp"] = player.vp
    document["energy"] = player.energy
    document["place"] = player.place
    document["eliminated"] = player.eliminated
    document["poison"] = player.poison
    document["shrink"] = player.shrink
    document["cards"] = [write_card(lying) for lying in player.cards]
    return document


def write_card(lying: CardInPlay) -> Values:
    document: Values = {"card": lying.card}
    if lying.charges is not None:
        document["charges"] = lying.charges
    if lying.copies is not None:
        document["copies"] = lying.copies._asdict()
    if lying.paid is not None:
        document["paid"] = lying.paid
    return document


def write_decision(state: State, decision: Decision) -> Values:
    return {
        "player": state.players[decision.seat].id,
        "kind": decision.kind,
        "rulings": [*decision.rulings],
        **{name: value for name, value in decision.extra.items() if name != "must"},
        "default": write_action(default_action(state, decision)),
    }


def _write_outcome(outcome: Outcome) -> Values:
    return {"result": outcome.result, "winners": [*outcome.winners], "rulings": [*outcome.rulings]}


def canonical(document: Values) -> bytes:
    """The bytes a state is known by: sorted keys, no spaces, integers only (RFC 8785 for what we write)."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def state_id(document: Values, dump: Callable[[Values], bytes] = canonical) -> str:
    """The id of a whole document, secrets included; it begins with the game's tag."""
    content = {name: value for name, value in document.items() if name != "state_id"}
    return id_of(document["game_id"], dump(content))


def id_of(game_id: str, content: bytes) -> str:
    """The same, of the canonical bytes of a document without its id."""
    return f"s_{game_id[2:]}_{hashlib.sha256(content).hexdigest()[:32]}"
