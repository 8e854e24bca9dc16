"""Interleave runs, so that background load affects all equally, and print their figures as a table."""

from collections.abc import Callable, Mapping
from statistics import median, quantiles
from typing import NamedTuple, TypeAlias

Run: TypeAlias = Callable[[], float]
"""Does the work once and returns its figure, in the unit of the benchmark."""


class Row(NamedTuple):
    """A line of the table.

    Attributes:
        name: the name of the run.
        unit: the unit of the figures, such as "ms" or "deals/s".
        figures: one figure for each repetition.
        peer: the row to compare with, if any, and its median.
        bar: the target in words, and whether it is met.
    """

    name: str
    unit: str
    figures: list[float]
    peer: tuple[str, float] | None = None
    bar: tuple[str, bool] | None = None

    @property
    def median(self) -> float:
        """Return the median."""
        return median(self.figures)


def interleaved(runs: Mapping[str, Run], times: int) -> dict[str, list[float]]:
    """Measure `times` rounds with each row in turn, after an uncounted warm-up round.

    >>> interleaved({"one": lambda: 1.0, "two": lambda: 2.0}, 3)
    {'one': [1.0, 1.0, 1.0], 'two': [2.0, 2.0, 2.0]}
    """
    figures: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(times):
        for name, run in runs.items():
            figures[name].append(run())
    return figures


def table(rows: list[Row]) -> str:
    """Format the rows: median, spread (the quartiles), ratio of the medians to the peer's, and the bar."""
    cells = [("what", "median", "", "quartiles", "to peer", "promised", "")]
    cells += [_cells(row) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return "\n".join("  ".join(map(_aligned, line, widths)).rstrip() for line in cells)


def _cells(row: Row) -> tuple[str, str, str, str, str, str, str]:
    low, _, high = quantiles(row.figures, n=4, method="inclusive") if len(row.figures) > 1 else row.figures * 3
    ratio = f"{row.median / row.peer[1]:.2f} x {row.peer[0]}" if row.peer else ""
    bar, holds = (row.bar[0], "holds" if row.bar[1] else "DOES NOT HOLD") if row.bar else ("", "")
    return row.name, _figure(row.median), row.unit, f"{_figure(low)} .. {_figure(high)}", ratio, bar, holds


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def _aligned(cell: str, width: int) -> str:
    return cell.rjust(width) if cell[:1].isdigit() and " " not in cell else cell.ljust(width)
