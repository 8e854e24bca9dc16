"""The charts of an HTML report, and the data of its tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log10
from typing import Final

import msgspec
from markupsafe import Markup

from faceup.arena.match.result import Cause, Fault, LatencyHistogram, MatchResult, bucket_start
from faceup.arena.report.formatting import format_answer, sanitize_output
from faceup.arena.stats.standings import BotStanding, StandingsTable
from faceup.charts import Part, Row, Scale, output, parts, ridges
from faceup.formatting import format_mean_parts, format_microseconds, ordinal, truncate
from faceup.sim.plot import common_scale


class BotCounts:
    """A bot's counts over all matches. If the bot has several seats in a match, each seat counts.

    Attributes:
        scores: how often the bot got each score, without seats that forfeited.
        places: how often the bot got each place.
        faults: number of forfeits by cause.
        first: the first forfeit for each cause, with the result of its match.
    """

    def __init__(self) -> None:
        self.scores: Counter[int] = Counter()
        self.places: Counter[int] = Counter()
        self.faults: Counter[Cause] = Counter()
        self.first: dict[Cause, tuple[MatchResult, Fault]] = {}

    @property
    def played(self) -> int:
        """Return the number of counted seats."""
        return self.places.total()

    def add(self, result: MatchResult, player: int) -> None:
        """Add the result of a match in which the bot was this player."""
        self.places[result.places[player]] += 1
        fault = next((fault for fault in result.faults if fault.player == player), None)
        if fault is None:
            self.scores[result.scores[player]] += 1
        else:
            self.faults[fault.cause] += 1
            self.first.setdefault(fault.cause, (result, fault))


def bot_counts(results: Iterable[MatchResult]) -> dict[str, BotCounts]:
    """Return the counts of all bots by name, in the order in which the bots first appear."""
    counts: dict[str, BotCounts] = {}
    for result in results:
        for player, name in enumerate(result.match.lineup):
            if name not in counts:
                counts[name] = BotCounts()
            counts[name].add(result, player)
    return counts


class Forfeits(msgspec.Struct, frozen=True):
    """The forfeits of one bot for one cause.

    Attributes:
        bot: the bot's name.
        cause: the cause.
        count: the number of these forfeits.
        share: `count` divided by the number of seats that the bot had in all matches.
        match: the number of the match with the first of these forfeits.
        link: the address of that match; "" if there is none.
        decision: the decision at which the bot first forfeited.
        message: the description of that fault.
        answer: the invalid answer at that decision; None if it is unknown.
    """

    bot: str
    cause: Cause
    count: int
    share: float
    match: int
    link: str
    decision: int
    message: str
    answer: str | None


def list_forfeits(
    counted: Mapping[str, BotCounts], line: Callable[[MatchResult, Fault], bytes | None], link: Callable[[int], str]
) -> list[Forfeits]:
    """Return the forfeits by bot and cause. For each bot, the most frequent cause comes first.

    Args:
        counted: the counts by the bots' names.
        line: a function that returns the answer that caused a forfeit; None if the answer is unknown.
        link: a function that returns the address of the match with this number; "" if there is none.
    """
    forfeits = []
    for name, counts in counted.items():
        for cause, count in counts.faults.most_common():
            result, fault = counts.first[cause]
            written, number = line(result, fault), result.match.number
            forfeits.append(
                Forfeits(
                    bot=name,
                    cause=cause,
                    count=count,
                    share=count / counts.played,
                    match=number,
                    link=link(number),
                    decision=fault.decision,
                    message=truncate(sanitize_output(fault.message.encode()), 400),
                    answer=None if written is None else format_answer(written),
                )
            )
    return forfeits


def line_of(answers: tuple[bytes, ...], fault: Fault) -> bytes | None:
    """Return what the bot wrote instead of an answer when it forfeited; None if it wrote nothing.

    >>> from faceup.arena import Cause
    >>> line_of((b"PLAY 3", b"PLAY x"), Fault(0, Cause.MALFORMED, 1, ""))
    b'PLAY x'
    """
    return answers[fault.decision] if fault.decision < len(answers) else None


_LEVELS: Final = 4
"""The number of shades for shares above one half, and for shares below."""

_LEAST_SPREAD: Final = 0.1
"""The least difference from one half that gets the strongest shade, so that a matrix of equal bots looks even."""

_BARS: Final = 48
"""The most bars in a histogram of answer times."""

_DECADES: Final = 2
"""The most decades (powers of ten) of an axis that get three ticks each.

