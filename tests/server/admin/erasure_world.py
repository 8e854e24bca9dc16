"""A person in every role that a database knows, for tests of erasure."""

import asyncio
from collections.abc import Iterator
from functools import partial

import msgspec
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest, play_fair, seated
from tests.server.live.players import Person

from faceup.core.record import Terms
from faceup.server.accounts.login import create_account
from faceup.server.accounts.schema import players
from faceup.server.audit.log import record
from faceup.server.live import TableHub
from faceup.server.parties.queries import create_party, join_party, party_of, remove_member
from faceup.server.parties.table_tasks import start_table
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.schema import hand_totals, ratings, results, seat_reviews
from faceup.server.rooms import Sit, TableConfig
from faceup.server.rooms.commands import Remove, Rename, Start, TransferHost
from faceup.server.rooms.config import DAY
from faceup.server.rooms.names import handle_of
from faceup.server.store.schema import metadata
from faceup.server.tournaments.queries import create_tournament, join_tournament
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import open_tournament
from faceup.server.tournaments.tables import SeatedPlayer
from faceup.table.commands import Pause

MARK = "qvxmark"
"""The start of all texts in the rows that `fill_tables` inserts."""

GUEST = "Zebulon Merged"
LOGIN = "zipporahlogin"
RENAMED = "Zipporetta Renamed"

CASUAL = TableConfig(game="nimmt", options={"seats": 3, "hand": 2}, terms=Terms(), bots=("random",))
DAYS = TableConfig(game="nimmt", options={"seats": 2}, terms=Terms(clock=3 * DAY))
FAIR = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=30_000, fair=True))
CUP = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", terms=Terms(clock=30_000)))


async def everywhere(hub: TableHub) -> tuple[tuple[str, ...], str]:
    """Give a person every role. Return all ids of the person, and the id of another player."""
    store = hub.store
    guest, other = await a_guest(store, GUEST), await a_guest(store, NAMES[1])
    await play_fair(hub, await seated(hub, FAIR, (other, guest), (NAMES[1], GUEST)), (other, guest))
    person = await a_guest(store, NAMES[0])
    await store.write(lambda c: create_account(c, 0, person, LOGIN, f"{MARK} password"))
    await store.write(lambda c: merge(c, guest, person))
    people = (person, other)
    await _tables(hub, people)
    await _parties(hub, people)
    await _tournaments(hub, people)
    await ResultsIngest(store).ingest()
    await store.write(lambda c: _statistics(c, person))
    await store.write(partial(record, now=0, act="remove_player", by="host", actor=person, player=other))
    await store.write(lambda c: fill_tables(c, person, other))
    return (person, guest), other


async def _tables(hub: TableHub, people: tuple[str, str]) -> None:
    person, other = people
    finished = await seated(hub, CASUAL, people)
    await hub.send(finished, Start(), id="start", player=person)
    connected = [await Person(hub, finished, player).connect() for player in people]
    await asyncio.gather(*(player.play() for player in connected))
    for player in connected:
        player.disconnect()
    await hub.rematch(finished, other, id="again")  # `reserved` has the handles of both and, for the bot, ""
    for order in (people, people[::-1]):  # as the host, and as a player
        names = NAMES if order == people else NAMES[::-1]
        waiting = await seated(hub, CASUAL, order, names)
        await hub.send(waiting, Rename(order.index(person), RENAMED), id="rename", player=person)
        unnamed = await seated(hub, DAYS, order, tuple("Guest" if name == NAMES[0] else name for name in names))
        await hub.send(unnamed, Rename(order.index(person), RENAMED), id="name", player=person)
        days = await seated(hub, DAYS, order, names)
        await hub.send(days, Pause(), id="pause", player=order[0])
    kicked = await seated(hub, CASUAL, people[::-1], NAMES[::-1])
    await hub.send(kicked, TransferHost(1), id="transfer", player=other)
    await hub.send(kicked, TransferHost(0), id="return", player=person)
    await hub.send(kicked, Remove(1), id="remove", player=other)
    reserved = TableConfig(game="nimmt", options={"seats": 3}, reserved=("", "", handle_of(person)))
    await hub.create(reserved, other, NAMES[1])
    unseated = (await hub.create(CASUAL, person, None)).table
    await hub.send(unseated, Sit(NAMES[1]), id="sit", player=other)


