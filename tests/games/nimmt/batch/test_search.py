"""The results of a search equal those of the scalar rules in the same worlds."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SEED, SPECS, choosing, played_out, position, rules_of

from faceup.core import Malformed, SeededGenerator
from faceup.games.nimmt import GAME
from faceup.games.nimmt.batch import BatchSearchTrials
from faceup.games.nimmt.batch.network import rate_cards
from faceup.games.nimmt.batch.search import RATED
from faceup.games.nimmt.objectives import LATE, MOST_HEADS
from faceup.games.nimmt.state import View


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("model", ["random", "greedy"])
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_worlds_are_played_by_the_scalar_rules(spec: str, model: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    seats = rules.to_act(state)
    seat = seats[seed % len(seats)]
    view = rules.view(state, seat)
    trials = BatchSearchTrials(rules, view, model=model, objective="win", seed=SEED)

    def greedily(view: View, order: list[int], turn: int) -> int:
        del order, turn
        return GAME.policies["greedy"](rules, view, SeededGenerator(0)) + 1

    options = range(len(view.legal))
    before = np.zeros(len(view.legal))
    for world in range(2):
        trials.run(options, 1)
        for option in options:
            heads, risk = played_out(rules, view, world, option, greedily if model == "greedy" else None)
            out = {other for group in view.out for other in group}
            active = [other for other in range(rules.seats) if other not in out]
            total = trials.means("heads")[0][option] * (world + 1)
            assert total - before[option] == pytest.approx(heads[seat])
            before[option] = total
            if world == 0:
                rest = [heads[other] for other in active if other != seat]
                assert trials.means("relative")[0][option] == pytest.approx(heads[seat] - sum(rest) / len(rest))
                ends = {other: view.heads[other] + heads[other] for other in active}
                winners = [other for other in active if ends[other] == min(ends.values())]
                assert trials.means("win")[0][option] == pytest.approx((seat in winners) / len(winners))
                assert trials.risk()[option] == risk
                assert trials.spread()[option][heads[seat]] == 1
    assert trials.worlds.tolist() == [2] * len(view.legal)


def test_worlds_do_not_depend_on_the_division_into_runs() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    whole, parts = (BatchSearchTrials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    whole.run(range(8), 700)
    for worlds in (1, 255, 300, 144):
        parts.run(range(8), worlds)
    for measure in ("heads", "relative", "win"):
        assert np.array_equal(whole.means(measure), parts.means(measure))
    assert np.array_equal(whole.behind(3), parts.behind(3))
    assert np.array_equal(whole.spread(), parts.spread())


def test_differences_are_paired_by_world() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    few, more = (BatchSearchTrials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    few.run(range(8), 100)
    more.run(range(8), 100)
    more.run([2, 5], 50)
    means, errors = more.behind(5)
    assert [means[5], errors[5]] == [0, 0]
    assert np.array_equal(np.delete(means, 2), np.delete(few.behind(5)[0], 2))
    assert means[2] == pytest.approx(more.means("heads")[0][2] - more.means("heads")[0][5])
    assert more.worlds.tolist() == [100, 100, 150, 100, 100, 150, 100, 100]


def test_views_without_a_decision_are_refused() -> None:
    rules = rules_of("nimmt")
    for view in (rules.view(position(rules, 1, 2), None), rules.view(rules.start(), 0)):
        with pytest.raises(Malformed, match=r"the view.s seat has no decision"):
            BatchSearchTrials(rules, view, model="random", objective="heads", seed=0)


def test_an_unknown_model_or_objective_error_suggests_the_nearest() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    with pytest.raises(Malformed, match=r"model 'gredy'.*greedy"):
        BatchSearchTrials(rules, view, model="gredy", objective="heads", seed=0)
    with pytest.raises(Malformed, match=r"objective 'wins'.*win"):
        BatchSearchTrials(rules, view, model="random", objective="wins", seed=0)


@pytest.mark.parametrize(
    ("spec", "change", "last"),
    [
        ("nimmt", {}, True),
        ("nimmt:arena", {}, False),
        ("nimmt:arena", {"earlier": ((9, 9, 9, 9),) * 4}, True),
        ("nimmt target=66 deals=9", {"heads": (65, 20, 30, 40)}, False),
        ("nimmt target=66 deals=9", {"heads": (20, 66, 30, 40)}, True),
    ],
)
def test_win_late_resolves_to_win_near_the_end_of_the_last_deal(spec: str, change: dict[str, Any], last: bool) -> None:
    for cards in (10, LATE + 1, LATE, 2):
        rules = rules_of(f"{spec} hand={cards}")
        view = msgspec.structs.replace(choosing(rules, cards), **change)
        trials = BatchSearchTrials(rules, view, model="random", objective="win late", seed=SEED)
        assert trials.objective == ("win" if last and cards <= LATE else "relative")


def test_win_late_equals_its_resolved_objective() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, LATE)
    late, win = (
        BatchSearchTrials(rules, view, model="random", objective=name, seed=SEED) for name in ("win late", "win")
    )
    for trials in (late, win):
        trials.run(range(LATE), 300)
    assert np.array_equal(late.behind(1), win.behind(1))


@pytest.mark.parametrize("objective", ["heads", "relative", "win"])
def test_ratings_change_the_measures_by_as_much_as_the_differences(objective: str) -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    trials = BatchSearchTrials(rules, view, model="fitted", objective=objective, seed=SEED)
    trials.run(range(8), 300)
    means, sign = trials.means(objective)[0], -1 if objective == "win" else 1
    assert trials.behind(3)[0] == pytest.approx(sign * (means - means[3]))


def test_heads_are_rated_in_proportion_to_relative_heads() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    trials = BatchSearchTrials(rules, view, model="fitted", objective="heads", seed=SEED)
    trials.run(range(8), 300)
    measured, mixed = trials.spread() @ np.arange(MOST_HEADS) / 300, trials.means("heads")[0]
    rated = mixed / RATED - measured
    assert rated - rated.mean() == pytest.approx(rate_cards(rules, view)[0] * 3 / 4)
    assert mixed.min() == pytest.approx(measured[mixed.argmin()]), "the level is measured, as ratings are differences"


def test_the_chance_of_winning_is_measured_unless_it_is_the_objective() -> None:
    rules = rules_of("nimmt:cowheadking seats=2 hand=2")
    view = rules.from_text("view=0 sizes=2,2 hand=102,104 rows=7/8/9/100 heads=40,0")
    assert isinstance(view, View)
    trials = BatchSearchTrials(rules, view, model="fitted", objective="heads", seed=SEED)
    trials.run(range(2), 300)
    assert not trials.means("win")[0].any(), "nothing can be won"
