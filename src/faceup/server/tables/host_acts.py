"""What the hosts of tables did to other people, for the audit log."""

from contextlib import suppress

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from faceup.server.audit.log import Act, record
from faceup.server.rooms.commands import Remove
from faceup.server.rooms.host_acts import HostAct


def record_host_act(connection: Connection, host_act: HostAct) -> None:
    """Record that a host has removed a person from a table, or has handed it over. Acts on bots are left out."""
    person = host_act.room.owners[host_act.command.seat]
    if person is None:
        return
    act: Act = "remove_player" if isinstance(host_act.command, Remove) else "hand_over"
    place = f"table:{host_act.table}"
    # A player who is being erased has no row to refer to, and the host's command is stored nevertheless.
    with suppress(IntegrityError), connection.begin_nested():
        record(connection, host_act.at, act, by="host", actor=host_act.host, player=person, place=place)
