"""Verdict: outcome, interval, sentences and forfeits."""

from collections.abc import Iterator
from itertools import product
from random import Random

import msgspec
import pytest
from tests.arena.synthetic_results import duel, results

from faceup.arena import Cause, Match, MatchResult
from faceup.arena.report.text import describe_verdict, verdict_json
from faceup.arena.stats.comparison import Comparison, difference, shared_places
from faceup.arena.stats.verdict import Judge, Verdict, sequential, verdict
from faceup.core import Malformed, places
from faceup.statistics.sequential import Conclusion

LINEUPS = [("new", "x", "x", "x"), ("base", "x", "x", "x")]


def comparison_of(
    ahead: float, *, blocks: int = 400, least: float = 0.3, unit: str = "match", crashes: float = 0, seed: int = 1
) -> Verdict:
    strengths = {"new": ahead, "base": 0.0, "x": 0.0}
    played = results(LINEUPS, blocks, strengths=strengths, seed=seed, crashes={"new": crashes})
    return verdict(duel(unit=unit), sequential(least=least), played)


def test_better_bot_is_reported_as_better() -> None:
    outcome = comparison_of(1.0)
    assert outcome.found.outcome is Conclusion.BETTER
    first = describe_verdict(outcome)[0]
    assert first.startswith("new is better than base by 0.")
    assert first.endswith(f" places a match against x, x, x (accepted at 5 %/5 % after {outcome.found.blocks} blocks).")


def test_worse_bot_is_reported_as_worse() -> None:
    assert describe_verdict(comparison_of(-1.0))[0].startswith("new is worse than base by ")


def test_equal_bots_have_no_significant_difference() -> None:
    first = describe_verdict(comparison_of(0.0))[0]
    assert first.startswith("No difference of ")
    assert "places a match (0.3 standard deviations) or more between new and base was found: new is " in first


@pytest.mark.parametrize(("ahead", "outcome"), [(1.0, "better"), (0.0, "no difference"), (-1.0, "worse")])
def test_a_gauntlet_is_judged_against_even(ahead: float, outcome: str) -> None:
    lineups = [("new", "x", "x", "y"), ("new", "x", "y", "y")]
    against_even = Comparison("new", None, ("x", "y"), matches=8)
    played = list(results(lineups, 200, strengths={"new": ahead, "x": 0, "y": 0}))
    paired = verdict(against_even, None, played)
    new_places = [shared_places(result.places)[0] for result in played]
    assert paired.found.outcome.value == outcome
    assert paired.found.mean == pytest.approx(float(2.5 - sum(new_places) / len(new_places)))
    first, *_, last = describe_verdict(paired)
    assert first.startswith(
        f"new is {outcome} than even by 0."
        if ahead
        else "It is not decided whether new is better or worse than even: new is "
    )
    assert first.endswith(" places a match against x, y (at 5 % after 200 blocks, as requested).")
    assert last == "Even is the mean place 2.5, which comes with 25% of the wins."


def test_points_of_a_gauntlet_are_compared_with_the_mean_of_the_table() -> None:
    against_even = Comparison("new", None, ("x",), unit="deal", matches=1)
    played = [
        MatchResult(Match(number, number, ("new", "x", "x", "x"), 0), (3, 5, 5, 7), (1, 2, 2, 4)) for number in (0, 1)
    ]
    assert difference(against_even, played[:1]) == 2
    assert describe_verdict(verdict(against_even, None, played[:1]))[0] == (
        "No result for new yet: one block is not enough."
    )


def test_deals_are_measured_in_points() -> None:
    outcome = comparison_of(1.5, unit="deal")
    assert "heads a deal against" in describe_verdict(outcome)[0]
    assert outcome.found.points is not None
    assert outcome.found.points.low < 1.5 < outcome.found.points.high


def test_interval_in_points_and_standard_deviations() -> None:
    outcome = comparison_of(1.0)
    assert outcome.found.points is not None
    assert outcome.found.standard is not None
    assert outcome.found.points.estimate == pytest.approx(outcome.found.standard.estimate * outcome.found.spread)
    assert describe_verdict(outcome)[1].startswith("With 90 % confidence the difference is between 0.")


