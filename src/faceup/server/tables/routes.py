"""Routes of tables: create, find, view and draw tables, and play at them."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import suppress
from hashlib import sha256
from html import escape
from typing import Annotated, Final, TypeAlias

import msgspec
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from sqlalchemy import Connection

from faceup.core import RulesError, find_game, write
from faceup.core.record import dumps
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import AccountError, NotFoundError
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.session_routes import register_guest
from faceup.server.http.address_limits import admit_bots, admit_table
from faceup.server.http.bot_kinds import check_kind
from faceup.server.http.idempotency import request_id
from faceup.server.http.middleware import IMAGE_CSP
from faceup.server.http.pings import ping_line
from faceup.server.http.schemas import AnyCommandMessage, Name, RematchRequest, parse_command
from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    check_connection_limit,
    count_connection,
    owner_of,
    record_seat_taken,
    resolve_player,
    send_to_table,
    while_connected,
)
from faceup.server.http.static import asset_response
from faceup.server.live import Subscription
from faceup.server.live.programs import mark_program
from faceup.server.parties.tables import add_rematch
from faceup.server.process.lan import reachable_origin
from faceup.server.replays.replay_worker import DrawnPosition
from faceup.server.rooms import Sit, TableConfig
from faceup.server.rooms.commands import Start
from faceup.server.rooms.room import RoomStatus
from faceup.server.rooms.summary import TableSummary
from faceup.server.rooms.view import encode_room_view
from faceup.server.rooms.wire import RoomViewJson
from faceup.server.site import SITE
from faceup.server.store import TableRow, new_id
from faceup.server.tables.seat_name_tasks import show_name
from faceup.web.assets import Asset

SVG: Final = "image/svg+xml"

MySeat: TypeAlias = Annotated[
    int | None,
    QueryParameter(ge=0, le=2**53, description="The seat to view from, if the player has several seats here"),
]


Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=100, description="The maximum number of tables")]

After: TypeAlias = Annotated[
    str,
    QueryParameter(
        pattern=r"^(\d{1,9}\.\d{1,16}\.[A-Za-z0-9_-]{1,40})?$",
        description="The `cursor` of a table: return only the tables that follow it",
    ),
]


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new table.

    Attributes:
        config: the table's configuration.
        sit: whether the player takes the first seat.
        start: whether to start the game, for a table whose other seats are all for bots.
        name: the name to show at the table; by default, the name of the player.
    """

    config: TableConfig
    sit: bool = True
    start: bool = False
    name: Name | None = None


