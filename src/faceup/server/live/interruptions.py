"""Interruptions of service: times that a server took from players, each of which deadlines are given back once.

Several mechanisms notice one event: after a freeze, for example, the event loop was blocked, the heartbeat is late, and
the connection to the database may be lost. So the log of a table names the times that were given back in the IDs of the
extensions, and only what is not among them is given back.
"""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from faceup.server.live.process_context import SERVER

DEATH: Final = "death"
"""The first word of the cause of an interruption by the death of another process."""

_PREFIX: Final = f"{SERVER}interruption-"
_KEY: Final = re.compile(rf"{_PREFIX}.+-(\d+)-(\d+)")


class Interruption(msgspec.Struct, frozen=True, kw_only=True):
    """A time in which players could not choose because of a server, in milliseconds since 1970.

    Attributes:
        cause: what interrupted the service; it begins the IDs of the extensions.
        start: its start.
        end: its end, which may be in the future: then players have this time to reconnect.
    """

    cause: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The idempotency key of the deadline extension."""
        return f"{_PREFIX}{self.cause}-{self.start}-{self.end}"


def time_to_give_back(interruption: Interruption, since: int, keys: Iterable[str]) -> int:
    """Return the milliseconds of an interruption that were not given back yet.

    The time to reconnect after the death of a process begins when another one notices it, and is given only once.

    Args:
        interruption: the interruption.
        since: the start of the decision; no time before it counts.
        keys: the IDs of the commands in the log.

    >>> freeze = Interruption(cause="stall-a-1", start=1_000, end=9_000)
    >>> time_to_give_back(freeze, 0, ["~interruption-outage-500-3000", "~interruption-stall-b-8000-9500", "ann:1"])
    5000
    >>> time_to_give_back(freeze, 7_500, ["~interruption-outage-500-3000"])
    1500
    """
    keys = tuple(keys)
    if interruption.cause.startswith(DEATH) and any(key.startswith(f"{_PREFIX}{interruption.cause}-") for key in keys):
        return 0
    returned = sorted((int(match[1]), int(match[2])) for key in keys if (match := _KEY.fullmatch(key)))
    at, time = max(interruption.start, since), 0
    for start, end in returned:
        time += max(0, min(start, interruption.end) - at)
        at = max(at, end)
    return time + max(0, interruption.end - at)
