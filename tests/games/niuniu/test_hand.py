"""Values of hands, over all hands."""

from collections import Counter
from itertools import product

import pytest

from faceup.core import Malformed
from faceup.games.niuniu import score

HANDS = list(product(range(1, 7), repeat=5))


def test_the_7776_hands_have_the_expected_values() -> None:
    """Golden numbers, which fail if a rule changes."""
    assert Counter(score(dice).name for dice in HANDS) == {
        "No Niu": 2811,
        "Niu 1": 330,
        "Niu 2": 400,
        "Niu 3": 290,
        "Niu 4": 415,
        "Niu 5": 480,
        "Niu 6": 645,
        "Niu 7": 710,
        "Niu 8": 665,
        "Niu 9": 520,
        "Niu Niu": 510,
    }


@pytest.mark.parametrize(
    ("baozi", "counts"),
    [
        (3, {0: 1650, 1: 2280, 2: 1740, 3: 450, 5: 1656}),
        (4, {0: 2670, 1: 2550, 2: 1890, 3: 510, 5: 156}),
        (5, {0: 2805, 1: 2560, 2: 1895, 3: 510, 5: 6}),
    ],
)
def test_statistics_scores_have_the_expected_frequencies(baozi: int, counts: dict[int, int]) -> None:
    assert Counter(score(dice, baozi=baozi).statistics for dice in HANDS) == counts


def test_the_order_of_the_dice_does_not_change_the_value() -> None:
    for dice in HANDS:
        hand, sorted_ = score(dice), score(tuple(sorted(dice)))
        assert (hand.points, hand.statistics) == (sorted_.points, sorted_.statistics)


@pytest.mark.parametrize("die", ["5", 5.0, True, None])
def test_a_die_that_is_not_an_integer_is_refused(die: object) -> None:
    with pytest.raises(Malformed, match="must be an integer"):
        score((1, die, 3, 4, 5))  # type: ignore[arg-type]  # that is the point
