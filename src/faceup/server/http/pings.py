"""Pings, with which the server limits how long the clients of both kinds of streams wait for a message.

A page sees no control frames of its WebSocket, so it could not notice their absence. Pings are therefore messages.
"""

from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Final, Protocol

from faceup.server.live import Subscription
from faceup.server.rooms.wire import Ping, encode_message

IDLE_PING_INTERVAL: Final = 25.0
"""Seconds after the last message of a client until it is pinged, if neither other players nor a clock wait for it."""

ATTENDED_PING_INTERVAL: Final = 10.0
"""Seconds after the last message of a player until the player is pinged, if other players or a clock may wait."""

AWAITED_PING_INTERVAL: Final = 1.25
"""The same for a player that everyone waits for now, or with a near deadline (`Subscription.awaited_in`).

As long as the player answers, each interval is twice as long, until it is `ATTENDED_PING_INTERVAL`.
"""

SILENCE: Final = 1.5
"""Seconds without an answer or any other message after a ping until an attended player's connection counts as lost."""

CLIENT_MARGIN: Final = 2.25
"""Seconds after which a client without messages has lost its connection, from when the server would call it silent.

Less if the table's grace period is shorter, because autoplay chooses after it.
"""


_SHORTEST: Final = 0.02
"""The minimum number of seconds between two checks of a connection."""


def ping_interval(reader: Subscription) -> float:
    """Return the seconds after the last message of a client until it is pinged."""
    if not reader.attended:
        return IDLE_PING_INTERVAL
    awaited_for = -reader.awaited_in()
    if awaited_for < 0:
        return ATTENDED_PING_INTERVAL
    return min(max(awaited_for, AWAITED_PING_INTERVAL), ATTENDED_PING_INTERVAL)


def ping_line(reader: Subscription, number: int, interval: float) -> bytes:
    """Return a ping of a stream; the next one follows after `interval` seconds."""
    silence = 1000 * (interval + SILENCE) + min(1000 * CLIENT_MARGIN, reader.grace)
    return encode_message(Ping(number, reader.now(), int(silence)))


class PingedConnection(Protocol):
    """A connection that is checked when its next ping is due, or an answer is overdue.

    Attributes:
        check_at: when the next check is due, set by the schedule.
    """

    check_at: float

    def next_check(self, now: float) -> float:
        """Return when a ping will be due or an answer overdue."""

    def check(self, now: float, *, late: bool) -> None:
        """Send due pings. After a `late` check, messages of clients may have arrived that were not read yet."""


class PingSchedule:
    """The next check of each connection. Nothing is done for a connection before that, however many there are."""

    def __init__(self) -> None:
        self._checks: list[tuple[float, int, PingedConnection]] = []  # a heap
        self._numbers = count()

    def add(self, connection: PingedConnection, now: float) -> None:
        """Schedule the next check of a connection, also if this is earlier than before."""
        connection.check_at = max(connection.next_check(now), now + _SHORTEST)
        heappush(self._checks, (connection.check_at, next(self._numbers), connection))

    def move_forward(self, connection: PingedConnection, now: float) -> None:
        """Schedule the next check of a connection again if it is earlier now."""
        if connection.next_check(now) < connection.check_at < inf:
            self.add(connection, now)

    @staticmethod
    def remove(connection: PingedConnection) -> None:
        """Stop checking a connection."""
        connection.check_at = inf

    def check(self, now: float, *, late: bool = False) -> None:
        """Check all connections that are due. See `PingedConnection.check`."""
        while self._checks and self._checks[0][0] <= now:
            at, _, connection = heappop(self._checks)
            if connection.check_at == at:  # otherwise it was removed, or moved forward
                connection.check(now, late=late)
                self.add(connection, now)
