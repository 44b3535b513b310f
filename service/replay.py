"""A game played again: from its start, or from a state, by a list of actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import engine
from engine import Action, Problem
from service import answers, schemas, states
from service.answers import Include
from service.problems import Refusal, refuse_document
from service.states import Loaded, Values


def replay(body: Any, include: Include) -> Values:
    """What the actions of a body make of its game."""
    schemas.check(schemas.REPLAY, body)
    start, actions = load_start(body), read_actions(body["actions"])
    result = play(start, actions, body.get("state"))
    return {**answers.moved(result, include), "applied": len(actions)}


def load_start(body: Values) -> engine.Result:
    """Where the actions begin, and the events so far."""
    if "game" in body:
        return states.new_game(body["game"], "/game")
    return engine.Result(states.load_state(body, schemas.REPLAY).state, [])


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


def play(start: engine.Result, actions: Iterable[Action], told: Values | None) -> engine.Result:
    """The game after all actions, with the events of all; a refusal says at which action (`index`) it stopped.

    `told` is the document a client told it from, if it did.
    """
    state, events = start
    for index, action in enumerate(actions):
        try:
            state, happened = states.apply_told(Loaded(state, told), action)
        except Refusal as refusal:
            refusal.carries["index"] = index
            raise
        events.extend(happened)
    return engine.Result(state, [{**event, "seq": seq} for seq, event in enumerate(events)])
