"""A correct game passes all laws, and the laws work as documented."""

import sys
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import pytest
from highcard import Deal, HighCard

from faceup.core import FORFEIT, AnyRules, Outcome, Seat, SeededGenerator, laws, make
from faceup.core.laws.determinization import TooManyOutcomesError, chi_square_survival, enumerate_outcomes


def relabel(rules: AnyRules, outcome: Outcome, order: Sequence[Seat]) -> Outcome:  # noqa: ARG001 -- as a `Relabel` is called
    return Deal(tuple(outcome.hands[seat] for seat in order)) if isinstance(outcome, Deal) else outcome


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "spec",
    [
        "highcard",
        "highcard:strict cards=6",
        pytest.param("highcard:strict cards=7", marks=pytest.mark.long),
        pytest.param("highcard seats=4 cards=60 hand=6", marks=pytest.mark.slow),
    ],
)
def test_a_correct_game_passes_all_laws(spec: str) -> None:
    laws.check(make(spec), relabel=relabel, examples=10)


def test_small_settings_are_enumerated_and_large_ones_sampled() -> None:
    assert laws.uniformity(make("highcard cards=6")) > 0
    assert laws.uniformity(make("highcard cards=60 hand=6")) == 0


def test_plays_with_seats_out_have_seats_out() -> None:
    rules = make("highcard:strict")
    plays = [laws.random_play(rules, SeededGenerator(3, lane), steps=10, outs=True) for lane in range(40)]
    forfeited = [
        any(not isinstance(taken.move, Outcome) and FORFEIT in taken.move.values() for taken in play.steps)
        for play in plays
    ]
    assert sum(forfeited) > 20


def test_the_repr_of_a_play_lists_its_moves() -> None:
    play = laws.random_play(make("highcard"), SeededGenerator(2), steps=3)
    assert "deal" in repr(play)
    assert "0: play" in repr(play)


def test_without_hypothesis_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match="pip install hypothesis"):
        laws.check(HighCard())


@pytest.mark.slow
def test_an_invariant_is_checked_at_every_step() -> None:
    def never_a_prize_of_two(rules: AnyRules, taken: laws.PlayStep) -> None:  # noqa: ARG001 -- as an invariant is called
        assert "prize=2" not in str(taken.step.state), "prizes are small here"

    with pytest.raises(AssertionError, match="prizes are small here"):
        laws.check(make("highcard"), relabel=relabel, invariant=never_a_prize_of_two)


def test_enumeration_lists_all_outcomes_with_probabilities() -> None:
    def hand(rng: object) -> frozenset[int]:
        deck = list(range(5))
        return frozenset(deck.pop(rng.below(len(deck))) for _ in range(2))  # type: ignore[attr-defined]  # a generator

    assert enumerate_outcomes(hand, 20) == {
        frozenset({a, b}): Fraction(1, comb(5, 2)) for a in range(5) for b in range(a)
    }
    with pytest.raises(TooManyOutcomesError):
        enumerate_outcomes(hand, 19)


def test_enumeration_stops_for_a_draw_that_does_not_end() -> None:
    def until_one(rng: object) -> int:
        while not rng.below(2):  # type: ignore[attr-defined]  # a generator
            pass
        return 1

    with pytest.raises(TooManyOutcomesError):
        enumerate_outcomes(until_one, 100)


@pytest.mark.parametrize(
    ("x", "freedom", "p"),
    # Tables of the chi-square distribution: the quantiles at 0.95 and 0.999, and the median of 2 degrees, 2 ln 2.
    [(3.841, 1, 0.05), (10.828, 1, 0.001), (1.3863, 2, 0.5), (18.307, 10, 0.05), (124.342, 100, 0.05), (0, 5, 1)],
)
def test_the_chi_square_survival_agrees_with_the_tables(x: float, freedom: int, p: float) -> None:
    assert chi_square_survival(x, freedom) == pytest.approx(p, rel=2e-3)
