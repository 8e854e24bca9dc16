"""Export and erasure of a player's data."""

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.history import every_game, hand_standings, ratings_of
from faceup.server.accounts.passkeys import list_passkeys
from faceup.server.accounts.players import find_player, merged_ids
from faceup.server.accounts.revocations import revoke_all
from faceup.server.accounts.schema import (
    hand_totals,
    one_time_codes,
    passkeys,
    player_tables,
    players,
)
from faceup.server.accounts.sessions import list_sessions
from faceup.server.accounts.tokens import list_tokens


def export(connection: Connection, player: str) -> dict[str, Any]:  # Any: JSON
    """Return all data about a player except the logs of the player's tables. Raises `NotFoundError`."""
    found = find_player(connection, player)
    parts = {
        "player": found,
        "sessions": list_sessions(connection, player),
        "tokens": list_tokens(connection, player),
        "passkeys": list_passkeys(connection, player),
        "ratings": ratings_of(connection, found.id),
        "hands": hand_standings(connection, found.id),
        "games": list(every_game(connection, found)),
    }
    builtins: dict[str, Any] = msgspec.to_builtins(parts)
    return builtins


def erase(connection: Connection, now: int, player: str) -> None:
    """Erase the personal data of a player and end the player's sessions. The logs of tables keep the player's id.

    Raises:
        NotFoundError: there is no such player.
    """
    found = find_player(connection, player)
    revoke_all(connection, now, found.id)
    for table in (passkeys, one_time_codes, player_tables):
        connection.execute(delete(table).where(table.c.player == found.id))
    connection.execute(delete(hand_totals).where(hand_totals.c.who.in_([found.id, *merged_ids(connection, found.id)])))
    connection.execute(
        update(players)
        .where((players.c.id == found.id) | (players.c.merged_into == found.id))
        .values(
            name="Deleted player", face="", login=None, password=None, account_at=None, ban_reason=None, erased_at=now
        )
    )


def find_by_name(connection: Connection, name: str) -> list[str]:
    """Return the ids of the players whose name, login or id is `name`. Only the server's operator may see the ids."""
    same = (players.c.name == name) | (players.c.login == name.casefold()) | (players.c.id == name)
    return list(connection.execute(select(players.c.id).where(same, players.c.erased_at.is_(None))).scalars())
