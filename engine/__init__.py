"""Kaijudge's rules as a pure library: the standard library only, no clock, no hidden chance, no input or output."""

from engine.actions import Action
from engine.apply import Result, apply, validate
from engine.codec import canonical, id_of, state_id, write_decision, write_state
from engine.editions import DEFAULT_EDITION, EDITIONS
from engine.errors import (
    Bug,
    EngineError,
    GameOver,
    IllegalAction,
    Invalid,
    InvalidAction,
    InvalidState,
    Problem,
    Violation,
)
from engine.events import EVENTS
from engine.legal import legal_actions
from engine.odds import reroll_odds
from engine.params import read_action, write_action
from engine.reader import read_state
from engine.setup import new_game
from engine.state import State
from engine.view import view

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS",
    "EVENTS",
    "Action",
    "Bug",
    "EngineError",
    "GameOver",
    "IllegalAction",
    "Invalid",
    "InvalidAction",
    "InvalidState",
    "Problem",
    "Result",
    "State",
    "Violation",
    "apply",
    "canonical",
    "id_of",
    "legal_actions",
    "new_game",
    "read_action",
    "read_state",
    "reroll_odds",
    "state_id",
    "validate",
    "view",
    "write_action",
    "write_decision",
    "write_state",
]
