"""The table of the bots for people, for programs and for spreadsheets."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any, Final

import msgspec

from faceup.arena.matches import Cause
from faceup.arena.standings import Meeting, Standing, Table
from faceup.sim.report import rounded, shown, table
from faceup.statistics import Mean

MOST_IN_MATRIX: Final = 12
"""So many columns of who beats whom fit into 80 characters."""

_COLUMNS: Final = (
    "name", "rating", "rating_low", "rating_high", "matches", "score", "score_stderr", "place", "place_stderr",
    "win_share", "win_share_stderr", "out", "answers", "mean_ms", "p99_ms", "most_ms",
)  # fmt: skip


def report(found: Table, *, points: str = "score") -> dict[str, Any]:  # Any: JSON
    """The table for JSON.

    Times are in milliseconds. `meetings` has for each bot, in the order of `bots`, what it made of meeting each: null
    where they never met. A stderr is null for a single block.

    Args:
        found: the table.
        points: what the game's points are called.
    """
    return {
        "matches": found.matches,
        "blocks": found.blocks,
        "score": points,
        "bots": [_bot(bot) for bot in found.bots],
        "meetings": [[None if each is None else msgspec.to_builtins(each) for each in row] for row in found.meetings],
    }


def _bot(bot: Standing) -> dict[str, Any]:  # Any: JSON
    return {
        "name": bot.name,
        "matches": bot.matches,
        "rating": bot.rating,
        "interval": bot.interval,
        "score": None if bot.score is None else bot.score.told(),
        "place": bot.place.told(),
        "win_share": bot.win_share.told(),
        "out": {cause.value: count for cause, count in bot.out.items()},
        "times": {
            "answers": bot.times.count,
            "mean": bot.times.mean / 1000,
            "p99": bot.times.quantile(0.99) / 1000,
            "most": bot.times.most / 1000,
            "grace": bot.times.grace / 1000,
        },
        "columns": bot.columns,
    }


def as_csv(found: Table) -> str:
    """The table as comma-separated values with a line of names first; the bots' own columns come last.

    A name that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    own = sorted({key for bot in found.bots for key in bot.columns})
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_COLUMNS, *map(_harmless, own)])
    for bot in found.bots:
        low, high = bot.interval or ("", "")
        means = [number for mean in (bot.score, bot.place, bot.win_share) for number in _pair(mean)]
        times = [bot.times.count, bot.times.mean / 1000, bot.times.quantile(0.99) / 1000, bot.times.most / 1000]
        out = sum(bot.out.values())
        reported = [bot.columns.get(key, "") for key in own]
        writer.writerow([_harmless(bot.name), bot.rating, low, high, bot.matches, *means, out, *times, *reported])
    return text.getvalue()


def _pair(value: Mean | None) -> tuple[object, object]:
    return ("", "") if value is None else (value.mean, "" if value.stderr is None else value.stderr)


def _harmless(name: str) -> str:
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def words(found: Table, *, points: str = "score") -> str:
    """The table for people, and below it who is ahead of whom; no wider than 80 columns where names are short."""
    if not found.bots:
        return "No match has been played yet."
    matches, blocks = (f"{count:,}" for count in (found.matches, found.blocks))
    parts = [f"{matches} matches in {blocks} blocks", _bots(found.bots, points)]
    if any(bot.out for bot in found.bots):
        parts.append(_put_out(found.bots))
    if any(bot.columns for bot in found.bots):
        parts.append(_own_columns(found.bots))
    if 1 < len(found.bots) <= MOST_IN_MATRIX:
        parts.append(_matrix(found))
    parts.append(_LEGEND)
    return "\n\n".join(parts)


_LEGEND: Final = (
    "Rating: 400 points are odds of ten to one to be ahead; the mean is 0. ± is half\n"
    "of a 95 % interval over blocks, in which all play the same cards. Times in ms."
)


def _bots(bots: Sequence[Standing], points: str) -> str:
    rows = [["", "rating", points, "place", "wins", "out", "mean", "p99"]]
    return table([*rows, *map(_row, bots)], left=1)


def _row(bot: Standing) -> list[str]:
    return [
        bot.name,
        _rating(bot),
        "" if bot.score is None else shown(bot.score),
        shown(bot.place),
        shown(bot.win_share, percent=True),
        f"{sum(bot.out.values()):,}" if bot.out else "",
        *_times(bot),
    ]


def _times(bot: Standing) -> tuple[str, str]:
    if not bot.times.count:
        return "", ""
    return f"{bot.times.mean / 1000:.3g}", f"{bot.times.quantile(0.99) / 1000:.3g}"


def _rating(bot: Standing) -> str:
    if bot.interval is None:
        return f"{bot.rating:+.0f}"
    half = (bot.interval[1] - bot.interval[0]) / 2
    return f"{'+' * (bot.rating >= 0)}{rounded(bot.rating, half)} ±{rounded(half, half)}"


def _put_out(bots: Sequence[Standing]) -> str:
    causes = [cause for cause in Cause if any(cause in bot.out for bot in bots)]
    rows = [["put out", *(cause.value for cause in causes)]]
    rows += [[bot.name, *(f"{bot.out.get(cause, 0):,}" for cause in causes)] for bot in bots if bot.out]
    return table(rows, left=1)


def _own_columns(bots: Sequence[Standing]) -> str:
    """What bots reported of themselves: one line each, for nobody knows how many there are."""
    rows = [["reported", "", "mean"]]
    rows += [[bot.name, key, f"{mean:.6g}"] for bot in bots for key, mean in bot.columns.items()]
    return table(rows, left=2)


def _matrix(found: Table) -> str:
    numbers = [str(at) for at in range(1, len(found.bots) + 1)]
    rows = [["ahead of", *numbers]]
    for at, (bot, meetings) in enumerate(zip(found.bots, found.meetings, strict=True), 1):
        rows.append([f"{at} {bot.name}", *map(_share, meetings)])
    return table(rows, left=1)


def _share(meeting: Meeting | None) -> str:
    return "" if meeting is None else f"{100 * meeting.ahead:.0f}%"
