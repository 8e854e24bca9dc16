"""Format standings and verdicts as text, JSON and CSV."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any, Final

import msgspec

from faceup.arena.match.result import Cause
from faceup.arena.report.formatting import format_forfeit
from faceup.arena.stats.comparison import Comparison
from faceup.arena.stats.standings import BotStanding, HeadToHead, Split, SplitStanding, StandingsTable
from faceup.arena.stats.verdict import ERROR, DifferenceEstimate, Verdict
from faceup.formatting import format_mean, format_number, format_percent, format_table, plural
from faceup.statistics import Mean
from faceup.statistics.effect_size import Effect
from faceup.statistics.sequential import Conclusion

MOST_IN_MATRIX: Final = 12
"""The most bots for which the head-to-head matrix is shown. A matrix of this size fits into 80 characters."""

_COLUMNS: Final = (
    "name", "rating", "rating_low", "rating_high", "matches", "score", "score_stderr", "place", "place_stderr",
    "win_share", "win_share_stderr", "out", "answers", "mean_ms", "p99_ms", "most_ms",
)  # fmt: skip


def standings_json(table: StandingsTable, *, points: str = "score") -> dict[str, Any]:  # Any: JSON
    """Return the standings as JSON data.

    Times are in milliseconds. `head_to_head` is a matrix in the order of `bots`, with null for two bots that never
    met. `splits` has the results of two bots by their numbers of seats, if these differ; the means are of one seat. A
    standard error (`stderr`) is null if there is only one block.

    Args:
        table: the standings.
        points: what the game's points are called.
    """
    return {
        "matches": table.matches,
        "blocks": table.blocks,
        "score": points,
        "bots": [_bot(bot) for bot in table.bots],
        "head_to_head": [
            [None if entry is None else msgspec.to_builtins(entry) for entry in row] for row in table.head_to_head
        ],
        "splits": [
            {"matches": split.matches, "bots": [_split_bot(bot) for bot in split.bots]} for split in table.splits
        ],
    }


def _split_bot(bot: SplitStanding) -> dict[str, Any]:  # Any: JSON
    return {
        "name": bot.name,
        "seats": bot.seats,
        "score": None if bot.score is None else bot.score.to_json(),
        "place": bot.place.to_json(),
        "win_share": bot.win_share.to_json(),
    }


def _bot(bot: BotStanding) -> dict[str, Any]:  # Any: JSON
    return {
        "name": bot.name,
        "matches": bot.matches,
        "rating": bot.rating,
        "interval": bot.interval,
        "score": None if bot.score is None else bot.score.to_json(),
        "place": bot.place.to_json(),
        "win_share": bot.win_share.to_json(),
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


def as_csv(table: StandingsTable) -> str:
    """Return the standings as CSV with a header line. The columns that bots reported come last.

    A name that a spreadsheet would read as a formula is written with an apostrophe before it.
    """
    reported_keys = sorted({key for bot in table.bots for key in bot.columns})
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_COLUMNS, *map(_escape_formula, reported_keys)])
    for bot in table.bots:
        low, high = bot.interval or ("", "")
        means = [number for mean in (bot.score, bot.place, bot.win_share) for number in _pair(mean)]
        times = [bot.times.count, bot.times.mean / 1000, bot.times.quantile(0.99) / 1000, bot.times.most / 1000]
        out = sum(bot.out.values())
        reported = [bot.columns.get(key, "") for key in reported_keys]
        writer.writerow([_escape_formula(bot.name), bot.rating, low, high, bot.matches, *means, out, *times, *reported])
    return text.getvalue()


def _pair(value: Mean | None) -> tuple[object, object]:
    return ("", "") if value is None else (value.mean, "" if value.stderr is None else value.stderr)


def _escape_formula(name: str) -> str:
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def format_standings(table: StandingsTable, *, points: str = "score") -> str:
    """Format the standings as text, with the head-to-head matrix.

    If names are short, the lines have at most 80 characters. `points` is what the game's points are called.
    """
    if not table.bots:
        return "No match is finished yet."
    played = f"{plural(table.matches, 'match', 'matches')} in {plural(table.blocks, 'block')}"
    parts = [played, _bots(table.bots, points)]
    if any(bot.out for bot in table.bots):
        parts.append(_forfeits(table.bots))
    if any(bot.columns for bot in table.bots):
        parts.append(_reported_columns(table.bots))
    if 1 < len(table.bots) <= MOST_IN_MATRIX:
        parts.append(_matrix(table))
    if table.splits:
        parts.append(_splits(table.splits, points))
    parts.append(_LEGEND)
    return "\n\n".join(parts)


_LEGEND: Final = (
    "Rating: 400 points are odds of ten to one to finish ahead; mean 0. ± is half\n"
    "of a 95 % interval over blocks, each with the same cards. Times in ms.\n"
    "Wins: % of a bot's matches. Ahead of: % of the matches that both bots played;\n"
    "a tie counts half."
)


def _bots(bots: Sequence[BotStanding], points: str) -> str:
    rows = [["", "rating", points, "place", "wins", "out", "mean", "p99"]]
    return format_table([*rows, *map(_row, bots)], left=1)


def _row(bot: BotStanding) -> list[str]:
    return [
        bot.name,
        _rating(bot),
        "" if bot.score is None else format_mean(bot.score),
        format_mean(bot.place),
        format_mean(bot.win_share, percent=True),
        f"{sum(bot.out.values()):,}" if bot.out else "",
        *_times(bot),
    ]


def _times(bot: BotStanding) -> tuple[str, str]:
    if not bot.times.count:
        return "", ""
    return f"{bot.times.mean / 1000:.3g}", f"{bot.times.quantile(0.99) / 1000:.3g}"


def _rating(bot: BotStanding) -> str:
    if bot.interval is None:
        return f"{bot.rating:+.0f}"
    half = (bot.interval[1] - bot.interval[0]) / 2
    return f"{'+' * (bot.rating >= 0)}{format_number(bot.rating, half)} ±{format_number(half, half)}"


def _forfeits(bots: Sequence[BotStanding]) -> str:
    causes = [cause for cause in Cause if any(cause in bot.out for bot in bots)]
    rows = [["forfeits", *(cause.value for cause in causes)]]
    rows += [[bot.name, *(f"{bot.out.get(cause, 0):,}" for cause in causes)] for bot in bots if bot.out]
    return format_table(rows, left=1)


def _reported_columns(bots: Sequence[BotStanding]) -> str:
    """Return the table of the columns that bots reported, with one line for each column of a bot."""
    rows = [["reported", "", "mean"]]
    rows += [[bot.name, key, f"{mean:.6g}"] for bot in bots for key, mean in bot.columns.items()]
    return format_table(rows, left=2)


def _matrix(table: StandingsTable) -> str:
    numbers = [str(at) for at in range(1, len(table.bots) + 1)]
    rows = [["ahead of", *numbers]]
    for at, (bot, head_to_head) in enumerate(zip(table.bots, table.head_to_head, strict=True), 1):
        rows.append([f"{at} {bot.name}", *map(_share, head_to_head)])
    return format_table(rows, left=1)


def _share(meeting: HeadToHead | None) -> str:
    return "" if meeting is None else f"{100 * meeting.ahead:.0f}%"


def _splits(splits: Sequence[Split], points: str) -> str:
    """Return the table of the results of two bots by their numbers of seats, with the means of one seat."""
    rows = [["seats", points, "place", "wins"]]
    for split in splits:
        for bot in split.bots:
            score = "" if bot.score is None else format_mean(bot.score)
            wins = format_mean(bot.win_share, percent=True)
            rows.append([f"{bot.seats} {bot.name}", score, format_mean(bot.place), wins])
        rows.append([""] * len(rows[0]))
    return format_table(rows[:-1], left=1)


def describe_verdict(verdict: Verdict) -> list[str]:
    """Describe the verdict in sentences: forfeits, if there were any, then which bot is better, and what even is.

    >>> from faceup.arena.stats.verdict import Judge, sequential
    >>> print(describe_verdict(Judge(Comparison("new", "old"), sequential()).verdict())[0])
    No result for new and old yet: no block is complete.
    """
    sentences = [_out(verdict)] if verdict.out else []
    sentences.append(_answer(verdict, verdict.found))
    if verdict.found.standard and verdict.found.points:
        sentences.append(_interval(verdict, verdict.found.points, verdict.found.standard))
    if verdict.without is not None:
        blocks = plural(verdict.faulty, "block")
        sentences.append(f"Without the {blocks} with forfeits: {_answer(verdict, verdict.without)}")
    if verdict.comparison.base is None:
        sentences.append(_even(verdict.comparison))
    return sentences


def verdict_json(verdict: Verdict) -> dict[str, Any]:  # Any: JSON
    """Return the verdict as JSON data, which are its fields and, as `words`, its description in sentences."""
    fields: dict[str, Any] = msgspec.to_builtins(verdict)  # Any: as above
    return {**fields, "words": " ".join(describe_verdict(verdict))}


def _answer(verdict: Verdict, estimate: DifferenceEstimate) -> str:
    comparison = verdict.comparison
    new, base = comparison.new, comparison.base
    if estimate.points is None:
        why = "one block is not enough" if estimate.blocks else "no block is complete"
        return f"No result for {new}{f' and {base}' if base else ''} yet: {why}."
    against, how = _against(comparison), _how(verdict, estimate)
    match estimate.outcome:
        case Conclusion.BETTER | Conclusion.WORSE as outcome:
            by = _amount_by_block(comparison, estimate.points)
            return f"{new} is {outcome.value} than {base or _EVEN} by {by} {against} ({how})."
        case _ if base is None:
            start = f"It is not decided whether {new} is better or worse than {_EVEN}"
        case Conclusion.OPEN:
            start = f"It is not decided yet whether {new} or {base} is better"
        case Conclusion.NONE:
            start = f"No difference{_least(verdict, estimate)} between {new} and {base} was found"
    return f"{start}: {new} is {_seems(comparison, estimate)} {against} ({how})."


def _seems(comparison: Comparison, estimate: DifferenceEstimate) -> str:
    points = estimate.points
    if points is None or (not estimate.mean and not estimate.spread):
        return f"equal to {comparison.base or _EVEN} in all {plural(estimate.blocks, 'block')}"
    return f"{'worse' if points.estimate < 0 else 'better'} by {_amount_by_block(comparison, points)}"


def _amount_by_block(comparison: Comparison, points: Effect) -> str:
    return f"{_amount(points)} {comparison.measured}{'' if points.half_width else ' in every block'}"


def _how(verdict: Verdict, estimate: DifferenceEstimate) -> str:
    blocks = plural(estimate.blocks, "block")
    test = verdict.test
    if test is None:
        return f"at {_percent(ERROR)} after {blocks}, as requested"
    rates = f"{_percent(test.error)}/{_percent(test.miss)}"
    if estimate.outcome is not Conclusion.OPEN:
        return f"accepted at {rates} after {blocks}"
    progress = verdict.progress
    if estimate is not verdict.found or progress is None:
        return f"{rates}, after {blocks}"
    return f"{rates}, after {blocks}; about {plural(progress.expected, 'more block')} left, at most {progress.most:,}"


def _least(verdict: Verdict, estimate: DifferenceEstimate) -> str:
    """Describe the smallest difference that the test can find; empty if there is no test."""
    if verdict.test is None or not estimate.spread:
        return ""
    least = verdict.test.least
    return f" of {least * estimate.spread:.2g} {verdict.comparison.measured} ({least:g} standard deviations) or more"


def _against(comparison: Comparison) -> str:
    return f"against {', '.join(comparison.field)}" if comparison.field else "in all seatings of the two"


_EVEN: Final = "even"


def _even(comparison: Comparison) -> str:
    """Describe the result of a bot that is as good as its opponents."""
    share = format_percent(1 / comparison.seats)
    what = f"the mean place {(comparison.seats + 1) / 2:g}" if comparison.unit == "match" else "the mean of the table"
    return f"Even is {what}, which comes with {share} of the wins."


def _interval(verdict: Verdict, points: Effect, standard: Effect) -> str:
    low, high = (format_number(end, points.half_width) for end in (points.low, points.high))
    ended = verdict.test is not None and verdict.found.outcome is not Conclusion.OPEN
    stopped = ", adjusted for when the test stopped" if ended else ""
    return (
        f"With {_percent(points.share)} confidence the difference is between {low} and {high} "
        f"{verdict.comparison.measured}{stopped}; in standard deviations of a block it is {_signed(standard)}."
    )


def _out(verdict: Verdict) -> str:
    counts = [
        f"{name} {_format_times(sum(causes.values()))} ({_causes(causes)})" for name, causes in verdict.out.items()
    ]
    rank = (
        "is last in it"
        if verdict.comparison.unit == "match"
        else f"has the worst {verdict.comparison.points} of its block"
    )
    first = [
        f"First, {format_forfeit(name, forfeit.match, forfeit.decision, forfeit.cause, forfeit.message)}."
        for name, forfeit in verdict.first_out.items()
    ]
    return " ".join([f"Forfeits: {'; '.join(counts)}. A bot that forfeits a {verdict.comparison.unit} {rank}.", *first])


def _causes(causes: dict[Cause, int]) -> str:
    return ", ".join(f"{cause.value} {count:,}" for cause, count in causes.items())


def _format_times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _amount(effect: Effect) -> str:
    """Format the size of an effect without its sign, such as "0.31 ± 0.12"."""
    number = format_number(abs(effect.estimate), effect.half_width)
    return f"{number} ± {format_number(effect.half_width, effect.half_width)}" if effect.half_width else number


def _signed(effect: Effect) -> str:
    return f"{'-' * (effect.estimate < 0)}{_amount(effect)}"
