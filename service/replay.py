"""A game played again: from its start, or from a state, by a list of actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import engine
from engine import Action, Problem
from service import answers, schemas, seats, states
from service.anchor import Path
from service.answers import Include
from service.problems import Refusal, refuse_document
from service.states import FREE, Loaded, Values
from service.wire import read_body

NO_SEED = "a sealed game cannot be played again from its start, for its seed is not known: send its first state"


def replay(body: Any, include: Include) -> Values:
    """What the actions of a body make of its game."""
    states.check_envelope(schemas.REPLAY, body)
    (start, events), actions = load_start(body), read_actions(body["actions"])
    if start.state.options.history == FREE:
        result = play(start, events, actions)
        told = states.issue(result.state)
    else:
        result = play(start, events, actions, Path(start, len(actions)))
        told = states.written(result.state, start.key)[1]
    viewers = seats.callers(start.state.game_id)
    return {**answers.moved(result, told, include, viewers=viewers), "applied": len(actions)}


def count_actions() -> int:
    """How many adjudications a replay is; one that cannot be read is one."""
    try:
        body = read_body()
    except Refusal:
        return 1
    actions = body.get("actions") if isinstance(body, dict) else None
    return len(actions) if isinstance(actions, list) else 1


def load_start(body: Values) -> tuple[Loaded, list[Values]]:
    """Where the actions begin, and the events so far."""
    if "game" not in body:
        return states.load_state(body, schemas.REPLAY), []
    if body["game"].get("options", {}).get("secrets") == "sealed":
        raise refuse_document("invalid-state", [Problem("/game/options/secrets", NO_SEED)])
    made = states.new_game(body["game"], "/game")
    return Loaded(made.state), made.events


def read_actions(values: list[Values]) -> list[Action]:
    """The actions, or a refusal that lists all that is wrong with any of them."""
    actions: list[Action] = []
    problems: list[Problem] = []
    for index, value in enumerate(values):
        try:
            actions.append(engine.read_action(value))
        except engine.InvalidAction as error:
            problems.extend(Problem(f"/actions/{index}{each.pointer}", each.detail) for each in error.problems)
    if problems:
        raise refuse_document("schema-violation", problems)
    return actions


def play(start: Loaded, events: list[Values], actions: Iterable[Action], path: Path | None = None) -> engine.Result:
    """The game after all actions, with the events of all; a refusal says at which action (`index`) it stopped.

    `path` is the way that an anchored game has gone, and the only one it can be played again along.
    """
    state = start.state
    for index, action in enumerate(actions):
        try:
            if path is not None:  # before it is applied: how long that takes could tell of chance that is to come
                states.check_legal(state, action)
                path.check(index, action)
            state, happened = states.apply_told(Loaded(state, key=start.key, sent=start.sent), action)
        except Refusal as refusal:
            refusal.carries["index"] = index
            raise
        events.extend(happened)
    if path is not None:
        path.check_start()
    return engine.Result(state, [{**event, "seq": seq} for seq, event in enumerate(events)])
