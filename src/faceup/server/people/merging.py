"""One person who is two players: a guest who turns out to have an account, or two accounts of one."""

from sqlalchemy import Connection, select, update

from faceup.core import Malformed
from faceup.server.people.players import find_player
from faceup.server.people.schema import passkeys, players, sessions, tokens


def merge(connection: Connection, gone: str, stays: str) -> None:
    """Let `gone` be `stays` from now on.

    Its sessions, tokens and passkeys open the other, its seats and results count for it. Logs keep the id that was
    written.

    Raises:
        Malformed: they are the same already.
        Missing: there is no such player.
    """
    first, second = find_player(connection, gone), find_player(connection, stays)
    if first.id == second.id:
        raise Malformed("these two are the same player already", what=gone, where="players")
    for table in (sessions, tokens, passkeys):
        connection.execute(update(table).where(table.c.player == first.id).values(player=second.id))
    connection.execute(
        update(players).where(players.c.id == first.id).values(merged_into=second.id, login=None, password=None)
    )
    connection.execute(update(players).where(players.c.merged_into == first.id).values(merged_into=second.id))


def also_known_as(connection: Connection, player: str) -> tuple[str, ...]:
    """The ids under which this player may still own seats: those that were merged into it."""
    found = select(players.c.id).where(players.c.merged_into == player).order_by(players.c.id)
    return tuple(connection.execute(found).scalars())
