"""Selection of replays: every kind of fault first, the most lopsided, random ones."""

from faceup.arena import Cause, Fault, Match, MatchResult
from faceup.arena.report.html import select_replays


def result(number: int, scores: tuple[int, int] = (10, 12), faults: tuple[Fault, ...] = ()) -> MatchResult:
    """A match between the two."""
    return MatchResult(Match(number, number, ("ann", "bob"), 0), scores, (1, 2), faults)


LATE = Fault(1, Cause.LATE, 3, "")


def test_rare_fault_is_shown_before_frequent_one_repeats() -> None:
    results = [result(number, faults=(LATE,)) for number in range(50)]
    results.append(result(50, faults=(Fault(0, Cause.ILLEGAL, 0, ""),)))
    numbers = [choice.result.match.number for choice in select_replays(results, 7, most_each=4)]
    assert numbers[:4] == [0, 50, 1, 2]


def test_the_most_lopsided_matches_without_faults_come_first() -> None:
    results = [result(0), result(1, (3, 60)), result(2, (50, 4)), result(3, (0, 90), (LATE,))]
    lopsided = [choice for choice in select_replays(results, 7, most_each=2) if choice.reason == "the most lopsided"]
    assert [choice.result.match.number for choice in lopsided] == [1, 2]


def test_selection_is_unique_and_reproducible() -> None:
    results = [result(number, (number, 40)) for number in range(30)]
    numbers = [choice.result.match.number for choice in select_replays(results, 7, most_each=5)]
    assert len(numbers) == len(set(numbers))
    assert numbers == [choice.result.match.number for choice in select_replays(results, 7, most_each=5)]
    assert numbers[:5] == [0, 1, 2, 3, 4]


def test_no_results_select_nothing() -> None:
    assert list(select_replays([], 7, most_each=5)) == []
