"""Coming back in on a device on which one was somebody else."""

from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, delete

from faceup.server.people.identity import Identity
from faceup.server.people.merging import merge
from faceup.server.people.players import Player, find_player, require_welcome
from faceup.server.people.refusals import Missing
from faceup.server.people.revocations import announce, player_subject, session_subject
from faceup.server.people.schema import tokens
from faceup.server.people.sessions import Opened, end_session, end_sessions, open_session


class Came(NamedTuple):
    """Who has come in, by which session, and the subjects of what opens nothing any more."""

    player: Player
    session: Opened
    ended: tuple[str, ...]


def come_in(connection: Connection, now: int, player: str, device: str, before: Identity | None) -> Came:
    """Open a session on a device as the player; whatever the device had before ends.

    A guest that it had is this player from now on, with its tables and results. What else opened as the guest, on other
    devices and for programs, ends: it was never shown what opens the account.

    Args:
        connection: to the database.
        now: in milliseconds since 1970.
        player: who comes in, and has proved it.
        device: what its browser calls itself.
        before: who the device was.

    Raises:
        Forbidden: the player is banned.
        Missing: there is no such player.
    """
    here = find_player(connection, player)
    require_welcome(connection, here.id)
    ended: list[str] = []
    if before is not None and before.subject.startswith(session_subject("")):
        with suppress(Missing):
            ended = _leave(connection, now, before, here)
    return Came(here, open_session(connection, now, here.id, device), tuple(ended))


def _leave(connection: Connection, now: int, before: Identity, here: Player) -> list[str]:
    was = find_player(connection, before.player)
    if not was.guest or was.id == here.id:
        end_session(connection, now, was.id, before.subject.removeprefix(session_subject("")))
        return [before.subject]
    end_sessions(connection, now, was.id)
    connection.execute(delete(tokens).where(tokens.c.player == was.id))
    announce(connection, now, player_subject(was.id))
    merge(connection, was.id, here.id)
    return [player_subject(was.id)]
