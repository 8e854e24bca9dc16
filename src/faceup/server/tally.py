"""What a running server counts: plain numbers, so that counting costs next to nothing where every choice passes."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_TIMES: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Bounds for how much there is of something."""


class Spread:
    """How often a figure fell up to each bound, as Prometheus has it.

    >>> spread = Spread((1, 10))
    >>> for figure in (0.5, 3, 12):
    ...     spread.add(figure)
    >>> spread.counts, spread.total
    ([1, 1, 1], 15.5)
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = _TIMES) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """How many fell between a bound and the one below it; the last is for those above all bounds."""
        self.total = 0.0

    def add(self, figure: float) -> None:
        """Count a figure in."""
        self.counts[bisect_left(self.bounds, figure)] += 1
        self.total += figure


class Kept(NamedTuple):
    """What is counted in the database, for all processes: tables by status, and outages."""

    tables: Mapping[str, int] = {}
    outages: int = 0


class Tally:
    """The counts of one process since it started. Whoever does a thing counts it; times are in seconds."""

    __slots__ = (
        "commit_seconds",
        "commit_sizes",
        "connections",
        "lag_seconds",
        "request_seconds",
        "requests",
    )

    def __init__(self, commit_seconds: Spread | None = None, commit_sizes: Spread | None = None) -> None:
        self.connections: Counter[str] = Counter()
        """Open connections now, by channel: "websocket", "stream"."""
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """Answered requests by method, route and status."""
        self.request_seconds = Spread()
        """How long answers took, streams left out."""
        self.commit_seconds = commit_seconds or Spread()
        """How long a commit took."""
        self.commit_sizes = commit_sizes or Spread(SIZES)
        """How many appends were in it."""
        self.lag_seconds = Spread()
        """Round trips to players, as measured by the server."""
