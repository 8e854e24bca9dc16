"""Rate limits that all servers of a database share, as token buckets (GCRA)."""

from collections.abc import Iterable
from math import ceil
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, case, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from faceup.server.accounts.errors import LimitReachedError
from faceup.server.accounts.schema import shared_limits

_SKEW: Final = 100
"""Milliseconds by which the clocks of two servers, which follow that of the database, may differ."""

_FULL_AT: Final = shared_limits.c.full_at


class SharedLimit(msgspec.Struct, frozen=True):
    """The limit of a token bucket.

    Attributes:
        burst: the maximum number of tokens in the bucket, which can be taken together; 0 means no limit.
        within: the time in which an empty bucket becomes full, in milliseconds.
    """

    burst: int
    within: int

    @property
    def interval(self) -> int:
        """Milliseconds until a token is added."""
        return max(1, self.within // self.burst)

    @property
    def tolerance(self) -> int:
        """Milliseconds by which a token may be taken early, so that a server with a slow clock refuses none of a burst.

        It is less than the time until another token, so that there are never more tokens than the limit.
        """
        return min(_SKEW, self.interval // 2)


Bucket: TypeAlias = tuple[str, SharedLimit]
"""The key of a token bucket, and its limit."""


def used(connection: Connection, now: int, key: str, limit: SharedLimit) -> float:
    """Return which part of a bucket has been taken, from 0 to 1."""
    if not limit.burst:
        return 0.0
    full_at = connection.execute(select(_FULL_AT).where(shared_limits.c.key == key)).scalar()
    return 0.0 if full_at is None else min(1.0, max(0, full_at - now) / limit.within)


def take(connection: Connection, now: int, key: str, limit: SharedLimit) -> int:
    """Take a token and return 0. If there is no token, return the milliseconds until there is one."""
    if not limit.burst:
        return 0
    after = _later(now) + limit.interval
    taken = update(shared_limits).where(shared_limits.c.key == key, after <= now + limit.within + limit.tolerance)
    taken = taken.values(full_at=after)
    if connection.execute(taken).rowcount:
        return 0
    try:
        with connection.begin_nested():
            connection.execute(insert(shared_limits).values(key=key, full_at=now + limit.interval))
    except IntegrityError:  # the bucket is empty, or another process has just inserted it
        if connection.execute(taken).rowcount:
            return 0
        full_at: int = connection.execute(select(_FULL_AT).where(shared_limits.c.key == key)).scalar_one()
        return max(1, full_at + limit.interval - now - limit.within)
    return 0


def take_all(connection: Connection, now: int, buckets: Iterable[Bucket], message: str) -> None:
    """Take a token from each bucket. Raises `LimitReachedError` if one is empty, which must undo the transaction.

    Give the buckets in the same order everywhere, so that two processes never wait for each other.
    """
    for key, limit in buckets:
        if wait := take(connection, now, key, limit):
            raise LimitReachedError(message, ceil(wait / 1000))


def give_back(connection: Connection, key: str, limit: SharedLimit) -> None:
    """Put a token back."""
    if limit.burst:
        connection.execute(
            update(shared_limits).where(shared_limits.c.key == key).values(full_at=_FULL_AT - limit.interval)
        )


def delete_full(connection: Connection, now: int) -> None:
    """Delete the buckets that are full."""
    connection.execute(delete(shared_limits).where(now >= _FULL_AT))


def _later(now: int) -> ColumnElement[int]:
    """Return the later one of a bucket's time and now."""
    return case((now < _FULL_AT, _FULL_AT), else_=now)
