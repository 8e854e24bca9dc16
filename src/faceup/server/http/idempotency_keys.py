"""Idempotency keys: which requests are executed now, and the answers to requests that were executed.

A client that does not know the outcome of a request sends it again with the same key. The server then sends the first
answer instead of executing the request again.
"""

from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.schema import idempotency_keys
from faceup.server.accounts.sessions import DAY
from faceup.server.store.heartbeat import live_processes
from faceup.server.store.queries import insert_new

LIFETIME: Final = DAY
"""Milliseconds for which an answer is kept."""

_ENDED: Final = 10_000
"""Milliseconds after the last heartbeat of a process after which its requests have ended, also on a busy machine."""


class Claim(NamedTuple):
    """The state of a key.

    Attributes:
        claimed: whether the caller may execute the request, and no one else does.
        answer: the encrypted answer to the request; None while it is executed.
        fingerprint: the fingerprint of the first request with the key.
    """

    claimed: bool
    answer: bytes | None
    fingerprint: str


def claim_key(connection: Connection, now: int, key: str, fingerprint: str, process: str) -> Claim:
    """Reserve a key for a request of this process, unless another process executes it or it was answered.

    A process that ended while it executed the request loses the key. This process must not execute it already.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        key: the hash of the key.
        fingerprint: identifies the content of the request.
        process: ID of this process.
    """
    table = idempotency_keys
    connection.execute(table.delete().where(table.c.key == key, table.c.at <= now - LIFETIME))
    insert_new(connection, table, key=key, fingerprint=fingerprint, process=process, at=now)
    row = connection.execute(sa.select(table).where(table.c.key == key)).one()
    ended = table.c.process.not_in(live_processes(now, _ENDED)) | (table.c.process == process)
    free = sa.and_(table.c.key == key, table.c.fingerprint == fingerprint, table.c.answer.is_(None), ended)
    claimed = connection.execute(table.update().where(free).values(process=process)).rowcount > 0
    return Claim(claimed, row.answer, row.fingerprint)


def store_answer(connection: Connection, now: int, key: str, answer: bytes) -> None:
    """Store the encrypted answer to the request with a key."""
    connection.execute(idempotency_keys.update().where(idempotency_keys.c.key == key).values(answer=answer, at=now))


def release_key(connection: Connection, _: int, key: str) -> None:
    """Let a request with the key be executed, because the request before was refused or failed."""
    connection.execute(
        idempotency_keys.delete().where(idempotency_keys.c.key == key, idempotency_keys.c.answer.is_(None))
    )


def delete_expired_keys(connection: Connection, now: int) -> None:
    """Delete the keys with expired answers."""
    connection.execute(idempotency_keys.delete().where(idempotency_keys.c.at <= now - LIFETIME))
