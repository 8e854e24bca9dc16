"""Games of real players in a database, and everything that a database stores, for tests of deletion."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from tests.server.live.players import Person, hub_at

from faceup.core.record import SecretCommitted, Terms
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.sessions import create_session
from faceup.server.live import TableHub
from faceup.server.results.history import record_seats
from faceup.server.results.ingest import ResultsIngest
from faceup.server.rooms import Sit, Start, TableConfig, loads
from faceup.server.rooms.commands import fair_command_for
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store, metadata

T = TypeVar("T")

NAMES = ("Zipporah Unmistakable", "Bartholomew Onlyhere")
FAIR = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=30_000, fair=True))
DAY = 86_400_000


class World(NamedTuple):
    """A finished fair game of two guests.

    Attributes:
        table: ID of its table.
        people: IDs of the guests.
        secret: the server's secret.
    """

    table: str
    people: tuple[str, ...]
    secret: str

    @property
    def traces(self) -> tuple[str, ...]:
        """What must not be found when the table is deleted and its players are erased."""
        return (*NAMES, *self.people, *map(handle_of, self.people), self.secret)


async def a_guest(store: Store, name: str, *, days_ago: int = 0) -> str:
    """Create a guest with a session."""
    now = store.now() - days_ago * DAY
    player = await store.write(lambda connection: create_guest(connection, now, name))
    await store.write(lambda connection: create_session(connection, now, player.id, "a phone"))
    return player.id


async def seated(hub: TableHub, config: TableConfig, people: tuple[str, ...], names: tuple[str, ...] = NAMES) -> str:
    """Create a table at which these people sit."""
    source = f"the address of {people[0]}"
    table = (await hub.create(config, people[0], names[0], source=source)).table
    for player, name in zip(people[1:], names[1:], strict=False):
        await hub.send(table, Sit(name), id="sit", player=player)
    now = hub.now()
    await hub.store.write(lambda connection: record_seats(connection, now, table, people))
    return table


async def play_fair(hub: TableHub, table: str, people: tuple[str, ...], seeds: bytes = b"xy") -> None:
    """Make the fair deal of a table, and play its game."""
    connected = [await Person(hub, table, player).connect() for player in people]
    for person, seed in zip(connected, seeds, strict=True):
        await person.until(lambda person: "fair" in person.room_view)
        await _answer(person, bytes([seed]) * 32)
    for person, seed in zip(connected, seeds, strict=True):
        await person.until(lambda person: "listed" in person.room_view["fair"])
        await _answer(person, bytes([seed]) * 32)
    for person in connected:
        await person.until(lambda person: person.room_view["actions"])
    await asyncio.gather(*(person.play() for person in connected))
    for person in connected:
        person.disconnect()


async def _answer(person: Person, seed: bytes) -> None:
    command = fair_command_for(person.room_view, seed)
    assert command is not None
    await person.hub.send(person.table, command, id=f"{command}"[:60], player=person.player)


async def a_world(hub: TableHub, names: tuple[str, ...] = NAMES) -> World:
    """Let two new guests play a fair game, and ingest its result."""
    store = hub.store
    people = tuple([await a_guest(store, name) for name in names])
    table = await seated(hub, FAIR, people, names)
    await play_fair(hub, table, people)
    await ResultsIngest(store).ingest()
    entries = [entry for row in await store.read(table) for entry in loads(row.entries)]
    [secret] = [entry.secret for entry in entries if isinstance(entry, SecretCommitted)]
    return World(table, people, secret)


async def a_lone_game(hub: TableHub, player: str, name: str) -> str:
    """Let a player finish a game against a bot."""
    config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(), bots=("random",))
    table = await seated(hub, config, (player,), (name,))
    await hub.send(table, Start(), id="start", player=player)
    person = await Person(hub, table, player).connect()
    await person.play()
    person.disconnect()
    await ResultsIngest(hub.store).ingest()
    return table


async def everything(store: Store, *, but: Collection[str] = ()) -> str:
    """Return all rows of all tables as JSON, except those of some tables."""

    def work(connection: sa.Connection) -> str:
        rows = {
            table.name: [list(map(str, row)) for row in connection.execute(sa.select(table))]
            for table in metadata.sorted_tables
            if table.name not in but
        }
        return json.dumps(rows)

    return await store.query(work)


@asynccontextmanager
async def attached(url: str) -> AsyncIterator[Store]:
    """Open a database without a server, as `faceup admin` does."""
    store = await Store.attach(url)
    try:
        yield store
    finally:
        await store.close()


def on_hub(url: str, work: Callable[[TableHub], Awaitable[T]]) -> T:
    """Run a coroutine function on a hub that is stopped afterwards."""

    async def run() -> T:
        async with hub_at(url) as hub:
            return await work(hub)

    return asyncio.run(run())


def on_store(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Run a coroutine function on a database without a server."""

    async def run() -> T:
        async with attached(url) as store:
            return await work(store)

    return asyncio.run(run())


def files_of(url: str, *, wal: bool = True) -> Iterator[Path]:
    """Yield the files of a database; of PostgreSQL, those of the whole server, with or without its write-ahead log."""
    if url.startswith("sqlite:///"):
        file = Path(url.removeprefix("sqlite:///"))
        yield from (path for path in file.parent.iterdir() if path.name.startswith(file.name))
        return
    data = Path(url.partition("host=")[2]) / "data"
    yield from (path for path in data.rglob("*") if path.is_file() and (wal or "pg_wal" not in path.parts))


def found_in_files(url: str, texts: tuple[str, ...], *, wal: bool = True) -> set[str]:
    """Return the texts that the files of a database contain."""
    hidden = set[str]()
    for path in files_of(url, wal=wal):
        content = path.read_bytes()
        hidden |= {text for text in texts if text.encode() in content}
    return hidden
