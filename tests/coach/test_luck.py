"""Par is in the table for common settings, and measured on demand for others."""

from math import sqrt
from statistics import fmean, stdev

import pytest
from tests.coach.helpers import looked_at, moves_of, record_from

from faceup.coach import SearchBudget
from faceup.coach.luck import par_for, par_of_deals, play_single_deals, setting
from faceup.coach.par_table import TABLE
from faceup.core import find_game, make

USUAL = [(variant.name, seats) for variant in find_game("nimmt").variants for seats in range(2, 11)]


@pytest.mark.parametrize(("variant", "seats"), USUAL)
def test_par_table_covers_every_variant_and_number_of_seats(variant: str, seats: int) -> None:
    low, high = find_game("nimmt").variant(variant).seats
    if low <= seats <= high:
        par = par_for(make(f"nimmt:{variant} seats={seats}"), "mc")
        assert 4 < par.heads.value < 15
        assert par.heads.error < 0.1
        assert par.deals >= 100


def test_par_depends_on_cards_but_not_on_forfeits_or_match_length() -> None:
    assert setting(make("nimmt:arena")) == setting(make("nimmt:classic")) == setting(make("nimmt"))
    assert setting(make("nimmt:tactical")) != setting(make("nimmt"))
    for player in ("mc", "deep"):
        assert sum(name == player for _, name, _ in TABLE) == 17


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "weaker"),
    [(("greedy", "mc", "mc", "mc"), 0), (("random", "mc", "mc", "mc"), 0), (("mc", "greedy", "greedy", "greedy"), 3)],
)
def test_what_is_left_to_luck_averages_to_little_unless_the_others_play_worse(
    table: tuple[str, ...], weaker: int
) -> None:
    rules = make("nimmt:cowheadking")
    choices, left = [], []
    for lane in range(400):
        record = record_from(rules, moves_of(rules, table, lane=lane))
        review = looked_at(record, [0], SearchBudget("mc", 5000, seed=lane))
        choices.append(review.luck[0].choices.value)
        left.append(review.luck[0].others)
    error = stdev(left) / sqrt(len(left))
    print(f"{table}: choices {fmean(choices):.2f}, others {fmean(left):.2f} +-{error:.2f}")  # noqa: T201 -- for the notes
    if weaker:  # the skill of the other seats is part of what is left: par is that of equal players
        assert -8 < fmean(left) < -4 * error
    else:
        assert abs(fmean(left)) < 0.3 * max(fmean(choices), 8)


def test_par_of_a_setting_outside_the_table_is_measured() -> None:
    rules = make("nimmt seats=2 hand=2")
    par = par_for(rules, "mc")
    assert par.heads.error > 0
    assert par == par_for(rules, "mc")


def test_the_error_of_par_is_over_deals() -> None:
    par = par_of_deals([((1.0, 3.0), (2.0, 2.0)), ((3.0, 5.0), (4.0, 4.0))])
    assert (par.heads.value, par.heads.error) == (3.0, 1.0)
    assert par.deals == 2


def test_a_measured_deal_has_heads_and_first_value_of_every_seat() -> None:
    (heads, first), *_ = play_single_deals(make("nimmt seats=3 hand=3"), "mc", deals=1, worlds=50, seed=1)
    assert len(heads) == len(first) == 3
