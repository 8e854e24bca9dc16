"""How chance went: exact for dice, estimated with its error for War."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from tests.coach.records import recorded

from faceup.coach import Effort, Fortune, fortune_for, fortune_report
from faceup.coach.fortunes import none_here
from faceup.core import Malformed
from faceup.core.record import Record, replay
from faceup.games.niuniu.hand import score

QUICK = Effort(worlds=20, seed=3)


def fortune(record: Record, effort: Effort = QUICK) -> Fortune:
    look = fortune_for(record.rules())
    assert look is not None
    (*_, last) = look(record.rules(), list(replay(record)), ["Ann", "Bo", "Cem"][: record.rules().seats], effort)
    return last


def test_the_chances_of_dice_are_those_of_all_hands_there_are() -> None:
    record = recorded("niuniu seats=3 throws=4")
    hands = Counter(score(dice).points for dice in product(range(1, 7), repeat=5))
    part = {worth: Fraction(sum(hands[other] for other in range(worth)), 7776) for worth in range(12)}
    data = fortune(record).data
    assert Fraction(data["win"]) == sum(Fraction(count, 7776) * part[worth] ** 2 for worth, count in hands.items())
    for seat in data["seats"]:
        for hand in seat["hands"]:
            assert Fraction(hand["win"]) == part[hand["points"]] ** 2
            assert Fraction(hand["no_better"]) == part[hand["points"] + 1]


def test_own_dice_and_others_dice_add_up_to_what_was_won_beyond_the_expected() -> None:
    record = recorded("niuniu seats=3 throws=9")
    assert record.result is not None
    for seat, won in zip(fortune(record).data["seats"], record.result.scores, strict=True):
        assert seat["won"] == won
        assert seat["own_dice"] + seat["others_dice"] == pytest.approx(won - seat["expected"])
        assert 0 < seat["at_least_so_many"] <= 1


def test_the_chances_of_war_begin_near_a_half_and_end_with_the_winner() -> None:
    found = fortune(recorded("war"), Effort(worlds=100, seed=3))
    values = [value for value in found.chart.drawn[0].values if value is not None]
    assert 0.3 < values[0] < 0.7
    result = recorded("war").result
    assert result is not None
    assert values[-1] == float(result.ranks[0] == 1)
    assert len(found.chart.drawn[0].values) == len(found.chart.labels) == len(found.chart.bands)


def test_the_same_seed_guesses_the_same() -> None:
    record = recorded("war per_suit=5")
    assert fortune(record) == fortune(record)


def test_more_guesses_come_pass_by_pass_and_the_error_falls() -> None:
    record = recorded("war per_suit=5", stop=3)
    look = fortune_for(record.rules())
    assert look is not None
    passes = list(look(record.rules(), list(replay(record)), ["Ann", "Bo"], Effort(worlds=120)))
    assert [each.done for each in passes] == [50, 100, 120]
    errors = [each.data["points"][0]["error"] for each in passes]
    assert errors[0] > errors[-1]


@pytest.mark.parametrize("spec", ["war", "niuniu"])
def test_a_game_that_has_not_begun_has_no_luck(spec: str) -> None:
    with pytest.raises(Malformed, match="no luck to tell of"):
        fortune(recorded(spec, stop=0))


def test_an_unfinished_war_is_told_as_far_as_it_goes() -> None:
    found = fortune(recorded("war", stop=30))
    assert "won" not in " ".join(found.said).split()


@pytest.mark.parametrize("spec", ["war cap=20", "niuniu throws=2"])
def test_the_answer_for_programs_says_that_there_are_no_decisions(spec: str) -> None:
    record = recorded(spec)
    answer = fortune_report(fortune(record))
    assert (answer["kind"], answer["decisions"]) == ("chance", [])
    assert answer["said"][0] == none_here(record.rules())


def test_a_game_of_decisions_has_no_such_story() -> None:
    assert fortune_for(recorded("nimmt hand=1", stop=0).rules()) is None
