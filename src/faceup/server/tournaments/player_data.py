"""The personal data in tournaments: names, merge and erasure of players."""

from contextlib import suppress

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.player_ids import move_rows
from faceup.server.accounts.players import Erasure, StoredPlayer, find_player
from faceup.server.moderation.reports import forget_names
from faceup.server.rooms.errors import ConfusableNameError
from faceup.server.rooms.names import is_guest_name, name_among
from faceup.server.tournaments.queries import find_tournament, withdraw
from faceup.server.tournaments.schema import tournament_players, tournament_removals, tournaments


def merge_tournament_players(connection: Connection, source: str, target: str) -> None:
    """Give the tournaments of the player `source` to the player `target`.

    If both play in one, `target` stays, and the other entrant counts as one who has left.
    """
    changed = sa.select(tournament_players.c.tournament).where(tournament_players.c.player == source)
    connection.execute(
        tournaments.update().where(tournaments.c.id.in_(changed)).values(version=tournaments.c.version + 1)
    )
    connection.execute(tournaments.update().where(tournaments.c.host == source).values(host=target))
    move_rows(connection, tournaments.c.named_by, source, target)
    move_rows(connection, tournament_players.c.player, source, target)
    move_rows(connection, tournament_removals.c.player, source, target)
    name_entrants(connection, find_player(connection, target))


def name_entrants(connection: Connection, player: StoredPlayer) -> None:
    """Give a player the chosen name in running tournaments that the player has joined as a guest without one.

    A name that could be mistaken for that of another entrant is not shown.
    """
    if is_guest_name(player.name):
        return
    is_player = tournament_players.c.player == player.id
    entered = sa.select(tournaments.c.id, tournament_players.c.number, tournament_players.c.name).join(
        tournament_players, is_player & (tournament_players.c.tournament == tournaments.c.id)
    )
    for row in connection.execute(entered.where(tournaments.c.ended_at.is_(None)).order_by(tournaments.c.id)).all():
        if not is_guest_name(row.name):
            continue
        stored = find_tournament(connection, row.id, lock=True)
        taken = [entrant.name for number, entrant in stored.players.items() if number != row.number]
        with suppress(ConfusableNameError):
            rename = tournament_players.update().where(is_player, tournament_players.c.tournament == row.id)
            connection.execute(rename.values(name=name_among(player.name, taken), face=player.face))
            change = tournaments.update().where(tournaments.c.id == row.id)
            connection.execute(change.values(version=stored.version + 1))


def erase_from_tournaments(connection: Connection, erasure: Erasure) -> None:
    """Withdraw players who are being erased, and delete the hashes of their addresses, also where it is over.

    The name of a tournament may be that of the player who gave it. The tournament then has none.
    """
    ids = tuple(erasure.pseudonyms)
    named = sa.select(tournaments.c.id).where(tournaments.c.named_by.in_(ids)).order_by(tournaments.c.id)
    for identifier in list(connection.execute(named).scalars()):
        stored = find_tournament(connection, identifier, lock=True)
        settings = msgspec.structs.replace(stored.state.settings, name="")
        state = msgspec.json.encode(msgspec.structs.replace(stored.state, settings=settings)).decode()
        change = tournaments.update().where(tournaments.c.id == identifier)
        connection.execute(change.values(state=state, version=stored.version + 1))
        forget_names(connection, "tournament", [identifier])
    connection.execute(tournaments.update().where(tournaments.c.host.in_(ids)).values(source=""))
    withdraw(connection, erasure.now, ids)
