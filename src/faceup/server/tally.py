"""What a running server counts: plain numbers, so that counting costs next to nothing where every choice passes."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

_TIMES: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


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


class Tally:
    """The counts of one process since it started. Whoever does a thing counts it; times are in seconds."""

    __slots__ = (
        "commands",
        "commit_seconds",
        "commit_sizes",
        "connections",
        "lag_seconds",
        "outages",
        "refusals",
        "request_seconds",
        "requests",
        "sweep_seconds",
    )

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()
        """Commands that were acknowledged, by what they do."""
        self.refusals: Counter[str] = Counter()
        """Commands that were refused, by the error's kind."""
        self.connections: Counter[str] = Counter()
        """Open connections now, by channel: "websocket", "stream"."""
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """Answered requests by method, route and status."""
        self.request_seconds = Spread()
        """How long answers took, streams left out."""
        self.commit_seconds = Spread()
        """How long a commit took."""
        self.commit_sizes = Spread(_SIZES)
        """How many appends were in it."""
        self.lag_seconds = Spread()
        """Round trips to players, as measured by the server."""
        self.sweep_seconds = Spread()
        """How long after its time a deadline was acted on."""
        self.outages = 0
        """How many gaps in all heartbeats this process entered."""
