"""Routes of passkeys. Browsers support passkeys only on pages with https or from localhost."""

from typing import Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.accounts import passkeys
from faceup.server.accounts.consent import require_consent, store_consent
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.accounts.login import LoginResult, rotate_session
from faceup.server.accounts.passkeys import Passkey, RelyingParty
from faceup.server.accounts.players import find_player
from faceup.server.accounts.second_factor import replace_recovery_codes
from faceup.server.accounts.session_routes import log_in_response, start_session
from faceup.server.accounts.tokens import Label
from faceup.server.http.client_address import ClientAddress
from faceup.server.http.idempotency import write_once
from faceup.server.http.schemas import Me
from faceup.server.http.services import Requester, Services

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class NewPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of `navigator.credentials.create` (`toJSON()`), and a label for the passkey.

    For a guest, `consent` must be true if the server has terms or a minimum age (`GET /api/about`).
    """

    credential: dict[str, Any]  # Any: JSON that the browser defines
    label: Label = "passkey"
    consent: bool = False


class AddedPasskey(Passkey, frozen=True, kw_only=True):
    """A new passkey. If it made a guest an account, with recovery codes that only this response contains."""

    recovery_codes: tuple[str, ...] = ()


class ShownPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of `navigator.credentials.get` (`toJSON()`)."""

    credential: dict[str, Any]  # Any: JSON that the browser defines


@get("/api/passkeys", tags=["accounts"])
async def my_passkeys(services: Given[Services], account: Given[Identity]) -> list[Passkey]:
    """List the player's passkeys. The newest passkey comes first."""
    return await services.query(passkeys.list_passkeys, account.player)


@post("/api/passkeys/options", status_code=200, tags=["accounts"])
async def passkey_options(
    services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> dict[str, Any]:  # Any: JSON that the browser defines
    """Get the options for `navigator.credentials.create`. Needs a recent login."""
    player = await services.query(find_player, fresh_account.player)
    site = site_of(requester.caller)._replace(name=services.settings.site_name)
    return await services.write(passkeys.registration_options, player, site)


@post("/api/passkeys", tags=["accounts"])
async def new_passkey(
    data: JSONBody[NewPasskey], services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> Response[AddedPasskey]:
    """Register a passkey. A guest becomes an account, with a new session cookie. Needs a recent login."""

    def register(connection: Connection, now: int) -> AddedPasskey:
        made = passkeys.register(
            connection,
            now,
            fresh_account.player,
            site_of(requester.caller),
            credential=data.credential,
            label=data.label,
        )
        return AddedPasskey(**msgspec.structs.asdict(made))

    def upgrade(connection: Connection, now: int) -> tuple[LoginResult, AddedPasskey]:
        made = register(connection, now)
        store_consent(connection, now, services.settings, fresh_account.player)
        codes = replace_recovery_codes(connection, fresh_account.player)
        login = rotate_session(connection, now, fresh_account, requester.device)
        return login, msgspec.structs.replace(made, recovery_codes=codes)

    if (await services.query(find_player, fresh_account.player)).guest:
        await services.query(require_consent, services.settings, fresh_account.player, accepted=data.consent)
        return await start_session(services, requester, upgrade, status=201)
    _, response = await write_once(services, register, lambda made: Response(made, status_code=201))
    return response


@delete("/api/passkeys/{passkey:str}", status_code=200, tags=["accounts"])
async def end_passkey(passkey: FromPath[str], services: Given[Services], fresh_account: Given[Identity]) -> None:
    """Delete a passkey. Needs a recent login."""
    await services.store.write(lambda connection: passkeys.delete_passkey(connection, fresh_account.player, passkey))


@post("/api/login/passkey/options", status_code=200, tags=["accounts"])
async def passkey_login_options(
    services: Given[Services], requester: Given[Requester]
) -> dict[str, Any]:  # Any: JSON that the browser defines
    """Get the options for `navigator.credentials.get`."""
    services.attempts.take(requester.caller.source)
    return await services.write(passkeys.login_options, site_of(requester.caller))


@post("/api/login/passkey", status_code=200, tags=["accounts"])
async def passkey_login(
    data: JSONBody[ShownPasskey], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Log in with a passkey, and set the session cookie."""
    services.attempts.take(requester.caller.source)
    site = site_of(requester.caller)

    def authenticate(connection: Connection, now: int) -> str:
        return passkeys.log_in(connection, now, site, credential=data.credential)

    return await log_in_response(services, requester, authenticate)


def site_of(caller: ClientAddress) -> RelyingParty:
    """Return the WebAuthn relying party. Raises `ForbiddenError` if the page uses neither https nor localhost."""
    host = caller.host.lower()
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if not caller.secure and name not in LOCAL:
        raise ForbiddenError("passkeys work only with https or on localhost: use a password instead")
    return RelyingParty(caller.origin, name)
