"""Show matches, speed, standings and the progress of the sequential test while a schedule is played."""

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

from faceup.arena.match.result import Cause, MatchResult
from faceup.arena.process.pause import PAUSE
from faceup.arena.report.formatting import format_forfeit
from faceup.arena.run.pairings import Contest
from faceup.arena.run.schedule import matches_per_block
from faceup.arena.stats.standings import BotStanding, Standings
from faceup.formatting import format_duration, format_mean_parts, format_microseconds, plural, strip_control_characters
from faceup.statistics import Mean
from faceup.statistics.sequential import Conclusion, Progress

Show: TypeAlias = Callable[[MatchResult], None]

_REFRESH_RATE: Final = 2
"""Screen updates per second. More updates would take CPU time from the bots."""

_LINE_INTERVAL: Final = 30.0
"""Seconds between two progress lines if the output is not a terminal."""

_FIRST_ESTIMATE: Final = 5.0
"""Seconds until the first line about a sequential test."""

_ESTIMATE_BLOCKS: Final = 2
"""The number of blocks from which the length of a sequential test is estimated."""

_SPEED_WINDOW: Final = 15.0
"""Seconds over which the speed is averaged."""

_NAME_WIDTH: Final = 24
"""The most characters of a bot's name that are shown."""


class ProgressView(msgspec.Struct, frozen=True):
    """The data that one screen or line shows.

    Attributes:
        title: description of the contest.
        done: number of finished matches.
        total: number of all matches; None if a sequential test decides when to stop.
        speed: recently finished matches per second; 0 if the speed is not known yet.
        table: the bots, the best first.
        score: what the game's points are called.
        progress: progress of the sequential test; None if there is no test.
        versus: the two bots that the test compares.
        block: number of matches in a block.
    """

    title: str
    done: int
    total: int | None
    speed: float
    table: Sequence[BotStanding]
    score: str
    progress: Progress | None = None
    versus: Sequence[str] = ()
    block: int = 1


