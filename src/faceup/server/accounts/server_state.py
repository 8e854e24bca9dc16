"""Values that the operator can change while the server runs, such as the registration mode and the announcement."""

import secrets
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.characters import is_printable_line
from faceup.core import Malformed
from faceup.server.accounts.schema import server_state
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import Announcement
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new

Registration: TypeAlias = Literal["open", "code", "closed"]

REGISTRATION: Final = "registration"
REGISTRATION_CODE: Final = "registration_code"
ANNOUNCEMENT: Final = "announcement"
SERVER_KEY: Final = "server_key"

LONGEST: Final = 500
"""The maximum length of an announcement, in characters."""


_ALL: Final = select(server_state)


def get_all(connection: Connection) -> dict[str, str]:
    """Return all stored values. For keys that are missing, the server's settings or the defaults apply."""
    return {row.key: row.value for row in connection.execute(_ALL)}


def set_value(connection: Connection, key: str, value: str | None) -> None:
    """Store a value. None deletes the stored value, so that the server's setting or the default applies again."""
    row = server_state.c.key == key
    if value is None:
        connection.execute(delete(server_state).where(row))
    elif not insert_new(connection, server_state, key=key, value=value):
        connection.execute(update(server_state).where(row).values(value=value))


def server_key(connection: Connection) -> bytes:
    """Return the secret key of all servers of the database. The first of them draws it."""
    stored = get_all(connection).get(SERVER_KEY)
    if stored is None:
        insert_new(connection, server_state, key=SERVER_KEY, value=secrets.token_hex(32))
        stored = get_all(connection)[SERVER_KEY]
    return bytes.fromhex(stored)


def announce(connection: Connection, now: int, text: str | None, within: int | None = None) -> None:
    """Announce a text to all users. If `text` is None, withdraw the current announcement.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        text: the announcement.
        within: milliseconds until the announced event; None if the announcement has no time.

    Raises:
        Malformed: the text is empty, too long, or not printable.
    """
    if text is None:
        set_value(connection, ANNOUNCEMENT, None)
        return
    if not 1 <= len(text) <= LONGEST or not is_printable_line(text):
        raise Malformed(
            f"an announcement must be one line of 1 to {LONGEST} printable characters", what=text, where="text"
        )
    new = Announcement(id=new_id(), text=text, at=None if within is None else now + within)
    set_value(connection, ANNOUNCEMENT, msgspec.json.encode(new).decode())


def announcement(connection: Connection) -> Announcement | None:
    """Return the current announcement, or None."""
    value = get_all(connection).get(ANNOUNCEMENT)
    return msgspec.json.decode(value, type=Announcement) if value else None


def registration_mode(connection: Connection, settings: Settings) -> Registration:
    """Return the registration mode."""
    mode: Registration = msgspec.convert(get_all(connection).get(REGISTRATION, settings.registration), Registration)
    return mode


def set_registration(connection: Connection, how: str, code: str | None) -> None:
    """Set the registration mode to open, code or closed. "default" restores the server's setting."""
    set_value(connection, REGISTRATION, None if how == "default" else how)
    set_value(connection, REGISTRATION_CODE, code if how == "code" else None)
