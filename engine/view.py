"""What may be shown: the state without its secrets."""

from __future__ import annotations

from typing import Any

from engine.codec import write_state
from engine.state import State


def view(state: State, player: str | None = None) -> dict[str, Any]:
    """The public state, and what this player has seen besides."""
    document = write_state(state)
    del document["secrets"], document["resume"]
    if player is not None and state.marks.get("peeked") == state.seat_of(player) and state.deck:
        document["seen"] = {"deck_top": state.deck[0]}
    return document
