"""Recent logins, which all dangerous changes of an account need: a session may be old, or that of an unlocked device.

Routes of such changes have the argument `fresh_account` instead of `account`; see `session_routes`.
"""

from typing import Final

from sqlalchemy import Connection, select

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import FreshLoginRequiredError
from faceup.server.accounts.players import find_player
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.schema import sessions

FRESH: Final = 10 * 60 * 1000
"""Milliseconds after a login in which a session may change the account, or export or delete it."""


def require_fresh_login(connection: Connection, now: int, identity: Identity) -> None:
    """Check that the session of an account belongs to a recent login. The session of a guest is all that a guest has.

    Raises:
        FreshLoginRequiredError: the login was too long ago, or was by a code of another device.
        NotFoundError: there is no such player.
    """
    if find_player(connection, identity.player).guest:
        return
    proved = select(sessions.c.proved_at).where(sessions.c.id == identity.subject.removeprefix(subject_of("session")))
    proved_at = connection.execute(proved).scalar()
    if not proved_at or now - proved_at > FRESH:
        raise FreshLoginRequiredError
