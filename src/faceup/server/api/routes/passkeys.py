"""Passkeys, where the browser counts the page as secure."""

from typing import Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.api.callers import Caller
from faceup.server.api.routes.sessions import let_in
from faceup.server.api.services import Asker, Services
from faceup.server.api.words import Me
from faceup.server.people import passkeys
from faceup.server.people.passkeys import Passkey, Site
from faceup.server.people.players import find_player
from faceup.server.people.refusals import Forbidden
from faceup.server.people.revocations import player_subject
from faceup.server.people.tokens import Label

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class NewPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `navigator.credentials.create` answered, as its `toJSON()` has it, and a name for the device."""

    credential: dict[str, Any]  # Any: the browser's own JSON
    label: Label = "passkey"


class ShownPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `navigator.credentials.get` answered, as its `toJSON()` has it."""

    credential: dict[str, Any]  # Any: as above


@get("/api/passkeys", tags=["people"])
async def my_passkeys(services: Given[Services], asker: Given[Asker]) -> list[Passkey]:
    """My passkeys, the newest first."""
    me = asker.may("self")
    return await services.store.query(lambda connection: passkeys.list_passkeys(connection, me.player))


@post("/api/passkeys/options", status_code=200, tags=["people"])
async def passkey_options(
    services: Given[Services], asker: Given[Asker]
) -> dict[str, Any]:  # Any: the browser's own JSON
    """What the page hands to `navigator.credentials.create`."""
    me = asker.may("self")
    site = site_of(asker.caller)
    now = await services.store.now()

    def begin(connection: Connection) -> dict[str, Any]:
        return passkeys.to_register(connection, now, find_player(connection, me.player), site)

    return await services.store.write(begin)


@post("/api/passkeys", tags=["people"])
async def new_passkey(data: JSONBody[NewPasskey], services: Given[Services], asker: Given[Asker]) -> Passkey:
    """Keep a passkey; a guest becomes an account by its first."""
    me = asker.may("self")
    site = site_of(asker.caller)
    now = await services.store.now()
    made = await services.store.write(
        lambda connection: passkeys.register(
            connection, now, me.player, site, credential=data.credential, label=data.label
        )
    )
    services.recognition.forget(player_subject(me.player))
    return made


@delete("/api/passkeys/{passkey:str}", status_code=200, tags=["people"])
async def end_passkey(passkey: FromPath[str], services: Given[Services], asker: Given[Asker]) -> None:
    """Forget a passkey."""
    me = asker.may("self")
    await services.store.write(lambda connection: passkeys.drop_passkey(connection, me.player, passkey))


@post("/api/login/passkey/options", status_code=200, tags=["people"])
async def passkey_login_options(services: Given[Services], asker: Given[Asker]) -> dict[str, Any]:  # Any: as above
    """What the page hands to `navigator.credentials.get`."""
    services.attempts.take(asker.caller.source, "attempts from this address")
    site = site_of(asker.caller)
    now = await services.store.now()
    return await services.store.write(lambda connection: passkeys.to_log_in(connection, now, site))


@post("/api/login/passkey", status_code=200, tags=["people"])
async def passkey_login(data: JSONBody[ShownPasskey], services: Given[Services], asker: Given[Asker]) -> Response[Me]:
    """Come back in by a passkey. The session's key is set as a cookie."""
    services.attempts.take(asker.caller.source, "attempts from this address")
    site = site_of(asker.caller)
    now = await services.store.now()
    player = await services.store.write(
        lambda connection: passkeys.log_in(connection, now, site, credential=data.credential)
    )
    return await let_in(services, asker, player)


def site_of(caller: Caller) -> Site:
    """The site for which a passkey is. Raises `Forbidden` where browsers have none."""
    host = caller.host.lower()
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if not caller.secure and name not in LOCAL:
        raise Forbidden("passkeys need https (or localhost): use a password here")
    return Site(caller.origin, name)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (
    my_passkeys,
    passkey_options,
    new_passkey,
    end_passkey,
    passkey_login_options,
    passkey_login,
)
