"""Administration of parties: list and end them, and hand them to another host. No link of a party is shown."""

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.server.accounts.player_ids import current_ids
from faceup.server.audit.log import record
from faceup.server.moderation.bans import require_not_banned
from faceup.server.parties.queries import announce_party, party_of
from faceup.server.parties.schema import parties, party_members
from faceup.server.store.schema import rooms


class AdminParty(msgspec.Struct, frozen=True, kw_only=True):
    """A party in a list. Times are milliseconds since 1970.

    Attributes:
        id: its id.
        name: its name; "" if it has none.
        status: "playing" if its last table is not over, else "idle".
        host: the name of the host.
        host_id: the id of the host.
        members: the number of members.
        table: the code of its last table; None if there is none.
        created_at: when it was created.
        seen_at: when a member last had its page open.
    """

    id: str
    name: str
    status: str
    host: str
    host_id: str
    members: int
    table: str | None
    created_at: int
    seen_at: int


def list_parties(
    connection: sa.Connection, status: str = "", find: str = "", limit: int = 200, *, offset: int = 0
) -> list[AdminParty]:
    """Return parties, the last used first, without the first `offset`.

    Args:
        connection: a connection.
        status: only those that are "playing" or "idle"; "" for all.
        find: only those with this text in their name, or with this id.
        limit: the maximum number.
        offset: how many are left out.
    """
    seen = sa.func.max(party_members.c.seen_at)
    members = sa.select(
        party_members.c.party, seen.label("seen_at"), sa.func.min(party_members.c.player).label("member")
    ).group_by(party_members.c.party)
    last = members.subquery()
    is_playing = rooms.c.id.is_not(None) & rooms.c.ended_at.is_(None)
    query = (
        sa.select(parties, last.c.seen_at, last.c.member, rooms.c.code, is_playing.label("playing"))
        .join(last, last.c.party == parties.c.id)
        .outerjoin(rooms, rooms.c.id == parties.c.room)
        .order_by(last.c.seen_at.desc(), parties.c.id)
        .limit(limit)
        .offset(offset)
    )
    if status:
        query = query.where(is_playing if status == "playing" else ~is_playing)
    if find:
        name = sa.func.lower(parties.c.name).contains(find.casefold(), autoescape=True)
        query = query.where(name | (parties.c.id == find))
    listed = []
    for row in connection.execute(query).all():
        party = party_of(connection, row.id, row.member)
        listed.append(
            AdminParty(
                id=row.id,
                name=row.name,
                status="playing" if row.playing else "idle",
                host=party.host.name,
                host_id=party.host.player,
                members=len(party.members),
                table=row.code,
                created_at=row.created_at,
                seen_at=row.seen_at,
            )
        )
    return listed


def end_party(connection: sa.Connection, now: int, name: str) -> str:
    """Delete a party, but not its tables. Return its id. Raises `Malformed` if no party, or several, match `name`."""
    identifier = _locked(connection, name)
    record(connection, now, "end_party", place=f"party:{identifier}")
    connection.execute(parties.delete().where(parties.c.id == identifier))
    announce_party(connection, now, identifier)
    return identifier


def hand_over(connection: sa.Connection, now: int, name: str, player: str) -> str:
    """Make a member, by id, the host of a party, as if the member had joined first. Return the id of the party.

    Raises:
        Malformed: no party, or several, match `name`; or the player is not a member.
        BannedError: the player is banned.
    """
    identifier = _locked(connection, name)
    (player,) = current_ids(connection, (player,))
    require_not_banned(connection, now, player)
    in_party = party_members.c.party == identifier
    first: int = connection.execute(sa.select(sa.func.min(party_members.c.joined_at)).where(in_party)).scalar_one()
    membership = party_members.update().where(in_party, party_members.c.player == player)
    if not connection.execute(membership.values(joined_at=first - 1)).rowcount:
        raise Malformed("only a member of the party can become its host", what=player, where="person")
    record(connection, now, "hand_over", player=player, place=f"party:{identifier}")
    announce_party(connection, now, identifier)
    return identifier


def _locked(connection: sa.Connection, name: str) -> str:
    """Return the id of the party with this id, or of the only one with this name, and lock it."""
    query = sa.select(parties.c.id).with_for_update()
    ids: Sequence[str] = connection.execute(query.where(parties.c.id == name)).scalars().all()
    if not ids and name:
        ids = connection.execute(query.where(parties.c.name == name).order_by(parties.c.id)).scalars().all()
    if len(ids) == 1:
        return ids[0]
    hint = f": use the ID of one, such as {ids[0]}" if ids else ": `faceup admin parties list` lists all"
    raise Malformed(f"{len(ids) or 'no'} parties match {name!r}{hint}", what=name, where="party")
