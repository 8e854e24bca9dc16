"""Routes of accounts, passwords and tokens."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.accounts import one_time_codes
from faceup.server.accounts.consent import require_consent, store_consent
from faceup.server.accounts.credentials import Identity, Scope
from faceup.server.accounts.easy_passwords import require_not_easy
from faceup.server.accounts.errors import NotFoundError, UnauthenticatedError
from faceup.server.accounts.login import (
    LoginResult,
    create_account,
    find_by_login,
    get_password_hash,
    require_free_login,
    rotate_session,
    set_password,
)
from faceup.server.accounts.players import find_player
from faceup.server.accounts.revocations import revoke, subject_of
from faceup.server.accounts.second_factor import replace_recovery_codes, use_second_factor
from faceup.server.accounts.session_routes import log_in_response, start_session
from faceup.server.accounts.sessions import end_sessions
from faceup.server.accounts.tokens import Label, Token, create_token, list_tokens
from faceup.server.http.idempotency import write_once
from faceup.server.http.login_limits import count_second_factor, give_attempt_back, login_buckets, take_attempt
from faceup.server.http.schemas import Me, Name, NewSecret, Secret
from faceup.server.http.services import QUEUE_TIMEOUT, AnyRequest, Requester, Services, while_connected
from faceup.server.rooms.names import normalize_login
from faceup.server.workers.fair_queue import Owner

T = TypeVar("T")


class Credentials(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to create an account. The password must have at least 8 characters.

    `consent` must be true if the server has terms or a minimum age (`GET /api/about`).
    """

    login: Name
    password: Secret
    consent: bool = False


