"""What the hosts of tables did to other people, for the audit log."""

from sqlalchemy import Connection

from faceup.server.audit.log import Act, record
from faceup.server.rooms import Room
from faceup.server.rooms.commands import Remove, TransferHost


def person_at(room: Room, seat: int) -> str | None:
    """Return the id of the person at a seat; None for a bot, and if the seat is free."""
    return room.owners[seat] if 0 <= seat < len(room.owners) else None


def record_host_act(
    connection: Connection, now: int, table: str, command: Remove | TransferHost, *, host: str, player: str
) -> None:
    """Record that a host has removed a player from a table, or has handed it over."""
    act: Act = "remove_player" if isinstance(command, Remove) else "hand_over"
    record(connection, now, act, by="host", actor=host, player=player, place=f"table:{table}")
