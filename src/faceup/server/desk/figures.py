"""What happened how often, for those who watch over a server."""

from collections import Counter

import msgspec

from faceup.server.tally import Spread


class Figures(msgspec.Struct, eq=False):
    """Counters that only ever grow.

    Attributes:
        commands: those that were taken, by what they ask.
        refusals: those that were not, by the kind of error.
        appends: what was appended to logs by this process.
        collisions: how often another process was first.
        lines: what was told, each line counted once for each of its readers.
        slow: readers that were given up.
        loads: rooms that were read from the store.
        timeouts: how often this process found that time was up.
        lateness: by how many seconds that was after the deadline.
        taken_over: rooms that were due and that nobody had in memory.
    """

    commands: Counter[str] = msgspec.field(default_factory=Counter)
    refusals: Counter[str] = msgspec.field(default_factory=Counter)
    appends: int = 0
    collisions: int = 0
    lines: int = 0
    slow: int = 0
    loads: int = 0
    timeouts: int = 0
    lateness: Spread = msgspec.field(default_factory=Spread)
    taken_over: int = 0

    def time_up(self, late: int) -> None:
        """Time is up for somebody, and was so many milliseconds ago."""
        self.timeouts += 1
        self.lateness.add(late / 1000)
