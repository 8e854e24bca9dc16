"""Other tools understand how a match ended, as their sources read it."""

import json

from faceup.arena import Cause, Fault, Match, Result
from faceup.arena.other_tools import for_brutaltester, for_psyleague
from faceup.arena.times import times_of

MATCH = Match(0, 0, ("a", "b", "c", "d"), 0)
PLAIN = Result(MATCH, scores=(30, 10, 30, 50), places=(2, 1, 2, 4))
FAULTY = Result(
    MATCH,
    scores=(30, 10, 5, 50),
    places=(2, 1, 4, 3),
    faults=(Fault(2, Cause.LATE, 0, "late"), Fault(3, Cause.ENDED, 9, "ended")),
    times=(times_of([1000, 3000]), times_of([250]), times_of([]), times_of([7])),
    columns=({"depth": "7.5", "mode": "fast", "nan": "nan"}, {}, {"points": "1"}, {}),
)


def test_psyleague_gets_ranks_errors_and_what_it_can_add_up() -> None:
    told = json.loads(for_psyleague(FAULTY, 42))
    assert list(told) == ["ranks", "errors", "test_data", "player_data"]
    assert told["ranks"] == [1, 0, 3, 2]
    assert told["errors"] == [0, 0, 1, 1]
    assert told["test_data"] == {"seed": 42}
    assert told["player_data"][0] == {"points": 30, "us": 2000, "most_us": 3000, "depth": 7.5}
    assert told["player_data"][2] == {"points": 5}
    assert all(float(value) >= 0 for data in told["player_data"] for value in data.values())


def test_psyleague_reads_one_line() -> None:
    assert "\n" not in for_psyleague(FAULTY, 42)


def test_brutaltester_gets_more_for_the_better_and_as_much_for_the_equal() -> None:
    assert for_brutaltester(PLAIN, 42).split() == ["2", "3", "2", "0", "seed=42"]


def test_brutaltester_gets_less_than_nothing_for_those_who_were_out_and_least_for_the_first() -> None:
    assert for_brutaltester(FAULTY, 42).split() == ["2", "3", "-4", "-3", "seed=42"]
