"""The results of a run, for programs and for people."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any, Final

from faceup.games.measures import Measure
from faceup.sim.counts import Counts, Histogram, mean, quantile, win_share
from faceup.sim.run import Run
from faceup.statistics import Mean, proportion

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

_LEGEND: Final = (
    "± is half of a 95 % confidence interval. Below 5%, 25%, ... stands what that part\nof all games did not exceed."
)


def report(run: Run, counts: Counts, seconds: float) -> dict[str, Any]:  # Any: JSON
    """The results for JSON. All but the last two, which are about this machine, are the same wherever it is run.

    `mean_score`, `stderr`, `win_share` and `places` are by seat; a stderr is null for a single deal. `deals` is how
    many were counted: fewer than `asked` if the run was stopped.
    """
    rules = run.rules
    score = [mean(seat) for seat in counts.values["score"]]
    wins = [win_share(seat) for seat in counts.values["share"]]
    return {
        "game": rules.game,
        "variant": rules.variant,
        "spec": run.game,
        "seats": rules.seats,
        "policies": list(run.policies),
        "deals": counts.games,
        "asked": run.deals,
        "matches": run.matches,
        "seed": run.seed,
        "engine": run.engine,
        "score": run.measures.score,
        "mean_score": [each.mean for each in score],
        "stderr": [each.stderr for each in score],
        "interval": [each.interval for each in score],
        "win_share": [each.mean for each in wins],
        "win_share_stderr": [each.stderr for each in wins],
        "places": [[seat.get(place, 0) for place in range(1, rules.seats + 1)] for seat in counts.values["place"]],
        "scores": [_counted(seat) for seat in counts.values["score"]],
        "measures": {measure.name: _measured(measure, counts.values[measure.name]) for measure in run.measures.extra},
        "seconds": round(seconds, 3),
        "deals_per_second": round(counts.games / seconds) if seconds else None,
    }


def _counted(histogram: Histogram) -> dict[str, int]:
    return {str(value): times for value, times in histogram.items()}


def _measured(measure: Measure, seats: Sequence[Histogram]) -> dict[str, Any]:  # Any: JSON
    if measure.kinds:
        games = sum(seats[0].values())
        return {
            kind: {"count": seats[0].get(at, 0), "interval": proportion(seats[0].get(at, 0), games)}
            for at, kind in enumerate(measure.kinds)
        }
    means = [mean(seat) for seat in seats]
    return {
        "mean": [each.mean for each in means],
        "stderr": [each.stderr for each in means],
        "counts": [_counted(seat) for seat in seats],
    }


def words(run: Run, counts: Counts) -> str:
    """The results for people: tables no wider than 80 columns where names are not long."""
    tables = [_seats(run, counts), _spread(run, counts)]
    tables += [_by_seat(run, counts)] if any(measure.by_seat for measure in run.measures.extra) else []
    tables += [table for measure in run.measures.extra if (table := _alone(measure, counts))]
    return "\n\n".join([f"{title(run, counts)}, seed {run.seed}", *tables, _LEGEND])


def title(run: Run, counts: Counts) -> str:
    """What was played, and how often: "nimmt:cowheadking seats=4: 1,000 deals"."""
    one, many = ("match", "matches") if run.matches else ("deal", "deals")
    asked = "" if counts.games == run.deals else f" of {run.deals:,}"
    return f"{run.game}: {counts.games:,}{asked} {one if run.deals == 1 else many}"


def _seats(run: Run, counts: Counts) -> str:
    rows = [["seat", "policy", run.measures.score, "win share", *map(ordinal, range(1, len(run.policies) + 1))]]
    for seat, name in enumerate(run.policies):
        places = counts.values["place"][seat]
        shares = [f"{places.get(place, 0) / counts.games:.1%}" for place in range(1, len(run.policies) + 1)]
        rows.append([
            str(seat), name, shown(mean(counts.values["score"][seat])),
            shown(win_share(counts.values["share"][seat]), percent=True), *shares[:5],
        ])  # fmt: skip
    rows[0] = rows[0][: len(rows[1])]
    return table(rows, left=2)


def _spread(run: Run, counts: Counts) -> str:
    rows = [[run.measures.score, "", "least", *(f"{part:.0%}" for part in QUANTILES), "most"]]
    for seat, histogram in enumerate(counts.values["score"]):
        numbers = [min(histogram), *(quantile(histogram, part) for part in QUANTILES), max(histogram)]
        rows.append([f"seat {seat}", run.policies[seat], *map(str, numbers)])
    return table(rows, left=2)


def _by_seat(run: Run, counts: Counts) -> str:
    measures = [measure for measure in run.measures.extra if measure.by_seat]
    rows = [["per " + ("match" if run.matches else "deal"), "", *(measure.title for measure in measures)]]
    for seat, name in enumerate(run.policies):
        means = [shown(mean(counts.values[measure.name][seat])) for measure in measures]
        rows.append([f"seat {seat}", name, *means])
    return table(rows, left=2)


def _alone(measure: Measure, counts: Counts) -> str:
    """A measure of the game; "" where it is the same in every game, which tells nothing."""
    if measure.by_seat or len(counts.values[measure.name][0]) == 1:
        return ""
    histogram = counts.values[measure.name][0]
    if measure.kinds:
        rows = [[measure.title, "games", "95 % interval"]]
        for at, kind in enumerate(measure.kinds):
            low, high = proportion(histogram.get(at, 0), counts.games)
            share = histogram.get(at, 0) / counts.games
            rows.append([kind, f"{share:.3%}", f"{low:.3%} to {high:.3%}"])
        return table(rows, left=1)
    rows = [[measure.title, "mean", "least", *(f"{part:.0%}" for part in QUANTILES), "most"]]
    numbers = [min(histogram), *(quantile(histogram, part) for part in QUANTILES), max(histogram)]
    rows.append(["", shown(mean(histogram)), *map(str, numbers)])
    return table(rows, left=1)


def shown(value: Mean, *, percent: bool = False, sign: bool = False) -> str:
    """The mean with half of its interval; with `sign`, as a difference.

    >>> shown(Mean(0.25, 0.01, 10**6), percent=True), shown(Mean(3.0, None, 1), sign=True)
    ('25.0 ±2.0%', '+3')
    """
    number, half = plus_minus(value, percent=percent)
    plus = "+" * (sign and value.mean > 0)
    return f"{plus}{number} ±{half}{'%' * percent}" if half else f"{plus}{number}{'%' * percent}"


def plus_minus(value: Mean, *, percent: bool = False) -> tuple[str, str]:
    """The mean, and half of its interval, both to the first two digits of the half; "" where there is no interval.

    >>> plus_minus(Mean(13.34512, 0.0061, 10**6)), plus_minus(Mean(3.0, None, 1))
    (('13.345', '0.012'), ('3', ''))
    """
    scale = 100 if percent else 1
    if value.interval is None or not value.stderr:
        return f"{value.mean * scale:.4g}", ""
    half = (value.interval[1] - value.mean) * scale
    return rounded(value.mean * scale, half), rounded(half, half)


def rounded(number: float, half: float) -> str:
    """A number to the first two digits of half of its interval; to four where there is no interval.

    >>> rounded(13.34512, 0.0123), rounded(13.34512, 0.0)
    ('13.345', '13.35')
    """
    if not half:
        return f"{number:.4g}"
    digits = min(max(1 - floor(log10(half)), 0), 9)
    return f"{number:.{digits}f}"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, ... up to 10th."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def table(rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Rows of cells in columns, the first `left` of them to the left and the others to the right.

    >>> print(table([["a", "b"], ["c", "100"]], left=1))
    a    b
    c  100
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
