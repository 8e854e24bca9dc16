"""Tables: make one, find one, see it, play at it."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from faceup.core.record import dumps
from faceup.server.api.frames import AnyCommandFrame, AskRematch, CommandId, asked
from faceup.server.api.playing import check_kind, named, note_seat, player_at
from faceup.server.api.routes.sessions import welcome
from faceup.server.api.services import Asker, Services, check_places, connected
from faceup.server.api.words import Name
from faceup.server.desk import Subscription
from faceup.server.people.identity import Identity
from faceup.server.people.refusals import Missing
from faceup.server.people.sittings import open_sittings
from faceup.server.rooms import Opening, RoomStatus, Sit, wire
from faceup.server.store import Row

MySeat: TypeAlias = Annotated[
    int | None, QueryParameter(ge=0, le=2**53, description="As which of my seats, if I have several at this table")
]


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made.

    Attributes:
        opening: what will be played, and how.
        id: my own for this request; sent again with it, the same table is found and no other made.
        sit: whether I take the first seat.
        name: what I am called there; my own name if I say nothing.
    """

    opening: Opening
    id: CommandId | None = None
    sit: bool = True
    name: Name | None = None


class TableFound(msgspec.Struct, frozen=True, kw_only=True):
    """Where a table is: its id, the five letters that are read aloud, and the link that is passed on."""

    id: str
    code: str
    link: str
    status: RoomStatus


class ListedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list: where it is, since when (milliseconds since 1970), and what is played by whom."""

    id: str
    code: str
    link: str
    status: RoomStatus
    since: int
    summary: dict[str, Any]  # Any: JSON of the desk's


class Accepted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The command is in the log. `table` is the room in which play goes on, if that was asked for."""

    ack: str
    table: str | None = None


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The table as I may see it, where it is, and the time there, in milliseconds since it was opened."""

    id: str
    code: str
    link: str
    now: int
    sight: dict[str, Any]  # Any: the view is each game's own


@post("/api/tables", tags=["tables"])
async def make_table(data: JSONBody[NewTable], services: Given[Services], asker: Given[Asker]) -> Response[TableFound]:
    """Make a table. Whoever makes it is its host; somebody without a session becomes a guest by it."""
    for kind in data.opening.bots:
        check_kind(kind)
    identity, headers = await _somebody(services, asker, data.name)
    services.tables.take(identity.player, "new tables")
    made = await services.desk.create(
        data.opening,
        identity.player,
        (data.name or identity.name) if data.sit else None,
        table=None if data.id is None else fixed_id(identity.player, data.id),
    )
    if data.sit:
        await note_seat(services, made.table, identity.player)
    found = await row_of(services, made.table)
    return Response(_found(services, asker, found), headers=headers)


@get("/api/tables", tags=["tables"])
async def open_tables(services: Given[Services], asker: Given[Asker]) -> list[ListedTable]:
    """The tables that everybody may find, the newest first."""
    return [_listed(services, asker, row) for row in await services.store.open_list()]


@get("/api/me/tables", tags=["tables"])
async def my_tables(services: Given[Services], asker: Given[Asker]) -> list[ListedTable]:
    """The tables at which I have sat down and that are not over, the last first."""
    me = asker.may("read")
    found = await services.store.query(lambda connection: open_sittings(connection, me.player, *me.also))
    rows = [await services.store.room(table) for table in found]
    return [_listed(services, asker, row) for row in rows if row is not None]


@get("/api/codes/{code:str}", tags=["tables"])
async def by_code(code: FromPath[str], services: Given[Services], asker: Given[Asker]) -> TableFound:
    """The table with these five letters."""
    services.codes.take(asker.caller.source, "codes from this address")
    row = await services.store.find(code[:20])
    if row is None:
        raise Missing("there is no table with this code: ask for it again")
    return _found(services, asker, row)


@get("/api/tables/{table:str}", tags=["tables"])
async def see_table(table: FromPath[str], services: Given[Services], asker: Given[Asker], seat: MySeat = None) -> Seen:
    """The table as I may see it now."""
    me = await viewer(services, asker, table, seat)
    sight = await services.desk.sight(table, me)
    found = _found(services, asker, await row_of(services, table))
    now = await services.desk.time(table, me)
    return Seen(id=found.id, code=found.code, link=found.link, now=now, sight=wire(sight))


@post("/api/tables/{table:str}/commands", status_code=200, tags=["tables"])
async def command(
    table: FromPath[str], data: JSONBody[AnyCommandFrame], services: Given[Services], asker: Given[Asker]
) -> Response[Accepted]:
    """Do something at the table. Sent twice with the same id, it counts once and is answered alike.

    Somebody without a session who sits down becomes a guest by it.
    """
    identifier, asks = asked(data) if not isinstance(data, AskRematch) else (data.id, data)
    headers: dict[str, str] = {}
    if asker.identity is None and isinstance(asks, Sit):
        identity, headers = await _somebody(services, asker, asks.name or None)
    else:
        identity = asker.may("play")
    services.commands.take(identity.player, "commands")
    player = await player_at(services, table, identity, None if isinstance(asks, AskRematch) else asks)
    if isinstance(asks, AskRematch):
        return Response(Accepted(ack=identifier, table=await services.desk.rematch(table, player, id=identifier)))
    await services.desk.send(table, named(asks, identity), id=identifier, player=player, lag=0)
    if isinstance(asks, Sit):
        await note_seat(services, table, player)
    return Response(Accepted(ack=identifier), headers=headers)


@get("/api/tables/{table:str}/stream", tags=["tables"], media_type="application/x-ndjson")
async def stream(
    table: FromPath[str],
    services: Given[Services],
    asker: Given[Asker],
    after: Annotated[int | None, QueryParameter(ge=0, le=2**53, description="The version that was seen last")] = None,
    seat: MySeat = None,
) -> Stream:
    """The table's lines as they come (NDJSON): all that I may see, then what is new; empty lines keep it alive."""
    check_places(services, asker)
    reader = await services.desk.watch(table, await viewer(services, asker, table, seat), after)
    return Stream(
        _lines(services, asker, reader),
        media_type="application/x-ndjson",
        headers={"x-accel-buffering": "no"},  # some proxies would keep lines back
    )


