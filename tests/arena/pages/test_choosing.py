"""The matches that a report replays: every kind of fault before any twice, the most lopsided, some at random."""

from faceup.arena import Cause, Fault, Match, Result
from faceup.arena.pages.choosing import choices


def result(number: int, scores: tuple[int, int] = (10, 12), faults: tuple[Fault, ...] = ()) -> Result:
    """A match between the two."""
    return Result(Match(number, number, ("ann", "bob"), 0), scores, (1, 2), faults)


LATE = Fault(1, Cause.LATE, 3, "")


def test_a_fault_that_came_once_is_shown_before_one_that_came_often_comes_again() -> None:
    results = [result(number, faults=(LATE,)) for number in range(50)]
    results.append(result(50, faults=(Fault(0, Cause.ILLEGAL, 0, ""),)))
    found = [choice.result.match.number for choice in choices(results, 7, each=4)]
    assert found[:4] == [0, 50, 1, 2]


def test_the_most_lopsided_come_first_among_those_without_a_fault() -> None:
    results = [result(0), result(1, (3, 60)), result(2, (50, 4)), result(3, (0, 90), (LATE,))]
    lopsided = [choice for choice in choices(results, 7, each=2) if choice.why == "the most lopsided"]
    assert [choice.result.match.number for choice in lopsided] == [1, 2]


def test_none_is_shown_twice_and_the_same_seed_shows_the_same() -> None:
    results = [result(number, (number, 40)) for number in range(30)]
    found = [choice.result.match.number for choice in choices(results, 7, each=5)]
    assert len(found) == len(set(found))
    assert found == [choice.result.match.number for choice in choices(results, 7, each=5)]
    assert found[:5] == [0, 1, 2, 3, 4]


def test_no_results_give_no_choices() -> None:
    assert list(choices([], 7, each=5)) == []
