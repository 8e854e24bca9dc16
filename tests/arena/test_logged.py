"""What a report begins with: what was played, and who leads as far as that is settled."""

from pathlib import Path

import pytest
from tests.arena.logs import FOUR, write_log

from faceup.arena import Terms
from faceup.arena.contests import Contest, Named, contest
from faceup.arena.log import read_log
from faceup.arena.logged import leading, title, told
from faceup.arena.standings import Standing
from faceup.arena.times import Times
from faceup.statistics import Mean


def between(kind: str, *names: str) -> Contest:
    """A contest of these bots."""
    bots = [Named(name, "1", "greedy") for name in names]
    return contest(kind, Terms(), bots, seed=7)  # type: ignore[arg-type]  # one of the kinds


def standing(name: str, rating: float, interval: tuple[float, float] | None) -> Standing:
    """A bot of this rating."""
    return Standing(name, 9, rating, interval, None, Mean(2.0, 0.1, 9), Mean(0.2, 0.1, 9), {}, Times(), {})


def test_the_title_says_what_was_played() -> None:
    assert title(between("compare", "new", "old")) == "6 nimmt!: is new better than old?"
    assert title(between("gauntlet", "new", "a", "b")) == "6 nimmt!: new against a and b"
    assert title(between("round-robin", "a", "b", "c")) == "6 nimmt!: a round-robin of a, b and c"
    assert title(between("ladder", *"abcdefg")) == "6 nimmt!: a ladder of 7 bots"


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (standing("a", 50, (30, 70)), standing("b", 10, (0, 20)), "a leads, 40 points of rating ahead of b, and their"),
        (standing("a", 50, (5, 70)), standing("b", 10, (0, 20)), "so that the order of the two is not settled"),
        (standing("a", 50, None), standing("b", 10, None), "too few blocks"),
        (standing("a", 5, (0, 9)), standing("b", 5, (0, 9)), "a and b are level."),
    ],
)
def test_who_leads_is_said_with_how_sure_it_is(first: Standing, second: Standing, words: str) -> None:
    assert words in leading([first, second])


def test_a_log_tells_what_is_in_it(tmp_path: Path) -> None:
    with read_log(write_log(tmp_path / "arena.sqlite", blocks=2)) as log:
        found = told(log, drawings=20)
        assert found.table.bots[0].name == "greedy"
        assert {bot.name for bot in found.table.bots} == set(FOUR)
        assert dict(found.facts)["matches"] == "8"
        assert "leads" in found.said[0] or "level" in found.said[0]
        transcript = found.transcript(0)
        assert transcript is not None
        assert len(transcript.answers) == 4
        assert found.results[0].match.number == 0


def test_of_a_comparison_the_answer_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    with read_log(write_log(path, blocks=2, names=("greedy", "lowest"), kind="compare")) as log:
        found = told(log, drawings=20)
    assert found.title == "6 nimmt!: is greedy better than lowest?"
    assert "greedy" in found.said[0]
    assert "in all seatings of the two" in found.said[0]
