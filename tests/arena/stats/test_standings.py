"""Standings: means, intervals, head-to-head and columns."""

from itertools import pairwise

import msgspec
import pytest
from tests.arena.synthetic_results import results

from faceup.arena import Cause, Match, MatchResult
from faceup.arena.match.result import histogram_of, merge_histograms
from faceup.arena.report.text import as_csv, format_standings, standings_json
from faceup.arena.stats.comparison import shared_places
from faceup.arena.stats.standings import LONGEST_KEY, MOST_COLUMNS, Standings, StandingsTable, standings

STRENGTHS = {"a": 3.0, "b": 1.0, "c": 0.0, "d": -1.0}
LINEUP = ("a", "b", "c", "d")


def made(blocks: int = 30, **settings: object) -> list[MatchResult]:
    return list(results([LINEUP], blocks, strengths=STRENGTHS, **settings))  # type: ignore[arg-type]  # passed on as given


def test_empty_standings() -> None:
    assert standings([]) == StandingsTable(0, 0, (), ())
    assert format_standings(standings([])) == "No match is finished yet."


def test_stronger_bots_rank_higher() -> None:
    table = standings(made())
    assert [bot.name for bot in table.bots] == list(LINEUP)
    assert sum(bot.rating for bot in table.bots) == pytest.approx(0)
    for better, other in pairwise(table.bots):
        assert better.place.mean < other.place.mean
        assert better.score is not None
        assert other.score is not None
        assert better.score.mean < other.score.mean


def test_means_match_the_results() -> None:
    played = made(5)
    bot = standings(played).bots[0]
    expected = [shared_places(result.places)[0] for result in played]
    assert bot.place.mean == pytest.approx(sum(expected) / len(expected))
    assert bot.place.count == 5
    assert bot.score is not None
    assert bot.score.mean == pytest.approx(sum(result.scores[0] for result in played) / len(played))
    assert bot.times == merge_histograms(result.times[0] for result in played)


def test_win_shares_add_up_to_the_number_of_matches() -> None:
    table = standings(made())
    assert sum(bot.win_share.mean for bot in table.bots) == pytest.approx(1)


def test_incremental_standings_equal_full_standings() -> None:
    played = made(12)
    slowly = Standings()
    for result in played:
        slowly.add(result)
        slowly.table()
    quickly, at_last = standings(played), slowly.table()
    for bot, other in zip(quickly.bots, at_last.bots, strict=True):
        assert bot.rating == pytest.approx(other.rating, abs=1e-6)
        assert msgspec.structs.replace(bot, rating=0.0) == msgspec.structs.replace(other, rating=0.0)
    assert quickly.head_to_head == at_last.head_to_head


def test_head_to_head_is_symmetric() -> None:
    table = standings(made())
    for row in range(4):
        assert table.head_to_head[row][row] is None
        for column in range(row):
            score, other = table.head_to_head[row][column], table.head_to_head[column][row]
            assert score is not None
            assert other is not None
            assert score.ahead + other.ahead == pytest.approx(1)
            assert score.matches == other.matches == table.matches


def test_ties_count_half_in_head_to_head() -> None:
    tied = MatchResult(Match(0, 0, ("a", "b", "b"), 0), (4, 4, 9), (1, 1, 3))
    table = standings([tied])
    meeting = table.head_to_head[0][1]
    assert meeting is not None
    assert [bot.name for bot in table.bots] == ["a", "b"]
    assert (meeting.matches, meeting.ahead) == (1, 0.75)
    assert table.bots[1].matches == 1


def test_bots_without_common_matches_have_no_head_to_head() -> None:
    apart = [
        MatchResult(Match(0, 0, ("a", "b"), 0), (1, 2), (1, 2)),
        MatchResult(Match(1, 1, ("c", "d"), 0), (1, 2), (1, 2)),
    ]
    table = standings(apart)
    names = [bot.name for bot in table.bots]
    assert table.head_to_head[names.index("a")][names.index("c")] is None
    assert format_standings(table)


def test_two_bots_are_split_by_their_numbers_of_seats() -> None:
    lineups = [("a", "b", "b", "b"), ("a", "a", "b", "b"), ("a", "b", "a", "b"), ("a", "a", "a", "b")]
    played = list(results(lineups, 10, strengths=STRENGTHS))
    table = standings(played)
    assert [(bot.name, bot.seats) for split in table.splits for bot in split.bots] == [
        *[("a", 1), ("b", 3)],
        *[("a", 2), ("b", 2)],
        *[("a", 3), ("b", 1)],
    ]
    assert [split.matches for split in table.splits] == [40, 80, 40]
    for split in table.splits:
        assert sum(bot.seats * bot.win_share.mean for bot in split.bots) == pytest.approx(1)
        of_split = [result for result in played if result.match.lineup.count("a") == split.bots[0].seats]
        for bot, expected in zip(split.bots, standings(of_split).bots, strict=True):
            assert (bot.name, bot.place, bot.win_share) == (expected.name, expected.place, expected.win_share)
            assert bot.score == expected.score
    assert "\n3 b " in format_standings(table)
    assert standings_json(table)["splits"][0]["bots"][1]["seats"] == 3


