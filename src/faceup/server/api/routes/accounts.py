"""From guest to account, and back in from anywhere."""

from typing import Final

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from sqlalchemy import Connection

from faceup.server.api.routes.sessions import let_in
from faceup.server.api.services import Asker, Services
from faceup.server.api.words import Me, Name, NewSecret, Secret
from faceup.server.people import once
from faceup.server.people.accounts import find_login, kept_password, make_account, set_password
from faceup.server.people.names import fold_login
from faceup.server.people.refusals import Missing, Unknown
from faceup.server.people.revocations import player_subject
from faceup.server.people.sessions import end_sessions


class Credentials(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name to log in by, and a password of 8 characters or more."""

    login: Name
    password: Secret


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another password; `old` is the one that it replaces."""

    old: Secret
    new: NewSecret


class Reset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new password by the one-time key that whoever runs the server has handed out."""

    key: Secret
    new: NewSecret


@post("/api/account", status_code=200, tags=["people"])
async def become_account(data: JSONBody[Credentials], services: Given[Services], asker: Given[Asker]) -> Me:
    """Become an account: with a name and a password I can come back from any device. Id and history stay."""
    me = asker.may("self")
    kept = await services.passwords.hash(data.password)
    now = await services.store.now()
    return Me.of(
        await services.store.write(lambda connection: make_account(connection, now, me.player, data.login, kept))
    )


@post("/api/login", status_code=200, tags=["people"])
async def log_in(data: JSONBody[Credentials], services: Given[Services], asker: Given[Asker]) -> Response[Me]:
    """Come back in. The session's key is set as a cookie."""
    services.attempts.take(asker.caller.source, "attempts from this address")
    services.attempts_by_login.take(fold_login(data.login), "attempts with this name")
    login = await services.store.query(lambda connection: find_login(connection, data.login))
    if not await services.passwords.check(None if login is None else login.password, data.password) or login is None:
        raise Unknown("there is no such name with this password")
    return await let_in(services, asker, login.player)


@post("/api/account/password", status_code=200, tags=["people"])
async def change_password(data: JSONBody[NewPassword], services: Given[Services], asker: Given[Asker]) -> None:
    """Take another password; other devices are logged out."""
    me = asker.may("self")
    services.attempts_by_login.take(me.player, "attempts")
    kept = await services.store.query(lambda connection: kept_password(connection, me.player))
    if kept is None:
        raise Missing("you have no password: POST /api/account makes one")
    if not await services.passwords.check(kept, data.old):
        raise Unknown("this is not the password that you have")
    new = await services.passwords.hash(data.new)
    now = await services.store.now()

    def change(connection: Connection) -> list[str]:
        set_password(connection, me.player, new)
        return end_sessions(connection, now, me.player, but=me.subject)

    services.recognition.revoked(*await services.store.write(change))


@post("/api/account/reset", status_code=200, tags=["people"])
async def reset_password(data: JSONBody[Reset], services: Given[Services], asker: Given[Asker]) -> Response[Me]:
    """Take a new password by a one-time key, and come in; all other devices are logged out."""
    services.attempts.take(asker.caller.source, "attempts from this address")
    new = await services.passwords.hash(data.new)
    now = await services.store.now()

    def reset(connection: Connection) -> str:
        player = once.use(connection, now, "password", data.key) or ""
        set_password(connection, player, new)
        end_sessions(connection, now, player)
        return player

    player = await services.store.write(reset)
    services.recognition.revoked(player_subject(player))
    return await let_in(services, msgspec.structs.replace(asker, identity=None), player)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (become_account, log_in, change_password, reset_password)
