"""What is seen while a schedule is played fits its screen, says how far it is, and is silent where it should be."""

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from tests.arena.played import play

from faceup.arena import Match, Terms
from faceup.arena.contests import Contest, Named, contest
from faceup.arena.live import Board, line, live, screen, spent
from faceup.arena.standings import standings
from faceup.statistics.sequential import Bounds, Outcome, Progress

FOUR = ("greedy", "lowest", "highest", "random")
OPEN = Progress(400, 3.1, Bounds(9.0, -1.0), 0.4, 900, 5000, Outcome.OPEN)


class Clock:
    """Seconds, as a test wants them."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def round_robin() -> Contest:
    """Of the four."""
    return contest("round-robin", Terms(), [Named(name, "1", name) for name in FOUR], seed=7)


def board(**fields: object) -> Board:
    """A board in the middle of a run."""
    results = [play(Match(number, number // 4, FOUR, number % 4))[0] for number in range(8)]
    usual = {
        "title": "round-robin, nimmt:arena, seed 7", "done": 1240, "total": 4000, "speed": 212.0,
        "table": standings(results).bots, "score": "heads",
    }  # fmt: skip
    return Board(**{**usual, **fields})  # type: ignore[arg-type]  # each by its name


def drawn(what: Board, width: int, height: int, *, colour: bool = False) -> str:
    """What stands on a screen of this size."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, height=height, force_terminal=colour, color_system="standard" if colour else None
    )
    console.print(screen(what, width, height))
    return out.getvalue()


@pytest.mark.parametrize(("width", "height"), [(40, 12), (60, 20), (80, 24), (120, 40), (20, 6)])
@pytest.mark.parametrize("progress", [None, OPEN])
def test_it_fits_its_screen(width: int, height: int, progress: Progress | None) -> None:
    many = board(table=[*board().table] * 8, progress=progress, versus=("new", "an-old-one-with-a-long-name"))
    lines = drawn(many, width, height).split("\n")
    assert max(map(len, lines)) <= width
    assert len(lines) <= height + 1


def test_it_says_how_far_how_fast_and_how_long_to_go() -> None:
    words = drawn(board(), 80, 24)
    assert "1,240 of 4,000 matches" in words
    assert "212/s" in words
    assert "13 s to go" in words
    assert all(name in words for name in FOUR)
    assert "p99" in words


def test_a_narrow_screen_keeps_names_and_places() -> None:
    words = drawn(board(), 40, 24)
    assert "place" in words
    assert "p99" not in words
    assert all(name in words for name in FOUR)


def test_where_a_test_stands_is_a_mark_between_its_ends() -> None:
    words = drawn(board(total=None, progress=OPEN, versus=("new", "old")), 80, 24)
    assert "new against old: open after 400 blocks, about 900 more blocks" in words
    assert "new worse" in words
    assert "new better" in words
    [rail] = [each for each in words.split("\n") if "●" in each]
    assert rail.index("●") > rail.index("┼")


def test_what_was_decided_is_said() -> None:
    decided = Progress(400, 9.1, Bounds(9.0, -1.0), 1.0, 0, 5000, Outcome.BETTER)
    assert "better after 400 blocks" in drawn(board(progress=decided, versus=("new", "old")), 80, 24)
    assert "better after 400 blocks" in line(board(progress=decided))


def test_without_colour_there_is_none() -> None:
    assert "\x1b" not in drawn(board(), 80, 24)
    assert "\x1b" in drawn(board(), 80, 24, colour=True)


def test_no_name_can_move_the_cursor() -> None:
    from msgspec.structs import replace

    table = tuple(replace(each, name="\x1b[2J[bold]" + each.name) for each in board().table)
    words = drawn(board(table=table), 80, 24)
    assert "\x1b" not in words
    assert "[bold]" in words


def watched(results: int, seconds: float, *, quiet: bool = False, done: int = 0) -> str:
    """What is written where there is no terminal, with so many seconds from one result to the next."""
    out, clock = io.StringIO(), Clock()
    with live(round_robin(), 100, done, quiet=quiet, stream=out, clock=clock) as show:
        for number in range(results):
            if number >= done:
                clock.now += seconds
            show(play(Match(number, number // 4, FOUR, number % 4))[0])
    return out.getvalue()


def test_without_a_terminal_there_is_a_line_now_and_then() -> None:
    [first, second] = watched(14, 5.0).splitlines()
    assert re.match(r"6 of 100 matches, 0\.2 a second, 7 min \d+ s to go; \w+ leads", first)
    assert second.startswith("12 of 100 matches")


def test_a_short_run_says_nothing_without_a_terminal_nor_does_one_that_is_read_by_a_program() -> None:
    assert watched(5, 1.0) == ""
    assert watched(14, 5.0, quiet=True) == ""


def test_matches_of_a_log_do_not_count_as_played_now() -> None:
    [only] = watched(14, 5.0, done=8).splitlines()
    assert only.startswith("14 of 100 matches, 0.2 a second")


def test_an_error_goes_through_and_leaves_no_screen_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()

    def stopped(show: Callable[..., None]) -> None:
        show(play(Match(0, 0, FOUR, 0))[0])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), live(round_robin(), 100, stream=out) as show:
        stopped(show)
    assert out.getvalue().rstrip().endswith("\x1b[2K") or "\x1b[?25h" in out.getvalue()


def test_lengths_of_time_are_never_negative_or_odd() -> None:
    assert spent(0) == "0 s"
    assert spent(3599.6) == "1 h 0 min"
