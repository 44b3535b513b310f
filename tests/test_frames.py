"""The machine's own errors: what a step, a question, a ruleset or a card must not do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from engine import EDITIONS, Bug, new_game
from engine.cards.model import KEEP, card
from engine.draft import Draft
from engine.editions.ruleset import SWITCHES
from engine.frames import KEPT, STEPS, THEN, cut_short, parameters, question, run, step
from engine.state import Seat


@pytest.fixture
def g() -> Draft:
    request = {"edition": "pl", "players": [{"id": "a"}, {"id": "b"}]}
    draft = Draft(new_game(request, "frames").state)
    draft.decision = None
    draft.pending = []
    return draft


@pytest.fixture(autouse=True)
def steps() -> Iterator[None]:
    """Steps that a test registers are gone after it."""
    before = dict(STEPS), dict(THEN), set(KEPT)
    yield
    for name in STEPS.keys() - before[0].keys():
        del STEPS[name]
    for name in THEN.keys() - before[1].keys():
        del THEN[name]
    KEPT.intersection_update(before[2])


def nothing(g: Draft) -> None: ...


def test_two_steps_of_one_name_are_a_bug() -> None:
    step("test.once")(nothing)
    with pytest.raises(Bug, match=r"two steps of one name.*test\.once"):
        step("test.once")(nothing)


def test_a_question_knows_who_takes_its_answer() -> None:
    question("test.ask", then="test.answer")(nothing)
    assert THEN["test.ask"] == "test.answer"
    assert "test.ask" not in KEPT


def test_parameters_are_what_a_frame_holds() -> None:
    def asks(g: Draft, answer: object, seat: Seat, amount: int) -> None: ...

    step("test.args")(asks)
    assert parameters("test.args") == {"seat": "Seat", "amount": "int"}


def test_asking_twice_is_a_bug(g: Draft) -> None:
    g.ask(0, "roll", ("ROLL-1",))
    with pytest.raises(Bug, match="asked twice"):
        g.ask(1, "roll", ("ROLL-1",))


def test_a_machine_with_nothing_to_do_and_no_winner_is_a_bug(g: Draft) -> None:
    with pytest.raises(Bug, match="nothing left to do"):
        run(g)


def test_frames_run_in_the_order_they_are_pushed(g: Draft) -> None:
    seen: list[int] = []

    def note(g: Draft, amount: int) -> None:
        seen.append(amount)
        if amount == 1:
            g.push(("test.note", {"amount": 11}), ("test.note", {"amount": 12}))
        if amount == 3:
            g.ask(0, "roll", ("ROLL-1",))

    step("test.note")(note)
    g.push(*(("test.note", {"amount": amount}) for amount in (1, 2, 3, 4)))
    run(g)
    assert seen == [1, 11, 12, 2, 3]
    assert g.pending == [("test.note", {"amount": 4}), ("test.note", {"amount": 3})]


def test_cutting_short_keeps_only_what_is_kept(g: Draft) -> None:
    step("test.kept", kept=True)(nothing)
    step("test.dropped")(nothing)
    g.push(("test.dropped", {}), ("test.kept", {}), ("test.dropped", {}))
    cut_short(g)
    assert g.pending == [("test.kept", {})]


def test_setting_what_is_so_already_is_no_event(g: Draft) -> None:
    g.change("vp_gained", ("TURN-2",), 0, "vp", 0)
    g.gain_vp(("TURN-2",), 0, 0)
    assert g.events == []


def test_a_draft_leaves_the_state_as_it_was() -> None:
    state = new_game({"edition": "pl", "players": [{"id": "a"}, {"id": "b"}]}, "frames").state
    draft = Draft(state)
    draft.gain_vp(("TURN-2",), 0, 3)
    draft.gain_vp(("TURN-2",), 0, 3)
    draft.mark("fewer", 1)
    assert (state.players[0].vp, draft.players[0].vp) == (0, 6)
    assert state.players[1] is draft.players[1], "who is not touched is not copied"
    assert "fewer" not in state.marks


# Rulesets and cards


def test_a_ruleset_changes_nothing_without_a_ruling() -> None:
    with pytest.raises(ValueError, match="no ruling behind"):
        EDITIONS["pl"].but("x", "X", "en", because={}, keeps_price=True)


def test_a_ruleset_has_a_ruling_for_every_switch() -> None:
    rules: Any = EDITIONS["cs-2012"]
    values = {each.name: getattr(rules, each.name) for each in fields(rules) if each.init}
    with pytest.raises(ValueError, match="no ruling behind"):
        type(rules)(**{**values, "because": {}})
    assert set(SWITCHES.values()) <= set(rules.because)


def test_a_card_listens_to_windows_and_adjusts_values_that_exist() -> None:
    with pytest.raises(AssertionError, match="unknown window"):
        card("test_card", 1, KEEP, on={"never": "test.step"})
    with pytest.raises(AssertionError, match="unknown value"):
        card("test_card", 1, KEEP, adjust={"luck": lambda state, seat, value: value})