@get("/api/tables/{table:str}/record", tags=["tables"], media_type=MediaType.JSON)
async def record(table: FromPath[str], services: Given[Services]) -> Response[bytes]:
    """The whole story of a table that is finished: `faceup replay` and `faceup review` read it."""
    found = await services.desk.record(table)
    return Response(
        dumps(found).encode(),
        media_type=MediaType.JSON,
        headers={"content-disposition": f'attachment; filename="{found.game}-{table[:8]}.json"'},
    )


class _Streamed:
    """A stream as far as it can be cut off."""

    __slots__ = ("_reader",)

    def __init__(self, reader: Subscription) -> None:
        self._reader = reader

    def cut(self) -> None:
        """End it: its session or token opens nothing any more."""
        self._reader.end("revoked")


async def _lines(services: Services, asker: Asker, reader: Subscription) -> AsyncIterator[bytes]:
    streamed = _Streamed(reader)
    identity = asker.identity
    if identity is not None:
        services.recognition.connect(identity, streamed)
    try:
        with connected(services, asker):
            while True:
                try:
                    async with asyncio.timeout(services.limits.keep_alive):
                        frame = await anext(reader)
                except TimeoutError:
                    frame = b"\n"
                except StopAsyncIteration:
                    return
                yield frame
    finally:
        reader.close()
        if identity is not None:
            services.recognition.disconnect(identity, streamed)


async def _somebody(services: Services, asker: Asker, name: str | None) -> tuple[Identity, dict[str, str]]:
    """Who asks, or a guest that is made for it; and what its browser is to keep."""
    if asker.identity is not None:
        return asker.may("play"), {}
    guest = await welcome(services, asker, name)
    return guest.identity, dict(guest.headers)


async def viewer(services: Services, asker: Asker, table: str, seat: int | None = None) -> str | None:
    """As whom somebody sees a table. Raises `Forbidden` for a token that may not read."""
    return None if asker.identity is None else await player_at(services, table, asker.may("read"), seat=seat)


async def row_of(services: Services, table: str) -> Row:
    """What the store knows of the table. Raises `Missing`."""
    row = await services.store.room(table)
    if row is None:
        raise Missing("there is no such table here")
    return row


def fixed_id(player: str, request: str) -> str:
    """The id of the table that a player asks for by this request: nobody guesses it who does not know the player's.

    >>> fixed_id("ann-id", "1")
    '57dae49555885b4f0affba'
    """
    return sha256(f"faceup table\n{player}\n{request}".encode()).hexdigest()[:22]


def link_to(services: Services, asker: Asker, table: str) -> str:
    """The address that is passed on: of the page at which the table is."""
    root = services.settings.public_url or asker.caller.origin
    return f"{root}{services.settings.base_path}/t/{table}"


def _found(services: Services, asker: Asker, row: Row) -> TableFound:
    return TableFound(id=row.id, code=row.code, link=link_to(services, asker, row.id), status=_status(row))


def _listed(services: Services, asker: Asker, row: Row) -> ListedTable:
    return ListedTable(
        id=row.id,
        code=row.code,
        link=link_to(services, asker, row.id),
        status=_status(row),
        since=row.opened_at,
        summary=msgspec.json.decode(row.summary),
    )


def _status(row: Row) -> RoomStatus:
    status: RoomStatus = msgspec.convert(row.status, RoomStatus)
    return status


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (
    make_table,
    open_tables,
    my_tables,
    by_code,
    see_table,
    command,
    stream,
    record,
)
