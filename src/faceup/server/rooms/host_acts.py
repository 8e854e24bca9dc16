"""What a host does to another player of the table, for the audit log; see `faceup.server.tables.host_acts`."""

from typing import NamedTuple

from faceup.server.rooms.commands import Remove, TransferHost
from faceup.server.rooms.room import Room


class HostAct(NamedTuple):
    """What a host does to another player of the table.

    Attributes:
        at: when, in milliseconds since 1970.
        table: the ID of the table.
        room: the room before the command.
        command: the command.
        host: the ID of the host.
    """

    at: int
    table: str
    room: Room
    command: Remove | TransferHost
    host: str
