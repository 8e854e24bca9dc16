"""The tables of parties: which table is the running one, and which party a rematch belongs to.

Both are stored in the transaction that creates the table. So two members who start a game at the same time, even at
different processes, get the same table, and no table is lost if a process is killed.
"""

import msgspec
from sqlalchemy import Connection, select, update

from faceup.core import find_game
from faceup.server.accounts.errors import NotFoundError
from faceup.server.parties.queries import announce_party, is_member
from faceup.server.parties.schema import parties, party_tables
from faceup.server.rooms import TableConfig
from faceup.server.store import TableRow
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import rooms
from faceup.server.tables.quick_match import TakenError


def add_first_table(connection: Connection, row: TableRow, party: str, before: str | None, config: TableConfig) -> None:
    """Make a new table the running one of a party, instead of the table `before`.

    Args:
        connection: the connection of the transaction that creates the table.
        row: the row of the new table.
        party: the id of the party.
        before: the id of the running table that the player saw; None for none.
        config: the settings that the player asked for, which are offered for the next table.

    Raises:
        TakenError: another member started a table first.
        NotFoundError: the creator of the table is not a member of the party any more.
    """
    if not is_member(connection, party, row.origin.creator):
        raise NotFoundError("there is no such party, or you are not a member of it: ask a member for its link")
    same = parties.c.room.is_(None) if before is None else parties.c.room == before
    values = {"room": row.id, "config": msgspec.json.encode(config).decode(), "countdown": None}
    if not connection.execute(update(parties).where(parties.c.id == party, same).values(values)).rowcount:
        raise TakenError
    _add(connection, row, party)


def add_rematch(connection: Connection, row: TableRow, table: str) -> None:
    """Make a new table, which is the rematch of `table`, a table of the same party, if `table` belongs to one.

    It is then the running table of the party, unless the members have started another one since. A rematch that
    someone creates who is not a member any more does not belong to the party.
    """
    party = connection.execute(select(party_tables.c.party).where(party_tables.c.room == table)).scalar()
    if party is None or not is_member(connection, party, row.origin.creator):
        return
    connection.execute(select(parties.c.id).where(parties.c.id == party).with_for_update())
    running = (
        select(parties.c.room)
        .join(rooms, rooms.c.id == parties.c.room)
        .where(parties.c.id == party, rooms.c.ended_at.is_(None))
    )
    if connection.execute(running).first() is None:
        connection.execute(update(parties).where(parties.c.id == party).values(room=row.id))
    _add(connection, row, party)


def seats_for(config: TableConfig, people: int) -> TableConfig:
    """Return the settings with enough seats for these people, as far as the variant has them.

    Without a number of seats in the settings, everyone gets one, and there is none for a bot.

    >>> seats_for(TableConfig(game="nimmt"), 3).options, seats_for(TableConfig(game="nimmt"), 1).options
    ({'seats': 3}, {'seats': 2})
    >>> seats_for(TableConfig(game="nimmt", options={"seats": 5}), 3).options
    {'seats': 5}
    """
    least, most = find_game(config.game).variant(config.variant).seats
    chosen_seats = config.options.get("seats")
    seats = max(people, chosen_seats if isinstance(chosen_seats, int) else 2)
    if least == most:
        return config
    options = {**config.options, "seats": min(most, max(least, seats))}
    return msgspec.structs.replace(config, options=options)


def _add(connection: Connection, row: TableRow, party: str) -> None:
    if insert_new(connection, party_tables, room=row.id, party=party, at=row.opened_at):
        announce_party(connection, row.opened_at, party)