class TableFound(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its id, its code of five letters, the link to share, and its status."""

    id: str
    code: str
    link: str
    status: RoomStatus


class ListedTable(TableFound, frozen=True, kw_only=True):
    """A table in a list.

    Attributes:
        since: when the table was created, in milliseconds since 1970.
        summary: a description of the table for lists.
    """

    since: int
    summary: TableSummary


class PublicTable(ListedTable, frozen=True, kw_only=True):
    """A public table. `cursor` is its place in the list."""

    cursor: str


class CommandAccepted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The acknowledgement that a command was stored. After a rematch request, `table` is the id of the rematch."""

    ack: str
    table: str | None = None


class TableResponse(msgspec.Struct, frozen=True, kw_only=True):
    """The room view of a table, with its id, code and link.

    Attributes:
        now: milliseconds from the creation of the table to the response.
        room: the room view, as the player may see it.
    """

    id: str
    code: str
    link: str
    now: int
    room: RoomViewJson


@post("/api/tables", tags=["tables"])
async def create_table(
    data: JSONBody[NewTable], services: Given[Services], requester: Given[Requester]
) -> Response[TableFound]:
    """Create a table with the player as its host. Without a session or token, the server creates a guest as host."""
    for kind in data.config.bots:
        check_kind(kind)
    identity, headers = await identity_or_guest(services, requester, data.name)
    services.tables.take(identity.player)
    source, bot_only = services.source_hash(requester.caller.source), bool(data.config.bots) and not data.sit
    made = await services.hub.create(
        data.config,
        identity.player,
        (data.name or identity.name) if data.sit else None,
        face=identity.face,
        table=idempotent_id(identity.player),
        source=source,
        admit=await admit_table(
            services,
            source,
            listed=data.config.listed,
            bot_only=bot_only,
            correspondence=data.config.correspondence,
        ),
    )
    if data.sit and identity.program:
        await mark_program(services.hub, made.table, identity.ids)
    if data.sit:
        await record_seat_taken(services, made.table, identity.player)
    if data.start:
        with suppress(RulesError, AccountError):  # then the host starts it
            await admit_bots(services, made.table, Start(), identity.ids)
            await send_to_table(services, made.table, identity, Start(), request="start")
    row = await row_of(services, made.table)
    return Response(found_table(services, requester, row), headers=headers)


@get("/api/tables", tags=["tables"])
async def list_public_tables(
    services: Given[Services], requester: Given[Requester], after: After = "", limit: Limit = 50
) -> list[PublicTable]:
    """List the public tables.

    The addresses that created them take turns: the newest table of each comes first, then the second newest of each.
    """
    turn, _, rest = after.partition(".")
    opened_at, _, table = rest.partition(".")
    async with services.list_turn(requester):
        rows = await services.store.open_list(limit, after=(int(turn), int(opened_at), table) if after else None)
    return [
        PublicTable(
            **msgspec.structs.asdict(listed_table(services, requester, row)), cursor=f"{turn}.{row.opened_at}.{row.id}"
        )
        for row, turn in rows
    ]


@get("/api/codes/{code:str}", tags=["tables"])
async def get_table_by_code(code: FromPath[str], services: Given[Services], requester: Given[Requester]) -> TableFound:
    """Find a table by its code."""
    return found_table(services, requester, await find_by_code(services, requester, code))


@get("/api/tables/{table:str}", tags=["tables"])
async def get_table(
    table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: MySeat = None
) -> TableResponse:
    """Get the current room view of a table."""
    me = await viewer(services, requester, table, seat)
    room_view = await services.hub.view(table, me)
    table_found = found_table(services, requester, await row_of(services, table))
    now = await services.hub.time(table, me)
    return TableResponse(
        id=table_found.id, code=table_found.code, link=table_found.link, now=now, room=encode_room_view(room_view)
    )


@post("/api/tables/{table:str}/commands", status_code=200, tags=["tables"])
async def send_command(
    table: FromPath[str], data: JSONBody[AnyCommandMessage], services: Given[Services], requester: Given[Requester]
) -> Response[CommandAccepted]:
    """Send a command to a table. A command that is repeated with the same id is applied only once (idempotent).

    Without a session or token, the command `sit` creates a guest.
    """
    identifier, asks = parse_command(data) if not isinstance(data, RematchRequest) else (data.id, data)
    headers: dict[str, str] = {}
    if requester.identity is None and isinstance(asks, Sit):
        identity, headers = await identity_or_guest(services, requester, asks.name or None)
    else:
        identity = requester.may("play")
    services.commands.take(identity.player)
    if isinstance(asks, RematchRequest):
        rematch = await request_rematch(services, table, identity, identifier, address=requester.caller.source)
        return Response(CommandAccepted(ack=identifier, table=rematch))
    await admit_bots(services, table, asks, identity.ids)
    await send_to_table(services, table, identity, asks, request=identifier)
    return Response(CommandAccepted(ack=identifier), headers=headers)


@get("/api/tables/{table:str}/stream", tags=["tables"], media_type="application/x-ndjson")
async def stream(
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    after: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**53, description="The version of the last message that the client received"),
    ] = None,
    seat: MySeat = None,
) -> Stream:
    """Stream the table's messages (NDJSON). A snapshot comes first, and updates follow. Pings are heartbeats."""
    check_connection_limit(services, requester)
    reader = await watch_table(services, requester, table, seat=seat, after=after)
    return Stream(
        _lines(services, requester, reader),
        media_type="application/x-ndjson",
        headers={"x-accel-buffering": "no"},  # tells proxies such as nginx not to buffer the stream
    )


