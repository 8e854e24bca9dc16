"""A comparison says which bot is better, by how much, how sure that is, and what crashes had to do with it."""

import msgspec
import pytest
from tests.arena.made_up import duel, results

from faceup.arena import Cause, Match, Result
from faceup.arena.differences import Comparison, difference
from faceup.arena.sentences import report, sentences
from faceup.arena.verdict import Judge, Verdict, sequential, verdict
from faceup.core import Malformed
from faceup.statistics.sequential import Outcome

LINEUPS = [("new", "x", "x", "x"), ("base", "x", "x", "x")]


def compared(
    ahead: float, *, blocks: int = 400, least: float = 0.3, unit: str = "match", crashes: float = 0, seed: int = 1
) -> Verdict:
    strengths = {"new": ahead, "base": 0.0, "x": 0.0}
    played = results(LINEUPS, blocks, strengths=strengths, seed=seed, crashes={"new": crashes})
    return verdict(duel(unit=unit), sequential(least=least), played)


def test_the_better_one_is_called_better_in_one_sentence() -> None:
    found = compared(1.0)
    assert found.found.outcome is Outcome.BETTER
    first = sentences(found)[0]
    assert first.startswith("new is better than base by 0.")
    assert first.endswith(f" places a match against x, x, x (accepted at 5 %/5 % after {found.found.blocks} blocks).")


def test_the_worse_one_is_called_worse() -> None:
    assert sentences(compared(-1.0))[0].startswith("new is worse than base by ")


def test_of_two_that_are_alike_no_difference_is_shown_and_the_sentence_says_how_small() -> None:
    first = sentences(compared(0.0))[0]
    assert first.startswith("No difference of ")
    assert "places a match (0.3 standard deviations) or more between new and base is shown: new is " in first


def test_deals_are_measured_in_the_points_of_the_game() -> None:
    found = compared(1.5, unit="deal")
    assert "heads a deal against" in sentences(found)[0]
    assert found.found.points is not None
    assert found.found.points.low < 1.5 < found.found.points.high


def test_the_interval_is_told_in_points_and_in_standard_deviations() -> None:
    found = compared(1.0)
    assert found.found.points is not None
    assert found.found.standard is not None
    assert found.found.points.estimate == pytest.approx(found.found.standard.estimate * found.found.spread)
    assert sentences(found)[1].startswith("With 90 % confidence the difference is between 0.")


def test_the_size_of_a_large_difference_is_right_too() -> None:
    """Forty heads, and one more in every fifth block: many times the standard deviation."""
    played: list[Result] = []
    for block in range(100):
        for name, heads, places in (("new", 10, (1, 2)), ("base", 50 + (block % 5 == 0), (2, 1))):
            played.append(Result(Match(len(played), block, (name, "x"), 0), (heads, 30), places))
    found = verdict(Comparison("new", "base", ("x",), "deal", matches=2), sequential(least=0.3), played)
    assert found.found.outcome is Outcome.BETTER
    assert found.found.points is not None
    assert found.found.points.estimate == pytest.approx(40.2, abs=0.1)
    assert found.found.points.half < 0.3


def test_what_comes_after_the_end_is_not_counted() -> None:
    strengths = {"new": 3.0, "base": 0.0, "x": 0.0}
    played = list(results(LINEUPS, 200, strengths=strengths))
    judge = Judge(duel(), sequential(least=0.5))
    for result in played:
        judge.add(result)
    assert judge.ended
    assert judge.blocks < 50
    assert judge.verdict() == verdict(duel(), sequential(least=0.5), played[: 8 * judge.blocks])


def test_a_test_that_is_stopped_early_says_how_far_it_has_come() -> None:
    found = compared(0.2, blocks=20, least=0.1)
    first = sentences(found)[0]
    assert first.startswith("Which of new and base is better is not decided yet: new is ")
    assert "after 20 blocks; about " in first
    assert found.progress is not None
    assert found.progress.blocks == 20


@pytest.mark.parametrize("blocks", [0, 1])
def test_of_nothing_or_one_block_nothing_is_said(blocks: int) -> None:
    for test in (sequential(), None):
        played = results(LINEUPS, blocks, strengths={"new": 1.0, "base": 0.0, "x": 0.0})
        assert sentences(verdict(duel(), test, played))[0].startswith("Nothing can be said of new and base yet: ")


def test_half_of_a_block_is_not_counted() -> None:
    played = list(results(LINEUPS, 3, strengths={"new": 1.0, "base": 0.0, "x": 0.0}))
    judge = Judge(duel(), sequential())
    for result in played[:20]:
        judge.add(result)
    assert judge.blocks == 2


def test_a_block_with_a_hole_is_refused() -> None:
    played = list(results(LINEUPS, 2, strengths={"new": 1.0, "base": 0.0, "x": 0.0}))
    judge = Judge(duel(), sequential())
    judge.add(played[0])
    with pytest.raises(ValueError, match="block 0 has 8 matches, and only 1 came before block 1"):
        judge.add(played[8])


