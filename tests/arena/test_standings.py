"""The table says what the results say, whenever it is asked."""

from itertools import pairwise

import msgspec
import pytest
from tests.arena.made_up import results

from faceup.arena import Cause, Match, Result
from faceup.arena.counting import shared_places
from faceup.arena.standings import LONGEST_KEY, MOST_COLUMNS, Standings, Table, standings
from faceup.arena.tables import as_csv, report, words
from faceup.arena.times import times_of, together

STRENGTHS = {"a": 3.0, "b": 1.0, "c": 0.0, "d": -1.0}
LINEUP = ("a", "b", "c", "d")


def made(blocks: int = 30, **settings: object) -> list[Result]:
    return list(results([LINEUP], blocks, strengths=STRENGTHS, **settings))  # type: ignore[arg-type]  # passed on as given


def test_an_empty_table_has_nobody() -> None:
    assert standings([]) == Table(0, 0, (), ())
    assert words(standings([])) == "No match has been played yet."


def test_the_stronger_bots_stand_higher() -> None:
    table = standings(made())
    assert [bot.name for bot in table.bots] == list(LINEUP)
    assert sum(bot.rating for bot in table.bots) == pytest.approx(0)
    for one, other in pairwise(table.bots):
        assert one.place.mean < other.place.mean
        assert one.score is not None
        assert other.score is not None
        assert one.score.mean < other.score.mean


def test_means_are_those_of_the_results() -> None:
    played = made(5)
    bot = standings(played).bots[0]
    expected = [shared_places(result.places)[0] for result in played]
    assert bot.place.mean == pytest.approx(sum(expected) / len(expected))
    assert bot.place.count == 5
    assert bot.score is not None
    assert bot.score.mean == pytest.approx(sum(result.scores[0] for result in played) / len(played))
    assert bot.times == together(result.times[0] for result in played)


def test_wins_of_all_add_up_to_the_matches() -> None:
    table = standings(made())
    assert sum(bot.win_share.mean for bot in table.bots) == pytest.approx(1)


def test_match_by_match_it_is_the_table_of_all() -> None:
    played = made(12)
    slowly = Standings()
    for result in played:
        slowly.add(result)
        slowly.table()
    quickly, at_last = standings(played), slowly.table()
    for one, other in zip(quickly.bots, at_last.bots, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-6)
        assert msgspec.structs.replace(one, rating=0.0) == msgspec.structs.replace(other, rating=0.0)
    assert quickly.meetings == at_last.meetings


def test_each_pair_of_bots_shares_all_of_its_meetings() -> None:
    table = standings(made())
    for row in range(4):
        assert table.meetings[row][row] is None
        for column in range(row):
            one, other = table.meetings[row][column], table.meetings[column][row]
            assert one is not None
            assert other is not None
            assert one.ahead + other.ahead == pytest.approx(1)
            assert one.matches == other.matches == table.matches


def test_a_tie_is_half_of_being_ahead_and_several_players_of_a_bot_are_one_meeting() -> None:
    tied = Result(Match(0, 0, ("a", "b", "b"), 0), (4, 4, 9), (1, 1, 3))
    table = standings([tied])
    meeting = table.meetings[0][1]
    assert meeting is not None
    assert [bot.name for bot in table.bots] == ["a", "b"]
    assert (meeting.matches, meeting.ahead) == (1, 0.75)
    assert table.bots[1].matches == 1


def test_bots_that_never_met_are_not_compared_with_each_other() -> None:
    apart = [Result(Match(0, 0, ("a", "b"), 0), (1, 2), (1, 2)), Result(Match(1, 1, ("c", "d"), 0), (1, 2), (1, 2))]
    table = standings(apart)
    names = [bot.name for bot in table.bots]
    assert table.meetings[names.index("a")][names.index("c")] is None
    assert words(table)


def test_those_put_out_are_counted_by_cause_and_their_points_are_left_out() -> None:
    played = made(40, crashes={"a": 0.2})
    table = standings(played)
    bot = next(bot for bot in table.bots if bot.name == "a")
    times = sum(len(result.faults) for result in played)
    assert bot.out == {Cause.LATE: times}
    finished = [result.scores[0] for result in played if not result.faults]
    assert bot.score is not None
    assert bot.score.mean == pytest.approx(sum(finished) / len(finished))
    assert "put out" in words(table)


def test_one_that_is_always_put_out_is_last_and_has_no_points() -> None:
    bot = standings(made(10, crashes={"a": 1.0})).bots[-1]
    assert (bot.name, bot.score, bot.place.mean) == ("a", None, 4)


def test_numbers_that_programs_report_have_means_and_nothing_else_does() -> None:
    def reporting(number: int, columns: dict[str, str]) -> Result:
        return Result(Match(number, number, ("a", "b"), 0), (1, 2), (1, 2), columns=(columns, {}))

    told = [
        {"depth": "4", "word": "fast"},
        {"depth": "7", "bad": "nan"},
        {"\x1b[2J": "1", "k" * (LONGEST_KEY + 1): "1"},
    ]
    table = standings([reporting(number, columns) for number, columns in enumerate(told)])
    assert table.bots[0].columns == {"depth": 5.5}
    many = reporting(0, {f"key{number}": "1" for number in range(MOST_COLUMNS + 5)})
    assert len(standings([many]).bots[0].columns) == MOST_COLUMNS


def test_intervals_are_there_when_asked_for_and_the_same_every_time() -> None:
    played = made(20)
    one, other, without = standings(played, drawings=50), standings(played, drawings=50), standings(played)
    assert one == other
    assert without.bots[0].interval is None
    for bot in one.bots:
        assert bot.interval is not None
        assert bot.interval[0] < bot.rating < bot.interval[1]


def test_one_block_has_no_intervals() -> None:
    table = standings(made(1), drawings=50)
    assert table.bots[0].interval is None
    assert "±" not in words(table).rpartition("Rating")[0]


def test_the_words_fit_a_terminal() -> None:
    text = words(standings(made(), drawings=50), points="heads")
    assert max(map(len, text.splitlines())) <= 80
    assert "heads" in text


def test_json_holds_no_number_that_is_none() -> None:
    for played in ([], made(1), made(10, crashes={"a": 1.0})):
        told = report(standings(played, drawings=20), points="heads")
        assert msgspec.json.decode(msgspec.json.encode(told))["matches"] == len(played)
        assert b"NaN" not in msgspec.json.encode(told)


def test_a_spreadsheet_gets_a_row_for_every_bot_and_no_formula() -> None:
    named = [Result(Match(0, 0, ("=1+1", "b"), 0), (1, 2), (1, 2), times=(times_of([900]), times_of([])))]
    lines = as_csv(standings(named)).splitlines()
    assert lines[0].startswith("name,rating,")
    assert lines[1].startswith("'=1+1,")
    assert len(lines) == 3
