"""Invitations of players to a table or a party, which the receiver sees on every open page.

An invitation to a table is shown while the game has not started and a seat is free: for ten minutes, or as long as the
table waits if it has days per move.
A sender has at most one open invitation to a receiver, also if it was declined, until it expires. An invitation shows
only the game and the players of a table, or the name of a party. Its place is known only after it is accepted.
"""

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.errors import ForbiddenError, NotFoundError
from faceup.server.accounts.player_ids import ids_of, ids_query, lock_players
from faceup.server.accounts.schema import players
from faceup.server.friends.queries import (
    Person,
    announce_inbox,
    find_persons,
    has_blocked,
    require_contact,
    require_known,
)
from faceup.server.friends.schema import friendships, invitations
from faceup.server.parties.queries import is_member, join_party, party_of, require_not_full
from faceup.server.parties.schema import parties, party_members
from faceup.server.rooms.config import DAY
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import rooms
from faceup.server.tables.schema import player_tables

TABLE_EXPIRES: Final = 600_000
"""Milliseconds after which an invitation to a table expires. After a declined one, the sender may then ask again."""

DAYS_EXPIRES: Final = 30 * DAY
"""Milliseconds after which an invitation to a table with days per move expires, as the table (`Timeouts.dormant`)."""

PARTY_EXPIRES: Final = 86_400_000
"""Milliseconds after which an invitation to a party expires."""

MAX_EXPIRES: Final = max(TABLE_EXPIRES, DAYS_EXPIRES, PARTY_EXPIRES)
"""Milliseconds for which an invitation is stored at most."""

MAX_OPEN: Final = 20
"""The maximum number of invitations that a receiver is shown."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An open invitation, as its receiver sees it.

    Attributes:
        id: its id, with which it is accepted or declined.
        sender: who sent it.
        kind: whether it is for a table or a party.
        game: the game of the table; null for a party.
        variant: the variant of the table; null for a party.
        players: the names of the people and bots at the table; empty for a party.
        name: the name of the party; "" if it has none, and for a table.
        until: when it expires, in milliseconds since 1970.
    """

    id: str
    sender: Person
    kind: Literal["table", "party"]
    game: str | None = None
    variant: str | None = None
    players: tuple[str, ...] = ()
    name: str = ""
    until: int


class Accepted(NamedTuple):
    """The place of an accepted invitation: the id of a table or of a party, and whether it was open before."""

    table: str | None
    party: str | None
    is_new: bool


class _Summary(msgspec.Struct):
    """The parts of a table's summary that an invitation shows."""

    game: str
    variant: str
    clock: int | None
    seats: list[dict[str, Any] | None]  # Any: as in lists of tables


def invite(
    connection: Connection,
    now: int,
    ids: Collection[str],
    receiver: str,
    *,
    table: str | None = None,
    party: str | None = None,
) -> None:
    """Invite another player to a table or a party.

    Nothing happens if one of the two has blocked the other, or the receiver has declined an earlier invitation that has
    not expired, or has an open one to the same place. An open invitation to another place is replaced.

    Args:
        connection: the connection of a write transaction.
        now: milliseconds since 1970.
        ids: all ids of the sender, the current one first.
        receiver: the id of the receiver.
        table: the id of the table, which the sender may invite to; None for a party.
        party: the id of the party; None for a table.

    Raises:
        NotFoundError: the sender has not played with the receiver, or is no member of the party.
        ForbiddenError: the sender and the receiver are the same, or the receiver takes no invitations from the sender.
        LimitReachedError: the party is full.
    """
    sender, receiver = lock_players(connection, next(iter(ids)), receiver)
    require_known(connection, ids, receiver)
    if party is not None:
        stored_party = party_of(connection, party, sender)
        if any(member.player == receiver for member in stored_party.members):
            return
        require_not_full(stored_party.members)
    require_contact(connection, sender, receiver)
    if has_blocked(connection, receiver, sender) or has_blocked(connection, sender, receiver):
        return
    pair = (invitations.c.sender == sender, invitations.c.receiver == receiver)
    before = connection.execute(select(invitations).where(*pair)).one_or_none()
    same = before is not None and (before.room, before.party) == (table, party)
    valid = before is not None and before.until > now
    if before is not None and valid and (before.state == "declined" or (before.state == "open" and same)):
        return
    expires = PARTY_EXPIRES if table is None else _table_expires(connection, table)
    values = {
        "id": new_id(),
        "room": table,
        "party": party,
        "at": now,
        "until": now + expires,
        "state": "open",
    }
    if not insert_new(connection, invitations, sender=sender, receiver=receiver, **values):
        connection.execute(update(invitations).where(*pair).values(values))
    announce_inbox(connection, now, receiver)


def open_invitations(connection: Connection, now: int, player: str) -> tuple[Invitation, ...]:
    """Return the open invitations of a player, the latest first.

    An invitation to a table ends when the player takes a seat there, when the game starts, and when no seat is free.
    """
    own = player_tables.c.player.in_(ids_query(player))
    seated = sa.exists().where(own, player_tables.c.room == invitations.c.room)
    query = (
        select(invitations, rooms.c.summary, parties.c.name)
        .select_from(invitations)
        .outerjoin(rooms, (rooms.c.id == invitations.c.room) & (rooms.c.status == "pending"))
        .outerjoin(parties, parties.c.id == invitations.c.party)
        .where(
            *_valid(now, player),
            invitations.c.state == "open",
            ~seated,
            sa.or_(rooms.c.id.is_not(None), parties.c.id.is_not(None)),
        )
        .order_by(invitations.c.at.desc(), invitations.c.id)
    )
    rows = connection.execute(query).all()
    senders = find_persons(connection, {row.sender for row in rows})
    shown = (_invitation(row, senders[row.sender]) for row in rows if row.sender in senders)
    return tuple(islice((invitation for invitation in shown if invitation is not None), MAX_OPEN))


