"""What whoever runs the server has decided for all of its processes, while they run."""

from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, insert, select

from faceup.core import Malformed
from faceup.server.people.schema import house
from faceup.server.settings import Settings
from faceup.server.store import new_id

Registration: TypeAlias = Literal["open", "code", "closed"]

REGISTRATION: Final = "registration"
REGISTRATION_CODE: Final = "registration_code"
ANNOUNCEMENT: Final = "announcement"

LONGEST: Final = 500
"""Characters of an announcement."""


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody is to read now, such as that there will be a restart.

    Attributes:
        id: another for each, so that the same words said again are told again.
        text: a sentence or two.
        at: when what it speaks of happens, on the database's clock, in milliseconds since 1970.
    """

    id: str
    text: str
    at: int | None = None


def decided(connection: Connection) -> dict[str, str]:
    """All that was decided; what is not in it is as the settings say."""
    return {row.key: row.value for row in connection.execute(select(house))}


def decide(connection: Connection, key: str, value: str | None) -> None:
    """Decide; None leaves it to the settings again."""
    connection.execute(delete(house).where(house.c.key == key))
    if value is not None:
        connection.execute(insert(house).values(key=key, value=value))


def announce(connection: Connection, now: int, text: str | None, within: int | None = None) -> None:
    """Let everybody read the text, which speaks of what happens in so many milliseconds; None takes it back.

    Raises:
        Malformed: it is no short line of printable text.
    """
    if text is None:
        decide(connection, ANNOUNCEMENT, None)
        return
    if not 1 <= len(text) <= LONGEST or not text.isprintable():
        raise Malformed(f"an announcement is a line of 1 to {LONGEST} printable characters", what=text, where="text")
    said = Announcement(id=new_id(), text=text, at=None if within is None else now + within)
    decide(connection, ANNOUNCEMENT, msgspec.json.encode(said).decode())


def announcement(connection: Connection) -> Announcement | None:
    """What everybody is to read now."""
    said = decided(connection).get(ANNOUNCEMENT)
    return msgspec.json.decode(said, type=Announcement) if said else None


def registration_of(connection: Connection, settings: Settings) -> str:
    """Who may become a player: as was decided last, else as the settings have it."""
    return decided(connection).get(REGISTRATION, settings.registration)


def register_by(connection: Connection, how: str, code: str | None) -> None:
    """Decide who may become a player from now on; "usual" leaves it to the settings again."""
    decide(connection, REGISTRATION, None if how == "usual" else how)
    decide(connection, REGISTRATION_CODE, code if how == "code" else None)
