"""Reports of a run, as JSON and as text."""

from collections.abc import Sequence
from typing import Any, Final

from faceup.core.arguments import check_type, real_number
from faceup.formatting import format_mean, format_table, ordinal
from faceup.games.measures import Measure
from faceup.sim.counts import Counts, Histogram, mean, quantile, win_share
from faceup.sim.run import Run
from faceup.statistics import proportion

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

_LEGEND: Final = "± is half of a 95 % confidence interval. The columns 5%, 25%, ... are quantiles over all\ngames."


def report(run: Run, counts: Counts, seconds: float) -> dict[str, Any]:  # Any: JSON
    """Return the results for JSON. All values but the last two, which are times, are equal on all machines.

    `mean_score`, `stderr`, `win_share` and `places` are by seat; a stderr is null for a single deal. `deals` is the
    number of counted deals, which is less than `requested` if the run was stopped.
    """
    check_type("run", run, Run, "a run of `plan`")
    check_type("counts", counts, Counts, "counts of `play`")
    seconds = real_number("seconds", seconds)
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
        "requested": run.deals,
        "matches": run.matches,
        "seed": run.seed,
        "engine": run.engine,
        "score": run.measures.score,
        "mean_score": [value.mean for value in score],
        "stderr": [value.stderr for value in score],
        "interval": [value.interval for value in score],
        "win_share": [value.mean for value in wins],
        "win_share_stderr": [value.stderr for value in wins],
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
        "mean": [value.mean for value in means],
        "stderr": [value.stderr for value in means],
        "counts": [_counted(seat) for seat in seats],
    }


def format_report(run: Run, counts: Counts) -> str:
    """Return the results as text tables, at most 80 columns wide unless names are long. Seats count from 1."""
    check_type("run", run, Run, "a run of `plan`")
    check_type("counts", counts, Counts, "counts of `play`")
    tables = [_seats(run, counts), _spread(run, counts)]
    tables += [_by_seat(run, counts)] if any(measure.by_seat for measure in run.measures.extra) else []
    tables += [table for measure in run.measures.extra if (table := _alone(measure, counts))]
    return "\n\n".join([f"{title(run, counts)}, seed {run.seed}", *tables, _LEGEND])


def title(run: Run, counts: Counts) -> str:
    """Return a title such as "nimmt:cowheadking seats=4: 1,000 deals"."""
    singular, many = ("match", "matches") if run.matches else ("deal", "deals")
    total = "" if counts.games == run.deals else f" of {run.deals:,}"
    return f"{run.game}: {counts.games:,}{total} {singular if run.deals == 1 else many}"


def _seats(run: Run, counts: Counts) -> str:
    rows = [["seat", "policy", run.measures.score, "win share", *map(ordinal, range(1, len(run.policies) + 1))]]
    for seat, name in enumerate(run.policies):
        places = counts.values["place"][seat]
        shares = [f"{places.get(place, 0) / counts.games:.1%}" for place in range(1, len(run.policies) + 1)]
        rows.append([
            str(seat + 1), name, format_mean(mean(counts.values["score"][seat])),
            format_mean(win_share(counts.values["share"][seat]), percent=True), *shares[:5],
        ])  # fmt: skip
    rows[0] = rows[0][: len(rows[1])]
    return format_table(rows, left=2)


def _spread(run: Run, counts: Counts) -> str:
    rows = [[run.measures.score, "", "least", *(f"{part:.0%}" for part in QUANTILES), "most"]]
    for seat, histogram in enumerate(counts.values["score"]):
        numbers = [min(histogram), *(quantile(histogram, part) for part in QUANTILES), max(histogram)]
        rows.append([f"seat {seat + 1}", run.policies[seat], *map(str, numbers)])
    return format_table(rows, left=2)


def _by_seat(run: Run, counts: Counts) -> str:
    measures = [measure for measure in run.measures.extra if measure.by_seat]
    rows = [["per " + ("match" if run.matches else "deal"), "", *(measure.title for measure in measures)]]
    for seat, name in enumerate(run.policies):
        means = [format_mean(mean(counts.values[measure.name][seat])) for measure in measures]
        rows.append([f"seat {seat + 1}", name, *means])
    return format_table(rows, left=2)


def _alone(measure: Measure, counts: Counts) -> str:
    """Return the table of a measure that is not by seat; "" if its value is the same in every game."""
    if measure.by_seat or len(counts.values[measure.name][0]) == 1:
        return ""
    histogram = counts.values[measure.name][0]
    if measure.kinds:
        rows = [[measure.title, "games", "95 % interval"]]
        for at, kind in enumerate(measure.kinds):
            low, high = proportion(histogram.get(at, 0), counts.games)
            share = histogram.get(at, 0) / counts.games
            rows.append([kind, f"{share:.3%}", f"{low:.3%} to {high:.3%}"])
        return format_table(rows, left=1)
    rows = [[measure.title, "mean", "least", *(f"{part:.0%}" for part in QUANTILES), "most"]]
    numbers = [min(histogram), *(quantile(histogram, part) for part in QUANTILES), max(histogram)]
    rows.append(["", format_mean(mean(histogram)), *map(str, numbers)])
    return format_table(rows, left=1)
