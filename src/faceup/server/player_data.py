"""The data of a player in all features: merge it into an account, export it and erase it."""

from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import IO, Final

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

_MEMORY: Final = 1_000_000
"""The number of bytes of an export in memory. A longer one is in a temporary file without a name."""


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


def export(connection: Connection, player: str, features: Sequence[Feature] = FEATURES) -> IO[bytes]:
    """Return a file with all data about a player as a JSON object. The caller closes it, which deletes it.

    Of the logs of tables, it has only what the player chose. A long export is never in memory as a whole.

    Raises `NotFoundError`.
    """
    current = find_player(connection, player).id
    file = SpooledTemporaryFile(_MEMORY)  # noqa: SIM115 -- the caller closes it
    try:
        file.writelines(_export(connection, current, features))
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _export(connection: Connection, player: str, features: Sequence[Feature]) -> Iterator[bytes]:
    start = b"{"
    for feature in features:
        for name, part in (feature.export(connection, player) if feature.export is not None else {}).items():
            yield start + msgspec.json.encode(name) + b":"
            yield from _array(part) if isinstance(part, Iterator) else (msgspec.json.encode(part),)
            start = b",\n"
    yield b"}\n"


def _array(items: Iterator[object]) -> Iterator[bytes]:
    start = b"["
    for item in items:
        yield start + msgspec.json.encode(item)
        start = b",\n"
    yield b"[]" if start == b"[" else b"]"


def erase(connection: Connection, erasure: Erasure, features: Sequence[Feature] = FEATURES) -> None:
    """Delete all data of players except in logs. Their pseudonyms get their results."""
    for feature in features:
        if feature.erase is not None:
            feature.erase(connection, erasure)
    ids = tuple(erasure.pseudonyms)
    connection.execute(delete(players).where(players.c.merged_into.in_(ids)))
    connection.execute(delete(players).where(players.c.id.in_(ids)))  # the rest follows by foreign keys
