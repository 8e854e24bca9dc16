"""How busy a server is, by address and by player, for the page for administration."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from faceup.server.accounts.schema import players
from faceup.server.http.services import Services
from faceup.server.store.schema import rooms
from faceup.server.tables.limits import SUMS, OpenTables
from faceup.server.workers.fair_queue import SERVER, Owner

MOST: Final = 20
"""The maximum number of addresses and of players in the lists."""

_HASH: Final = re.compile("[0-9a-f]{32}")


class AddressLoad(msgspec.Struct, frozen=True, kw_only=True):
    """What an address causes.

    Attributes:
        address: the address as in `ClientAddress.source`; "" if it is not connected, so that only its hash is known.
        hashed: the start of its keyed hash.
        connections: its live connections to this process.
        requests: its requests in the queues of this process.
        tables: the open tables that its players have created.
    """

    address: str
    hashed: str
    connections: int
    requests: int
    tables: OpenTables


class PlayerLoad(msgspec.Struct, frozen=True, kw_only=True):
    """What a player causes; see `AddressLoad`.

    Attributes:
        handle: the public handle of the player.
        name: the name of the player.
    """

    handle: str
    name: str
    address: str
    connections: int
    requests: int
    tables: OpenTables


def requests_by_owner(services: Services) -> Counter[Owner]:
    """Return the numbers of requests in the queues of this process."""
    requests: Counter[Owner] = Counter()
    for queue in services.queues:
        requests.update(queue.requests())
    return requests


async def address_loads(services: Services) -> list[AddressLoad]:
    """Return the addresses that cause most."""

    def hashed(source: str) -> str:
        return source if _HASH.fullmatch(source) else services.source_hash(source)

    requested, connected = requests_by_owner(services), services.connected
    sources = {owner.source for owner in (*requested, *connected)} - {SERVER.source}
    names = {hashed(source): source for source in sources if not _HASH.fullmatch(source)}
    requests, connections = Counter[str](), Counter[str]()
    for owner, count in requested.items():
        requests[hashed(owner.source)] += count
    for owner, count in connected.items():
        connections[hashed(owner.source)] += count
    tables = await services.query(_open_tables, rooms.c.source)
    loads = [
        AddressLoad(
            address=names.get(owner, ""),
            hashed=owner[:8],
            connections=connections[owner],
            requests=requests[owner],
            tables=tables.get(owner, OpenTables()),
        )
        for owner in {*map(hashed, sources), *tables}
    ]
    return sorted(loads, key=lambda load: (-_weight(load), load.address, load.hashed))[:MOST]


async def player_loads(services: Services) -> list[PlayerLoad]:
    """Return the players who cause most."""
    requested, connected = requests_by_owner(services), services.connected
    requests, connections = Counter[str](), Counter[str]()
    addresses: dict[str, str] = {}
    for owner, count in requested.items():
        requests[owner.player] += count
    for owner, count in connected.items():
        connections[owner.player] += count
        addresses[owner.player] = owner.source
    tables = await services.query(_open_tables, rooms.c.creator)
    people = await services.query(_names, {*requests, *connections, *tables})
    loads = [
        PlayerLoad(
            handle=row.handle,
            name=row.name,
            address=addresses.get(player, ""),
            connections=connections[player],
            requests=requests[player],
            tables=tables.get(player, OpenTables()),
        )
        for player, row in people.items()
    ]
    return sorted(loads, key=lambda load: (-_weight(load), load.name, load.handle))[:MOST]


def _weight(load: AddressLoad | PlayerLoad) -> int:
    return load.connections + load.requests + load.tables.cost


def _open_tables(connection: sa.Connection, by: sa.Column[str]) -> Mapping[str, OpenTables]:
    """Return the open tables in the whole database of the addresses or players with most of them."""
    query = (
        sa.select(by, *SUMS)
        .where(rooms.c.ended_at.is_(None), by != "")
        .group_by(by)
        .order_by(SUMS[0].desc(), by)
        .limit(MOST)
    )
    return {key: OpenTables(*values) for key, *values in connection.execute(query)}


def _names(connection: sa.Connection, ids: set[str]) -> Mapping[str, sa.Row[Any]]:  # Any: columns are untyped
    """Return the handles and names of players by their ids, also of ids that a merged player had."""
    query = sa.select(players.c.id, players.c.handle, players.c.name).where(players.c.erased_at.is_(None))
    rows_by_id: dict[str, sa.Row[Any]] = {}
    sorted_ids: Sequence[str] = sorted(ids)
    for start in range(0, len(sorted_ids), 500):
        chunk = sorted_ids[start : start + 500]
        rows_by_id |= {row.id: row for row in connection.execute(query.where(players.c.id.in_(chunk)))}
    return rows_by_id