class Login(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to log in. If the account has a second factor, `second` is a one-time password or a recovery code."""

    login: Name
    password: Secret
    second: Secret | None = None


class NewAccount(Me, frozen=True, kw_only=True):
    """A new account, with recovery codes that only this response contains."""

    recovery_codes: tuple[str, ...]


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change the password from `old` to `new`."""

    old: Secret
    new: NewSecret


class Reset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to set a new password by a one-time key, which the server's operator gave to the player.

    If the account has a second factor, `second` is a one-time password or a recovery code.
    """

    key: Secret
    new: NewSecret
    second: Secret | None = None


@post("/api/account", status_code=200, tags=["accounts"])
async def become_account(
    request: AnyRequest,
    data: JSONBody[Credentials],
    services: Given[Services],
    requester: Given[Requester],
    fresh_account: Given[Identity],
) -> Response[NewAccount]:
    """Turn the guest into an account with a login and a password. The player keeps the id and the history.

    The response sets a new session cookie, and the session of the guest ends. It contains recovery codes.
    The player of an account, who adds a password, must have logged in within the last ten minutes.
    """
    services.attempts.take(requester.caller.source)
    services.attempts_by_player.take(fresh_account.player)
    services.passwords.validate(data.password)
    require_not_easy(data.password, data.login)
    await services.query(require_consent, services.settings, fresh_account.player, accepted=data.consent)
    await services.query(require_free_login, fresh_account.player, data.login)
    hashed = await in_turn(request, services, requester, data.login, partial(services.passwords.hash, data.password))

    def upgrade(connection: Connection, now: int) -> tuple[LoginResult, NewAccount]:
        create_account(connection, now, fresh_account.player, data.login, hashed)
        store_consent(connection, now, services.settings, fresh_account.player)
        codes = replace_recovery_codes(connection, fresh_account.player)
        login = rotate_session(connection, now, fresh_account, requester.device)
        return login, NewAccount(**msgspec.structs.asdict(Me.of(login.player)), recovery_codes=codes)

    return await start_session(services, requester, upgrade)


@post("/api/login", status_code=200, tags=["accounts"])
async def log_in(
    request: AnyRequest, data: JSONBody[Login], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Log in with a login and a password, and with a second factor if the account has one. Set the session cookie."""
    services.attempts.take(requester.caller.source)
    name, login = normalize_login(data.login), await services.query(find_by_login, data.login)
    buckets = login_buckets(services, request, requester.caller.source, name, login and login.player)
    await services.write(take_attempt, buckets)
    stored = None if login is None else login.password
    check = partial(services.passwords.check, stored, data.password)
    if not await in_turn(request, services, requester, name, check) or login is None:
        raise UnauthenticatedError("the login or the password is wrong")

    def authenticate(connection: Connection, now: int) -> str:
        use_second_factor(connection, now, login.player, data.second)
        return login.player

    async with count_second_factor(services, request, login.player, data.second):
        response = await log_in_response(services, requester, authenticate)
    await services.write(give_attempt_back, buckets)
    return response


@post("/api/account/password", status_code=200, tags=["accounts"])
async def change_password(
    request: AnyRequest,
    data: JSONBody[NewPassword],
    services: Given[Services],
    requester: Given[Requester],
    account: Given[Identity],
) -> Response[None]:
    """Change the password and log out all other devices."""
    services.attempts_by_player.take(account.player)
    services.passwords.validate(data.new)
    require_not_easy(data.new, (await services.query(find_player, account.player)).login)
    stored = await services.query(get_password_hash, account.player)
    if stored is None:
        raise NotFoundError("you have no password: set one by POST /api/account")
    check = partial(services.passwords.check, stored, data.old)
    if not await in_turn(request, services, requester, account.player, check):
        raise UnauthenticatedError("the current password is wrong")
    new = await in_turn(request, services, requester, account.player, partial(services.passwords.hash, data.new))

    def change(connection: Connection, now: int) -> list[str]:
        set_password(connection, account.player, new)
        return end_sessions(connection, now, account.player, but=account.subject)

    ended, response = await write_once(services, change, lambda _: Response(None))
    services.auth_cache.revoked(*ended)
    return response


@post("/api/account/reset", status_code=200, tags=["accounts"])
async def reset_password(
    request: AnyRequest, data: JSONBody[Reset], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Set a new password by a one-time key, log in on this device, and log out all other devices."""
    services.attempts.take(requester.caller.source)
    services.passwords.validate(data.new)
    holder = await services.query(one_time_codes.find_holder, services.store.now(), "password", data.key)
    if holder is None:
        raise UnauthenticatedError("the key is wrong, has expired, or was already used: ask for a new one")
    require_not_easy(data.new, (await services.query(find_player, holder)).login)
    services.attempts_by_player.take(holder)
    new = await in_turn(request, services, requester, data.key, partial(services.passwords.hash, data.new))

    def reset(connection: Connection, now: int) -> str:
        player = one_time_codes.redeem(connection, now, "password", data.key) or ""
        use_second_factor(connection, now, player, data.second)
        set_password(connection, player, new)
        end_sessions(connection, now, player)
        return player

    async with count_second_factor(services, request, holder, data.second):
        response = await log_in_response(services, msgspec.structs.replace(requester, identity=None), reset)
    services.auth_cache.revoked(subject_of("player", holder))
    return response


async def in_turn(
    request: AnyRequest,
    services: Services,
    requester: Requester,
    account: str,
    work: Callable[[], Coroutine[Any, Any, T]],
) -> T:
    """Hash a password when it is the account's turn. The addresses take turns, and so do the accounts of an address.

    Raises:
        BusyError: too many passwords are waiting.
        RequestError: the client has disconnected.
    """

    async def hash_in_turn() -> T:
        with services.hashing.enter(Owner(requester.caller.source, account)) as ticket:
            await ticket.wait(QUEUE_TIMEOUT)
            return await work()

    return await while_connected(request, hash_in_turn())


class TokenRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a new token with a label and scopes."""

    label: Label
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=2)] = ("play", "read")


@get("/api/tokens", tags=["accounts"])
async def my_tokens(services: Given[Services], account: Given[Identity]) -> list[Token]:
    """List the player's tokens without their keys. The newest token comes first."""
    return await services.query(list_tokens, account.player)


@post("/api/tokens", tags=["accounts"])
async def new_token(
    data: JSONBody[TokenRequest], services: Given[Services], fresh_account: Given[Identity]
) -> Response[Token]:
    """Create a token for a program. Needs a recent login. The response is the only one that contains the token's `key`.

    The program must send the key in the header `Authorization: Bearer KEY`.
    """

    def create(connection: Connection, now: int) -> Token:
        return create_token(connection, now, fresh_account.player, data.label, data.scopes)

    _, response = await write_once(services, create, lambda token: Response(token, status_code=201))
    return response


@delete("/api/tokens/{token:str}", status_code=200, tags=["accounts"])
async def end_token(token: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """Revoke a token and close the connections that use it."""
    services.auth_cache.revoked(await services.write(revoke, account.player, "token", token))
