"""The test of a comparison keeps to the errors that it states, always ends, and never says what is no number."""

from itertools import pairwise
from math import isfinite, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faceup.statistics.sequential import Outcome, Sequential, Walk
from faceup.statistics.trials import KINDS, ends, tally


def walked(test: Sequential, differences: list[float]) -> Walk:
    walk = Walk()
    for difference in differences:
        walk = walk.after(test, difference)
    return walk


TESTS = st.builds(Sequential, st.floats(0.1, 0.5), st.floats(0.001, 0.2), st.floats(0.001, 0.2))


@given(TESTS, st.lists(st.sampled_from([-1.0, -0.25, 0.0, 0.25, 1.0]) | st.floats(-1e6, 1e6), max_size=60))
@example(Sequential(), [0.0, 7.2e-156])
@example(Sequential(), [0.0, 3e-110, 1e-110])
def test_nothing_that_is_said_is_no_number(test: Sequential, differences: list[float]) -> None:
    walk = walked(test, differences)
    progress = test.progress(walk.sums)
    for number in (
        walk.sums.z,
        walk.sums.information,
        walk.sums.spread,
        progress.standing,
        *progress_numbers(test, walk),
    ):
        assert isfinite(number)
    assert abs(walk.sums.z) <= walk.sums.count * (1 + 1e-9)


def progress_numbers(test: Sequential, walk: Walk) -> tuple[float, ...]:
    progress = test.progress(walk.sums)
    return progress.bounds.outer, progress.bounds.inner, progress.expected, progress.most


@given(
    st.builds(Sequential, st.floats(0.3, 0.5), st.floats(0.001, 0.2), st.floats(0.001, 0.2)),
    st.lists(st.sampled_from([-3.0, -1.0, 0.0, 0.0, 1.0, 2.0]), min_size=1, max_size=20),
)
def test_it_always_ends_within_the_most_blocks(test: Sequential, pattern: list[float]) -> None:
    differences = pattern * (test.most // len(pattern) + 1)
    walk = walked(test, differences[: test.most])
    assert walk.outcome is not Outcome.OPEN
    assert walk.sums.count <= test.most


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=40))
def test_upside_down_the_answer_is_upside_down(differences: list[float]) -> None:
    test = Sequential(least=0.5)
    turned = {Outcome.BETTER: Outcome.WORSE, Outcome.WORSE: Outcome.BETTER}
    one, other = walked(test, differences), walked(test, [-each for each in differences])
    assert other.outcome is turned.get(one.outcome, one.outcome)
    assert other.sums.count == one.sums.count


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=40), st.sampled_from([0.001, 0.25, 8.0]))
def test_the_size_of_the_points_is_no_matter(differences: list[float], unit: float) -> None:
    test = Sequential(least=0.5)
    one, other = walked(test, differences), walked(test, [unit * each for each in differences])
    assert (one.outcome, one.sums.count) == (other.outcome, other.sums.count)


def test_bots_that_always_come_out_alike_are_not_different() -> None:
    test = Sequential(least=0.2)
    walk = walked(test, [0.0] * test.most)
    assert walk.outcome is Outcome.NONE
    assert walk.sums.count < test.most / 2


@pytest.mark.parametrize("difference", [1e-9, 0.25, 1e9])
def test_a_difference_that_is_always_the_same_is_shown(difference: float) -> None:
    walk = walked(Sequential(), [difference] * 100)
    assert walk.outcome is Outcome.BETTER
    assert walk.sums.spread == 0


@pytest.mark.parametrize("least", [0.05, 0.1, 0.25, 0.5])
def test_no_few_blocks_decide(least: float) -> None:
    test = Sequential(least=least)
    # So many of the same sign come up by chance, the bots being equal.
    walk = walked(test, [1.0] * 2000)
    assert 0.5**walk.sums.count <= test.error


