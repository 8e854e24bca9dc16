"""Result formats for psyleague and cg-brutaltester."""

import json

from faceup.arena import Cause, Fault, Match, MatchResult
from faceup.arena.match.result import for_brutaltester, for_psyleague, histogram_of

MATCH = Match(0, 0, ("a", "b", "c", "d"), 0)
PLAIN = MatchResult(MATCH, scores=(30, 10, 30, 50), places=(2, 1, 2, 4))
FAULTY = MatchResult(
    MATCH,
    scores=(30, 10, 5, 50),
    places=(2, 1, 4, 3),
    faults=(Fault(2, Cause.LATE, 0, "late"), Fault(3, Cause.ENDED, 9, "ended")),
    times=(histogram_of([1000, 3000]), histogram_of([250]), histogram_of([]), histogram_of([7])),
    columns=({"depth": "7.5", "mode": "fast", "nan": "nan"}, {}, {"points": "1"}, {}),
)


def test_psyleague_gets_ranks_errors_and_numeric_columns() -> None:
    parsed = json.loads(for_psyleague(FAULTY, 42))
    assert list(parsed) == ["ranks", "errors", "test_data", "player_data"]
    assert parsed["ranks"] == [1, 0, 3, 2]
    assert parsed["errors"] == [0, 0, 1, 1]
    assert parsed["test_data"] == {"seed": 42}
    assert parsed["player_data"][0] == {"points": 30, "us": 2000, "most_us": 3000, "depth": 7.5}
    assert parsed["player_data"][2] == {"points": 5}
    assert all(float(value) >= 0 for data in parsed["player_data"] for value in data.values())


def test_psyleague_reads_one_line() -> None:
    assert "\n" not in for_psyleague(FAULTY, 42)


def test_brutaltester_numbers_follow_places() -> None:
    assert for_brutaltester(PLAIN, 42).split() == ["2", "3", "2", "0", "seed=42"]


def test_brutaltester_numbers_of_forfeits_are_negative() -> None:
    assert for_brutaltester(FAULTY, 42).split() == ["2", "3", "-4", "-3", "seed=42"]
