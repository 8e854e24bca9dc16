"""A seat at a table online: taken, played from the first deal to the last, and given up politely."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from faceup.core import RulesError, Seat
from faceup.server.client.asking import Client
from faceup.server.client.live import Live
from faceup.server.rooms import Leave, Sit

_POLITE = 2.0
"""Seconds that saying goodbye may take."""


@asynccontextmanager
async def seated(client: Client, table: str, *, seat: Seat | None = None, name: str = "") -> AsyncIterator[Live]:
    """A seat at the table, live: the one that the player has already, else the one that is asked for, or the first.

    Whoever is interrupted while the game is on, or before it, leaves: then nobody waits for a player who is gone, and
    the seat is kept for that player's return.

    Raises:
        Refused: there is no such table, or no seat.
        Unreachable: the server does not answer.
    """
    async with client.live(table) as live:
        try:
            if live.seat is None:
                await live.do(Sit(name, seat))
                await live.until(lambda: live.seat is not None)
            yield live
        except BaseException:
            if live.seat is not None and live.status in {"pending", "active"} and live.ended is None:
                await _say_goodbye(live, live.seat)
            raise


async def _say_goodbye(live: Live, seat: Seat) -> None:
    with suppress(RulesError, TimeoutError):
        async with asyncio.timeout(_POLITE):
            await live.do(Leave(seat))
