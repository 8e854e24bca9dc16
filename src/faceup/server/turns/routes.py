"""Routes of the turns of a player at games with days per move, for programs: a list, and a stream of changes."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Final, Literal

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from faceup.server.accounts.credentials import Identity
from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    check_connection_limit,
    count_connection,
)
from faceup.server.http.static import asset_response
from faceup.server.rooms.summary import TableSummary
from faceup.server.tables.routes import link_to
from faceup.server.turns.queries import OpenTurn, find_turns
from faceup.web.assets import Asset

_READ_AGAIN: Final = 60.0
"""Seconds after which a stream reads the turns again, in case that a change by another process was missed."""

_LEAST_INTERVAL: Final = 1.0
"""Seconds between two lines of a stream, so that a player who changes a choice again and again costs little."""


class WaitingTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A table that waits for the player's choice.

    Attributes:
        id: id of the table.
        code: code of the table.
        link: URL of the table's page.
        decision: the number of the open decision. A table that waits again after a choice has a higher one.
        since: when the decision was opened, in milliseconds since 1970.
        due: the player's deadline, in milliseconds since 1970; null without one.
        summary: a description of the table for lists.
    """

    id: str
    code: str
    link: str
    decision: int
    since: int
    due: int | None
    summary: TableSummary


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """The tables with days per move that wait for the player's choice, the one with the earliest deadline first."""

    turns: tuple[WaitingTurn, ...]


class StreamEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The last line of a stream of turns, with its reason."""

    end: Literal["restart", "revoked"]


@get(
    "/api/me/turns",
    tags=["tables"],
    media_type=MediaType.JSON,
    responses={200: ResponseSpec(Turns, generate_examples=False)},
)
async def list_turns(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], reader: Given[Identity]
) -> Response[bytes]:
    """List the tables with days per move that wait for a choice of the player.

    The response has an entity tag: send it as `If-None-Match`, and an unchanged list has the status 304 and no body.
    """
    open_turns = await services.list_query(requester, find_turns, *reader.ids, waiting=True)
    body = _encode(services, requester, open_turns)
    headers = {"cache-control": "private, no-cache"}
    tag = sha256(body).hexdigest()[:20]
    return asset_response(request, Asset("application/json", body, {}), headers, tag=tag)


@get("/api/me/turns/stream", tags=["tables"], media_type="application/x-ndjson")
async def stream_turns(services: Given[Services], requester: Given[Requester], reader: Given[Identity]) -> Stream:
    """Stream the tables with days per move that wait for a choice of the player (NDJSON).

    The first line has the current list, as in `GET /api/me/turns`, and each later line the whole list after a change.
    Empty lines are heartbeats.
    """
    check_connection_limit(services, requester)
    return Stream(
        _lines(services, requester, reader),
        media_type="application/x-ndjson",
        headers={"x-accel-buffering": "no"},  # tells proxies such as nginx not to buffer the stream
    )


class _TurnStream:
    """A stream of turns that ends if its session or token is revoked, or its address banned."""

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self.revoked = False

    def revoke_access(self) -> None:
        """End the stream."""
        self.revoked = True
        self._changed.set()


async def _lines(services: Services, requester: Requester, reader: Identity) -> AsyncIterator[bytes]:
    feed = services.hub.turn_feed
    with feed.subscribe(reader.ids) as changed, count_connection(services, requester):
        stream = _TurnStream(changed)
        services.auth_cache.connect(requester.subjects, stream)
        try:
            async for line in _changes(services, requester, reader, changed, stream):
                yield line
        finally:
            services.auth_cache.disconnect(requester.subjects, stream)


async def _changes(
    services: Services, requester: Requester, reader: Identity, changed: asyncio.Event, stream: _TurnStream
) -> AsyncIterator[bytes]:
    loop, last, read_at = asyncio.get_running_loop(), b"", 0.0
    changed.set()
    while True:
        if changed.is_set() or loop.time() >= read_at + _READ_AGAIN:
            changed.clear()
            if stream.revoked or services.hub.turn_feed.closed:
                yield msgspec.json.encode(StreamEnd(end="revoked" if stream.revoked else "restart")) + b"\n"
                return
            read_at = loop.time()
            line = _encode(services, requester, await services.query(find_turns, *reader.ids, waiting=True)) + b"\n"
            if line != last:
                last = line
                yield line
                await asyncio.sleep(_LEAST_INTERVAL)
        try:
            async with asyncio.timeout(services.limits.keep_alive):
                await changed.wait()
        except TimeoutError:
            yield b"\n"


def _encode(services: Services, requester: Requester, open_turns: list[OpenTurn]) -> bytes:
    return msgspec.json.encode(
        Turns(
            turns=tuple(
                WaitingTurn(
                    id=turn.table,
                    code=turn.code,
                    link=link_to(services, requester, turn.table),
                    decision=turn.decision,
                    since=turn.since,
                    due=turn.due,
                    summary=msgspec.json.decode(turn.summary, type=TableSummary),
                )
                for turn in open_turns
            )
        )
    )
