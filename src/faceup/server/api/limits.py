"""How much is too much: token buckets, by player and by address, and sizes.

What one player does is bounded tightly, since nobody needs more. What comes from one address is bounded only where it
would hurt others: a school or a train is one address.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

import msgspec

from faceup.server.api.errors import Denied


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: float
    a_second: float


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """All of them. A server of programs that play against each other may set them higher.

    Attributes:
        body: bytes of a request's body.
        frame: bytes of a frame that a client sends.
        commands: by player, on all channels together.
        requests: by player, what is not a command.
        from_address: requests and connections by address.
        players: made by address.
        attempts: to log in, by address.
        attempts_by_login: to log in, by the name that is given.
        codes: of tables that are looked up, by address.
        live: connections of a player.
        live_from_address: connections of an address, since spectators need no session.
        tables: made by a player.
        studies: records told again or judged, by player or address; those that were lately are kept, and count too.
        record: bytes of a record that is sent.
        keep_alive: seconds after which a stream without news sends an empty line, so that both ends know of each other.
    """

    body: int = 32 * 1024
    frame: int = 4 * 1024
    commands: Rate = Rate(60, 20)
    requests: Rate = Rate(120, 20)
    from_address: Rate = Rate(20_000, 500)
    players: Rate = Rate(2_000, 20)
    attempts: Rate = Rate(600, 1)
    attempts_by_login: Rate = Rate(10, 0.1)
    codes: Rate = Rate(1_000, 5)
    live: int = 20
    live_from_address: int = 5_000
    tables: Rate = Rate(20, 0.2)
    studies: Rate = Rate(60, 1)
    record: int = 4 * 1024 * 1024
    keep_alive: float = 6.0


class Buckets:
    """A bucket of tokens for each key. It holds nothing for those that are full.

    >>> seconds = 0.0
    >>> buckets = Buckets(Rate(burst=2, a_second=1), clock=lambda: seconds)
    >>> [buckets.wait("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> buckets.wait("bob")
    0.0
    """

    __slots__ = ("_clock", "_full_at", "_interval", "_room", "_tidy_at")

    def __init__(self, rate: Rate, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = 1 / rate.a_second
        self._room = rate.burst / rate.a_second
        self._clock = clock
        self._full_at: dict[str, float] = {}
        self._tidy_at = 1024

    def wait(self, key: str) -> float:
        """Take a token: 0 if there was one, else the seconds after which there will be."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + self._interval
        over = full_at - now - self._room
        if over > 1e-9:
            return over
        self._full_at[key] = full_at
        if len(self._full_at) > self._tidy_at:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
            self._tidy_at = max(1024, 2 * len(self._full_at))
        return 0.0

    def take(self, key: str, what: str) -> None:
        """Take a token. Raises `Denied` if there is none; `what` there are too many of."""
        wait = self.wait(key)
        if wait:
            raise Denied("too_many", f"too many {what}: try again in {ceil(wait)} s", retry_after=ceil(wait))


class Places:
    """So many at a time for each key.

    >>> places = Places(1)
    >>> with places.taken("ann", "seats"):
    ...     with places.taken("bob", "seats"):
    ...         pass
    ...     with places.taken("ann", "seats"):
    ...         pass
    Traceback (most recent call last):
    faceup.server.api.errors.Denied: as many seats as may be at a time are open already
    """

    __slots__ = ("_most", "_taken")

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def check(self, key: str, what: str) -> None:
        """Raise `Denied` if there is no place left."""
        if self._taken[key] >= self._most:
            raise Denied("too_many", f"as many {what} as may be at a time are open already", retry_after=5)

    @contextmanager
    def taken(self, key: str, what: str) -> Iterator[None]:
        """Have a place until the end. Raises `Denied` if there is none left."""
        self.check(key, what)
        self._taken[key] += 1
        try:
            yield
        finally:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]
