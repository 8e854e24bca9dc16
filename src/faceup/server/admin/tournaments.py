"""Administration of tournaments: list and end them, and hand them to another host."""

from typing import Final

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.server.accounts.schema import players
from faceup.server.moderation.bans import require_not_banned
from faceup.server.tournaments.queries import hand_over_tournament, lead_tournament
from faceup.server.tournaments.schema import tournament_players, tournaments
from faceup.server.tournaments.state import EndTournament, TournamentState, TournamentStatus

_DECODER: Final = msgspec.json.Decoder(TournamentState)


class AdminTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in a list. Times are milliseconds since 1970.

    Attributes:
        id: its id.
        name: its name.
        status: the status.
        host: the name of the host; None if the host was erased.
        host_id: the id of the host.
        players: the number of entrants who were not erased.
        round: the number of rounds that have started.
        rounds: the number of rounds.
        created_at: when it was created.
        ended_at: when it ended; None if it is not over.
    """

    id: str
    name: str
    status: TournamentStatus
    host: str | None
    host_id: str | None
    players: int
    round: int
    rounds: int
    created_at: int
    ended_at: int | None


def list_tournaments(
    connection: sa.Connection, status: str = "", find: str = "", limit: int = 200, *, offset: int = 0
) -> list[AdminTournament]:
    """Return tournaments, the newest first, without the first `offset`.

    Args:
        connection: a connection.
        status: only those with this status, or with "running", those that are not over; "" for all.
        find: only those with this text in their name, or with this id.
        limit: the maximum number.
        offset: how many are left out.
    """
    count = sa.select(sa.func.count()).where(tournament_players.c.tournament == tournaments.c.id).scalar_subquery()
    query = (
        sa.select(tournaments, players.c.name.label("host_name"), count.label("entrants"))
        .outerjoin(players, players.c.id == tournaments.c.host)
        .order_by(tournaments.c.created_at.desc(), tournaments.c.id)
    )
    if status:
        is_over = status in {"finished", "cancelled"}
        query = query.where(tournaments.c.ended_at.is_not(None) if is_over else tournaments.c.ended_at.is_(None))
    matching = list[AdminTournament]()
    with connection.execute(query.execution_options(yield_per=100)) as rows:
        for row in rows:
            state = _DECODER.decode(row.state)
            name = state.settings.name
            if status not in {"", "running", state.status} or not (
                find.casefold() in name.casefold() or find == row.id
            ):
                continue
            matching.append(
                AdminTournament(
                    id=row.id,
                    name=name,
                    status=state.status,
                    host=row.host_name,
                    host_id=row.host,
                    players=row.entrants,
                    round=len(state.tournament.rounds),
                    rounds=state.settings.rounds,
                    created_at=row.created_at,
                    ended_at=row.ended_at,
                )
            )
            if len(matching) == offset + limit:
                break
    return matching[offset:]


def end_tournament(connection: sa.Connection, now: int, name: str) -> str:
    """End a tournament, as its host can. Running servers close its tables within seconds. Return the id.

    Raises:
        Malformed: no tournament, or several, match `name`; or it is over or ending.
    """
    found_id, running = _find(connection, name)
    before = running.tournament.ended
    lead_tournament(connection, now, found_id, EndTournament(), by="operator")
    if running.over or before:
        raise Malformed(f"the tournament {name!r} is over already", what=name, where="tournament")
    return found_id


def hand_over(connection: sa.Connection, now: int, name: str, player: str) -> str:
    """Make a player, by id, the host of a tournament that is not over. Return the id of the tournament.

    Raises:
        Malformed: no tournament, or several, match `name`; or it is over.
        BannedError: the player is banned.
    """
    found_id, running = _find(connection, name)
    if running.over:
        raise Malformed(f"the tournament {name!r} is over already", what=name, where="tournament")
    require_not_banned(connection, now, player)
    hand_over_tournament(connection, now, found_id, player)
    return found_id


def _find(connection: sa.Connection, name: str) -> tuple[str, TournamentState]:
    """Return the id and the state of the tournament with this id, or of the only one with this name."""
    query = sa.select(tournaments.c.id, tournaments.c.state)
    rows = connection.execute(query.where(tournaments.c.id == name)).all()
    if not rows:
        candidates = connection.execute(query.where(tournaments.c.ended_at.is_(None))).all()
        rows = [row for row in candidates if name and _DECODER.decode(row.state).settings.name == name]
    if len(rows) == 1:
        return rows[0].id, _DECODER.decode(rows[0].state)
    hint = f": use the ID of one, such as {rows[0].id}" if rows else ": `faceup admin tournaments list` lists all"
    raise Malformed(f"{len(rows) or 'no'} tournaments match {name!r}{hint}", what=name, where="tournament")
