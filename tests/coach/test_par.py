"""Par is measured once for the usual settings, and at once for others."""

from math import sqrt
from statistics import fmean, stdev

import pytest
from tests.coach.records import looked_at, moves_of, record_from

from faceup.coach import Effort
from faceup.coach.par import deals_of, measured, par_for, setting
from faceup.coach.par_table import TABLE
from faceup.core import find_game, make

USUAL = [(variant.name, seats) for variant in find_game("nimmt").variants for seats in range(2, 11)]


@pytest.mark.parametrize(("variant", "seats"), USUAL)
def test_every_variant_has_its_par_for_every_number_of_seats(variant: str, seats: int) -> None:
    low, high = find_game("nimmt").variant(variant).seats
    if low <= seats <= high:
        par = par_for(make(f"nimmt:{variant} seats={seats}"), "mc")
        assert 4 < par.heads.value < 15
        assert par.heads.error < 0.1
        assert par.deals >= 100


def test_forfeits_and_the_length_of_a_match_make_no_difference_but_the_cards_do() -> None:
    assert setting(make("nimmt:arena")) == setting(make("nimmt:classic")) == setting(make("nimmt"))
    assert setting(make("nimmt:tactical")) != setting(make("nimmt"))
    for player in ("mc", "deep"):
        assert sum(name == player for _, name, _ in TABLE) == 17


@pytest.mark.long
@pytest.mark.parametrize(
    "table", [("greedy", "mc", "mc", "mc"), ("random", "mc", "mc", "mc"), ("mc", "greedy", "greedy", "greedy")]
)
def test_what_is_left_to_luck_averages_to_little(table: tuple[str, ...]) -> None:
    rules = make("nimmt:cowheadking")
    choices, left = [], []
    for lane in range(400):
        record = record_from(rules, moves_of(rules, table, lane=lane))
        review = looked_at(record, [0], Effort(worlds=5000, seed=lane))
        choices.append(review.luck[0].choices.value)
        left.append(review.luck[0].others)
    error = stdev(left) / sqrt(len(left))
    print(f"{table}: choices {fmean(choices):.2f}, others {fmean(left):.2f} +-{error:.2f}")  # noqa: T201 -- for the notes
    assert abs(fmean(left)) < 0.3 * max(fmean(choices), 8)


def test_another_setting_is_measured_from_deals_of_its_own() -> None:
    rules = make("nimmt seats=2 hand=2")
    par = par_for(rules, "mc")
    assert par.heads.error > 0
    assert par == par_for(rules, "mc")


def test_the_error_is_of_deals_since_their_seats_share_their_luck() -> None:
    par = measured([((1.0, 3.0), (2.0, 2.0)), ((3.0, 5.0), (4.0, 4.0))])
    assert (par.heads.value, par.heads.error) == (3.0, 1.0)
    assert par.deals == 2


def test_a_measured_deal_has_every_seats_heads_and_first_value() -> None:
    (heads, first), *_ = deals_of(make("nimmt seats=3 hand=3"), "mc", deals=1, worlds=50, seed=1)
    assert len(heads) == len(first) == 3
