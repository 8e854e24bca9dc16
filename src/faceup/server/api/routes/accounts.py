"""Routes of accounts, passwords and tokens."""

from typing import Annotated

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.accounts import one_time_codes
from faceup.server.accounts.credentials import Identity, Scope
from faceup.server.accounts.easy_passwords import require_not_easy
from faceup.server.accounts.errors import NotFoundError, UnauthenticatedError
from faceup.server.accounts.login import (
    LoginResult,
    create_account,
    find_by_login,
    get_password_hash,
    rotate_session,
    set_password,
)
from faceup.server.accounts.players import find_player, normalize_login
from faceup.server.accounts.revocations import revoke, subject_of
from faceup.server.accounts.sessions import end_sessions
from faceup.server.accounts.tokens import Label, Token, create_token, list_tokens
from faceup.server.api.routes.sessions import log_in_response, start_session
from faceup.server.api.schemas import CommandId, Me, Name, NewSecret, Secret
from faceup.server.api.services import Requester, Services


class Credentials(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to log in or to create an account. A new password must have at least 8 characters."""

    login: Name
    password: Secret


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change the password from `old` to `new`."""

    old: Secret
    new: NewSecret


class Reset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to set a new password by a one-time key, which the server's operator gave to the player."""

    key: Secret
    new: NewSecret


@post("/api/account", status_code=200, tags=["accounts"])
async def become_account(
    data: JSONBody[Credentials], services: Given[Services], requester: Given[Requester], account: Given[Identity]
) -> Response[Me]:
    """Turn the guest into an account with a login and a password. The player keeps the id and the history.

    The response sets a new session cookie, and the session of the guest ends.
    """
    require_not_easy(data.password, data.login)
    hashed = await services.passwords.hash(data.password)

    def upgrade(connection: Connection, now: int) -> LoginResult:
        create_account(connection, now, account.player, data.login, hashed)
        return rotate_session(connection, now, account, requester.device)

    login = await services.write(upgrade)
    return Response(Me.of(login.player), headers=start_session(services, requester, login))


@post("/api/login", status_code=200, tags=["accounts"])
async def log_in(data: JSONBody[Credentials], services: Given[Services], requester: Given[Requester]) -> Response[Me]:
    """Log in with a login and a password, and set the session cookie."""
    services.attempts.take(requester.caller.source)
    services.attempts_by_login.take(normalize_login(data.login))
    login = await services.query(find_by_login, data.login)
    if not await services.passwords.check(None if login is None else login.password, data.password) or login is None:
        raise UnauthenticatedError("the login or the password is wrong")
    return await log_in_response(services, requester, login.player)


@post("/api/account/password", status_code=200, tags=["accounts"])
async def change_password(data: JSONBody[NewPassword], services: Given[Services], account: Given[Identity]) -> None:
    """Change the password and log out all other devices."""
    require_not_easy(data.new, (await services.query(find_player, account.player)).login)
    services.attempts_by_login.take(account.player)
    stored = await services.query(get_password_hash, account.player)
    if stored is None:
        raise NotFoundError("you have no password: set one by POST /api/account")
    if not await services.passwords.check(stored, data.old):
        raise UnauthenticatedError("the current password is wrong")
    new = await services.passwords.hash(data.new)

    def change(connection: Connection, now: int) -> list[str]:
        set_password(connection, account.player, new)
        return end_sessions(connection, now, account.player, but=account.subject)

    services.auth_cache.revoked(*await services.write(change))


@post("/api/account/reset", status_code=200, tags=["accounts"])
async def reset_password(data: JSONBody[Reset], services: Given[Services], requester: Given[Requester]) -> Response[Me]:
    """Set a new password by a one-time key, log in on this device, and log out all other devices."""
    services.attempts.take(requester.caller.source)
    new = await services.passwords.hash(data.new)

    def reset(connection: Connection, now: int) -> str:
        player = one_time_codes.redeem(connection, now, "password", data.key) or ""
        require_not_easy(data.new, find_player(connection, player).login)
        set_password(connection, player, new)
        end_sessions(connection, now, player)
        return player

    player = await services.write(reset)
    services.auth_cache.revoked(subject_of("player", player))
    return await log_in_response(services, msgspec.structs.replace(requester, identity=None), player)


class TokenRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a new token with a label and scopes. A retry of the request must have the same `id`."""

    label: Label
    id: CommandId | None = None
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=2)] = ("play", "read")


@get("/api/tokens", tags=["accounts"])
async def my_tokens(services: Given[Services], account: Given[Identity]) -> list[Token]:
    """List the player's tokens without their keys. The newest token comes first."""
    return await services.query(list_tokens, account.player)


@post("/api/tokens", tags=["accounts"])
async def new_token(data: JSONBody[TokenRequest], services: Given[Services], account: Given[Identity]) -> Token:
    """Create a token for a program. The response is the only one that contains the token's `key`.

    The program must send the key in the header `Authorization: Bearer KEY`. A retry with the same `id` creates a new
    key and revokes the previous key.
    """
    return await services.write(create_token, account.player, data.label, data.scopes, request=data.id)


@delete("/api/tokens/{token:str}", status_code=200, tags=["accounts"])
async def end_token(token: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """Revoke a token and close the connections that use it."""
    services.auth_cache.revoked(await services.write(revoke, account.player, "token", token))
