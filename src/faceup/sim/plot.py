"""A run's distributions as a picture."""

from typing import Final

from faceup.charts import Part, Row, Scale, bars, even, logarithmic, parts, ridges
from faceup.games.measures import Measure
from faceup.games.panels import heading, headline
from faceup.games.svg import Block, page, stack
from faceup.sim.counts import Counts, Histogram, mean, quantile
from faceup.sim.report import ordinal, plus_minus, title, words
from faceup.sim.run import Run
from faceup.statistics import proportion

_LEAST: Final = 10
_RATIO: Final = 60
"""An axis is logarithmic where even the least number is so large, and the most so many times larger."""


def plot(run: Run, counts: Counts) -> str:
    """The distributions of the scores, places and measures of the run, as SVG."""
    seats = _rows(run, counts, "score")
    left = [
        headline(title(run, counts), f"seed {run.seed}; lines at the means, with 95 % intervals"),
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
    return page(title(run, counts), words(run, counts), [stack(left), *([stack(right)] if right else [])], {})


def _rows(run: Run, counts: Counts, measure: str) -> list[Row]:
    return [
        _row(name, f"seat {seat}", histogram)
        for seat, (name, histogram) in enumerate(zip(run.policies, counts.values[measure], strict=True))
    ]


def _row(name: str, note: str, histogram: Histogram) -> Row:
    figure, half = plus_minus(mean(histogram))
    return Row(name, note, figure, f"±{half}" if half else "")


def _seats(name: str, rows: list[Row], histograms: tuple[Histogram, ...]) -> Block:
    scale = scale_for(*histograms)
    lines = [(row, histogram, mean(histogram).mean) for row, histogram in zip(rows, histograms, strict=True)]
    return heading(name, ridges(lines, scale))


def scale_for(*histograms: Histogram) -> Scale:
    """The axis on which all of these can be seen."""
    least = min(min(histogram) for histogram in histograms)
    # The last thousandth would take half of the axis; it is added to the last bar.
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
    return heading(measure.title, ridges([(row, histogram, mean(histogram).mean)], scale_for(histogram)))