@pytest.mark.parametrize("difference", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(difference: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Walk().after(Sequential(), difference)


@pytest.mark.parametrize(
    "settings", [{"least": 0.0}, {"least": 0.6}, {"error": 0.5}, {"miss": 0.0}, {"error": float("nan")}]
)
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"is 0\.01 to 0\.5|is 0\.001 to 0\.2"):
        Sequential(**settings)


def test_what_comes_after_the_end_changes_nothing() -> None:
    test = Sequential(least=0.5)
    walk = walked(test, [1.0] * 20)
    assert walk.after(test, -1e6) is walk


def test_a_smaller_least_difference_a_smaller_error_and_fewer_misses_take_more_blocks() -> None:
    assert Sequential(least=0.05).most > Sequential(least=0.1).most
    assert Sequential(error=0.01).most > Sequential().most
    assert Sequential(miss=0.01).most > Sequential().most


def test_the_lines_meet_where_the_most_blocks_are() -> None:
    test = Sequential()
    gaps = [test.bounds(time).outer - test.bounds(time).inner for time in (0, test.most / 2, test.most)]
    assert gaps[0] > gaps[1] > 0 > gaps[2]


def test_many_at_once_end_as_one_by_one() -> None:
    test = Sequential(least=0.4)
    rng = np.random.default_rng(1)
    for mean in (-0.4, 0.0, 0.2):
        for draw in KINDS.values():
            drawn = draw(rng, (20, test.most), mean)
            for row, end in zip(drawn, ends(test, drawn), strict=True):
                walk = walked(test, [float(each) for each in row])
                assert (walk.outcome, walk.sums.count) == (end.outcome, end.sums.count)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean", [-0.2, 0.0, 0.3])
def test_made_up_differences_have_the_mean_and_the_deviation_that_they_are_to_have(kind: str, mean: float) -> None:
    drawn = KINDS[kind](np.random.default_rng(3), (200, 2000), mean * (0.3 if kind == "rare" else 1))
    assert float(drawn.mean()) == pytest.approx(mean * (0.3 if kind == "rare" else 1), abs=0.01)
    assert float(drawn.std()) == pytest.approx(1, abs=0.05)


def test_progress_counts_down_to_the_end() -> None:
    test = Sequential(least=0.5)
    walk, stages = Walk(), []
    while walk.outcome is Outcome.OPEN:
        walk = walk.after(test, 1.0 if walk.sums.count % 4 else -0.5)
        stages.append(test.progress(walk.sums))
    assert [stage.blocks for stage in stages] == list(range(1, len(stages) + 1))
    assert all(one.most >= other.most for one, other in pairwise(stages))
    assert all(0 < stage.standing < 1 for stage in stages[2:-1])
    assert stages[-1].standing >= 1
    assert stages[-1].expected == 0
    assert all(stage.expected <= stage.most for stage in stages)


def allowed(rate: float, comparisons: int) -> float:
    """A rate, and three standard errors of its estimate."""
    return rate + 3 * sqrt(rate * (1 - rate) / comparisons)


QUICK = 2000


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "skewed"])
@pytest.mark.parametrize("least", [0.25, 0.5])
def test_equal_bots_are_called_different_no_more_often_than_stated(kind: str, least: float) -> None:
    found = tally(Sequential(least=least), KINDS[kind], 0.0, comparisons=QUICK)
    assert found.better <= allowed(0.055, QUICK)
    assert found.worse <= allowed(0.055, QUICK)
    assert found.better + found.worse + found.none == pytest.approx(1)


@pytest.mark.slow
def test_even_very_lopsided_differences_make_it_err_little_more_often() -> None:
    found = tally(Sequential(least=0.25), KINDS["skewed"], 0.0, comparisons=QUICK)
    assert found.better + found.worse <= allowed(0.1, QUICK)
    assert max(found.better, found.worse) <= allowed(0.07, QUICK)


@pytest.mark.slow
def test_a_smaller_error_is_kept_as_well() -> None:
    test = Sequential(least=0.3, error=0.01, miss=0.1)
    equal, better = (tally(test, KINDS["places"], mean, comparisons=QUICK) for mean in (0.0, test.least))
    assert max(equal.better, equal.worse) <= allowed(0.011, QUICK)
    assert 1 - better.better <= allowed(0.1, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_of_the_least_size_is_missed_no_more_often_than_stated(kind: str) -> None:
    test = Sequential(least=0.2)
    found = tally(test, KINDS[kind], test.least, comparisons=QUICK)
    assert 1 - found.better <= allowed(0.05, QUICK)
    assert found.worse <= 0.001
