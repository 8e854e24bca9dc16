"""Leagues: bots join, change and leave; matches are balanced; nothing is lost or played twice."""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from tests.arena.run.test_engine import FakeEngine

from faceup.arena import Bot, MatchResult, MatchTerms
from faceup.arena.run.engine import play
from faceup.arena.run.league import CATCH_UP, LeagueRoster, LeagueSchedule
from faceup.arena.run.log import Log, open_log, read_log
from faceup.arena.run.pairings import Contest, contest
from faceup.arena.run.roster import resolve_bots

LEAGUE = contest("league", MatchTerms(), (), seed=7)


def named(names: str) -> list[tuple[str, Bot]]:
    return [(name, Bot(name, ("./bot",), digest=name * 64)) for name in names]


def replayed(log: Log) -> LeagueSchedule:
    schedule = LeagueSchedule(log)
    for result in log.results():
        schedule.add_result(result)
    return schedule


def run(log: Log, schedule: LeagueSchedule, names: str, matches: int, *, order: int = 1) -> list[MatchResult]:
    """Play until this many results are counted, then stop with others finished, and return the counted ones."""
    log.set_field(named(names))
    counted: list[MatchResult] = []
    first = schedule.start(list(names))
    with closing(play(log, FakeEngine(32, order), None, schedule=schedule, first=first)) as results:
        for result in results:
            counted.append(result)
            if len(counted) == matches:
                break
    return counted


def matches_of(results: Sequence[MatchResult]) -> Counter[str]:
    return Counter(name for result in results for name in set(result.match.lineup))


def test_matches_are_balanced(tmp_path: Path) -> None:
    with open_log(tmp_path / "log.sqlite", LEAGUE, ()) as log:
        counts = matches_of(run(log, LeagueSchedule(log), "abcdefg", 2000))
    assert min(counts.values()) > 0.9 * max(counts.values())


