"""The judgement of one input: refused cleanly, or played on with every promise kept."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import engine
from engine import State
from engine.actions import Concede
from engine.fields import BIGGEST
from service.i18n import details
from service.states import FAULTS
from tests.conformance.match import expect
from tests.conformance.rulings import known
from tests.fuzz.corpus import Document
from tests.properties.invariants import cards_of, check_state, check_step, restored, saved
from tests.properties.player import choose

STEPS = 6
MOST_ROLLS = 1000
SEED = "a seed that no view may show"


def judge_state(document: Any, random: Random) -> str:
    """Read a state and play on from it; the verdict in a word. What is neither refused nor lawful raises."""
    before = repr(document)
    try:
        state = engine.read_state(document)
    except engine.InvalidState as error:
        expect(repr(document) == before, "reading changed the document")
        check_problems(document, error.problems)
        return "malformed" if error.malformed else "impossible"
    expect(repr(document) == before, "reading changed the document")
    return play_on(state, random)


def check_problems(document: Any, problems: list[engine.Problem]) -> None:
    """Each says something that can be translated, and where: at a place of the document, or at one missing there."""
    expect(problems, "refused for no reason")
    for each in problems:
        expect(details.known(each.detail), f"{each} is not in service/i18n/details/")
        expect(points(document, each.pointer), f"{each} points nowhere")


def points(document: Any, pointer: str) -> bool:
    """Whether all of a pointer but its last part leads to something in the document."""
    if not pointer:
        return True
    first, *parts = pointer.split("/")
    if first:
        return False
    for part in parts[:-1]:
        document = _below(document, part.replace("~1", "/").replace("~0", "~"))
        if document is None:
            return False
    return isinstance(document, dict | list)


def _below(document: Any, part: str) -> Any:
    if type(document) is dict:
        return document.get(part)
    if type(document) is list and part.isdigit() and int(part) < len(document):
        return document[int(part)]
    return None


def play_on(state: State, random: Random) -> str:
    """Some random actions from a state that was let in."""
    state.seed = SEED
    cards, hearsay = cards_of(state), unknown_rulings(state.stack, state.marks)
    come_to(state)
    for step in range(STEPS):
        offered = engine.legal_actions(state)
        check_state(state, offered, cards)
        if state.outcome is not None:
            expect(engine.validate(state, Concede(state.players[0].id)), "the game goes on after its end")
            return "over"
        action = choose(random, state, offered)
        expect(not engine.validate(state, action), f"offered and refused: {action}")
        try:
            result = engine.apply(state, action)
        except FAULTS:
            if step:  # by then it is a state of our own, and our fault
                raise
            return "stuck"
        if too_large(result.state):
            return "outgrown"
        events = [without(hearsay, event) for event in plain(result.events)]
        check_step(come_to(state), come_to(result.state), events)
        state = result.state
    return "played"


def come_to(state: State) -> Document:
    """The document of a state, which is read back as it was written."""
    written = saved(state)
    expect(saved(restored(written)) == written, "a state read back is not the state written")
    document: Document = json.loads(written)
    return document


def too_large(state: State) -> bool:
    """Whether a forged number has passed what is read; such a state is refused when it comes back."""
    counted = [each for each in state.marks.values() if type(each) is int]
    numbers = (state.version, state.turn, state.draws, *counted, *(player.vp for player in state.players))
    return max(numbers) > BIGGEST or state.rolls_used > MOST_ROLLS


def unknown_rulings(*parts: Any) -> set[str]:
    """What looks like a ruling in the part that says how to go on, and is none: events will repeat it."""
    return set(re.findall(r'"([A-Z0-9-]+)"', json.dumps(parts))) - known().keys()


def without(hearsay: set[str], event: Document) -> Document:
    return {**event, "rulings": [each for each in event["rulings"] if each not in hearsay] or ["EXT-SETUP"]}


def plain(events: Any) -> list[Document]:
    """Events as a client gets them."""
    told: list[Document] = json.loads(json.dumps(events))
    return told


def judge_action(state: State, document: Any) -> str:
    """Read an action and apply it to the state it was meant for."""
    try:
        action = engine.read_action(document)
    except engine.InvalidAction as error:
        check_problems(document, error.problems)
        return "malformed"
    expect(engine.read_action(engine.write_action(action)) == action, "an action written is not the action read")
    try:
        result = engine.apply(state, action)
    except engine.IllegalAction as error:
        expect(error.violations == engine.validate(state, action), "apply and validate disagree")
        return "illegal"
    check_state(result.state, engine.legal_actions(result.state), cards_of(state))
    return "accepted"
