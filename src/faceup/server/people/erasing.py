"""A person's data: all of it to take along, or gone."""

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.server.people.history import every_game, standings
from faceup.server.people.passkeys import list_passkeys
from faceup.server.people.players import find_player
from faceup.server.people.revocations import announce, player_subject
from faceup.server.people.schema import once, passkeys, players, sessions, sittings, tokens
from faceup.server.people.sessions import list_sessions
from faceup.server.people.tokens import list_tokens


def export(connection: Connection, player: str) -> dict[str, Any]:  # Any: JSON
    """All that is kept of a player besides the logs of the tables it sat at. Raises `Missing`."""
    parts = {
        "player": find_player(connection, player),
        "sessions": list_sessions(connection, player),
        "tokens": list_tokens(connection, player),
        "passkeys": list_passkeys(connection, player),
        "ratings": standings(connection, find_player(connection, player)),
        "games": list(every_game(connection, find_player(connection, player))),
    }
    builtins: dict[str, Any] = msgspec.to_builtins(parts)
    return builtins


def erase(connection: Connection, now: int, player: str) -> None:
    """Forget who a player is, and cut it off everywhere. Its id stays in the logs of its tables. Raises `Missing`."""
    found = find_player(connection, player)
    for table in (sessions, tokens, passkeys, once, sittings):
        connection.execute(delete(table).where(table.c.player == found.id))
    connection.execute(
        update(players)
        .where((players.c.id == found.id) | (players.c.merged_into == found.id))
        .values(name="Somebody", login=None, password=None, account_at=None, ban_reason=None, erased_at=now)
    )
    announce(connection, now, player_subject(found.id))


def players_named(connection: Connection, name: str) -> list[str]:
    """The ids of the players of that name or login, for whoever runs the server."""
    same = (players.c.name == name) | (players.c.login == name.casefold()) | (players.c.id == name)
    return list(connection.execute(select(players.c.id).where(same, players.c.erased_at.is_(None))).scalars())