def test_large_difference_is_estimated_correctly() -> None:
    """Differences are forty heads, and one more in every fifth block: many standard deviations."""
    played: list[MatchResult] = []
    for block in range(100):
        for name, heads, ranks in (("new", 10, (1, 2)), ("base", 50 + (block % 5 == 0), (2, 1))):
            played.append(MatchResult(Match(len(played), block, (name, "x"), 0), (heads, 30), ranks))
    outcome = verdict(Comparison("new", "base", ("x",), "deal", matches=2), sequential(least=0.3), played)
    assert outcome.found.outcome is Conclusion.BETTER
    assert outcome.found.points is not None
    assert outcome.found.points.estimate == pytest.approx(40.2, abs=0.1)
    assert outcome.found.points.half_width < 0.3


def test_results_after_the_end_are_ignored() -> None:
    strengths = {"new": 3.0, "base": 0.0, "x": 0.0}
    played = list(results(LINEUPS, 200, strengths=strengths))
    judge = Judge(duel(), sequential(least=0.5))
    for result in played:
        judge.add(result)
    assert judge.ended
    assert judge.blocks < 50
    assert judge.verdict() == verdict(duel(), sequential(least=0.5), played[: 8 * judge.blocks])


def test_stopped_test_reports_progress() -> None:
    outcome = comparison_of(0.2, blocks=20, least=0.1)
    first = describe_verdict(outcome)[0]
    assert first.startswith("It is not decided yet whether new or base is better: new is ")
    assert "after 20 blocks; about " in first
    assert outcome.progress is not None
    assert outcome.progress.blocks == 20


@pytest.mark.parametrize("blocks", [0, 1])
def test_no_verdict_before_two_blocks(blocks: int) -> None:
    for test in (sequential(), None):
        played = results(LINEUPS, blocks, strengths={"new": 1.0, "base": 0.0, "x": 0.0})
        assert describe_verdict(verdict(duel(), test, played))[0].startswith("No result for new and base yet: ")


def test_incomplete_last_block_is_not_counted() -> None:
    played = list(results(LINEUPS, 3, strengths={"new": 1.0, "base": 0.0, "x": 0.0}))
    judge = Judge(duel(), sequential())
    for result in played[:20]:
        judge.add(result)
    assert judge.blocks == 2


def test_incomplete_block_raises() -> None:
    played = list(results(LINEUPS, 2, strengths={"new": 1.0, "base": 0.0, "x": 0.0}))
    judge = Judge(duel(), sequential())
    judge.add(played[0])
    with pytest.raises(ValueError, match="all 8 matches of block 0 must come before block 1; got only 1 of them"):
        judge.add(played[8])


