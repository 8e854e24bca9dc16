"""Whom a key opens as, whatever kind it is."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Table, select

from faceup.server.people.identity import Identity
from faceup.server.people.merging import also_known_as
from faceup.server.people.players import refuse_banned
from faceup.server.people.schema import players


class Shown(NamedTuple):
    """A key that opens: its own row, and whose it is."""

    key: Row[Any]  # Any: columns have no types of their own
    player: str
    name: str
    also: tuple[str, ...]

    def identity(self, subject: str, scopes: frozenset[str], *, seen: int = 0) -> Identity:
        """Who shows it, and what it opens."""
        return Identity(player=self.player, name=self.name, subject=subject, scopes=scopes, seen=seen, also=self.also)


def shown(connection: Connection, keys: Table, key_digest: str, *holds: ColumnElement[bool]) -> Shown | None:
    """What a key of this kind opens; None if it opens nothing (any more). Raises `Forbidden` for a ban."""
    row = connection.execute(
        select(keys, players.c.name, players.c.banned_at, players.c.ban_reason, players.c.merged_into)
        .join(players, players.c.id == keys.c.player)
        .where(keys.c.digest == key_digest, players.c.erased_at.is_(None), *holds)
    ).one_or_none()
    if row is None:
        return None
    refuse_banned(row.banned_at, row.ban_reason)
    player = row.merged_into or row.player
    return Shown(row, player, row.name, also_known_as(connection, player))
