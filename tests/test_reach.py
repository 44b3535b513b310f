"""Some case reaches every step, every window and every kind of decision: `python -m tests.test_reach` reports it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import engine
from engine.frames import STEPS
from engine.legal import ANSWERS
from engine.windows import WINDOWS
from tests.conformance.cases import Run, all_cases, runs
from tests.conformance.referees import with_seed


@contextmanager
def watching(seen: Counter[str]) -> Iterator[None]:
    """Count every step that runs; one that answers a window only when its card is still there."""
    before = dict(STEPS)
    for name, function in before.items():
        STEPS[name] = _watched(seen, name, function)
    try:
        yield
    finally:
        STEPS.update(before)


def _watched(seen: Counter[str], name: str, function: Callable[..., None]) -> Callable[..., None]:
    def step(*args: Any, **named: Any) -> None:
        seen[name] += 1
        function(*args, **named)

    return step


def play(run: Run, kinds: Counter[str]) -> None:
    """Play the actions of a case that are not meant to be refused."""
    told = run.case.in_edition(run.edition)
    game = with_seed({**told["game"], "edition": run.edition})
    try:
        state = engine.new_game(game, game["seed"]).state
    except engine.InvalidState:
        return
    for step in told.get("steps", ()):
        kinds.update([state.decision.kind] if state.decision else [])
        if "refused" not in step:
            state = engine.apply(state, engine.read_action(step["action"])).state
    kinds.update([state.decision.kind] if state.decision else [])


def reached() -> tuple[Counter[str], Counter[str]]:
    """How often the cases reach each step and each kind of decision."""
    steps: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with watching(steps):
        for run in runs(all_cases()):
            play(run, kinds)
    return steps, kinds


def windows_of(steps: Counter[str]) -> set[str]:
    """The windows in which some card's step has run."""
    rules = engine.EDITIONS.values()
    listening = [(window, each) for rule in rules for card in rule.cards.values() for window, each in card.on.items()]
    return {window for window, listeners in listening for each in listeners if steps[each.step]}


def test_every_step_window_and_decision_is_reached_by_some_case() -> None:
    steps, kinds = reached()
    assert sorted(set(STEPS) - set(steps)) == []
    assert sorted(set(WINDOWS) - windows_of(steps)) == []
    assert sorted(set(ANSWERS) - set(kinds)) == []


def main() -> None:
    steps, kinds = reached()
    for title, known, found in (("steps", STEPS, steps), ("kinds of decision", ANSWERS, kinds)):
        print(f"{len([each for each in known if found[each]])} of {len(known)} {title} reached")
        for name in sorted(known):
            print(f"  {found[name]:6}  {name}")
    print(f"{len(windows_of(steps))} of {len(WINDOWS)} windows reached")


if __name__ == "__main__":
    main()