def test_only_two_bots_in_several_divisions_are_split() -> None:
    assert standings(made(2)).splits == ()
    assert standings(results([("a", "b", "b", "b")], 2, strengths=STRENGTHS)).splits == ()
    against = [("a", "b", "b", "b"), ("b", "b", "b", "b")]
    assert standings(results(against, 2, strengths=STRENGTHS)).splits == ()
    three = [("a", "a", "b", "b"), ("a", "b", "b", "b"), ("a", "b", "b", "c")]
    assert standings(results(three, 2, strengths=STRENGTHS)).splits == ()


def test_forfeits_are_counted_by_cause_without_points() -> None:
    played = made(40, crashes={"a": 0.2})
    table = standings(played)
    bot = next(bot for bot in table.bots if bot.name == "a")
    times = sum(len(result.faults) for result in played)
    assert bot.out == {Cause.LATE: times}
    finished = [result.scores[0] for result in played if not result.faults]
    assert bot.score is not None
    assert bot.score.mean == pytest.approx(sum(finished) / len(finished))
    assert "forfeits" in format_standings(table)


def test_bot_that_always_forfeits_is_last_without_points() -> None:
    bot = standings(made(10, crashes={"a": 1.0})).bots[-1]
    assert (bot.name, bot.score, bot.place.mean) == ("a", None, 4)


def test_only_numeric_columns_have_means() -> None:
    def reporting(number: int, columns: dict[str, str]) -> MatchResult:
        return MatchResult(Match(number, number, ("a", "b"), 0), (1, 2), (1, 2), columns=(columns, {}))

    reports = [
        {"depth": "4", "word": "fast"},
        {"depth": "7", "bad": "nan"},
        {"\x1b[2J": "1", "k" * (LONGEST_KEY + 1): "1"},
    ]
    table = standings([reporting(number, columns) for number, columns in enumerate(reports)])
    assert table.bots[0].columns == {"depth": 5.5}
    many = reporting(0, {f"key{number}": "1" for number in range(MOST_COLUMNS + 5)})
    assert len(standings([many]).bots[0].columns) == MOST_COLUMNS


def test_intervals_are_optional_and_reproducible() -> None:
    played = made(20)
    table, other, without = standings(played, drawings=50), standings(played, drawings=50), standings(played)
    assert table == other
    assert without.bots[0].interval is None
    for bot in table.bots:
        assert bot.interval is not None
        assert bot.interval[0] < bot.rating < bot.interval[1]


def test_one_block_has_no_intervals() -> None:
    table = standings(made(1), drawings=50)
    assert table.bots[0].interval is None
    assert "±" not in format_standings(table).rpartition("Rating")[0]


def test_standings_fit_80_columns() -> None:
    text = format_standings(standings(made(), drawings=50), points="heads")
    assert max(map(len, text.splitlines())) <= 80
    assert "heads" in text


def test_json_has_no_nan() -> None:
    for played in ([], made(1), made(10, crashes={"a": 1.0})):
        encoded = standings_json(standings(played, drawings=20), points="heads")
        assert msgspec.json.decode(msgspec.json.encode(encoded))["matches"] == len(played)
        assert b"NaN" not in msgspec.json.encode(encoded)


def test_csv_has_a_row_for_every_bot_and_no_formulas() -> None:
    results = [
        MatchResult(Match(0, 0, ("=1+1", "b"), 0), (1, 2), (1, 2), times=(histogram_of([900]), histogram_of([])))
    ]
    lines = as_csv(standings(results)).splitlines()
    assert lines[0].startswith("name,rating,")
    assert lines[1].startswith("'=1+1,")
    assert len(lines) == 3


def test_equal_bots_have_equal_exact_numbers() -> None:
    """Bots that share every place have the same rating, no error and a third of the wins, without rounding errors."""
    names = ("a", "b", "c")
    played = [
        MatchResult(Match(number, number, (*names[number % 3 :], *names[: number % 3]), 0), (5, 5, 5), (1, 1, 1))
        for number in range(50)
    ]
    table = standings(played, drawings=20)
    for bot in table.bots:
        assert (bot.rating, bot.interval) == (0, (0, 0))
        assert bot.win_share.mean == 1 / 3
        assert (bot.place.stderr, bot.win_share.stderr) == (0, 0)
    assert {meeting.ahead for row in table.head_to_head for meeting in row if meeting is not None} == {0.5}
    assert "0.000" not in format_standings(table)
    assert "e-" not in format_standings(table)


def test_shares_of_several_seats_add_up_exactly() -> None:
    """Thirds of a meeting, which bots with several seats have, cancel out over mirrored matches."""
    lineup = ("a", "b", "b", "b")
    played = [
        MatchResult(Match(number, number, lineup, 0), (1, 2, 3, 4), ((2, 1, 3, 4), (3, 1, 2, 4))[number % 2])
        for number in range(30)
    ]
    meeting = standings(played).head_to_head[0][1]
    assert meeting is not None
    assert meeting.ahead == 0.5
