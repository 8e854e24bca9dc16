"""Charts of a run's distributions."""

from typing import Final

from faceup.charts import Part, Row, Scale, bars, even, logarithmic, parts, ridges
from faceup.formatting import format_mean_parts, ordinal
from faceup.games.measures import Measure
from faceup.games.svg import WIDTH, Block, heading, page, stack, title_block
from faceup.sim.counts import Counts, Histogram, mean, quantile
from faceup.sim.report import format_report, title
from faceup.sim.run import Run
from faceup.statistics import proportion

_LEAST: Final = 10
_RATIO: Final = 60
"""An axis is logarithmic if the least value is at least `_LEAST` and the greatest more than `_RATIO` times larger."""


def plot(run: Run, counts: Counts) -> str:
    """Draw the distributions of the run's scores, places and measures as SVG."""
    seats = _rows(run, counts, "score")
    left = [
        # In the fonts of some systems, bold text is wider than estimated.
        title_block(
            title(run, counts), f"seed {run.seed}; lines at the means, with 95 % intervals", width=0.85 * WIDTH
        ),
        _seats(run.measures.score, seats, counts.values["score"]),
        heading("places", parts([Row(row.name, row.note) for row in seats], _places(run, counts))),
    ]
    right = []
    for measure in run.measures.extra:
        histograms = counts.values[measure.name]
        if measure.by_seat:
            right.append(_seats(measure.title, _rows(run, counts, measure.name), histograms))
        elif len(histograms[0]) > 1 or measure.kinds:
            right.append(_alone(measure, histograms[0], counts.games))
    return page(title(run, counts), format_report(run, counts), [stack(left), *([stack(right)] if right else [])], {})


def _rows(run: Run, counts: Counts, measure: str) -> list[Row]:
    return [
        _row(name, f"seat {seat + 1}", histogram)
        for seat, (name, histogram) in enumerate(zip(run.policies, counts.values[measure], strict=True))
    ]


def _row(name: str, note: str, histogram: Histogram) -> Row:
    figure, half = format_mean_parts(mean(histogram))
    return Row(name, note, figure, f"±{half}" if half else "")


def _seats(name: str, rows: list[Row], histograms: tuple[Histogram, ...]) -> Block:
    scale = common_scale(*histograms)
    lines = [(row, histogram, mean(histogram).mean) for row, histogram in zip(rows, histograms, strict=True)]
    return heading(name, ridges(lines, scale))


def common_scale(*histograms: Histogram) -> Scale:
    """Return an axis that fits all histograms."""
    least = min(min(histogram) for histogram in histograms)
    # The largest 0.1 % of the values would take half of the axis, so they are added to the last bar.
    most = max(quantile(histogram, 0.999) for histogram in histograms)
    return logarithmic(least, most) if least >= _LEAST and most / least > _RATIO else even(least, most)


def _places(run: Run, counts: Counts) -> list[Part]:
    return [
        Part(ordinal(place), [seat.get(place, 0) / counts.games for seat in counts.values["place"]])
        for place in range(1, len(run.policies) + 1)
    ]


def _alone(measure: Measure, histogram: Histogram, games: int) -> Block:
    if measure.kinds:
        rows = []
        for at, kind in enumerate(measure.kinds):
            times = histogram.get(at, 0)
            rows.append((Row(kind, "", f"{times / games:.2%}"), times / games, proportion(times, games)))
        return heading(measure.title, bars(rows, most=1))
    row = _row("all games", "", histogram)
    return heading(measure.title, ridges([(row, histogram, mean(histogram).mean)], common_scale(histogram)))