@get("/api/tables/{table:str}/record", tags=["tables"], media_type=MediaType.JSON)
async def record(table: FromPath[str], services: Given[Services], requester: Given[Requester]) -> Response[bytes]:
    """Get the record of a finished table, for `faceup replay` and `faceup review`.

    If the table allows no spectators, only its players get it. If spectators see the table with a delay, they get the
    record when they have seen the end.
    """
    table_record = await services.hub.record(table, await viewer(services, requester, table))
    return Response(
        dumps(table_record).encode(),
        media_type=MediaType.JSON,
        headers={"content-disposition": f'attachment; filename="{table_record.game}-{table[:8]}.json"'},
    )


class _ClosableStream:
    """A stream that ends if its session or token is revoked, or its address banned."""

    __slots__ = ("_reader",)

    def __init__(self, reader: Subscription) -> None:
        self._reader = reader

    def revoke_access(self) -> None:
        """End the stream, because its session or token was revoked, or its address banned."""
        self._reader.end("revoked")


async def request_rematch(services: Services, table: str, identity: Identity, request: str, *, address: str) -> str:
    """Return the id of the table of the rematch, where the player gets all their seats; see `TableHub.rematch`.

    The limits on new tables apply, and the rematch of a party's table belongs to the party.

    Args:
        services: the services.
        table: the id of the finished table.
        identity: the player.
        request: the id of the request.
        address: the address of the player, as in `ClientAddress.source`.

    Raises:
        RequestError: the player asks for too many new tables.
        TooManyTablesError: the player or the address has too many open tables.
    """
    services.tables.take(identity.player)
    row = await services.store.room(table)
    source = services.source_hash(address)
    check = await admit_table(
        services,
        source,
        listed=row is not None and row.listed,
        bot_only=False,
        correspondence=row is not None and row.origin.correspondence,
    )

    def admit(connection: Connection, row: TableRow) -> None:
        check(connection, row)
        add_rematch(connection, row, table)

    ids = await services.query(ids_of, identity.player)
    player = await services.hub.acting_player(table, ids)
    rematch = await services.hub.rematch(table, player, id=request, source=source, admit=admit)
    if identity.program or not (await services.hub.room(table)).programs.isdisjoint(ids):
        await mark_program(services.hub, rematch.table, ids)
    await record_seat_taken(services, rematch.table, *rematch.invited)
    for other in set(ids) - {player}:
        await services.hub.rematch(table, other, id=request, source=source, admit=admit)
    return rematch.table


async def _lines(services: Services, requester: Requester, reader: Subscription) -> AsyncIterator[bytes]:
    streamed = _ClosableStream(reader)
    services.auth_cache.connect(requester.subjects, streamed)
    try:
        with count_connection(services, requester):
            while True:
                try:
                    async with asyncio.timeout(services.limits.keep_alive):
                        frame = await anext(reader)
                except TimeoutError:
                    frame = ping_line(reader, 0, services.limits.keep_alive)
                except StopAsyncIteration:
                    return
                yield frame
    finally:
        reader.close()
        services.auth_cache.disconnect(requester.subjects, streamed)


async def identity_or_guest(
    services: Services, requester: Requester, name: str | None
) -> tuple[Identity, dict[str, str]]:
    """Return the requester's identity without headers, or a new guest's identity and headers that set the cookie."""
    if requester.identity is not None:
        return requester.may("play"), {}
    guest = await register_guest(services, requester, name)
    return guest.identity, dict(guest.headers)


async def viewer(
    services: Services, requester: Requester, table: str, seat: int | None = None
) -> tuple[str, ...] | None:
    """Return the player ids with which the requester views a table; None for a spectator.

    Raises:
        ForbiddenError: the token does not have the scope `read`.
    """
    return (
        None if requester.identity is None else await resolve_player(services, table, requester.may("read"), seat=seat)
    )


async def watch_table(
    services: Services, requester: Requester, table: str, *, seat: int | None, after: int | None
) -> Subscription:
    """Subscribe the requester to a table, where a seat that shows no name gets the name of its player.

    Args:
        services: the services.
        requester: the client.
        table: the id of the table.
        seat: the seat to view from, if the player has several.
        after: as for `TableHub.watch`.

    Raises:
        ForbiddenError: the token does not have the scope `read`.
        TableNotFoundError, SpectatorsOffError, StoreError: as by `TableHub.watch`.
    """
    subscription = await services.hub.watch(table, await viewer(services, requester, table, seat), after)
    if (me := requester.identity) is not None and (room := services.hub.rooms.get(table)) is not None:
        show_name(services.hub, table, room.room, me.ids, name=me.name, face=me.face)
    return subscription


