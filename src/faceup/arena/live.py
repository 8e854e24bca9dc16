"""What is seen while a schedule is played: how far it is, how fast, the table of bots, and where a test stands."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import Final, TextIO, TypeAlias

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from faceup.arena.contests import Contest
from faceup.arena.matches import Result
from faceup.arena.standings import Standing, Standings
from faceup.arena.telling import microseconds
from faceup.games.svg import clean
from faceup.sim.report import plus_minus
from faceup.statistics import Mean
from faceup.statistics.sequential import Outcome, Progress

Show: TypeAlias = Callable[[Result], None]

_A_SECOND: Final = 2
"""How often the screen is drawn: more would be time taken from the bots."""

_EVERY: Final = 30.0
"""Seconds between two lines where there is no terminal."""

_RECENT: Final = 15.0
"""Seconds over which the speed is measured: long enough to be calm, short enough to follow."""

_NARROW: Final = 24
"""Letters of a name, at most."""


class Board(msgspec.Struct, frozen=True):
    """All that the screen shows at one time.

    Attributes:
        title: what is played.
        done: matches that are finished.
        total: how many there are to be; None where a test says when it is enough.
        speed: matches a second of late; 0 if it is not known yet.
        table: the bots, best first.
        score: what the game's points are called.
        progress: where a sequential test stands, if there is one.
        versus: the two that it compares.
    """

    title: str
    done: int
    total: int | None
    speed: float
    table: Sequence[Standing]
    score: str
    progress: Progress | None = None
    versus: tuple[str, str] = ("", "")


@contextmanager
def live(
    contest: Contest,
    total: int | None,
    done: int = 0,
    *,
    progress: Callable[[], Progress | None] = lambda: None,
    quiet: bool = False,
    stream: TextIO | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[Show]:
    """Show a schedule while it is played: the block hands each result, in order, to what it is given.

    On a terminal it is a screen that moves, and is gone at the end; elsewhere a line now and then.

    Args:
        contest: what is played.
        total: how many matches there are to be; None where a test says when it is enough.
        done: how many of them a log had already; they are handed over first, and do not count as played now.
        progress: where the test stands that says when it is enough, such as a judge's; None if there is none.
        quiet: show nothing where there is no terminal.
        stream: where; standard error if not given.
        clock: seconds.
    """
    stream = stream or sys.stderr
    watching = _Watching(contest, total, done, progress, clock)
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        console = Console(file=stream, highlight=False)
        with Live(
            console=console,
            refresh_per_second=_A_SECOND,
            transient=True,
            get_renderable=lambda: screen(watching.board(), console.width, console.height),
        ):
            yield watching.add
    elif quiet:
        yield lambda _: None
    else:
        yield _Lines(watching, stream, clock).add


class _Watching:
    """What has been seen so far. It is added to by one thread, and looked at by the one that draws."""

    def __init__(
        self,
        contest: Contest,
        total: int | None,
        done: int,
        progress: Callable[[], Progress | None],
        clock: Callable[[], float],
    ) -> None:
        self._contest = contest
        self._total = total
        self._before = done
        self._standings = Standings()
        self._progress = progress
        self._clock = clock
        self._count = 0
        self._recent: deque[tuple[float, int]] = deque([(clock(), 0)])
        self._lock = Lock()

    def add(self, result: Result) -> None:
        with self._lock:
            self._standings.add(result)
            self._count += 1
            if self._count <= self._before:
                self._recent = deque([(self._clock(), self._count)])
                return
            now = self._clock()
            if now - self._recent[-1][0] >= 0.1:
                self._recent.append((now, self._count))
                while len(self._recent) > 2 and now - self._recent[0][0] > _RECENT:
                    self._recent.popleft()

    def board(self) -> Board:
        with self._lock:
            then, count = self._recent[0]
            passed = self._clock() - then
            contest = self._contest
            return Board(
                title=f"{contest.kind}, {contest.terms.game}, seed {contest.seed}",
                done=self._count,
                total=self._total,
                speed=(self._count - count) / passed if passed > 0.5 else 0.0,
                table=self._standings.table().bots if self._count else (),
                score=contest.measures.score,
                progress=self._progress(),
                versus=(clean(contest.names[0]), clean(contest.names[1])),
            )


class _Lines:
    """A line now and then."""

    def __init__(self, watching: _Watching, stream: TextIO, clock: Callable[[], float]) -> None:
        self._watching = watching
        self._stream = stream
        self._clock = clock
        self._next = clock() + _EVERY

    def add(self, result: Result) -> None:
        self._watching.add(result)
        if self._clock() >= self._next:
            self._next = self._clock() + _EVERY
            print(line(self._watching.board()), file=self._stream, flush=True)


def line(board: Board) -> str:
    """How far it is, in one line."""
    told = [_how_far(board)]
    if board.speed:
        told.append(f"{_speed(board.speed)} a second")
    if to_go := _to_go(board):
        told.append(f"{to_go} to go")
    if board.progress is not None:
        told.append(_test_words(board.progress))
    leader = f"; {clean(board.table[0].name)} leads" if board.table and board.progress is None else ""
    return ", ".join(told) + leader


def screen(board: Board, width: int, height: int) -> RenderableType:
    """The screen, no larger than so many columns and lines."""
    parts: list[RenderableType] = [
        Text(board.title, style="bold", no_wrap=True, overflow="ellipsis"),
        _head(board, width),
    ]
    if board.progress is not None:
        parts += ["", _test(board.progress, board.versus, width)]
    room = height - 7 - (3 if board.progress is not None else 0)
    if board.table and room > 0:
        parts += ["", _table(board, width, room)]
    return Group(*parts)


def _head(board: Board, width: int) -> RenderableType:
    told = [_how_far(board)]
    told.append(f"{_speed(board.speed)}/s" if board.speed else "")
    told.append(f"{to_go} to go" if (to_go := _to_go(board)) else "")
    words = "  ".join(word for word in told if word)
    if board.total is None:
        return Text(words)
    grid = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=board.total, completed=board.done, width=max(width - len(words) - 3, 8))
    grid.add_row(bar, Text(words, no_wrap=True))
    return grid


def _how_far(board: Board) -> str:
    return f"{board.done:,} of {board.total:,} matches" if board.total is not None else f"{board.done:,} matches"


def _speed(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"


def _to_go(board: Board) -> str:
    """How long it will take, in the two largest units."""
    if board.total is None or not board.speed:
        return ""
    return spent(max(board.total - board.done, 0) / board.speed)


def spent(seconds: float) -> str:
    """A length of time in its two largest units.

    >>> [spent(time) for time in (0.4, 59, 75, 3_700, 200_000)]
    ['0 s', '59 s', '1 min 15 s', '1 h 1 min', '2 d 7 h']
    """
    whole = round(seconds)
    for size, name, smaller, minor in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            return f"{whole // size} {name} {whole % size // smaller} {minor}"
    return f"{whole} s"


def _table(board: Board, width: int, room: int) -> Table:
    """The bots, best first, with as many columns as there is room for."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    columns = [
        ("", 0),
        ("bot", 0),
        ("rating", 62),
        ("place", 0),
        (board.score, 44),
        ("out", 0),
        ("mean", 72),
        ("p99", 78),
    ]
    shown = [index for index, (_, least) in enumerate(columns) if width >= least]
    for index in shown:
        name = columns[index][0]
        table.add_column(name, justify="left" if name == "bot" else "right", no_wrap=True, overflow="ellipsis")
    rows = board.table if len(board.table) <= room else board.table[: room - 1]
    for place, each in enumerate(rows, 1):
        cells = _cells(place, each)
        table.add_row(*(cells[index] for index in shown))
    if len(rows) < len(board.table):
        table.add_row("", Text(f"and {len(board.table) - len(rows)} more", style="dim"), *[""] * (len(shown) - 2))
    return table


