"""Parties: groups of people who play together again and again, and who joined by a link.

The member who joined first, and who is not banned, is the host. When the host leaves, the next member is. So there is
nothing to store when a host leaves or is erased, and every server process finds the same host.
"""

from collections.abc import Collection
from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from faceup.server.accounts.errors import ForbiddenError, LimitReachedError, NotFoundError
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.revocations import publish, subject_of
from faceup.server.accounts.schema import players
from faceup.server.accounts.shared_limits import Bucket, take_all
from faceup.server.audit.log import record
from faceup.server.friends.schema import invitations
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.parties.countdown import Countdown
from faceup.server.parties.schema import parties, party_members, party_removals, party_tables
from faceup.server.rooms import TableConfig
from faceup.server.rooms.names import handle_of, normalize_optional_name
from faceup.server.rooms.succession import successor
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new, is_unseen
from faceup.server.store.schema import rooms

MAX_MEMBERS: Final = 50
"""The maximum number of members of a party."""

MAX_PARTIES: Final = 50
"""The maximum number of parties that a player is a member of."""

MAX_INVITERS: Final = 8
"""The maximum number of members that a link shows."""

HERE: Final = 30_000
"""Milliseconds for which a member counts as here after the page of the party was last open."""

_TOUCHED: Final = 15_000
"""Milliseconds after which it is stored again that a member is here."""