@contextmanager
def show_progress(
    contest: Contest,
    total: int | None,
    done: int = 0,
    *,
    progress: Callable[[], Progress | None] = lambda: None,
    quiet: bool = False,
    stream: TextIO | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[Show]:
    """Show the progress of a schedule, and yield a function that must be called with each result in order.

    A terminal gets a live screen, which disappears at the end. Any other stream gets a line every 30 seconds. The first
    forfeit of each bot for each cause is reported immediately, in a line that stays.

    Args:
        contest: the contest.
        total: number of all matches; None if a sequential test decides when to stop.
        done: number of results that were in the log already. They come first and do not count for the speed.
        progress: a function that returns the progress of the sequential test; None if there is no test.
        quiet: whether to show nothing if the stream is not a terminal.
        stream: output stream; stderr by default.
        clock: a function that returns the time in seconds.
    """
    stream = stream or sys.stderr
    tracker = _ProgressTracker(contest, total, done, progress, clock)
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        console = Console(file=stream, highlight=False)
        notices = _ForfeitNotices(done, lambda notice: console.print(Text(notice, style="red")))
        with Live(
            console=console,
            refresh_per_second=_REFRESH_RATE,
            transient=True,
            get_renderable=lambda: screen(tracker.view(), console.width, console.height),
        ):
            cursor = _Cursor(console)
            PAUSE.add(cursor)
            try:
                yield _both(tracker.add, notices.add)
            finally:
                PAUSE.remove(cursor)
    elif quiet:
        yield lambda _: None
    else:
        lines = _ProgressLines(tracker, stream, clock)
        notices = _ForfeitNotices(done, lambda notice: print(notice, file=stream, flush=True))
        yield _both(notices.add, lines.add)


class _Cursor:
    """The cursor of a terminal, which the live screen hides, and which the shell needs during a pause."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def pause(self) -> None:
        """Show the cursor."""
        self._console.show_cursor(show=True)

    def resume(self) -> None:
        """Hide the cursor."""
        self._console.show_cursor(show=False)


def _both(first: Show, second: Show) -> Show:
    def show(result: MatchResult) -> None:
        first(result)
        second(result)

    return show


class _ProgressTracker:
    """A collector of results, which one thread adds and another thread displays."""

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

    @property
    def progress(self) -> Progress | None:
        """Return the progress of the sequential test; None if there is no test."""
        return self._progress()

    def add(self, result: MatchResult) -> None:
        with self._lock:
            self._standings.add(result)
            self._count += 1
            if self._count <= self._before:
                self._recent = deque([(self._clock(), self._count)])
                return
            now = self._clock()
            if now - self._recent[-1][0] >= 0.1:
                self._recent.append((now, self._count))
                while len(self._recent) > 2 and now - self._recent[0][0] > _SPEED_WINDOW:
                    self._recent.popleft()

    def view(self) -> ProgressView:
        with self._lock:
            start, count = self._recent[0]
            elapsed = self._clock() - start
            contest = self._contest
            return ProgressView(
                title=f"{contest.kind}, {contest.terms.game}, seed {contest.seed}",
                done=self._count,
                total=self._total,
                speed=(self._count - count) / elapsed if elapsed > 0.5 else 0.0,
                table=self._standings.table().bots if self._count else (),
                score=contest.measures.score,
                progress=self.progress,
                versus=[strip_control_characters(name) for name in contest.names[:2]],
                block=matches_per_block(contest),
            )


class _ForfeitNotices:
    """A reporter of the first forfeit of each bot for each cause, except those in the first `done` results."""

    def __init__(self, done: int, report: Callable[[str], None]) -> None:
        self._left = done
        self._report = report
        self._seen: set[tuple[str, Cause]] = set()

    def add(self, result: MatchResult) -> None:
        self._left -= 1
        for fault in result.faults:
            name = result.match.lineup[fault.player]
            if (name, fault.cause) not in self._seen:
                self._seen.add((name, fault.cause))
                if self._left < 0:
                    number = result.match.number
                    self._report(format_forfeit(name, number, fault.decision, fault.cause, fault.message))


class _ProgressLines:
    """A printer of one progress line every `_LINE_INTERVAL` seconds.

    For a sequential test, an additional line with the first estimate comes earlier.
    """

    def __init__(self, tracker: _ProgressTracker, stream: TextIO, clock: Callable[[], float]) -> None:
        self._tracker = tracker
        self._stream = stream
        self._clock = clock
        self._last = clock() + _LINE_INTERVAL
        self._next = self._last if tracker.progress is None else clock() + _FIRST_ESTIMATE

    def add(self, result: MatchResult) -> None:
        self._tracker.add(result)
        now, progress = self._clock(), self._tracker.progress
        if now < self._next or (progress is not None and progress.blocks < _ESTIMATE_BLOCKS and now < self._last):
            return
        self._next = self._last = now + _LINE_INTERVAL
        print(line(self._tracker.view()), file=self._stream, flush=True)


def line(view: ProgressView) -> str:
    """Format the progress in one line."""
    parts = [_format_done(view)]
    if view.speed:
        parts.append(f"{_speed(view.speed)} per second")
    if left := _time_left(view):
        parts.append(left)
    if view.progress is not None:
        parts.append(_test_words(view.progress))
    leader = f"; {strip_control_characters(view.table[0].name)} leads" if view.table and view.progress is None else ""
    return ", ".join(parts) + leader


def screen(view: ProgressView, width: int, height: int) -> RenderableType:
    """Return the screen for a terminal with this many columns and lines."""
    parts: list[RenderableType] = [
        Text(view.title, style="bold", no_wrap=True, overflow="ellipsis"),
        _head(view, width),
    ]
    if view.progress is not None:
        parts += ["", _test(view.progress, view.versus, width)]
    room = height - 7 - (3 if view.progress is not None else 0)
    if view.table and room > 0:
        parts += ["", _table(view, width, room)]
    return Group(*parts)


def _head(view: ProgressView, width: int) -> RenderableType:
    parts = [_format_done(view)]
    parts.append(f"{_speed(view.speed)}/s" if view.speed else "")
    parts.append(_time_left(view))
    words = "  ".join(part for part in parts if part)
    if view.total is None:
        return Text(words)
    grid = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=view.total, completed=view.done, width=max(width - len(words) - 3, 8))
    grid.add_row(bar, Text(words, no_wrap=True))
    return grid


def _format_done(view: ProgressView) -> str:
    return (
        f"{view.done:,} of {plural(view.total, 'match', 'matches')}"
        if view.total is not None
        else plural(view.done, "match", "matches")
    )


def _speed(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"


def _time_left(view: ProgressView) -> str:
    """Return the estimated time until the end, each in its two largest units; empty if it is not known."""
    if not view.speed:
        return ""
    if view.total is not None:
        return f"{format_duration(max(view.total - view.done, 0) / view.speed)} left"
    if view.progress is None or view.progress.blocks < _ESTIMATE_BLOCKS or view.progress.outcome is not Conclusion.OPEN:
        return ""
    expected, most = (blocks * view.block / view.speed for blocks in (view.progress.expected, view.progress.most))
    return f"about {format_duration(expected)} left, at most {format_duration(most)}"


def _table(view: ProgressView, width: int, room: int) -> Table:
    """Return the standings with as many columns and rows as fit."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    columns = [
        ("", 0),
        ("bot", 0),
        ("rating", 62),
        ("place", 0),
        (view.score, 44),
        ("out", 0),
        ("mean", 72),
        ("p99", 78),
    ]
    shown = [index for index, (_, least) in enumerate(columns) if width >= least]
    for index in shown:
        name = columns[index][0]
        table.add_column(name, justify="left" if name == "bot" else "right", no_wrap=True, overflow="ellipsis")
    rows = view.table if len(view.table) <= room else view.table[: room - 1]
    for place, standing in enumerate(rows, 1):
        cells = _cells(place, standing)
        table.add_row(*(cells[index] for index in shown))
    if len(rows) < len(view.table):
        table.add_row("", Text(f"and {len(view.table) - len(rows)} more", style="dim"), *[""] * (len(shown) - 2))
    return table