def _cells(place: int, each: Standing) -> list[Text]:
    name = clean(each.name if len(each.name) <= _NARROW else f"{each.name[: _NARROW - 1]}…")
    times, out = each.times, sum(each.out.values())
    return [
        Text(str(place), style="dim"),
        Text(name, style="bold"),
        Text(f"{each.rating:+.0f}"),
        _mean(each.place),
        _mean(each.score),
        Text(f"{out:,}", style="red" if out else "dim"),
        Text(microseconds(times.mean) if times.count else ""),
        Text(microseconds(times.quantile(0.99)) if times.count else ""),
    ]


def _mean(value: Mean | None) -> Text:
    if value is None:
        return Text("")
    number, half = plus_minus(value)
    return Text.assemble(number, (f" ±{half}" if half else "", "dim"))


def _test(progress: Progress, versus: tuple[str, str], width: int) -> RenderableType:
    """Where the test stands between its two ends, as a line with a mark on it."""
    new, base = versus
    long = max(min(width, 72) - 2, 10)
    middle = long // 2
    at = min(max(round((progress.standing + 1) / 2 * (long - 1)), 0), long - 1)
    rail = ["─"] * long
    rail[0], rail[-1], rail[middle] = "├", "┤", "┼"
    scale = Text("".join(rail), style="dim")
    mark = {Outcome.BETTER: "bold green", Outcome.WORSE: "bold red"}.get(progress.outcome, "bold")
    drawn = Text.assemble(scale[:at], ("●", mark), scale[at + 1 :])
    left, right = f"{new} worse", f"{new} better"
    ends = Text(
        left + right.rjust(max(long - len(left), len(right) + 1)), style="dim", no_wrap=True, overflow="ellipsis"
    )
    words = Text(f"{new} against {base}: {_test_words(progress)}", no_wrap=True, overflow="ellipsis")
    return Group(words, drawn, ends)


def _test_words(progress: Progress) -> str:
    if progress.outcome is not Outcome.OPEN:
        return f"{progress.outcome} after {progress.blocks:,} blocks"
    more = f"about {progress.expected:,} more blocks" if progress.expected else "undecided"
    return f"open after {progress.blocks:,} blocks, {more}"
