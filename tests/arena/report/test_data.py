"""Report data: title, leader and key figures."""

from pathlib import Path

import pytest
from tests.arena.logs import FOUR, write_log

from faceup.arena import MatchTerms
from faceup.arena.match.result import LatencyHistogram
from faceup.arena.report.data import describe_leader, load_report_data, title
from faceup.arena.run.log import read_log
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.arena.stats.standings import BotStanding
from faceup.statistics import Mean


def between(kind: str, *names: str) -> Contest:
    """A contest of these bots."""
    bots = [ContestBot(name, "1", "greedy") for name in names]
    return contest(kind, MatchTerms(), bots, seed=7)  # type: ignore[arg-type]  # one of the kinds


def standing(name: str, rating: float, interval: tuple[float, float] | None) -> BotStanding:
    """A bot of this rating."""
    return BotStanding(
        name, 9, rating, interval, None, Mean(2.0, 0.1, 9), Mean(0.2, 0.1, 9), {}, LatencyHistogram(), {}
    )


def test_the_title_describes_the_contest() -> None:
    assert title(between("compare", "new", "old")) == "6 nimmt!: is new better than old?"
    assert title(between("gauntlet", "new", "a", "b")) == "6 nimmt!: new against a and b"
    assert title(between("round-robin", "a", "b", "c")) == "6 nimmt!: a round-robin of a, b and c"
    assert title(between("ladder", *"abcdefg")) == "6 nimmt!: a ladder of 7 bots"


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (standing("a", 50, (30, 70)), standing("b", 10, (0, 20)), "a leads, 40 points of rating ahead of b, and their"),
        (
            standing("a", 50, (5, 70)),
            standing("b", 10, (0, 20)),
            "but their intervals overlap: the order",
        ),
        (standing("a", 50, None), standing("b", 10, None), "too few blocks"),
        (standing("a", 5, (0, 9)), standing("b", 5, (0, 9)), "a and b are level."),
    ],
)
def test_leading_bot_and_significance(first: BotStanding, second: BotStanding, words: str) -> None:
    assert words in describe_leader([first, second])


def test_load_report_data_of_log(tmp_path: Path) -> None:
    with read_log(write_log(tmp_path / "arena.sqlite", blocks=2)) as log:
        data = load_report_data(log, drawings=20)
        assert data.table.bots[0].name == "greedy"
        assert {bot.name for bot in data.table.bots} == set(FOUR)
        assert dict(data.facts)["matches"] == "8"
        assert "leads" in data.summary[0] or "level" in data.summary[0]
        transcript = data.transcript(0)
        assert transcript is not None
        assert len(transcript.answers) == 4
        assert data.results[0].match.number == 0


def test_report_of_comparison_starts_with_verdict(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    with read_log(write_log(path, blocks=2, names=("greedy", "lowest"), kind="compare")) as log:
        data = load_report_data(log, drawings=20)
    assert data.title == "6 nimmt!: is greedy better than lowest?"
    assert "greedy" in data.summary[0]
    assert "in all seatings of the two" in data.summary[0]


def test_report_of_gauntlet_starts_with_verdict(tmp_path: Path) -> None:
    with read_log(write_log(tmp_path / "arena.sqlite", blocks=2, kind="gauntlet")) as log:
        assert "than even" in load_report_data(log, drawings=20).summary[0]
