"""Properties of every game: seeded random games to the end, and a machine that looks for the shortest failure."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import engine
from engine import EDITIONS
from engine.actions import Concede
from engine.legal import ANSWERS
from tests.properties.game import Table, play
from tests.properties.invariants import restored
from tests.properties.player import wander, with_dice
from tests.properties.positions import opening

SEEDS = range(6)
NEVER = {"pl": {"sell"}, "cs-2016": {"load"}}  # decisions an edition does not know


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_game_keeps_its_promises_and_ends(edition: str, players: int, seed: int) -> None:
    played = play(edition, players, seed)
    assert played.steps == len(played.actions)


def test_random_play_meets_every_kind_of_decision_in_every_edition() -> None:
    for edition in EDITIONS:
        wanted = ANSWERS.keys() - NEVER.get(edition, set())
        met: set[str] = set()
        for seed in range(200):
            random = Random(seed)
            request = opening(random, edition, 3)
            met |= {state.decision.kind for state, _ in wander(request, f"seed-{seed}", random) if state.decision}
            if met >= wanted:
                break
        assert met == wanted


class AnyGame(RuleBasedStateMachine):
    """A game in which Hypothesis chooses; every step is checked by the table it is played on."""

    @initialize(
        edition=st.sampled_from(sorted(EDITIONS)), players=st.integers(2, 6), seed=st.integers(0, 2**32 - 1)
    )
    def set_up(self, edition: str, players: int, seed: int) -> None:
        self.random = Random(seed)
        request = opening(self.random, edition, players)
        self.table = Table(engine.new_game(request, f"seed-of-{seed}"), self.random)

    def goes_on(self) -> bool:
        return self.table.state.outcome is None

    @precondition(goes_on)
    @rule(data=st.data())
    def an_offered_action_is_accepted(self, data: st.DataObject) -> None:
        offered = self.table.offered
        if data.draw(st.integers(0, 39)) < 39:
            offered = [action for action in offered if not isinstance(action, Concede)]
        kind = data.draw(st.sampled_from(list(dict.fromkeys(action.type for action in offered))))
        action = data.draw(st.sampled_from([action for action in offered if action.type == kind]))
        self.table.act(with_dice(self.random, self.table.state, action))

    @precondition(goes_on)
    @rule()
    def an_action_not_offered_is_refused(self) -> None:
        self.table.refuse_others()

    @rule()
    def a_saved_game_goes_on(self) -> None:
        self.table.state = restored(self.table.written)

    @invariant()
    def a_game_that_is_over_refuses_everything(self) -> None:
        if not self.goes_on():
            with pytest.raises(engine.GameOver):
                engine.apply(self.table.state, Concede(self.table.state.players[0].id))


AnyGame.TestCase.settings = settings(
    max_examples=80, stateful_step_count=50, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
test_any_game = AnyGame.TestCase
