"""The data of a player in all features: merge it into an account, export it and erase it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from faceup.extras import needs

with needs("server", __name__):
    from sqlalchemy import Connection, delete, update

from faceup.core import Malformed
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.players import Erasure, find_player
from faceup.server.accounts.schema import players
from faceup.server.feature import Feature
from faceup.server.features import FEATURES


def merge(connection: Connection, source: str, target: str, features: Sequence[Feature] = FEATURES) -> None:
    """Merge the player `source` into the player `target`, in all features.

    The login of `source` ends. Seats, hosts and results keep the id of `source`, which readers resolve with
    `player_ids`.

    Raises:
        Malformed: `source` and `target` are the same player.
        NotFoundError: one of the players does not exist.
    """
    ids = lock_players(connection, source, target)
    first, second = (find_player(connection, player).id for player in ids)
    if first == second:
        raise Malformed("the two players must be different, but are the same player", what=source, where="players")
    for feature in features:
        if feature.merge is not None:
            feature.merge(connection, first, second)
    connection.execute(
        update(players).where(players.c.id == first).values(merged_into=second, login=None, password=None)
    )
    connection.execute(update(players).where(players.c.merged_into == first).values(merged_into=second))


def export(connection: Connection, player: str, features: Sequence[Feature] = FEATURES) -> dict[str, Any]:  # Any: JSON
    """Return all data about a player except the logs of the player's tables. Raises `NotFoundError`."""
    current = find_player(connection, player).id
    parts: dict[str, object] = {}
    for feature in features:
        if feature.export is not None:
            parts |= feature.export(connection, current)
    builtins: dict[str, Any] = msgspec.to_builtins(parts)
    return builtins


def erase(connection: Connection, erasure: Erasure, features: Sequence[Feature] = FEATURES) -> None:
    """Delete all data of players except in logs. Their pseudonyms get their results."""
    for feature in features:
        if feature.erase is not None:
            feature.erase(connection, erasure)
    ids = tuple(erasure.pseudonyms)
    connection.execute(delete(players).where(players.c.merged_into.in_(ids)))
    connection.execute(delete(players).where(players.c.id.in_(ids)))  # the rest follows by foreign keys
