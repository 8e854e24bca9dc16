"""Progress display: fits the screen, shows progress, and is quiet when asked."""

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from tests.arena.bot_matches import play

from faceup.arena import Cause, Match, MatchTerms
from faceup.arena.report.progress import ProgressView, line, screen, show_progress
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.arena.stats.standings import standings
from faceup.statistics.sequential import Boundaries, Conclusion, Progress

FOUR = ("greedy", "lowest", "highest", "random")
OPEN = Progress(400, 3.1, Boundaries(9.0, -1.0), 0.4, 900, 5000, Conclusion.OPEN)


class Clock:
    """Seconds, as a test wants them."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def round_robin() -> Contest:
    """Of the four."""
    return contest("round-robin", MatchTerms(), [ContestBot(name, "1", name) for name in FOUR], seed=7)


def board(**fields: object) -> ProgressView:
    """A board in the middle of a run."""
    results = [play(Match(number, number // 4, FOUR, number % 4))[0] for number in range(8)]
    usual = {
        "title": "round-robin, nimmt:arena, seed 7", "done": 1240, "total": 4000, "speed": 212.0,
        "table": standings(results).bots, "score": "heads",
    }  # fmt: skip
    return ProgressView(**{**usual, **fields})  # type: ignore[arg-type]  # each by its name


def drawn(what: ProgressView, width: int, height: int, *, colour: bool = False) -> str:
    """Return the text of a screen of this size."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, height=height, force_terminal=colour, color_system="standard" if colour else None
    )
    console.print(screen(what, width, height))
    return out.getvalue()


@pytest.mark.parametrize(("width", "height"), [(40, 12), (60, 20), (80, 24), (120, 40), (20, 6)])
@pytest.mark.parametrize("progress", [None, OPEN])
def test_the_screen_fits_the_terminal(width: int, height: int, progress: Progress | None) -> None:
    many = board(table=[*board().table] * 8, progress=progress, versus=("new", "an-old-one-with-a-long-name"))
    lines = drawn(many, width, height).split("\n")
    assert max(map(len, lines)) <= width
    assert len(lines) <= height + 1


def test_screen_shows_progress_speed_and_time_left() -> None:
    words = drawn(board(), 80, 24)
    assert "1,240 of 4,000 matches" in words
    assert "212/s" in words
    assert "13 s left" in words
    assert all(name in words for name in FOUR)
    assert "p99" in words


def test_narrow_screen_keeps_names_and_places() -> None:
    words = drawn(board(), 40, 24)
    assert "place" in words
    assert "p99" not in words
    assert all(name in words for name in FOUR)


def test_sequential_progress_is_drawn_as_a_mark() -> None:
    words = drawn(board(total=None, progress=OPEN, versus=("new", "old")), 80, 24)
    assert "new against old: open after 400 blocks, about 900 more blocks" in words
    assert "new worse" in words
    assert "new better" in words
    [rail] = [line for line in words.split("\n") if "●" in line]
    assert rail.index("●") > rail.index("┼")


def test_time_left_of_a_test_is_estimated_with_its_limit() -> None:
    view = board(total=None, progress=OPEN, versus=("new", "old"), speed=14.0, block=14)
    assert "about 15 min 0 s left, at most 1 h 23 min" in drawn(view, 80, 24)
    assert line(view).startswith("1,240 matches, 14 per second, about 15 min 0 s left, at most 1 h 23 min, open after")
    early = Progress(1, 0.5, Boundaries(9.0, -1.0), 0.1, 900, 5000, Conclusion.OPEN)
    assert "left" not in line(board(total=None, progress=early, speed=14.0, block=14))


def test_outcome_is_shown() -> None:
    decided = Progress(400, 9.1, Boundaries(9.0, -1.0), 1.0, 0, 5000, Conclusion.BETTER)
    assert "better after 400 blocks" in drawn(board(progress=decided, versus=("new", "old")), 80, 24)
    assert "better after 400 blocks" in line(board(progress=decided))


def test_output_without_colour_has_no_escapes() -> None:
    assert "\x1b" not in drawn(board(), 80, 24)
    assert "\x1b" in drawn(board(), 80, 24, colour=True)


