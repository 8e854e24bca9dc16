"""Reports on luck: exact for dice, estimated with standard errors for War."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from tests.coach.helpers import record_from, recorded

from faceup.coach import ChanceReport, SearchBudget, chance_analysis_for, chance_report_json
from faceup.coach.registry import no_decisions_text
from faceup.core import Malformed, make
from faceup.core.record import Record, replay
from faceup.games.niuniu import DiceShow
from faceup.games.niuniu.hand import score

QUICK = SearchBudget(worlds=20, seed=3)


def fortune(record: Record, effort: SearchBudget = QUICK) -> ChanceReport:
    look = chance_analysis_for(record.rules())
    assert look is not None
    (*_, last) = look(record.rules(), list(replay(record)), ["Ann", "Bo", "Cem"][: record.rules().seats], effort, "en")
    return last


def test_probabilities_of_dice_match_an_enumeration_of_all_hands() -> None:
    record = recorded("niuniu seats=3 throws=4")
    hands = Counter(score(dice).points for dice in product(range(1, 7), repeat=5))
    part = {worth: Fraction(sum(hands[other] for other in range(worth)), 7776) for worth in range(12)}
    data = fortune(record).data
    assert Fraction(data["win"]) == sum(Fraction(count, 7776) * part[worth] ** 2 for worth, count in hands.items())
    for seat in data["seats"]:
        for hand in seat["hands"]:
            assert Fraction(hand["win"]) == part[hand["points"]] ** 2
            assert Fraction(hand["no_better"]) == part[hand["points"] + 1]


def test_own_and_others_dice_add_up_to_the_wins_beyond_the_expected() -> None:
    record = recorded("niuniu seats=3 throws=9")
    assert record.result is not None
    for seat, won in zip(fortune(record).data["seats"], record.result.scores, strict=True):
        assert seat["won"] == won
        assert seat["own_dice"] + seat["others_dice"] == pytest.approx(won - seat["expected"])
        assert 0 < seat["at_least_as_many"] <= 1


def test_only_the_seats_that_drew_a_throw_are_named() -> None:
    rules = make("niuniu seats=3")
    throw = DiceShow(((2, 3, 5, 4, 1), (5, 2, 4, 6, 3), (6, 4, 5, 2, 3)))
    report = fortune(record_from(rules, [dict.fromkeys(range(3), 0), throw]))
    assert report.sentences[0].startswith("Bo and Cem won 0 and drew 1 of 1 throw; ")
    assert [seat["drawn"] for seat in report.data["seats"]] == [0, 1, 1]
    assert [row[1:3] for row in report.rows] == [("0", "0"), ("0", "1"), ("0", "1")]


def test_war_chances_start_near_one_half_and_end_with_the_winner() -> None:
    report = fortune(recorded("war"), SearchBudget(worlds=100, seed=3))
    values = [value for value in report.chart.drawn[0].values if value is not None]
    assert 0.3 < values[0] < 0.7
    result = recorded("war").result
    assert result is not None
    assert values[-1] == float(result.ranks[0] == 1)
    assert len(report.chart.drawn[0].values) == len(report.chart.labels) == len(report.chart.bands)


def test_the_same_seed_gives_the_same_report() -> None:
    record = recorded("war per_suit=5")
    assert fortune(record) == fortune(record)


def test_more_rollouts_lower_the_error() -> None:
    record = recorded("war per_suit=5", stop=3)
    look = chance_analysis_for(record.rules())
    assert look is not None
    passes = list(look(record.rules(), list(replay(record)), ["Ann", "Bo"], SearchBudget(worlds=120), "en"))
    assert [stage.done for stage in passes] == [50, 100, 120]
    errors = [stage.data["points"][0]["error"] for stage in passes]
    assert errors[0] > errors[-1]


@pytest.mark.parametrize("spec", ["war", "niuniu"])
def test_a_game_that_has_not_started_raises(spec: str) -> None:
    with pytest.raises(Malformed, match="nothing to report"):
        fortune(recorded(spec, stop=0))


def test_an_unfinished_war_is_reported_up_to_its_last_round() -> None:
    report = fortune(recorded("war", stop=30))
    assert "won" not in " ".join(report.sentences).split()


@pytest.mark.parametrize("spec", ["war cap=20", "niuniu throws=2"])
def test_json_report_of_luck_has_no_decisions(spec: str) -> None:
    record = recorded(spec)
    answer = chance_report_json(fortune(record))
    assert (answer["kind"], answer["decisions"]) == ("chance", [])
    assert answer["sentences"][0] == no_decisions_text(record.rules())


def test_a_game_with_decisions_has_no_chance_report() -> None:
    assert chance_analysis_for(recorded("nimmt hand=1", stop=0).rules()) is None
