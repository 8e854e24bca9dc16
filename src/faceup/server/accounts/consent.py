"""The consent of new accounts to the terms of the server, and to its minimum age."""

from sqlalchemy import Connection, select

from faceup.server.accounts.errors import ConsentRequiredError
from faceup.server.accounts.schema import consents
from faceup.server.process.settings import Settings
from faceup.server.store.queries import insert_new


def require_consent(connection: Connection, settings: Settings, player: str, *, accepted: bool) -> None:
    """Check that the player accepts the terms of the server, or has done so. Raises `ConsentRequiredError`."""
    terms = settings.terms
    if not terms or accepted:
        return
    before = select(consents.c.player).where(consents.c.player == player, consents.c.terms == terms)
    if connection.execute(before).first() is None:
        raise ConsentRequiredError(f'this server requires consent to "{terms}": send `"consent": true`')


def store_consent(connection: Connection, now: int, settings: Settings, player: str) -> None:
    """Store that the player accepts the terms of the server, unless there are none or the player did so before."""
    if settings.terms:
        insert_new(connection, consents, player=player, terms=settings.terms, at=now)