An axis with more decades gets one tick for each decade. With more than twice as many, only every second decade has one.
"""

_COLUMNS: Final = 6
"""The most columns reported by bots that are shown."""


def reported_columns(table: StandingsTable) -> list[str]:
    """Return the keys of the columns that bots reported, but at most as many as a page has room for."""
    return list(dict.fromkeys(key for bot in table.bots for key in bot.columns))[:_COLUMNS]


def rating_axis(bots: Sequence[BotStanding]) -> tuple[float, float]:
    """Return the lowest and the highest rating of the axis on which ratings are drawn."""
    ends = [end for bot in bots for end in (bot.interval or (bot.rating, bot.rating))]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.06 * (high - low) or 0.5
    return low - room, high + room


def matrix_shades(table: StandingsTable) -> list[list[int | None]]:
    """Return the shade of each cell of the head-to-head matrix, from 0 (far behind) to 8 (far ahead)."""
    met = [meeting for row in table.head_to_head for meeting in row if meeting is not None]
    spread = max([_LEAST_SPREAD, *(abs(meeting.ahead - 0.5) for meeting in met)])
    return [
        [None if entry is None else round((entry.ahead - 0.5) / spread * _LEVELS) + _LEVELS for entry in row]
        for row in table.head_to_head
    ]


def spreads(table: StandingsTable, counted: Mapping[str, BotCounts], score: str, unit: str) -> list[Markup]:
    """Return a chart of all bots' places, and a chart of all bots' scores without forfeits, if there are any.

    Args:
        table: the standings.
        counted: the counts by the bots' names.
        score: what the game's points are called.
        unit: "match" or "deal".
    """
    lines = []
    for bot in table.bots:
        histogram = dict(sorted(counted[bot.name].scores.items()))
        if bot.score is None or not histogram:
            continue
        figure, half = format_mean_parts(bot.score)
        lines.append((Row(bot.name, "", figure, f"±{half}" if half else ""), histogram, bot.score.mean))
    seats = max(place for bot in table.bots for place in counted[bot.name].places)
    shares = [
        Part(ordinal(place), [counted[bot.name].places[place] / counted[bot.name].played for bot in table.bots])
        for place in range(1, seats + 1)
    ]
    drawn = [output.chart("places", parts([Row(bot.name) for bot in table.bots], shares))]
    if lines:
        scale = common_scale(*(histogram for _, histogram, _ in lines))
        drawn.append(output.chart(f"{score} in each {unit}, with the mean", ridges(lines, scale)))
    return drawn


def answer_times_chart(table: StandingsTable) -> Markup | None:
    """Return the chart of answer times; None if no times are known."""
    timed = [bot for bot in table.bots if bot.times.count]
    if not timed:
        return None
    scale, width = _clock([bot.times for bot in timed])
    lines = []
    for bot in timed:
        row = Row(bot.name, f"p99 {format_microseconds(bot.times.quantile(0.99))}", format_microseconds(bot.times.mean))
        lines.append((row, _binned(bot.times, width), bot.times.mean))
    return output.chart("answer time, with the mean", ridges(lines, scale))


def describe_cpu_credit(table: StandingsTable) -> str:
    """Describe in one sentence how much CPU credit the bots got."""
    amounts = [f"{bot.name} {format_microseconds(bot.times.grace)}" for bot in table.bots if bot.times.grace]
    if not amounts:
        return "No bot needed CPU credit."
    return f"CPU credit (delays caused by the machine): {', '.join(amounts)}."


def _clock(times: Sequence[LatencyHistogram]) -> tuple[Scale, int]:
    """Return a logarithmic axis for these times, and the number of histogram buckets in each bar.

    A bar contains only whole buckets.
    """
    low = max(min(min(histogram.classes) for histogram in times), 1)
    high = max(max(max(histogram.classes) for histogram in times) + 1, low + 2)
    width = -(-(high - low) // _BARS)
    first = low // width * width
    count = -(-(high - first) // width)
    edges = tuple(float(max(bucket_start(first + width * index), 1)) for index in range(count + 1))
    start, end = log10(edges[0]), log10(edges[-1])
    steps = (1,) if end - start > _DECADES else (1, 2, 5)
    ticks = [many * 10**power for power in range(0, 9, 2 if end - start > 2 * _DECADES else 1) for many in steps]
    return Scale(
        edges,
        tuple(tick for tick in ticks if edges[0] <= tick <= edges[-1]),
        lambda time: (log10(min(max(time, edges[0]), edges[-1])) - start) / (end - start),
        format_microseconds,
    ), width


def _binned(times: LatencyHistogram, width: int) -> dict[int, int]:
    """Return the number of answers in each bar of `width` buckets, by the bar's least time in microseconds."""
    bins: dict[int, int] = {}
    for index, count in sorted(times.classes.items()):
        least = max(bucket_start(index // width * width), 1)
        bins[least] = bins.get(least, 0) + count
    return bins
