"""At which tables a player has sat down, so that whoever closes a page finds its game again.

The log of a table alone says who owns a seat; this is where to look.
"""

from typing import Final

from sqlalchemy import Connection, delete, insert, select

from faceup.server.people.schema import sittings
from faceup.server.store.schema import rooms

MOST: Final = 50
"""Tables that are found for one player."""


def note_sitting(connection: Connection, now: int, player: str, room: str) -> None:
    """Remember that the player has sat down at the table."""
    connection.execute(delete(sittings).where(sittings.c.player == player, sittings.c.room == room))
    connection.execute(insert(sittings).values(player=player, room=room, at=now))


def open_sittings(connection: Connection, *known_as: str) -> list[str]:
    """The tables that are not over and at which the player (by any of its ids) has sat down, the last first."""
    asked = (
        select(sittings.c.room)
        .join(rooms, rooms.c.id == sittings.c.room)
        .where(sittings.c.player.in_(known_as), rooms.c.ended_at.is_(None))
        .order_by(sittings.c.at.desc())
        .limit(MOST)
    )
    return list(connection.execute(asked).scalars())