def test_equal_bots_are_reported_as_equal() -> None:
    alike = [
        MatchResult(
            Match(number, number // 4, (("new", "x"), ("base", "x"))[number // 2 % 2], number % 2), (5, 5), (1, 1)
        )
        for number in range(2000)
    ]
    outcome = verdict(duel(("x",)), sequential(least=0.3), alike)
    assert outcome.found.outcome is Conclusion.NONE
    words = describe_verdict(outcome)[0]
    assert words.startswith("No difference between new and base was found: new is equal to base in all ")
    assert words in verdict_json(outcome)["words"]
    assert msgspec.json.decode(msgspec.json.encode(verdict_json(outcome)))["found"]["standard"] is None


def test_forfeit_costs_last_place_and_verdict_without_it_is_shown() -> None:
    outcome = comparison_of(1.0, crashes=0.5, least=0.3)
    assert outcome.found.outcome is Conclusion.WORSE
    lines = describe_verdict(outcome)
    assert f"Forfeits: new {outcome.out['new'][Cause.LATE]} times (late {outcome.out['new'][Cause.LATE]})." in lines[0]
    first = outcome.first_out["new"]
    assert lines[0].endswith(
        f"First, new forfeited match {first.match} at its decision 4 (late): no line came in 100 ms."
    )
    assert lines[1].startswith("new is worse than base by ")
    assert lines[3].startswith(f"Without the {outcome.faulty} blocks with forfeits: ")
    assert outcome.without is not None
    assert outcome.without.blocks == outcome.found.blocks - outcome.faulty


def test_the_first_forfeit_of_each_bot_is_reported() -> None:
    strengths = {"new": 0.0, "base": 0.0, "x": 0.0}
    played = list(results(LINEUPS, 40, strengths=strengths, crashes={"new": 0.2, "x": 0.1}))
    outcome = verdict(duel(), None, played)
    for name in ("new", "x"):
        match = next(
            result.match.number
            for result in played
            for fault in result.faults
            if result.match.lineup[fault.player] == name
        )
        assert (outcome.first_out[name].match, outcome.first_out[name].decision) == (match, 3)
    assert list(outcome.first_out) == list(outcome.out) == ["new", "x"]


def test_verdict_has_the_length_of_the_test() -> None:
    outcome = comparison_of(1.0, least=0.5)
    assert (outcome.fewest, outcome.most) == (10, 72)
    assert 10 <= outcome.found.blocks <= 72
    assert verdict(duel(), None, []).most is None


def test_forfeit_does_not_improve_points() -> None:
    outcome = comparison_of(0.0, crashes=1.0, unit="deal")
    assert outcome.found.outcome is Conclusion.WORSE
    assert outcome.without is not None
    assert outcome.without.blocks == 0
    assert "no block is complete" in describe_verdict(outcome)[-1]


def test_no_faults_sentence_without_faults() -> None:
    outcome = comparison_of(1.0)
    assert (outcome.without, outcome.faulty, outcome.out, outcome.first_out) == (None, 0, {}, {})
    assert len(describe_verdict(outcome)) == 2


def test_all_blocks_of_a_fixed_number_are_counted() -> None:
    played = list(results(LINEUPS, 60, strengths={"new": 1.5, "base": 0.0, "x": 0.0}))
    outcome = verdict(duel(), None, played)
    assert outcome.found.blocks == 60
    assert outcome.found.outcome is Conclusion.BETTER
    assert describe_verdict(outcome)[0].endswith("(at 5 % after 60 blocks, as requested).")


@pytest.mark.parametrize(("blocks", "outcome"), [(2, Conclusion.NONE), (4, Conclusion.NONE), (5, Conclusion.BETTER)])
def test_few_equal_blocks_are_not_significant(blocks: int, outcome: Conclusion) -> None:
    played = [
        MatchResult(
            Match(number, number // 2, (("new", "x"), ("base", "x"))[number % 2], 0),
            (1 + number % 2 * 9, 5),
            ((1, 2), (2, 1))[number % 2],
        )
        for number in range(2 * blocks)
    ]
    comparison = Comparison("new", "base", ("x",), matches=2)
    assert verdict(comparison, None, played).found.outcome is outcome


def test_base_bot_can_be_in_the_field() -> None:
    played = [
        MatchResult(Match(0, 0, ("new", "base"), 0), (3, 9), (1, 2)),
        MatchResult(Match(1, 0, ("base", "base"), 0), (6, 6), (1, 1)),
    ]
    assert difference(Comparison("new", "base", ("base",), matches=2), played) == 0.5


def test_equal_programs_in_all_seatings_have_no_difference() -> None:
    """The effect of the seats cancels out over all seatings."""
    lineups = [("new", "new", "new", "base"), ("new", "new", "base", "base"), ("new", "base", "base", "base")]
    seatings = [(lineup, rotation) for lineup in lineups for rotation in range(4)]
    seatings += [(("new", "base", "new", "base"), rotation) for rotation in range(2)]
    block = []
    for number, (lineup, rotation) in enumerate(seatings):
        match = Match(number, 0, lineup, rotation)
        heads, ranks = (3, 17, 9, 9), (1, 4, 2, 2)
        block.append(
            MatchResult(
                match, tuple(heads[seat] for seat in match.seat_of), tuple(ranks[seat] for seat in match.seat_of)
            )
        )
    for unit in ("match", "deal"):
        comparison = Comparison("new", "base", (), "deal" if unit == "deal" else "match", matches=14)
        assert difference(comparison, block) == 0
    assert (
        "in all seatings of the two"
        in describe_verdict(verdict(Comparison("new", "base", matches=14), None, block * 3))[0]
    )


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(Malformed, match=r"the least difference must be 0\.01 to 0\.5 standard deviations; got 3"):
        sequential(least=3)


def test_verdict_json_is_complete() -> None:
    for outcome in (comparison_of(1.0), comparison_of(0.0, crashes=0.3), verdict(duel(), None, [])):
        encoded = msgspec.json.decode(msgspec.json.encode(verdict_json(outcome)))
        assert encoded["words"] == " ".join(describe_verdict(outcome))
        assert encoded["comparison"]["new"] == "new"
        assert b"NaN" not in msgspec.json.encode(encoded)


def equal_blocks(rng: Random, blocks: int, seats: int, matches: int) -> Iterator[MatchResult]:
    """Yield blocks of which every match repeats the results of the seats with another lineup of equal programs."""
    number = 0
    for block in range(blocks):
        heads = [rng.randint(0, 9) for _ in range(seats)]
        ranks = places(heads)
        for at in range(matches):
            lineup = ("new" if at < matches // 2 else "base", *["x"] * (seats - 1))
            match = Match(number, block, lineup, at % (matches // 2))
            number += 1
            scores, ranked = ([values[seat] for seat in match.seat_of] for values in (heads, ranks))
            yield MatchResult(match, tuple(scores), tuple(ranked))


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 10])
def test_equal_players_never_get_a_verdict_where_nothing_differs(seats: int) -> None:
    """Differences of thirds, sevenths and tenths cancel exactly, whatever their order."""
    rng = Random(seats)  # noqa: S311 -- reproducible
    for comparison_number in range(150):
        unit = "deal" if comparison_number % 2 else "match"
        played = list(equal_blocks(rng, 13, seats, 2 * seats))
        for test in (sequential(least=0.5), None):
            outcome = verdict(duel(["x"] * (seats - 1), unit=unit), test, played)
            assert outcome.found.outcome not in {Conclusion.BETTER, Conclusion.WORSE}
            assert (outcome.found.mean, outcome.found.spread, outcome.found.standard) == (0, 0, None)
            assert "new is equal to base in all 13 blocks" in describe_verdict(outcome)[0]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 6, 7])
def test_a_copy_in_all_seatings_never_gets_a_verdict(seats: int) -> None:
    """Each match has other numbers of players of both bots, so their means are different fractions."""
    rng = Random(seats)  # noqa: S311 -- reproducible
    comparison = Comparison("new", "base", (), matches=2 * seats * (seats - 1), seats=seats)
    for _ in range(8):
        played: list[MatchResult] = []
        for block in range(13):
            ranks = places([rng.randint(0, 5) for _ in range(seats)])
            for count, names in product(range(1, seats), (("new", "base"), ("base", "new"))):
                lineup = tuple(names[player >= count] for player in range(seats))
                for rotation in range(seats):
                    match = Match(len(played), block, lineup, rotation)
                    ranked = tuple(ranks[seat] for seat in match.seat_of)
                    played.append(MatchResult(match, ranked, ranked))
        outcome = verdict(comparison, sequential(least=0.5), played)
        assert (outcome.found.mean, outcome.found.spread) == (0, 0)
        assert outcome.found.outcome not in {Conclusion.BETTER, Conclusion.WORSE}
        half = verdict(Comparison("new", None, (), matches=len(played) // 13, seats=seats), None, played)
        assert "new is equal to even in all 13 blocks" in describe_verdict(half)[0]


def test_a_difference_that_every_block_repeats_is_named_as_such() -> None:
    played = [
        MatchResult(
            Match(number, number // 2, (("new", "x", "x"), ("base", "x", "x"))[number % 2], 0),
            (1, 5, 9),
            ((1, 2, 3), (2, 1, 3))[number % 2],
        )
        for number in range(40)
    ]
    outcome = verdict(Comparison("new", "base", ("x", "x"), matches=2, seats=3), None, played)
    assert describe_verdict(outcome)[0].startswith(
        "new is better than base by 1 places a match in every block against "
    )