class PartyMember(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a party.

    Attributes:
        player: the secret id of the player.
        name: the current name.
        face: the chosen face; "" for none.
        guest: whether the player has no account.
        banned: whether the player is banned from the server.
        joined_at: when the player joined, in milliseconds since 1970.
        seen_at: when the member last had the page of the party open, in milliseconds since 1970.
        program: whether it was a program then.
    """

    player: str
    name: str
    face: str
    guest: bool
    banned: bool = False
    joined_at: int
    seen_at: int
    program: bool = False

    @property
    def handle(self) -> str:
        """The public handle of the player."""
        return handle_of(self.player)


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """A party, as its members see it.

    Attributes:
        id: its id, which gives access to nothing.
        name: its name; "" if it has none.
        key: the secret part of the link with which people join.
        created_at: when it was created, in milliseconds since 1970.
        room: the id of its last table; None before the first one.
        config: the settings with which the last table was requested; None before the first one.
        members: the members in the order in which they joined.
        countdown: the last countdown to a game; None before the first one.
    """

    id: str
    name: str
    key: str
    created_at: int
    room: str | None
    config: TableConfig | None
    members: tuple[PartyMember, ...]
    countdown: Countdown | None = None

    def running_countdown(self, now: int) -> Countdown | None:
        """Return the countdown to the next game; None if there is none now."""
        return self.countdown if self.countdown is not None and self.countdown.is_running(self.room, now) else None

    def players_at(self, countdown: Countdown) -> tuple[PartyMember, ...]:
        """Return the members who play the game of a countdown: those who have been seen since it started."""
        return tuple(
            member
            for member in self.members
            if member.seen_at >= countdown.started_at and member.handle not in countdown.out
        )

    @property
    def host(self) -> PartyMember:
        """The member who may rename and delete the party, renew its link and remove members."""
        return successor((member, not member.banned) for member in self.members) or self.members[0]

    def member(self, handle: str) -> PartyMember:
        """Return the member with this handle. Raises `NotFoundError`."""
        for member in self.members:
            if member.handle == handle:
                return member
        raise NotFoundError("the party has no such member")


class InvitedTo(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a party, as a link to the party shows one.

    `here` is whether the page of the party is open, and `program` whether it is a program that had it open last.
    """

    handle: str
    name: str
    face: str | None
    here: bool
    program: bool = False


class PartyInvitation(msgspec.Struct, frozen=True, kw_only=True):
    """What the link of a party shows to people who are no members.

    Attributes:
        name: the name of the party; "" if it has none.
        by: the member who shared the link, or the host.
        members: the number of members.
        people: some of the members, first those who are here.
        party: the id of the party if the player is a member; else None.
    """

    name: str
    by: InvitedTo
    members: int
    people: tuple[InvitedTo, ...]
    party: str | None


def create_party(
    connection: Connection,
    now: int,
    player: str,
    name: str,
    party: str,
    *,
    bucket: Bucket | None = None,
    program: bool = False,
) -> str:
    """Create a party with this id and the player as its host. If it exists, nothing changes. Return the id.

    A new party takes a token from the bucket, which counts those of an address.

    Raises:
        Malformed: the name is invalid.
        LimitReachedError: the player is a member of too many parties, or the bucket is empty.
    """
    (player,) = lock_players(connection, player)
    if connection.execute(select(parties.c.id).where(parties.c.id == party)).first() is not None:
        return party
    if bucket is not None:
        take_all(connection, now, (bucket,), "your network has started many parties: try again later")
    name = normalize_optional_name(name)
    _require_few_parties(connection, player)
    if insert_new(connection, parties, id=party, name=name, named_by=player, key=new_id(), created_at=now):
        _add_member(connection, now, party, player, program=program)
    return party


def party_of(connection: Connection, party: str, player: str) -> Party:
    """Return a party of which the player is a member. Raises `NotFoundError`, also if the player is not a member."""
    row = connection.execute(select(parties).where(parties.c.id == party)).one_or_none()
    members = _members(connection, party)
    if row is None or all(member.player != player for member in members):
        raise NotFoundError("there is no such party, or you are not a member of it: ask a member for its link")
    return _party(row, members)


def is_member(connection: Connection, party: str, player: str) -> bool:
    """Return whether a player, or the one that the player was merged into, is a member of a party."""
    current = select(func.coalesce(players.c.merged_into, players.c.id)).where(players.c.id == player)
    membership = (party_members.c.party == party, party_members.c.player == current.scalar_subquery())
    return connection.execute(select(party_members.c.player).where(*membership)).first() is not None


def parties_of(connection: Connection, player: str) -> list[Party]:
    """Return the parties of a player. The one that the player has seen last comes first."""
    is_own = party_members.c.player == player
    query = select(parties).join(party_members, party_members.c.party == parties.c.id).where(is_own)
    rows = connection.execute(query.order_by(party_members.c.seen_at.desc(), parties.c.id)).all()
    members = _members_of(connection, [row.id for row in rows])
    return [_party(row, tuple(members[row.id])) for row in rows]


def running_tables_of(connection: Connection, now: int, all_parties: Collection[Party]) -> dict[str, str]:
    """Return the statuses of the last tables of parties by their ids, without ends that spectators have seen."""
    last = [party.room for party in all_parties if party.room is not None]
    query = select(rooms.c.id, rooms.c.status).where(rooms.c.id.in_(last), rooms.c.ended_at.is_(None) | is_unseen(now))
    return {row.id: row.status for row in connection.execute(query)}


def party_of_table(connection: Connection, room: str, player: str) -> Party | None:
    """Return the party to which a table belongs; None if it belongs to none of which the player is a member."""
    party = connection.execute(select(party_tables.c.party).where(party_tables.c.room == room)).scalar()
    with suppress(NotFoundError):
        return party_of(connection, party or "", player)
    return None


def find_invitation(
    connection: Connection, now: int, key: str, player: str | None, by: str | None = None
) -> PartyInvitation:
    """Return what a link shows to a player or, with None, to a visitor. `by` is the handle of the member who shared it.

    Raises:
        NotFoundError: the link is not valid any more.
        ForbiddenError: the host removed the player.
    """
    row = _by_key(connection, key)
    _require_not_removed(connection, row.id, player)
    party = _party(row, _members(connection, row.id))
    members = [
        InvitedTo(
            handle=member.handle,
            name=member.name,
            face=member.face or None,
            here=member.seen_at > now - HERE,
            program=member.program,
        )
        for member in party.members
    ]
    inviters = {member.handle: member for member in members}
    shown = [member for member, stored in zip(members, party.members, strict=True) if not stored.banned]
    joined = any(member.player == player for member in party.members)
    return PartyInvitation(
        name=row.name,
        by=inviters.get(by or "", inviters[party.host.handle]),
        members=len(party.members),
        people=tuple(sorted(shown, key=lambda member: not member.here))[:MAX_INVITERS],
        party=row.id if joined else None,
    )


def join_party(
    connection: Connection, now: int, key: str, player: str, bucket: Bucket | None = None, *, program: bool = False
) -> str:
    """Make the player a member of the party with this link. Return the id of the party.

    A new member takes a token from the bucket, which counts those of an address.

    Raises:
        NotFoundError: the link is not valid any more.
        ForbiddenError: the host removed the player.
        LimitReachedError: the party has too many members, the player too many parties, or the bucket is empty.
    """
    (player,) = lock_players(connection, player)
    row = lock_party(connection, _by_key(connection, key).id)
    if row.key != key:  # the host has just renewed the link
        raise _link_not_valid()
    _require_not_removed(connection, row.id, player)
    members = _members(connection, row.id)
    if any(member.player == player for member in members):
        return str(row.id)
    require_not_full(members)
    _require_few_parties(connection, player)
    if bucket is not None:
        take_all(connection, now, (bucket,), "many people of your network are in this party: try again later")
    _add_member(connection, now, row.id, player, program=program)
    return str(row.id)


def require_not_full(members: Collection[PartyMember]) -> None:
    """Raise `LimitReachedError` if a party with these members takes no more."""
    if len(members) >= MAX_MEMBERS:
        raise LimitReachedError(f"this party is full: a party has at most {MAX_MEMBERS} members")


def rename_party(connection: Connection, now: int, party: str, player: str, name: str) -> None:
    """Change the name of a party; "" removes it. Raises `Malformed`, and the errors of `require_host`."""
    lock_party(connection, party)
    require_host(connection, party, player)
    name = normalize_optional_name(name)
    connection.execute(update(parties).where(parties.c.id == party).values(name=name, named_by=player))
    announce_party(connection, now, party)


def renew_link(connection: Connection, now: int, party: str, player: str) -> None:
    """Replace the link of a party, so that the link before opens nothing. Invitations to the party end, too.

    Raises the errors of `require_host`.
    """
    lock_party(connection, party)
    require_host(connection, party, player)
    _renew(connection, now, party)
    announce_party(connection, now, party)


def remove_member(connection: Connection, now: int, party: str, player: str, handle: str) -> None:
    """Remove a member from a party. A player may remove only the own membership, and the host that of anyone.

    A removed member cannot join again. The link is renewed, because the device of a removed guest could
    use it as another guest. When the last member has left, the party is deleted.

    Raises:
        NotFoundError: the player or the other one is not a member.
        ForbiddenError: the player is not the host.
    """
    lock_party(connection, party)
    stored_party = party_of(connection, party, player)
    removed = stored_party.member(handle).player
    if removed != player:
        require_host(connection, party, player)
        record(connection, now, "remove_player", by="host", actor=player, player=removed, place=f"party:{party}")
        connection.execute(insert(party_removals).values(party=party, player=removed))
        _renew(connection, now, party)
    membership = (party_members.c.party == party, party_members.c.player == removed)
    connection.execute(delete(party_members).where(*membership))
    if len(stored_party.members) == 1:
        connection.execute(delete(parties).where(parties.c.id == party))
    announce_party(connection, now, party)


def delete_party(connection: Connection, now: int, party: str, player: str) -> None:
    """Delete a party. Its tables and their results remain. Raises the errors of `require_host`."""
    lock_party(connection, party)
    require_host(connection, party, player)
    record(connection, now, "end_party", by="host", actor=player, place=f"party:{party}")
    connection.execute(delete(parties).where(parties.c.id == party))
    announce_party(connection, now, party)


def require_host(connection: Connection, party: str, player: str) -> Party:
    """Return the party if the player is its host.

    Raises:
        NotFoundError: there is no such party, or the player is not a member.
        ForbiddenError: the player is not the host.
    """
    stored_party = party_of(connection, party, player)
    if stored_party.host.player != player:
        raise ForbiddenError(f"only the host of the party can do this: ask {stored_party.host.name}")
    return stored_party


def see_party(
    connection: Connection, now: int, party: str, player: str, stale: int, *, program: bool | None = None
) -> bool:
    """Record that the player has the page of the party open. Return whether this is news for the other members.

    `program` is whether it is a program that could play, or None if that is not known.

    A player who was last seen after `stale` (see `seen_long_ago`) is not recorded again.
    """
    membership = (party_members.c.party == party, party_members.c.player == player)
    row = connection.execute(select(party_members.c.seen_at, party_members.c.program).where(*membership)).one_or_none()
    if row is None or row.seen_at > stale:
        return False
    program = row.program if program is None else program
    connection.execute(update(party_members).where(*membership).values(seen_at=now, program=program))
    arrived: bool = row.seen_at <= now - HERE or stale > now - _TOUCHED  # the latter: who plays the next game
    arrived |= row.program != program
    if arrived:
        announce_party(connection, now, party)
    return arrived


def seen_long_ago(party: Party, now: int) -> int:
    """Return the time since which a member has to be seen, or `see_party` has to be called."""
    countdown = party.running_countdown(now)
    return max(now - _TOUCHED, 0 if countdown is None else countdown.started_at - 1)


def announce_party(connection: Connection, now: int, party: str) -> None:
    """Announce to all server processes that a party has changed, for the requests that wait for a change."""
    publish(connection, now, subject_of("party", party))


def announce_table(connection: Connection, now: int, room: str) -> None:
    """Announce to all server processes that people sat down at a table, if it belongs to a party."""
    party = connection.execute(select(party_tables.c.party).where(party_tables.c.room == room)).scalar()
    if party is not None:
        announce_party(connection, now, party)


def _party(row: Row[tuple[object, ...]], members: tuple[PartyMember, ...]) -> Party:
    config = None if row.config is None else msgspec.json.decode(row.config, type=TableConfig)
    return Party(
        id=row.id,
        name=row.name,
        key=row.key,
        created_at=row.created_at,
        room=row.room,
        config=config,
        members=members,
        countdown=None if row.countdown is None else msgspec.json.decode(row.countdown, type=Countdown),
    )


def _members(connection: Connection, party: str) -> tuple[PartyMember, ...]:
    return tuple(_members_of(connection, [party])[party])


def _members_of(connection: Connection, identifiers: Collection[str]) -> dict[str, list[PartyMember]]:
    """Return the members of parties, in one query, in the order in which they joined."""
    query = (
        select(
            party_members.c.party,
            players.c.id.label("player"),
            players.c.name,
            players.c.face,
            players.c.account_at.is_(None).label("guest"),
            is_banned(players).label("banned"),
            party_members.c.joined_at,
            party_members.c.seen_at,
            party_members.c.program,
        )
        .join(party_members, party_members.c.player == players.c.id)
        .where(party_members.c.party.in_(identifiers))
        .order_by(party_members.c.joined_at, players.c.id)
    )
    members: dict[str, list[PartyMember]] = {party: [] for party in identifiers}
    for row in connection.execute(query).mappings():
        values = {**row, "guest": bool(row["guest"]), "banned": bool(row["banned"])}
        members[values.pop("party")].append(PartyMember(**values))
    return members


def _by_key(connection: Connection, key: str) -> Row[tuple[object, ...]]:
    row = connection.execute(select(parties).where(parties.c.key == key)).one_or_none()
    if row is None:
        raise _link_not_valid()
    return row


def _link_not_valid() -> NotFoundError:
    return NotFoundError("this link is not valid any more: ask a member of the party for the new one")


def lock_party(connection: Connection, party: str) -> Row[tuple[object, ...]]:
    """Return the row of a party after other processes have finished their changes of it. Raises `NotFoundError`."""
    row = connection.execute(select(parties).where(parties.c.id == party).with_for_update()).one_or_none()
    if row is None:
        raise NotFoundError("there is no such party")
    return row


def _renew(connection: Connection, now: int, party: str) -> None:
    connection.execute(update(parties).where(parties.c.id == party).values(key=new_id()))
    sent = invitations.c.party == party
    receivers = connection.execute(select(invitations.c.receiver).distinct().where(sent)).scalars().all()
    connection.execute(delete(invitations).where(sent))
    for receiver in receivers:
        publish(connection, now, subject_of("inbox", receiver))


def _add_member(connection: Connection, now: int, party: str, player: str, *, program: bool) -> None:
    if insert_new(connection, party_members, party=party, player=player, joined_at=now, seen_at=now, program=program):
        announce_party(connection, now, party)


def _require_not_removed(connection: Connection, party: str, player: str | None) -> None:
    removed = select(party_removals).where(party_removals.c.party == party, party_removals.c.player == player)
    if player is not None and connection.execute(removed).first() is not None:
        raise ForbiddenError("the host removed you from this party, so you cannot join it again")


def _require_few_parties(connection: Connection, player: str) -> None:
    count = connection.execute(
        select(func.count()).select_from(party_members).where(party_members.c.player == player)
    ).scalar_one()
    if count >= MAX_PARTIES:
        raise LimitReachedError(f"you are a member of {MAX_PARTIES} parties: leave one of them first")
