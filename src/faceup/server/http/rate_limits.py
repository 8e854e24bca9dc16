"""Rate limits (token buckets), concurrency limits and size limits.

Limits for each player are low. Limits for each address are high, because all people in a school or a train may share
one address.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

import msgspec

from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.http.errors import RequestError


class RateLimit(msgspec.Struct, frozen=True):
    """The limit of a token bucket.

    Attributes:
        burst: the maximum number of tokens in the bucket, which can be taken at once.
        per_second: the number of tokens added each second.
    """

    burst: float
    per_second: float


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """All limits of a server. A server for bot programs may use higher limits.

    Attributes:
        body: maximum size of a request body, in bytes.
        frame: maximum size of a client's WebSocket message, in bytes.
        commands: rate of commands from one player, over WebSockets and HTTP together.
        requests: rate of authenticated requests from one player.
        per_address: rate of requests and new connections from one address.
        attempts: rate of login attempts from one address.
        attempts_by_player: rate at which one player may try passwords or logins that are taken.
        logins: wrong passwords for one login from one address; a device that has logged in before counts by itself.
        logins_from_anywhere: wrong passwords for one login from all addresses that have not logged in before.
        second_factors: wrong codes of one player's second factor from all devices that have not logged in before; a
            device that has counts by itself. Without it, who knows the password would find a code within months.
        reports: reports of one player.
        reports_per_address: reports from one address.
        invitations: invitations, and separately requests to be friends, of one player.
        inbox_per_address: invitations and requests from one address to one player who is no friend.
        invitations_per_address: invitations and requests from one address to all players who are no friends.
        members_per_address: members of one party who join from one address.
        parties_per_address: new parties from one address.
        codes: rate at which one address looks up table codes.
        live: maximum number of concurrent connections of one player.
        live_per_address: maximum number of concurrent connections from one address, including spectators' connections.
        tables: rate at which one player creates tables.
        studies: rate of replays and reviews for one player, or for one address without a session. Cached replays count.
        hints: rate of hints for one player.
        pictures: rate of pictures for one player, or for one address without a session. Cached pictures count.
        record: maximum size of an uploaded record, in bytes.
        mail_codes: mails with codes that one player asks for, and that are sent to one mail address.
        mail_codes_per_address: mails with codes that one address of the network asks for.
        private_push: whether push services may have http and private addresses, for tests.
        keep_alive: seconds without messages after which a stream sends a heartbeat.
    """

    body: int = 32 * 1024
    frame: int = 4 * 1024
    commands: RateLimit = RateLimit(60, 20)
    requests: RateLimit = RateLimit(120, 20)
    per_address: RateLimit = RateLimit(20_000, 500)
    attempts: RateLimit = RateLimit(600, 1)
    attempts_by_player: RateLimit = RateLimit(10, 0.1)
    logins: SharedLimit = SharedLimit(10, 600_000)
    logins_from_anywhere: SharedLimit = SharedLimit(200, 3_600_000)
    second_factors: SharedLimit = SharedLimit(20, 86_400_000)
    reports: SharedLimit = SharedLimit(10, 3_600_000)
    reports_per_address: SharedLimit = SharedLimit(60, 3_600_000)
    invitations: SharedLimit = SharedLimit(60, 3_600_000)
    inbox_per_address: SharedLimit = SharedLimit(6, 3_600_000)
    invitations_per_address: SharedLimit = SharedLimit(600, 3_600_000)
    members_per_address: SharedLimit = SharedLimit(30, 86_400_000)
    parties_per_address: SharedLimit = SharedLimit(200, 3_600_000)
    codes: RateLimit = RateLimit(1_000, 5)
    live: int = 20
    live_per_address: int = 5_000
    tables: RateLimit = RateLimit(20, 0.2)
    studies: RateLimit = RateLimit(60, 1)
    hints: RateLimit = RateLimit(20, 0.5)
    pictures: RateLimit = RateLimit(120, 2)
    record: int = 4 * 1024 * 1024
    mail_codes: SharedLimit = SharedLimit(5, 3_600_000)
    mail_codes_per_address: SharedLimit = SharedLimit(30, 3_600_000)
    private_push: bool = False
    keep_alive: float = 10.0


class RateLimiter:
    """A set of token buckets, one for each key. Full buckets use no memory.

    The argument `what` names the limited requests in error messages.

    >>> seconds = 0.0
    >>> buckets = RateLimiter(RateLimit(burst=2, per_second=1), "requests", clock=lambda: seconds)
    >>> [buckets.wait("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> buckets.wait("bob")
    0.0
    """

    __slots__ = ("_clock", "_full_at", "_interval", "_room", "_tidy_at", "_what")

    def __init__(self, rate: RateLimit, what: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = 1 / rate.per_second
        self._room = rate.burst / rate.per_second
        self._what = what
        self._clock = clock
        self._full_at: dict[str, float] = {}
        self._tidy_at = 1024

    def wait(self, key: str) -> float:
        """Take a token and return 0. If there is no token, return the seconds until there is one."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + self._interval
        over = full_at - now - self._room
        if over > 1e-9:
            return over
        self._full_at[key] = full_at
        if len(self._full_at) > self._tidy_at:
            self._full_at = {owner: at for owner, at in self._full_at.items() if at > now}
            self._tidy_at = max(1024, 2 * len(self._full_at))
        return 0.0

    def take(self, key: str) -> None:
        """Take a token. Raises `RequestError` ("rate_limited") if there is no token."""
        if wait := ceil(self.wait(key)):
            raise RequestError("rate_limited", f"too many {self._what}: try again in {wait} s", retry_after=wait)


class ConcurrencyLimiter:
    """A maximum number of concurrent uses for each key. The argument `what` names the uses in error messages.

    >>> streams = ConcurrencyLimiter(1, "streams")
    >>> with streams.use("ann"), streams.use("bob"):
    ...     streams.check("ann")
    Traceback (most recent call last):
    faceup.server.http.errors.RequestError: too many concurrent streams: the maximum is 1
    """

    __slots__ = ("_maximum", "_used", "_what")

    def __init__(self, maximum: int, what: str) -> None:
        self._maximum = maximum
        self._what = what
        self._used: Counter[str] = Counter()

    def check(self, key: str) -> None:
        """Raise `RequestError` ("rate_limited") if the key has the maximum number of uses."""
        if self._used[key] >= self._maximum:
            message = f"too many concurrent {self._what}: the maximum is {self._maximum}"
            raise RequestError("rate_limited", message, retry_after=5)

    @contextmanager
    def use(self, key: str) -> Iterator[None]:
        """Count one use while the context lasts. Raises `RequestError` if the key has the maximum number of uses."""
        self.check(key)
        self._used[key] += 1
        try:
            yield
        finally:
            self._used[key] -= 1
            if not self._used[key]:
                del self._used[key]
