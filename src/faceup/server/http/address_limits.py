"""Limits for each address on open tables and new guests, which all servers of a database share.

All people of a club or a train may share an address. Therefore requests are delayed before they are refused.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from math import ceil
from typing import Final

from faceup.core import RulesError, generator
from faceup.server.accounts.errors import LimitReachedError
from faceup.server.accounts.shared_limits import SharedLimit, take, used
from faceup.server.http.client_address import ClientAddress
from faceup.server.http.services import Services
from faceup.server.live.hub import Admit
from faceup.server.live.wake_times import table_origin
from faceup.server.rooms import decide, evolve
from faceup.server.rooms.commands import AddBot, PersonCommand, Start
from faceup.server.rooms.room import acting_player
from faceup.server.tables.limits import address_load, require_admitted, require_bots_admitted

LONGEST_DELAY: Final = 5.0
"""Seconds by which a request is delayed just before it would be refused."""

_HOUR: Final = 3_600_000


def delay_for(load: float) -> float:
    """Return the seconds by which to delay a request from an address: 0 up to half of a limit, then more and more.

    >>> delay_for(0.5), delay_for(0.75), delay_for(2.0)
    (0.0, 2.5, 5.0)
    """
    return max(0.0, min(1.0, 2 * load - 1)) * LONGEST_DELAY


async def admit_guest(services: Services, caller: ClientAddress) -> None:
    """Count a new guest of an address, after a delay if there are many. Raises `LimitReachedError`."""
    limit = SharedLimit(services.settings.guests_per_address, _HOUR)
    key, now = services.keyed_hash("guests", caller.source), services.store.now()
    await asyncio.sleep(delay_for(await services.store.query(partial(used, now=now, key=key, limit=limit))))
    if wait := await services.write(take, key, limit):
        raise LimitReachedError("too many new guests from your network: try again later", ceil(wait / 1000))


async def admit_table(
    services: Services, source: str, *, listed: bool, bot_only: bool, correspondence: bool = False
) -> Admit:
    """Delay a new table if its address, given as a hash, is near a limit, and return the check of its limits."""
    load = await services.query(
        address_load, services.settings, source, listed=listed, bot_only=bot_only, correspondence=correspondence
    )
    await asyncio.sleep(delay_for(load))
    return partial(require_admitted, settings=services.settings)


async def admit_bots(services: Services, table: str, command: PersonCommand, ids: Sequence[str]) -> None:
    """Raise `TooManyTablesError` if a command seats bots that exceed a limit on open tables."""
    if not isinstance(command, AddBot | Start):
        return
    row, room = await services.store.room(table), await services.hub.room(table)
    if row is None:
        return
    with suppress(RulesError):  # the table rejects the command
        after = evolve(room, decide(room, command, acting_player(room, ids, command), room.at, generator(None)))
        origin = table_origin(after, row.origin.source, row.origin.creator)
        await services.query(require_bots_admitted, table, origin, services.settings)
