"""The figures of a report: the ladder, who beats whom, how scores, places and times are spread."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Final

from faceup.arena.pages.tally import Tally
from faceup.arena.standings import Meeting, Standing, Table
from faceup.arena.telling import microseconds
from faceup.arena.times import Times, least_of
from faceup.charts import Part, Row, Scale, pages, parts, ridges
from faceup.sim.plot import scale_for
from faceup.sim.report import ordinal, plus_minus
from faceup.statistics import Mean

LEVELS: Final = 4
"""Shades on either side of even."""

_LEAST_SPREAD: Final = 0.1
"""The strongest shades mean at least so much away from even, so that a field of equals looks even."""

_BARS: Final = 48
"""The most bars of a histogram of times."""

_DECADES: Final = 2
"""With more of them, each has one number on its axis; with twice as many, every second one."""

_COLUMNS: Final = 6
"""The most of the bots' own columns that are shown."""


def ladder(table: Table, score: str) -> str:
    """The table of bots, best first, each rating drawn with its interval.

    Args:
        table: of the bots.
        score: what the game's points are called.
    """
    keys = list(dict.fromkeys(key for bot in table.bots for key in bot.columns))[:_COLUMNS]
    heads = [
        ("", ""), ("left", "bot"), ("span", "rating"), ("", ""), ("", "place"), ("", score), ("", "wins"), ("", "out"),
        ("wide", "mean time"), ("wide", "p99"), *(("wide", key) for key in keys),
    ]  # fmt: skip
    head = "".join(f'<th scope="col"{_class(kind)}>{pages.words(word)}</th>' for kind, word in heads)
    low, high = _reach(table.bots)
    rows = "".join(_rung(place, bot, low, high, keys) for place, bot in enumerate(table.bots, 1))
    return (
        f'<div class="scroll"><table class="ladder"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _rung(place: int, bot: Standing, low: float, high: float, keys: Sequence[str]) -> str:
    out, times = sum(bot.out.values()), bot.times
    cells = [
        ("", str(place)),
        ("left name", pages.words(bot.name)),
        ("span", _whisker(bot, low, high)),
        ("", _rating(bot)),
        ("", _with_half(bot.place)),
        ("", _with_half(bot.score)),
        ("", _with_half(bot.win_share, percent=True)),
        ("down" if out else "soft", f"{out:,}"),
        ("wide", microseconds(times.mean) if times.count else ""),
        ("wide", microseconds(times.quantile(0.99)) if times.count else ""),
        *(("wide", f"{bot.columns[key]:.4g}" if key in bot.columns else "") for key in keys),
    ]
    return "<tr>" + "".join(f"<td{_class(kind)}>{cell}</td>" for kind, cell in cells) + "</tr>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _reach(bots: Sequence[Standing]) -> tuple[float, float]:
    """What the axis of the ratings reaches from and to."""
    ends = [end for bot in bots for end in (bot.interval or (bot.rating, bot.rating))]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.06 * (high - low) or 0.5
    return low - room, high + room


def _whisker(bot: Standing, low: float, high: float) -> str:
    """A point and its interval, placed by parts of the cell, so that they keep their places whatever its width."""
    start, end = bot.interval or (bot.rating, bot.rating)

    def part(value: float) -> float:
        return 100 * (value - low) / (high - low)

    return (
        f'<div class="axis"><i style="left:{part(start):.1f}%;width:{part(end) - part(start):.1f}%"></i>'
        f'<b style="left:{part(bot.rating):.1f}%"></b></div>'
    )


def _rating(bot: Standing) -> str:
    half = "" if bot.interval is None else _half(f"{(bot.interval[1] - bot.interval[0]) / 2:.0f}")
    return f"{bot.rating:+.0f}{half}".replace("-", "&#8722;")


def _with_half(value: Mean | None, *, percent: bool = False) -> str:
    if value is None:
        return ""
    number, half = plus_minus(value, percent=percent)
    return f"{number}{'%' if percent else ''}{_half(half) if half else ''}"


def _half(words: str) -> str:
    return f' <span class="half">&#177;{words}</span>'


def matrix(table: Table) -> str:
    """Who beats whom: each row's share of the matches in which it came out ahead of the column's bot."""
    names = [bot.name for bot in table.bots]
    met = [meeting for row in table.meetings for meeting in row if meeting is not None]
    spread = max([abs(meeting.ahead - 0.5) for meeting in met], default=0.0)
    head = "".join(f'<th scope="col">{index}</th>' for index in range(1, len(names) + 1))
    rows = "".join(
        f'<tr><th scope="row"><span class="soft">{index}</span> {pages.words(row)}</th>'
        + "".join(_cell(row, column, each, spread) for column, each in zip(names, meetings, strict=True))
        + "</tr>"
        for index, (row, meetings) in enumerate(zip(names, table.meetings, strict=True), 1)
    )
    return (
        f'<div class="scroll"><table class="matrix"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(row: str, column: str, meeting: Meeting | None, spread: float) -> str:
    if meeting is None:
        return '<td class="none">&#183;</td>'
    level = round((meeting.ahead - 0.5) / max(spread, _LEAST_SPREAD) * LEVELS)
    title = pages.words(f"{row} is ahead of {column} in {meeting.ahead:.1%} of {meeting.matches:,} matches")
    return f'<td class="h{level + LEVELS}" title="{title}">{100 * meeting.ahead:.0f}</td>'


def spreads(table: Table, counted: Mapping[str, Tally], score: str, unit: str) -> list[str]:
    """How the places and the scores of each bot are spread, each as a picture; scores only where it was not out."""
    lines = []
    for bot in table.bots:
        histogram = dict(sorted(counted[bot.name].scores.items()))
        if bot.score is None or not histogram:
            continue
        figure, half = plus_minus(bot.score)
        lines.append((Row(bot.name, "", figure, f"±{half}" if half else ""), histogram, bot.score.mean))
    seats = max(place for bot in table.bots for place in counted[bot.name].places)
    shares = [
        Part(ordinal(place), [counted[bot.name].places[place] / counted[bot.name].played for bot in table.bots])
        for place in range(1, seats + 1)
    ]
    drawn = [pages.chart("places", parts([Row(bot.name) for bot in table.bots], shares))]
    if lines:
        scale = scale_for(*(histogram for _, histogram, _ in lines))
        drawn.append(pages.chart(f"{score} in each {unit}, with the mean", ridges(lines, scale)))
    return drawn


def thinking(table: Table) -> str:
    """How long the answers took, as a picture; "" if there are no times."""
    timed = [bot for bot in table.bots if bot.times.count]
    if not timed:
        return ""
    scale, width = _clock([bot.times for bot in timed])
    lines = []
    for bot in timed:
        row = Row(bot.name, f"p99 {microseconds(bot.times.quantile(0.99))}", microseconds(bot.times.mean))
        lines.append((row, _binned(bot.times, width), bot.times.mean))
    return pages.chart("time an answer took, with the mean", ridges(lines, scale))


def granted(table: Table) -> str:
    """How much time was put down to the machine, in a sentence."""
    told = [f"{bot.name} {microseconds(bot.times.grace)}" for bot in table.bots if bot.times.grace]
    if not told:
        return "Nobody needed grace for what the machine did."
    return f"Put down to the machine, and not to the bot: {', '.join(told)}."


def _clock(times: Sequence[Times]) -> tuple[Scale, int]:
    """A logarithmic axis whose bars are whole classes of `Times`, and how many classes make a bar."""
    low = max(min(min(each.classes) for each in times), 1)
    high = max(max(max(each.classes) for each in times) + 1, low + 2)
    width = -(-(high - low) // _BARS)
    first = low // width * width
    count = -(-(high - first) // width)
    edges = tuple(float(max(least_of(first + width * index), 1)) for index in range(count + 1))
    start, end = log10(edges[0]), log10(edges[-1])
    steps = (1,) if end - start > _DECADES else (1, 2, 5)
    ticks = [many * 10**power for power in range(0, 9, 2 if end - start > 2 * _DECADES else 1) for many in steps]
    return Scale(
        edges,
        tuple(tick for tick in ticks if edges[0] <= tick <= edges[-1]),
        lambda time: (log10(min(max(time, edges[0]), edges[-1])) - start) / (end - start),
        microseconds,
    ), width


def _binned(times: Times, width: int) -> dict[int, int]:
    """The times by the least of each bar's classes."""
    found: dict[int, int] = {}
    for index, count in sorted(times.classes.items()):
        least = max(least_of(index // width * width), 1)
        found[least] = found.get(least, 0) + count
    return found
