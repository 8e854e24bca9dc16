import pytest
from tests.jax.law import check
from tests.variants import variants

from faceup.jax import make

QUICK = {"nimmt:tactical seats=2 target=12": 100, "nimmt:arena seats=4": 30}
"""Rules and the least number of games that end in the steps of the test."""

ODD = (
    "nimmt seats=3 rows=8 capacity=9 hand=3 deals=4 forfeits=true",
    "nimmt seats=5 hand=1 rows=1 capacity=1 cards=0 deals=2",
    "nimmt:classic seats=10 rows=3 capacity=2 hand=9 target=30 cards=99",
    "nimmt seats=2 hand=10 rows=2 deals=0 target=20 capacity=10",
)
EVERY = [spec for spec, _ in variants({"nimmt"})]


@pytest.mark.parametrize(("spec", "games"), QUICK.items())
def test_lanes_equal_the_readable_rules_and_the_batch_engine(spec: str, games: int) -> None:
    assert check(make(spec), lanes=60, steps=60, scalar=15) >= games


@pytest.mark.long
@pytest.mark.parametrize("spec", [*EVERY, *ODD])
def test_a_hundred_thousand_games_equal_the_readable_rules(spec: str) -> None:
    """The share of one variant; all of them together play more than 100,000 games."""
    lanes, games, seed = 500, 0, 0
    while games * len([*EVERY, *ODD]) < 100_000:
        games += check(make(spec), lanes=lanes, steps=100, seed=seed)
        seed += 1
