"""Export of a player's data, and the search for players by name."""

from typing import Any

import msgspec
from sqlalchemy import Connection, select

from faceup.server.accounts.history import every_game, hand_standings, ratings_of
from faceup.server.accounts.passkeys import list_passkeys
from faceup.server.accounts.players import find_player
from faceup.server.accounts.reports import reports_by
from faceup.server.accounts.schema import players
from faceup.server.accounts.second_factor import second_factor_state
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
        "second_factor": second_factor_state(connection, player),
        "ratings": ratings_of(connection, found.id),
        "hands": hand_standings(connection, found.id),
        "reports": reports_by(connection, found.id),
        "games": list(every_game(connection, found)),
    }
    builtins: dict[str, Any] = msgspec.to_builtins(parts)
    return builtins


def find_by_name(connection: Connection, name: str) -> list[str]:
    """Return the ids of the players whose name, login or id is `name`. Only the server's operator may see the ids."""
    same = (players.c.name == name) | (players.c.login == name.casefold()) | (players.c.id == name)
    return list(connection.execute(select(players.c.id).where(same, players.c.erased_at.is_(None))).scalars())