async def find_by_code(services: Services, requester: Requester, code: str) -> TableRow:
    """Return the database row of the table with this code. Raises `NotFoundError`, `RequestError`."""
    services.codes.take(requester.caller.source)
    row = await services.store.find(code[:20])
    if row is None:
        raise NotFoundError("there is no table with this code: ask the host for the code of the table")
    return row


async def row_of(services: Services, table: str) -> TableRow:
    """Return the database row of a table. Raises `NotFoundError` if there is no such table."""
    row = await services.store.room(table)
    if row is None:
        raise NotFoundError("there is no such table")
    return row


def idempotent_id(player: str) -> str:
    """Return an id for what the player creates by the current request. A retry gets the same id again."""
    request = request_id()
    return sha256(f"faceup\n{player}\n{request}".encode()).hexdigest()[:22] if request else new_id()


def link_to(services: Services, requester: Requester, table: str) -> str:
    """Return the URL of the table's page, for sharing."""
    return link_to_page(services, requester, f"/t/{table}")


def link_to_page(services: Services, requester: Requester, path: str) -> str:
    """Return the URL of a page, for sharing. With `lan`, it is never this machine's loopback address."""
    settings, origin = services.settings, requester.caller.origin
    root = settings.public_url or (reachable_origin(origin) if settings.lan else origin)
    return f"{root}{settings.base_path}{path}"


def found_table(services: Services, requester: Requester, row: TableRow) -> TableFound:
    """Return the response for the database row of a table."""
    status = msgspec.convert(row.public_status(services.store.now()), RoomStatus)
    return TableFound(id=row.id, code=row.code, link=link_to(services, requester, row.id), status=status)


def listed_table(services: Services, requester: Requester, row: TableRow) -> ListedTable:
    """Return the response for the database row of a table in a list."""
    address = msgspec.structs.asdict(found_table(services, requester, row))
    return ListedTable(**address, since=row.opened_at, summary=msgspec.json.decode(row.summary, type=TableSummary))


@get("/api/tables/{table:str}/drawing.svg", tags=["tables"], media_type=SVG)
async def drawing(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> Response[bytes]:
    """Draw the player's view of the table (SVG)."""
    room_view = await services.hub.view(table, await viewer(services, requester, table))
    names = tuple(seat.name if seat else "" for seat in room_view.seats)
    position = msgspec.json.encode(DrawnPosition(write(room_view.config.rules(), room_view.view), names))
    asked = services.replays.ask("position", position, owner=owner_of(requester), table=table)
    return svg_response(gzip.decompress(await while_connected(request, asked)))


@get("/api/tables/{table:str}/link.svg", tags=["tables"], media_type=SVG)
async def link_qr_code(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> Response[bytes]:
    """Draw the table's link as a QR code (SVG). The response has an entity tag."""
    await row_of(services, table)
    return await qr_code_response(request, services, requester, link_to(services, requester, table), table)


async def qr_code_response(
    request: AnyRequest, services: Services, requester: Requester, link: str, subject: str
) -> Response[bytes]:
    """Return the response for a link as a QR code. `subject` is the id of what it leads to."""
    asked = services.replays.ask("link", link.encode(), owner=owner_of(requester), table=subject)
    svg = gzip.decompress(await while_connected(request, asked))
    headers = {"content-security-policy": IMAGE_CSP, "cache-control": "private, max-age=3600"}
    return asset_response(request, Asset(SVG, svg, {}), headers, tag=sha256(svg).hexdigest()[:20])


def svg_response(svg: bytes) -> Response[bytes]:
    """Return the response for a drawing of a game as SVG, with a security policy that forbids scripts."""
    for game, title in SITE.get().titles:
        svg = svg.replace(escape(find_game(game).title).encode(), escape(title).encode())
    return Response(svg, media_type=SVG, headers={"content-security-policy": IMAGE_CSP})