def test_bots_that_always_come_out_alike_are_said_to() -> None:
    alike = [
        Result(Match(number, number // 4, (("new", "x"), ("base", "x"))[number // 2 % 2], number % 2), (5, 5), (1, 1))
        for number in range(2000)
    ]
    found = verdict(duel(("x",)), sequential(least=0.3), alike)
    assert found.found.outcome is Outcome.NONE
    assert "new is neither better nor worse in any block" in sentences(found)[0]
    assert msgspec.json.decode(msgspec.json.encode(report(found)))["found"]["standard"] is None


def test_a_crash_costs_the_last_place_and_the_verdict_without_is_shown() -> None:
    found = compared(1.0, crashes=0.5, least=0.3)
    assert found.found.outcome is Outcome.WORSE
    told = sentences(found)
    assert f"Put out: new {found.out['new'][Cause.LATE]} times (late {found.out['new'][Cause.LATE]})." in told[2]
    assert told[3].startswith(f"Without the {found.faulty} blocks in which somebody was put out: ")
    assert found.without is not None
    assert found.without.blocks == found.found.blocks - found.faulty


def test_in_heads_too_it_is_no_good_to_crash() -> None:
    found = compared(0.0, crashes=1.0, unit="deal")
    assert found.found.outcome is Outcome.WORSE
    assert found.without is not None
    assert found.without.blocks == 0
    assert "no block has been played to its end" in sentences(found)[-1]


def test_without_faults_nothing_is_said_of_them() -> None:
    found = compared(1.0)
    assert (found.without, found.faulty, found.out) == (None, 0, {})
    assert len(sentences(found)) == 2


def test_a_fixed_number_of_blocks_is_played_to_its_end() -> None:
    played = list(results(LINEUPS, 60, strengths={"new": 1.5, "base": 0.0, "x": 0.0}))
    found = verdict(duel(), None, played)
    assert found.found.blocks == 60
    assert found.found.outcome is Outcome.BETTER
    assert sentences(found)[0].endswith("(at 5 % after 60 blocks, as many as were asked for).")


@pytest.mark.parametrize(("blocks", "outcome"), [(2, Outcome.NONE), (4, Outcome.NONE), (5, Outcome.BETTER)])
def test_a_few_blocks_that_all_say_the_same_show_no_more_than_chance_would(blocks: int, outcome: Outcome) -> None:
    played = [
        Result(
            Match(number, number // 2, (("new", "x"), ("base", "x"))[number % 2], 0),
            (1 + number % 2 * 9, 5),
            ((1, 2), (2, 1))[number % 2],
        )
        for number in range(2 * blocks)
    ]
    comparison = Comparison("new", "base", ("x",), matches=2)
    assert verdict(comparison, None, played).found.outcome is outcome


def test_the_base_may_sit_in_the_field() -> None:
    played = [
        Result(Match(0, 0, ("new", "base"), 0), (3, 9), (1, 2)),
        Result(Match(1, 0, ("base", "base"), 0), (6, 6), (1, 1)),
    ]
    assert difference(Comparison("new", "base", ("base",), matches=2), played) == 0.5


def test_in_all_seatings_of_two_equal_programs_the_difference_is_nothing_on_any_deal() -> None:
    """If what happens depends on the seats alone, as with the same program twice, all seatings cancel it."""
    lineups = [("new", "new", "new", "base"), ("new", "new", "base", "base"), ("new", "base", "base", "base")]
    seatings = [(lineup, rotation) for lineup in lineups for rotation in range(4)]
    seatings += [(("new", "base", "new", "base"), rotation) for rotation in range(2)]
    block = []
    for number, (lineup, rotation) in enumerate(seatings):
        match = Match(number, 0, lineup, rotation)
        heads, ranks = (3, 17, 9, 9), (1, 4, 2, 2)
        block.append(
            Result(match, tuple(heads[seat] for seat in match.seat_of), tuple(ranks[seat] for seat in match.seat_of))
        )
    for unit in ("match", "deal"):
        comparison = Comparison("new", "base", (), "deal" if unit == "deal" else "match", matches=14)
        assert difference(comparison, block) == pytest.approx(0, abs=1e-12)
    assert "in all seatings of the two" in sentences(verdict(Comparison("new", "base", matches=14), None, block * 3))[0]


def test_settings_out_of_range_are_refused_in_words() -> None:
    with pytest.raises(Malformed, match=r"the least difference is 0\.01 to 0\.5 standard deviations, not 3"):
        sequential(least=3)


def test_json_says_all_of_it() -> None:
    for found in (compared(1.0), compared(0.0, crashes=0.3), verdict(duel(), None, [])):
        told = msgspec.json.decode(msgspec.json.encode(report(found)))
        assert told["words"] == " ".join(sentences(found))
        assert told["comparison"]["new"] == "new"
        assert b"NaN" not in msgspec.json.encode(told)
