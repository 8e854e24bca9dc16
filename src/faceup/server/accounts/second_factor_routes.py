"""Routes of recovery codes, and of one-time passwords as a second factor."""

import gzip
from base64 import b64encode
from functools import partial
from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody
from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.easy_passwords import require_not_easy
from faceup.server.accounts.errors import NotFoundError, UnauthenticatedError
from faceup.server.accounts.login import (
    LoginResult,
    create_account,
    find_by_login,
    rotate_session,
    set_password,
)
from faceup.server.accounts.players import find_player
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.routes import in_turn
from faceup.server.accounts.second_factor import (
    NewTotp,
    SecondFactorState,
    confirm_totp,
    find_by_recovery_code,
    has_recovery_code,
    redeem_recovery_code,
    remove_second_factor,
    replace_recovery_codes,
    second_factor_state,
    start_totp,
    use_second_factor,
)
from faceup.server.accounts.session_routes import log_in_response, start_session
from faceup.server.accounts.sessions import end_sessions
from faceup.server.http.login_limits import count_second_factor, give_attempt_back, login_buckets, take_attempt
from faceup.server.http.schemas import Me, Name, NewSecret, Secret
from faceup.server.http.services import AnyRequest, Requester, Services, owner_of, while_connected
from faceup.server.rooms.names import normalize_login


class Recovery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to set a new password by a recovery code.

    If the account has only passkeys, it gets this login. If it has a second factor, `second` is a one-time password or
    another recovery code.
    """

    login: Name
    code: Secret
    new: NewSecret
    second: Secret | None = None


class RecoveryCodes(msgspec.Struct, frozen=True, kw_only=True):
    """New recovery codes. Only this response contains them."""

    recovery_codes: tuple[str, ...]


class StartedTotp(msgspec.Struct, frozen=True, kw_only=True):
    """The secret of a new authenticator.

    Attributes:
        secret: the secret, to type.
        uri: the secret as a URI, which authenticator apps open.
        picture: the URI as a QR code, as a `data:` URI of an SVG image.
    """

    secret: str
    uri: str
    picture: str


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A one-time password that the player's authenticator shows."""

    code: Secret


class Removal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to remove the second factor, where `second` is a one-time password or a recovery code."""

    second: Secret


@get("/api/account/second-factor", tags=["accounts"])
async def get_second_factor(services: Given[Services], account: Given[Identity]) -> SecondFactorState:
    """Get whether a login needs a one-time password, and how many recovery codes are left."""
    return await services.query(second_factor_state, account.player)


@post("/api/account/recovery-codes", status_code=200, tags=["accounts"])
async def new_recovery_codes(services: Given[Services], fresh_account: Given[Identity]) -> RecoveryCodes:
    """Create new recovery codes of an account, which replace all earlier ones. Needs a recent login."""
    services.attempts_by_player.take(fresh_account.player)

    def replace(connection: Connection, _: int) -> tuple[str, ...]:
        if find_player(connection, fresh_account.player).guest:
            raise NotFoundError("you have no account: create one by POST /api/account")
        return replace_recovery_codes(connection, fresh_account.player)

    return RecoveryCodes(recovery_codes=await services.write(replace))


@post("/api/account/recover", status_code=200, tags=["accounts"])
async def recover(
    request: AnyRequest, data: JSONBody[Recovery], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Set a new password by a recovery code, log in on this device, and log out all other devices."""
    services.attempts.take(requester.caller.source)
    services.passwords.validate(data.new)
    require_not_easy(data.new, data.login)
    name, login = normalize_login(data.login), await services.query(find_by_login, data.login)
    buckets = login_buckets(services, request, requester.caller.source, name, login and login.player)
    await services.write(take_attempt, buckets)
    if login is None:
        player = await services.query(find_by_recovery_code, data.code) or ""
    else:
        player = login.player if await services.query(has_recovery_code, login.player, data.code) else ""
    if not player:
        raise UnauthenticatedError(_WRONG_CODE)
    new = await in_turn(request, services, requester, name, partial(services.passwords.hash, data.new))

    def change(connection: Connection, now: int) -> str:
        if not redeem_recovery_code(connection, player, data.code):  # another request was faster
            raise UnauthenticatedError(_WRONG_CODE)
        use_second_factor(connection, now, player, data.second)
        if login is None:
            create_account(connection, now, player, data.login, new)
        else:
            set_password(connection, player, new)
        end_sessions(connection, now, player)
        return player

    async with count_second_factor(services, request, player, data.second):
        response = await log_in_response(services, msgspec.structs.replace(requester, identity=None), change)
    await services.write(give_attempt_back, buckets)
    services.auth_cache.revoked(subject_of("player", player))
    return response


_WRONG_CODE: Final = "the login or the recovery code is wrong, or the code was already used"


@post("/api/account/totp", status_code=200, tags=["accounts"])
async def start_second_factor(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> StartedTotp:
    """Create the secret of an authenticator app, which becomes the second factor when it is confirmed.

    Needs a recent login.
    """
    services.attempts_by_player.take(fresh_account.player)

    def start(connection: Connection, _: int) -> NewTotp:
        login = find_player(connection, fresh_account.player).login
        if login is None:
            raise NotFoundError("you have no password: set one by POST /api/account")
        return start_totp(connection, fresh_account.player, login, services.settings.site_name)

    started = await services.write(start)
    drawn = services.replays.ask("link", started.uri.encode(), owner=owner_of(requester))
    picture = b64encode(gzip.decompress(await while_connected(request, drawn))).decode()
    return StartedTotp(secret=started.secret, uri=started.uri, picture=f"data:image/svg+xml;base64,{picture}")


@post("/api/account/totp/confirm", status_code=200, tags=["accounts"])
async def confirm_second_factor(
    data: JSONBody[OneTimePassword],
    services: Given[Services],
    requester: Given[Requester],
    fresh_account: Given[Identity],
) -> Response[Me]:
    """Require one-time passwords from now on. Needs a recent login.

    This logs out all other devices, and sets a new session cookie.
    """
    services.attempts_by_player.take(fresh_account.player)

    def confirm(connection: Connection, now: int) -> tuple[LoginResult, Me]:
        confirm_totp(connection, now, fresh_account.player, data.code)
        return _rotate(connection, now, fresh_account, requester)

    return await start_session(services, requester, confirm)


@post("/api/account/totp/remove", status_code=200, tags=["accounts"])
async def remove_totp(
    request: AnyRequest,
    data: JSONBody[Removal],
    services: Given[Services],
    requester: Given[Requester],
    fresh_account: Given[Identity],
) -> Response[Me]:
    """Require no one-time passwords any more. Needs a recent login.

    This logs out all other devices, and sets a new session cookie.
    """
    services.attempts_by_player.take(fresh_account.player)

    def remove(connection: Connection, now: int) -> tuple[LoginResult, Me]:
        use_second_factor(connection, now, fresh_account.player, data.second)
        if not remove_second_factor(connection, fresh_account.player):
            raise NotFoundError("you have no second factor")
        return _rotate(connection, now, fresh_account, requester)

    async with count_second_factor(services, request, fresh_account.player, data.second):
        return await start_session(services, requester, remove)


def _rotate(connection: Connection, now: int, account: Identity, requester: Requester) -> tuple[LoginResult, Me]:
    """End the other sessions, and replace this one. Return the new session with all that ended, and the player."""
    ended = end_sessions(connection, now, account.player, but=account.subject)
    login = rotate_session(connection, now, account, requester.device)
    return login._replace(ended=(*ended, *login.ended)), Me.of(login.player)
