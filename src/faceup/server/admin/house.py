"""What holds for all servers of a database: who may become a player, and what everybody is to read."""

import msgspec
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.people.house import ANNOUNCEMENT, REGISTRATION, REGISTRATION_CODE, decide, decided
from faceup.server.settings import Settings
from faceup.server.store import new_id

LONGEST: int = 500
"""Characters of an announcement."""


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody who is connected reads.

    Attributes:
        id: another for each, so that the same words said again are told again.
        text: a sentence or two.
        at: when what it speaks of happens, on the database's clock, in milliseconds since 1970.
    """

    id: str
    text: str
    at: int | None = None


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
