"""Provable dice: what a sealed game promises when it begins, and what it tells of its seed once it is over."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

import engine
from engine import Problem, State, proof
from engine.proof import Check
from engine.revealed import InvalidProof, read_revealed
from service import anchor, schemas, states
from service.anchor import Entry
from service.problems import Refusal, refuse_document
from service.revealed import REVEALED
from service.states import Loaded, Values
from service.wire import canonical

NOTHING_HIDDEN = "is not that of a sealed game: there is nothing to reveal"
NOT_OVER = "The seed is told when the game is over"

logger = logging.getLogger("kaijudge.proof")


def promised(state: State) -> Values:
    """What is told of a sealed game's seed when it begins."""
    if state.options.secrets != "sealed":
        return {}
    server, client = proof.parted(state.seed)
    return {"commitment": proof.commitment(server), **({} if client is None else {"client_seed": client})}


def reveal(body: Any) -> Values:
    """The game of a body from its record, with its seed; it must be sealed, over, and its last state the one sent."""
    loaded = states.load_state(body)
    state = loaded.state
    if state.options.secrets != "sealed":
        at = "/state/options/secrets" if "state" in body else "/state_id"
        raise refuse_document("invalid-state", [Problem(at, NOTHING_HIDDEN)])
    if state.outcome is None:
        raise Refusal("game-not-over", NOT_OVER)
    return write_revealed(state, recorded(loaded))


def recorded(loaded: Loaded) -> list[Entry]:
    """All that is recorded of a game which ends with this state.

    Where the record does not end with it the game has gone another way, and its seed may still be at play.
    """
    entries = anchor.read_chain(loaded.state.game_id)
    if not entries:
        raise anchor.lost()
    if entries[-1].state_id != loaded.state_id:
        raise anchor.superseded(entries[-1].state_id)
    return entries


def write_revealed(state: State, entries: list[Entry]) -> Values:
    """A game that is over, with everything that was hidden."""
    asked, told = entries[0].asked, [each.action for each in entries[1:]]
    account = proof.recount(asked, state.seed, [engine.read_action(each) for each in told], canonical)
    recorded_states = [each.state_id for each in entries]
    if account.states != recorded_states:
        logger.error("a game that was recorded is played otherwise by this release: it cannot be verified")
    return {
        "game_id": state.game_id,
        **promised(state),
        "seed": proof.parted(state.seed)[0],
        "game": {name: asked[name] for name in asked if name != "client_seed"},
        "actions": told,
        "states": recorded_states,
        "deck": account.deck,
        "rolls": account.rolls,
        "reshuffles": account.reshuffles,
    }


def verify(body: Any) -> Values:
    """Whether all that a revealed game claims follows from its seed and its actions."""
    schemas.check(REVEALED, body)
    try:
        report = proof.verify(read_revealed(body), canonical)
    except InvalidProof as error:
        raise refuse_document("schema-violation", error.problems) from None
    account = report.account
    return {
        "verified": report.verified,
        "checks": [_write_check(check) for check in report.checks],
        "deck": account.deck,
        "rolls": account.rolls,
        "reshuffles": account.reshuffles,
        "outcome": account.outcome,
    }


def _write_check(check: Check) -> Values:
    return {name: value for name, value in asdict(check).items() if value is not None}