def test_names_have_no_control_characters() -> None:
    from msgspec.structs import replace

    table = tuple(replace(row, name="\x1b[2J[bold]" + row.name) for row in board().table)
    words = drawn(board(table=table), 80, 24)
    assert "\x1b" not in words
    assert "[bold]" in words


def watched(results: int, seconds: float, *, quiet: bool = False, done: int = 0) -> str:
    """Return the lines without a terminal, with `seconds` between results."""
    out, clock = io.StringIO(), Clock()
    with show_progress(round_robin(), 100, done, quiet=quiet, stream=out, clock=clock) as show:
        for number in range(results):
            if number >= done:
                clock.now += seconds
            show(play(Match(number, number // 4, FOUR, number % 4))[0])
    return out.getvalue()


def test_progress_lines_without_terminal() -> None:
    [first, second] = watched(14, 5.0).splitlines()
    assert re.match(r"6 of 100 matches, 0\.2 per second, 7 min \d+ s left; \w+ leads", first)
    assert second.startswith("12 of 100 matches")


def test_no_progress_lines_for_short_or_quiet_runs() -> None:
    assert watched(5, 1.0) == ""
    assert watched(14, 5.0, quiet=True) == ""


def test_matches_of_a_log_do_not_count_as_played_now() -> None:
    [only] = watched(14, 5.0, done=8).splitlines()
    assert only.startswith("14 of 100 matches, 0.2 per second")


def compared(results: int, seconds: float, *, quiet: bool = False) -> list[str]:
    """Return the lines of a comparison without a terminal, with `seconds` between results and a test that is open."""
    out, clock, shown = io.StringIO(), Clock(), 0
    duel = contest("compare", MatchTerms(), [ContestBot(name, "1", name) for name in FOUR[:2]], seed=7)

    def progress() -> Progress:
        return Progress(shown // 14, 0.1, Boundaries(9.0, -1.0), 0.1, 100, 450, Conclusion.OPEN)

    with show_progress(duel, None, progress=progress, quiet=quiet, stream=out, clock=clock) as show:
        for number in range(results):
            clock.now += seconds
            shown += 1
            show(play(Match(number, number // 14, ("greedy", "lowest") * 2, number % 2))[0])
    return out.getvalue().splitlines()


def test_the_first_estimate_of_a_test_comes_after_two_blocks() -> None:
    first, second = compared(130, 0.3)
    assert first == (
        "28 matches, 3.3 per second, about 7 min 0 s left, at most 31 min 30 s, open after 2 blocks, "
        "about 100 more blocks"
    )
    assert second.startswith("128 matches")
    assert compared(130, 0.3, quiet=True) == []


def test_a_slow_test_still_prints_a_line_every_half_minute() -> None:
    assert [line.split(",")[0] for line in compared(12, 5.0)] == ["6 matches", "12 matches"]


def forfeits(*matches: Match, done: int = 0) -> list[str]:
    """Return the lines without a terminal for matches in which player 1 forfeits, twice for the same cause."""
    out = io.StringIO()
    with show_progress(round_robin(), 100, done, stream=out) as show:
        for match in matches:
            cause = Cause.LATE if match.number == 2 else Cause.ILLEGAL
            show(play(match, faults={(1, 3): (cause, b"\x1b[2JPLAY 1")})[0])
    return out.getvalue().splitlines()


def test_the_first_forfeit_of_a_bot_for_each_cause_is_reported_at_once() -> None:
    matches = [Match(number, 0, FOUR, number) for number in range(4)]
    assert forfeits(*matches) == [
        "lowest forfeited match 0 at its decision 4 (illegal): it wrote b'\\x1b[2JPLAY 1'",
        "lowest forfeited match 2 at its decision 4 (late): it wrote b'\\x1b[2JPLAY 1'",
    ]


def test_forfeits_of_an_earlier_run_are_not_reported_again() -> None:
    matches = [Match(number, 0, FOUR, number) for number in range(4)]
    [only] = forfeits(*matches, done=2)
    assert only.startswith("lowest forfeited match 2 ")


def test_error_propagates_and_clears_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()

    def stopped(show: Callable[..., None]) -> None:
        show(play(Match(0, 0, FOUR, 0))[0])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), show_progress(round_robin(), 100, stream=out) as show:
        stopped(show)
    assert out.getvalue().rstrip().endswith("\x1b[2K") or "\x1b[?25h" in out.getvalue()
