"""The odds of Niu Niu equal an enumeration of all hands."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from faceup.core import Malformed
from faceup.games.niuniu import score
from faceup.odds.niuniu import RANKS, SCORES, odds, report

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "niuniu-hands.json").read_text("utf-8"))


def test_six_faces_match_the_committed_list_of_7776_hands() -> None:
    assert {name: chance.count for name, chance in zip(RANKS, odds().ranks, strict=True)} == GOLDEN["ranks"]
    for baozi in (3, 4, 5):
        counted = zip(SCORES, odds(baozi=baozi).statistics, strict=True)
        assert {str(value): chance.count for value, chance in counted} == GOLDEN[f"statistics, baozi {baozi}"]


@pytest.mark.parametrize("faces", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("baozi", [3, 4, 5])
def test_other_dice_match_an_enumeration(faces: int, baozi: int) -> None:
    hands = [score(dice, faces, baozi) for dice in product(range(1, faces + 1), repeat=5)]
    points, statistics = Counter(hand.points for hand in hands), Counter(hand.statistics for hand in hands)
    chances = odds(faces, baozi)
    assert [chance.count for chance in chances.ranks] == [points[value] for value in range(11)]
    assert [chance.count for chance in chances.statistics] == [statistics[value] for value in SCORES]
    assert chances.hands == len(hands)


@pytest.mark.slow
def test_dice_with_more_than_ten_faces_match_an_enumeration() -> None:
    hands = [score(dice, 11) for dice in product(range(1, 12), repeat=5) if list(dice) == sorted(dice)]
    assert {hand.points for hand in hands} == set(range(11))
    points: Counter[int] = Counter()
    for dice in product(range(1, 12), repeat=5):
        points[score(dice, 11).points] += 1
    assert [chance.count for chance in odds(11).ranks] == [points[value] for value in range(11)]


def test_every_hand_is_counted_once_for_any_dice() -> None:
    for faces in (2, 6, 10, 23, 100):
        chances = odds(faces, 4)
        assert sum(chance.count for chance in chances.ranks) == faces**5
        assert sum(chance.count for chance in chances.statistics) == faces**5


def test_battles_of_two_and_three_seats_match_an_enumeration() -> None:
    ranks = [chance.count for chance in odds().ranks]
    for seats in (2, 3):
        battle = odds().battles[seats - 2]
        wins = draws = losses = drawn = 0
        for points in product(range(11), repeat=seats):
            ways = 1
            for value in points:
                ways *= ranks[value]
            alone, best = points.count(max(points)) == 1, points[0] == max(points)
            wins += ways * (alone and best)
            draws += ways * (not alone and best)
            losses += ways * (not best)
            drawn += ways * (not alone)
        counts = [chance.count for chance in (battle.win, battle.draw, battle.lose, battle.drawn)]
        assert counts == [wins, draws, losses, drawn]
        assert battle.win.total == 7776**seats


def test_probabilities_of_a_throw_add_up_to_one() -> None:
    for battle in odds(8).battles:
        chances = (battle.win, battle.draw, battle.lose, battle.drawn)
        win, draw, lose, drawn = (Fraction(chance.count, chance.total) for chance in chances)
        assert win + draw + lose == 1
        assert battle.seats * win + drawn == 1
        assert 2 * drawn <= battle.seats * draw


def test_the_report_has_exact_fractions_beside_floats() -> None:
    result = report(odds())
    assert result["ranks"][10] == {
        "name": "Niu Niu", "points": 10, "count": 510, "fraction": "510/7776", "probability": 510 / 7776,
    }  # fmt: skip
    assert [battle["seats"] for battle in result["battles"]] == list(range(2, 11))
    assert sum(statistic["count"] for statistic in result["statistics"]) == 7776


@pytest.mark.parametrize(("faces", "baozi"), [(1, 3), (101, 3), (6, 2), (6, 6)])
def test_invalid_dice_raise(faces: int, baozi: int) -> None:
    with pytest.raises(Malformed, match=r"(faces|baozi) must be"):
        odds(faces, baozi)
