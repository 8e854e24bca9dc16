"""The personal data in parties: merge, erasure and export of players."""

import msgspec
from sqlalchemy import Connection, Row, delete, func, select, update

from faceup.server.accounts.player_ids import move_rows
from faceup.server.accounts.players import Erasure
from faceup.server.moderation.reports import forget_names
from faceup.server.parties.queries import announce_party
from faceup.server.parties.schema import parties, party_members, party_removals
from faceup.server.rooms import TableConfig
from faceup.server.rooms.anonymize import without_reservations
from faceup.server.rooms.names import handle_of


def merge_parties(connection: Connection, source: str, target: str) -> None:
    """Make the player `target` a member of the parties of `source`, with the earlier place in each."""
    joined, now = ({row.party: row for row in _memberships(connection, player)} for player in (source, target))
    for party in sorted(joined.keys() & now.keys()):
        membership = (party_members.c.party == party, party_members.c.player == target)
        earlier = min(joined[party].joined_at, now[party].joined_at)
        connection.execute(update(party_members).where(*membership).values(joined_at=earlier))
    for column in (party_members.c.player, party_removals.c.player, parties.c.named_by):
        move_rows(connection, column, source, target)
    # A player that a host has removed is no member, whichever of the two was removed.
    removed = select(party_removals.c.party).where(party_removals.c.player == target)
    membership = (party_members.c.player == target, party_members.c.party.in_(removed))
    connection.execute(delete(party_members).where(*membership))
    delete_empty_parties(connection)


def erase_from_parties(connection: Connection, erasure: Erasure) -> None:
    """End memberships and countdowns, open the seats that settings reserve for players, and remove names they gave.

    The name of a party may be that of the player who gave it. The party then has none, as if it was given none.
    """
    named = select(parties.c.id).where(parties.c.named_by.in_(tuple(erasure.pseudonyms)))
    if named_parties := connection.execute(named.order_by(parties.c.id).with_for_update()).scalars().all():
        connection.execute(update(parties).where(parties.c.id.in_(named_parties)).values(name=""))
        forget_names(connection, "party", named_parties)
        for party in named_parties:
            announce_party(connection, erasure.now, party)
    for handle in map(handle_of, erasure.pseudonyms):
        names_player = parties.c.countdown.contains(f'"{handle}"', autoescape=True)
        connection.execute(update(parties).where(names_player).values(countdown=None))
    for row in connection.execute(select(parties.c.id, parties.c.config).where(parties.c.config.is_not(None))):
        config = msgspec.json.decode(row.config, type=TableConfig)
        if (after := without_reservations(config, map(handle_of, erasure.pseudonyms))) is not config:
            values = {"config": msgspec.json.encode(after).decode()}
            connection.execute(update(parties).where(parties.c.id == row.id).values(values))
    connection.execute(delete(party_members).where(party_members.c.player.in_(tuple(erasure.pseudonyms))))
    delete_empty_parties(connection)


def delete_empty_parties(connection: Connection) -> None:
    """Delete the parties that have lost their last member, who left or was erased."""
    empty = ~select(party_members.c.party).where(party_members.c.party == parties.c.id).exists()
    # The lock lets members join first who are doing so, and the second condition then finds them.
    ids = connection.execute(select(parties.c.id).where(empty).order_by(parties.c.id).with_for_update()).scalars().all()
    if ids:
        connection.execute(delete(parties).where(parties.c.id.in_(ids), empty))


class ExportedParty(msgspec.Struct, frozen=True, kw_only=True):
    """A party in the export of a player's data: nothing about the other members.

    Attributes:
        party: the id of the party.
        name: its name; "" if it has none.
        named: whether the player gave the name.
        joined_at: when the player joined; None if the player, who gave the name, has left.
        seen_at: when the player last had the page of the party open; None if the player has left.
    """

    party: str
    name: str
    named: bool
    joined_at: int | None
    seen_at: int | None


def exported_parties(connection: Connection, player: str) -> list[ExportedParty]:
    """Return the parties of a player, and those that the player gave a name, for the export of the player's data."""
    gave_name, joined_at = parties.c.named_by == player, party_members.c.joined_at
    query = (
        select(parties.c.id, parties.c.name, parties.c.named_by, joined_at, party_members.c.seen_at)
        .outerjoin(party_members, (party_members.c.party == parties.c.id) & (party_members.c.player == player))
        .where(joined_at.is_not(None) | gave_name)
        .order_by(func.coalesce(joined_at, parties.c.created_at), parties.c.id)
    )
    return [
        ExportedParty(
            party=row.id, name=row.name, named=row.named_by == player, joined_at=row.joined_at, seen_at=row.seen_at
        )
        for row in connection.execute(query)
    ]


def _memberships(connection: Connection, player: str) -> list[Row[tuple[object, ...]]]:
    return list(connection.execute(select(party_members).where(party_members.c.player == player)))
