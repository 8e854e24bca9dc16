"""Mark players that programs play for, so that everyone at the table knows."""

import asyncio
from collections.abc import Sequence

from faceup.server.live.command_queue import Ack, ignore_result
from faceup.server.live.hub import TableHub
from faceup.server.rooms.commands import DeclareProgram, Sit
from faceup.server.store import new_id


def declare_program(hub: TableHub, table: str, ids: Sequence[str]) -> asyncio.Future[Ack] | None:
    """Mark a player, by all ids, as a program, unless the table knows it or the player has no seat.

    Call this after `TableHub.send`, so that both commands are in one transaction if the table is in memory.
    """
    room = hub.rooms.get(table)
    if room is None or room.room.programs.isdisjoint(ids):
        declared = hub.send(table, DeclareProgram(), id=new_id(), player=ids)
        declared.add_done_callback(ignore_result)
        return declared
    return None


async def mark_program(hub: TableHub, table: str, ids: Sequence[str]) -> None:
    """Mark a player as `declare_program` does, and wait until it is stored. Errors are ignored."""
    if (declared := declare_program(hub, table, ids)) is not None:
        await asyncio.wait((declared,))


async def sit_down(hub: TableHub, table: str, sit: Sit, ids: Sequence[str], *, program: bool) -> None:
    """Give a player a seat, which is marked if the player is a program. Raises errors of the hub."""
    seated = hub.send(table, sit, id=new_id(), player=ids)
    if program:
        await mark_program(hub, table, ids)
    await seated