def test_a_new_bot_plays_first_and_then_as_often_as_others(tmp_path: Path) -> None:
    with open_log(tmp_path / "log.sqlite", LEAGUE, ()) as log:
        schedule = LeagueSchedule(log)
        run(log, schedule, "abcdef", 3000)
        started = {result.match.block for result in log.all_results()}
        results = run(log, schedule, "abcdefz", 2 * CATCH_UP)
        first = [result for result in results if result.match.block not in started][: CATCH_UP // 2]
        assert matches_of(first)["z"] == len(first) == CATCH_UP // 2
        run(log, schedule, "abcdefz", 200)
        later = matches_of(run(log, schedule, "abcdefz", 700))
        assert later["z"] < 1.5 * later["a"]


def test_a_bot_that_returns_plays_no_more_than_a_new_one(tmp_path: Path) -> None:
    with open_log(tmp_path / "log.sqlite", LEAGUE, ()) as log:
        schedule = LeagueSchedule(log)
        run(log, schedule, "abcdez", 100)
        run(log, schedule, "abcde", 3000)
        counts = matches_of(run(log, schedule, "abcdez", 800))
        assert CATCH_UP < counts["z"] < 700  # it missed 2000


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_fewer_bots_than_seats_get_several(names: str, tmp_path: Path) -> None:
    with open_log(tmp_path / "log.sqlite", LEAGUE, ()) as log:
        for result in run(log, LeagueSchedule(log), names, 40):
            assert set(result.match.lineup) == set(names)
            assert len(result.match.lineup) == 4


def test_a_league_resumes_wherever_it_was_killed(tmp_path: Path) -> None:
    path, field = tmp_path / "log.sqlite", ["abcde", "abcde", "bcdef", "bcdef", "ab", "abcdefgh"]
    stored: dict[int, MatchResult] = {}
    for order, names in enumerate(field):
        with read_log(path) if path.exists() else open_log(path, LEAGUE, ()) as log:
            before = log.contest
        with open_log(path, before, ()) as log:
            run(log, replayed(log), names, 57 + order, order=order)
            results = {result.match.number: result for result in log.all_results()}
            assert all(results[number] == result for number, result in stored.items())
            stored = results
            assert log.contest.field == tuple(names)
    with read_log(path) as log:
        assert set(log.contest.names) == set("abcdefgh") == set(log.bots)
        complete = list(log.results())
    assert len(complete) >= sum(57 + order for order in range(len(field)))
    for block in range(complete[-1].match.block):
        matches = [result.match for result in complete[4 * block : 4 * block + 4]]
        assert {match.lineup for match in matches} == {matches[0].lineup}
        assert [match.rotation for match in matches] == [0, 1, 2, 3]


def test_bots_that_leave_only_finish_their_blocks(tmp_path: Path) -> None:
    with open_log(tmp_path / "log.sqlite", LEAGUE, ()) as log:
        schedule = LeagueSchedule(log)
        run(log, schedule, "abcdez", 101)
        started = {result.match.block for result in log.all_results()}
        schedule.start("abcde")
        leaving = schedule.leaving
        results = run(log, schedule, "abcde", 300)
        with_z = {result.match.block for result in results if "z" in result.match.lineup}
        assert with_z <= started
        assert leaving == (("z",) if with_z else ())


BOTS = """
[[bot]]
name = "mine"
command = "./mine"

[[bot]]
name = "other"
command = "./other"
"""


def write_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\necho {text}\n")
    path.chmod(0o755)


@pytest.fixture
def roster(tmp_path: Path) -> LeagueRoster:
    (tmp_path / "bots.toml").write_text(BOTS)
    write_program(tmp_path / "mine", "1")
    write_program(tmp_path / "other", "1")
    return LeagueRoster(tmp_path / "bots.toml", ["greedy"], partial(resolve_bots, game="nimmt"))


def names_of(roster: LeagueRoster) -> list[str]:
    return [entrant.bot.name for entrant in roster.entrants]


def settled(roster: LeagueRoster) -> bool:
    """Return whether bots have changed in one of the next calls."""
    return max(roster.update() for _ in range(3))


def test_bots_are_read_again_when_their_files_have_changed(roster: LeagueRoster, tmp_path: Path) -> None:
    assert roster.update()
    assert names_of(roster) == ["mine", "other", "greedy"]
    assert not settled(roster)
    first = roster.entrants[0].bot.digest
    write_program(tmp_path / "mine", "2")
    assert not roster.update()  # it may not be complete yet
    assert roster.update()
    assert roster.entrants[0].bot.digest != first
    write_program(tmp_path / "mine", "1")
    assert settled(roster)
    assert roster.entrants[0].bot.digest == first
    os.utime(tmp_path / "mine")
    assert not settled(roster)
    (tmp_path / "bots.toml").write_text(BOTS.split("\n\n", maxsplit=1)[0])
    assert settled(roster)
    assert names_of(roster) == ["mine", "greedy"]
    (tmp_path / "bots.toml").write_text(BOTS)
    assert settled(roster)
    assert names_of(roster) == ["mine", "other", "greedy"]


def test_a_bot_that_cannot_be_read_plays_on(
    roster: LeagueRoster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert roster.update()
    (tmp_path / "mine").unlink()
    assert not settled(roster)
    assert names_of(roster) == ["mine", "other", "greedy"]
    assert "mine: there is no program" in roster.problems[0]
    assert "its last version plays" in roster.problems[0]
    write_program(tmp_path / "mine", "2")
    assert settled(roster)
    assert not roster.problems
    (tmp_path / "bots.toml").write_text("[[bot]\n")
    assert not settled(roster)
    assert names_of(roster) == ["mine", "other", "greedy"]
    assert "is not TOML" in roster.problems[0]
    (tmp_path / "bots.toml").write_text(f'{BOTS}\n[[bot]]\nname = "new"\ncommand = "./new"\n')
    assert not settled(roster)
    assert "there is no program" in roster.problems[0]
    write_program(tmp_path / "new", "1")  # not a file of a bot yet, so it is looked for again later
    monkeypatch.setattr("faceup.arena.run.league.monotonic", lambda: float("inf"))
    assert settled(roster)
    assert names_of(roster) == ["mine", "other", "new", "greedy"]


def test_two_bots_of_one_name_do_not_both_play(tmp_path: Path) -> None:
    write_program(tmp_path / "mine", "1")
    (tmp_path / "bots.toml").write_text(BOTS.split("\n\n", maxsplit=1)[0])
    roster = LeagueRoster(tmp_path / "bots.toml", [str(tmp_path / "mine")], partial(resolve_bots, game="nimmt"))
    roster.update()
    assert names_of(roster) == ["mine"]
    assert "two bots are called 'mine'" in roster.problems[0]


def test_a_league_may_start_without_bots() -> None:
    assert isinstance(LEAGUE, Contest)
    assert (LEAGUE.bots, LEAGUE.field) == ((), ())