def _cells(place: int, standing: BotStanding) -> list[Text]:
    name = strip_control_characters(
        standing.name if len(standing.name) <= _NAME_WIDTH else f"{standing.name[: _NAME_WIDTH - 1]}…"
    )
    times, out = standing.times, sum(standing.out.values())
    return [
        Text(str(place), style="dim"),
        Text(name, style="bold"),
        Text(f"{standing.rating:+.0f}"),
        _mean(standing.place),
        _mean(standing.score),
        Text(f"{out:,}", style="red" if out else "dim"),
        Text(format_microseconds(times.mean) if times.count else ""),
        Text(format_microseconds(times.quantile(0.99)) if times.count else ""),
    ]


def _mean(value: Mean | None) -> Text:
    if value is None:
        return Text("")
    number, half = format_mean_parts(value)
    return Text.assemble(number, (f" ±{half}" if half else "", "dim"))


def _test(progress: Progress, versus: Sequence[str], width: int) -> RenderableType:
    """Draw the progress of the test as a mark on a scale from "worse" to "better"."""
    new, base = versus
    length = max(min(width, 72) - 2, 10)
    middle = length // 2
    at = min(max(round((progress.standing + 1) / 2 * (length - 1)), 0), length - 1)
    axis = ["─"] * length
    axis[0], axis[-1], axis[middle] = "├", "┤", "┼"
    scale = Text("".join(axis), style="dim")
    mark = {Conclusion.BETTER: "bold green", Conclusion.WORSE: "bold red"}.get(progress.outcome, "bold")
    drawn = Text.assemble(scale[:at], ("●", mark), scale[at + 1 :])
    left, right = f"{new} worse", f"{new} better"
    ends = Text(
        left + right.rjust(max(length - len(left), len(right) + 1)), style="dim", no_wrap=True, overflow="ellipsis"
    )
    words = Text(f"{new} against {base}: {_test_words(progress)}", no_wrap=True, overflow="ellipsis")
    return Group(words, drawn, ends)


def _test_words(progress: Progress) -> str:
    if progress.outcome is not Conclusion.OPEN:
        return f"{progress.outcome} after {plural(progress.blocks, 'block')}"
    more = f"about {plural(progress.expected, 'more block')}" if progress.expected else "undecided"
    return f"open after {plural(progress.blocks, 'block')}, {more}"