async def _parties(hub: TableHub, people: tuple[str, str]) -> None:
    store, (person, other) = hub.store, people
    config = TableConfig(game="nimmt", options={"seats": 3}, reserved=("", handle_of(person), ""))
    for number, (host, member) in enumerate((people, people[::-1])):
        identifier = f"party {number}"
        await store.write(partial(create_party, now=0, player=host, name=f"Party of {NAMES[number]}", party=identifier))
        party = await store.query(partial(party_of, party=identifier, player=host))
        await store.write(partial(join_party, now=1, key=party.key, player=member))
        party = await store.query(partial(party_of, party=identifier, player=host))
        await start_table(
            hub,
            store,
            party,
            config,
            (host,),
            name=NAMES[people.index(host)],
            face="",
            instead=None,
            present_handles=frozenset({handle_of(member)}),
            table=f"table of party {number}",
            source="an address",
            admit=lambda *_: None,
        )
    await store.write(partial(remove_member, now=2, party="party 1", player=other, handle=handle_of(person)))


async def _tournaments(hub: TableHub, people: tuple[str, str]) -> None:
    store, now = hub.store, hub.now()
    for number, host in enumerate(people):
        named = msgspec.structs.replace(CUP, name=f"Cup of {NAMES[number]}")
        state = open_tournament(named, 1, now)
        create = partial(create_tournament, host=host, source=f"the address of {host}", state=state, limits=Settings())
        await store.write(partial(create, now=now, identifier=f"cup {number}"))
        for player, name in zip(people, NAMES, strict=True):
            who = SeatedPlayer(player, name, "fox-3")
            await store.write(partial(join_tournament, now=now, identifier=f"cup {number}", who=who))


def _statistics(connection: sa.Connection, person: str) -> None:
    """Store what the coach found in a game of the person, a rating and the sums of hands."""
    row = connection.execute(sa.select(results.c.number, results.c.seat).where(results.c.who == person).limit(1)).one()
    values = {"number": row.number, "seat": row.seat, "reserved_at": 0, "tries": 1, "findings": f'{{"a": "{MARK}"}}'}
    connection.execute(seat_reviews.insert().values(values))
    for table in (ratings, hand_totals):
        numbers = {column.name: 0 for column in table.c if not isinstance(column.type, sa.Text)}
        texts = {column.name: f"{MARK} {column}" for column in table.c if isinstance(column.type, sa.Text)}
        connection.execute(table.insert().values({**numbers, **texts, "who": person}))


def fill_tables(connection: sa.Connection, person: str, other: str) -> None:
    """Insert a row about the person into each table that refers to players or to their rows, unless it has one."""
    for table in metadata.sorted_tables:
        if table is players:
            continue
        for column in [column for column in table.c if _owner(column) is not None]:
            owner = _owner(column)
            value = person if owner is players else _row_of(connection, column, person)
            if connection.execute(sa.select(table).where(column == value).limit(1)).first() is None:
                row = {name: _value(connection, table.c[name], person, other) for name in table.c.keys()}  # noqa: SIM118
                connection.execute(table.insert().values({**row, column.name: value}))


def _owner(column: sa.Column[object]) -> sa.Table | None:
    """Return the table of players, or of their rows, that a column refers to."""
    parents = [key.column.table for key in column.foreign_keys]
    return next((parent for parent in parents if parent is players or "player" in parent.c), None)


def _row_of(connection: sa.Connection, column: sa.Column[object], person: str) -> object:
    [key] = column.foreign_keys
    return connection.execute(sa.select(key.column).where(key.column.table.c.player == person).limit(1)).scalar_one()


def _value(connection: sa.Connection, column: sa.Column[object], person: str, other: str, mark: str = MARK) -> object:
    """Return a value for a new row; for texts, one that can be searched for."""
    for key in column.foreign_keys:
        parent = key.column.table
        if parent is players:
            return other
        if connection.execute(sa.select(parent).limit(1)).first() is None:  # a row that names no one
            row = {name: _value(connection, parent.c[name], person, other, "row") for name in parent.c.keys()}  # noqa: SIM118
            connection.execute(parent.insert().values(row))
        return connection.execute(sa.select(key.column).limit(1)).scalar()
    match column.type:
        case sa.Boolean():
            return False
        case sa.LargeBinary():
            return f"{mark} {column}".encode()
        case sa.Text():
            return f"{mark} {column} {next(_COUNT)}"
        case sa.BigInteger():
            return 9_000_000_000_000 + next(_COUNT)
        case _:
            return 9_000_000 + next(_COUNT)


_COUNT: Iterator[int] = iter(range(1_000_000))
