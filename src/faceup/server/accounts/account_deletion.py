"""Deletions that players ask for. Each takes place a day later, unless the player cancels it or logs in.

`faceup.server.admin.deletion.erase_requested` executes them.
"""

from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, exists, select

from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.schema import account_deletions, players
from faceup.server.audit.log import player_targets, record_lasting
from faceup.server.store.queries import insert_new

DELETION_DELAY: Final = 24 * 60 * 60 * 1000
"""Milliseconds in which a player can cancel the deletion."""


def request_deletion(connection: Connection, now: int, player: str) -> None:
    """Delete the player's account in a day. A second request changes nothing."""
    (player,) = lock_players(connection, player)
    if insert_new(connection, account_deletions, player=player, requested_at=now):
        targets = player_targets(connection, player)
        record_lasting(connection, now, "request_deletion", by="player", player=player, targets=targets)


def cancel_deletion(connection: Connection, now: int, player: str) -> None:
    """Cancel the deletion of a player's account, if there is one."""
    (player,) = lock_players(connection, player)  # waits for an erasure that has started
    forget_request(connection, now, player)


def forget_request(connection: Connection, now: int, player: str) -> None:
    """Cancel the deletion of a player's account, if there is one. The player is new or locked."""
    if connection.execute(delete(account_deletions).where(account_deletions.c.player == player)).rowcount:
        targets = player_targets(connection, player)
        record_lasting(connection, now, "cancel_deletion", by="player", player=player, targets=targets)


def repeat_request(connection: Connection, requested_at: int | None, player: str) -> None:
    """Store when a player asked for the deletion; None if the player has cancelled it. A restore repeats that."""
    connection.execute(delete(account_deletions).where(account_deletions.c.player == player))
    if requested_at is not None:
        insert_new(connection, account_deletions, player=player, requested_at=requested_at)


def requested_deletions(connection: Connection) -> list[tuple[str, int]]:
    """Return the players who want to be deleted, and when they asked for it, the earliest first."""
    query = select(account_deletions.c.player, account_deletions.c.requested_at)
    return [(player, at) for player, at in connection.execute(query.order_by(account_deletions.c.requested_at))]


def wants_deletion(requested_before: int) -> ColumnElement[bool]:
    """Return whether a player, as a row of `players`, asked for the deletion before a time, and has not cancelled."""
    row = account_deletions.c.player == players.c.id
    return exists().where(row, account_deletions.c.requested_at <= requested_before)
