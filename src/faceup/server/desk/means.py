"""What every room of a process needs of it: the store, clocks, chance, a place to think in."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import msgspec

from faceup.core import Generator
from faceup.server.desk.alarms import Alarms
from faceup.server.desk.connections import Connections
from faceup.server.desk.figures import Figures
from faceup.server.desk.patience import Patience
from faceup.server.desk.thinking import Thinking
from faceup.server.store import Outage, Store
from faceup.server.store.beating import FRESH

if TYPE_CHECKING:
    from faceup.server.desk.live import LiveRoom

SERVER: Final = "~"
"""What the ids of the server's own commands begin with, and those of nobody else."""


class Means(msgspec.Struct, eq=False, kw_only=True):
    """One for all rooms of a process.

    Attributes:
        loop: the event loop. Before Python 3.12 asking for it is a call of the system, which a choice did three times.
        store: where logs are kept.
        patience: how long what takes.
        clock: milliseconds since 1970 on the database's clock.
        rng: deals, and plays for bots and stand-ins.
        thinking: the process of bots that search.
        alarms: when each room wants to be looked at.
        connections: who is connected to which process.
        figures: what happened how often.
        started: when this process began to serve, on that clock.
        alive: the ids of the processes that are awake, this one among them.
        outages: those whose deadlines have not all been moved, as far as this process knows.
        pulse: when the event loop was last seen to run, on its own clock, in seconds.
        beaten: when the last heartbeat was begun that is known to have been given, on the same clock.
        unheard: the database did not answer since then.
        make_sure: finds out for how long nobody was awake. Raises `StoreError`.
    """

    loop: asyncio.AbstractEventLoop
    store: Store
    patience: Patience
    clock: Callable[[], int]
    rng: Generator
    thinking: Thinking
    alarms: "Alarms[LiveRoom]"
    connections: Connections
    figures: Figures
    started: int
    alive: frozenset[str] = frozenset()
    outages: tuple[Outage, ...] = ()
    pulse: float = 0.0
    beaten: float = 0.0
    unheard: bool = False
    make_sure: Callable[[], Awaitable[None]] | None = None

    @property
    def alone(self) -> bool:
        """Whether no other process serves the database."""
        return len(self.alive) <= 1

    def awake(self) -> bool:
        """Whether the event loop has not just been standing still: then nobody is out of time yet."""
        return 1000 * (self.loop.time() - self.pulse) < self.patience.stall

    def sure(self) -> bool:
        """Whether no time is to be given back of which this process does not know yet."""
        if self.unheard or not self.awake():
            return False
        return 1000 * (self.loop.time() - self.beaten) < FRESH
