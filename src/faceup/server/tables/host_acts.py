"""What the hosts of tables did to other people, for the audit log."""

from functools import partial

from faceup.server.audit.log import record
from faceup.server.live import TableHub
from faceup.server.rooms.commands import Remove, TransferHost
from faceup.server.store import Store


async def person_at(hub: TableHub, table: str, seat: int) -> str | None:
    """Return the id of the person at a seat; None for a bot, and if the seat is free. Raises errors of the hub."""
    owners = (await hub.room(table)).owners
    return owners[seat] if 0 <= seat < len(owners) else None


async def record_host_act(
    store: Store, table: str, command: Remove | TransferHost, *, host: str, player: str | None
) -> None:
    """Record that a host has removed a player from a table, or has handed it over. Raises `StoreError`."""
    if player is not None:
        act = partial(record, act="remove_player" if isinstance(command, Remove) else "hand_over", by="host")
        now = store.now()
        await store.write(lambda connection: act(connection, now, actor=host, player=player, place=f"table:{table}"))