def invited_to(connection: Connection, table: str) -> Sequence[str]:
    """Return the ids of the players with an open invitation to a table."""
    query = select(invitations.c.receiver).where(invitations.c.room == table, invitations.c.state == "open")
    return connection.execute(query).scalars().all()


def invited_to_table(
    connection: Connection, now: int, player: str, invitation: str
) -> tuple[str, Sequence[str]] | None:
    """Return the table of an open invitation and all ids of its sender; None if it is not open, or for a party.

    Raises `NotFoundError` as `accept_invitation` does.
    """
    row = _invitation_row(connection, now, player, invitation)
    return None if row.room is None or row.state != "open" else (row.room, ids_of(connection, row.sender))


def accept_invitation(
    connection: Connection, now: int, player: str, invitation: str, *, program: bool = False
) -> Accepted:
    """Accept an invitation, and join the party if it is one to a party.

    A second call only returns the same place. If the player has left the party meanwhile, the invitation is used up.

    Raises:
        NotFoundError: there is no such invitation to the player, or it has expired, or was declined or used up.
        ForbiddenError: the host removed the player from the party.
        LimitReachedError: the party has too many members, or the player too many parties.
    """
    (player,) = lock_players(connection, player)
    row = _invitation_row(connection, now, player, invitation)
    if row.state != "open":
        if row.state == "declined" or (row.party is not None and not is_member(connection, row.party, player)):
            raise _not_found()
        return Accepted(row.room, row.party, is_new=False)
    if row.party is not None:
        key = connection.execute(select(parties.c.key).where(parties.c.id == row.party)).scalar_one()
        sent_by = (party_members.c.party == row.party, party_members.c.player == row.sender)
        if connection.execute(select(party_members.c.player).where(*sent_by)).first() is None:
            raise ForbiddenError("the sender is not a member of the party any more: ask a member for its link")
        join_party(connection, now, key, player, program=program)
    _close(connection, now, player, invitation, "accepted")
    return Accepted(row.room, row.party, is_new=True)


def decline_invitation(connection: Connection, now: int, player: str, invitation: str) -> None:
    """Decline an invitation. For ten minutes, or a day to a party, the sender cannot send another.

    Raises:
        NotFoundError: there is no such invitation to the player, or it has expired.
    """
    (player,) = lock_players(connection, player)
    row = _invitation_row(connection, now, player, invitation)
    _close(connection, now, player, invitation, "declined")
    if row.room is not None and row.until > now + TABLE_EXPIRES:
        again = update(invitations).where(invitations.c.id == invitation).values(until=now + TABLE_EXPIRES)
        connection.execute(again)


def find_open_invitation(connection: Connection, now: int, player: str, invitation: str) -> tuple[str, str]:
    """Return the id of the sender of an invitation to a player, and the name that it shows: of the party or the sender.

    Raises:
        NotFoundError: there is no such invitation to the player, or it has expired.
    """
    row = _invitation_row(connection, now, player, invitation)
    party = connection.execute(select(parties.c.name).where(parties.c.id == row.party)).scalar()
    name = party or connection.execute(select(players.c.name).where(players.c.id == row.sender)).scalar_one()
    return row.sender, name


def delete_expired_invitations(connection: Connection, now: int) -> None:
    """Delete the invitations that have expired."""
    connection.execute(delete(invitations).where(invitations.c.until <= now))


def _table_expires(connection: Connection, table: str) -> int:
    text = connection.execute(select(rooms.c.summary).where(rooms.c.id == table)).scalar_one()
    clock = msgspec.json.decode(text, type=_Summary).clock
    return TABLE_EXPIRES if clock is None or clock < DAY else DAYS_EXPIRES


def _invitation(row: sa.Row[Any], sender: Person) -> Invitation | None:  # Any: columns of different types
    """Return an invitation as its receiver sees it; None if its table is full."""
    if row.room is None:
        return Invitation(id=row.id, sender=sender, kind="party", name=row.name, until=row.until)
    summary = msgspec.json.decode(row.summary, type=_Summary)
    if None not in summary.seats:
        return None
    return Invitation(
        id=row.id,
        sender=sender,
        kind="table",
        game=summary.game,
        variant=summary.variant,
        players=tuple(str(seat["name"]) for seat in summary.seats if seat is not None),
        until=row.until,
    )


def _invitation_row(connection: Connection, now: int, player: str, invitation: str) -> sa.Row[Any]:  # Any: as above
    query = select(invitations).where(invitations.c.id == invitation, *_valid(now, player))
    row = connection.execute(query).one_or_none()
    if row is None or not find_persons(connection, {row.sender}):
        raise _not_found()
    return row


def _not_found() -> NotFoundError:
    return NotFoundError("there is no such invitation, or it has expired")


def _valid(now: int, player: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions of invitations to a player that have not expired, without blocked people."""
    pair = (invitations.c.sender, invitations.c.receiver)
    blocked = sa.exists().where(
        friendships.c.state == "blocked", friendships.c.player.in_(pair), friendships.c.other.in_(pair)
    )
    return invitations.c.receiver == player, invitations.c.until > now, ~blocked


def _close(
    connection: Connection, now: int, player: str, invitation: str, state: Literal["accepted", "declined"]
) -> None:
    connection.execute(update(invitations).where(invitations.c.id == invitation).values(state=state))
    announce_inbox(connection, now, player)
