"""Who I am here, and on which devices."""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from faceup.server.api.cookies import no_cookie, session_cookie
from faceup.server.api.services import Asker, Services
from faceup.server.api.words import Me, Name, Profile, Secret
from faceup.server.people import house, once
from faceup.server.people.coming import come_in
from faceup.server.people.identity import Identity
from faceup.server.people.players import Player, find_handle, find_player, make_guest, rename
from faceup.server.people.refusals import Forbidden
from faceup.server.people.revocations import player_subject, session_subject
from faceup.server.people.sessions import Session, end_session, end_sessions, list_sessions, open_session


class Arrival(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody comes in for the first time. `code` is asked for where not everybody may."""

    name: Name | None = None
    code: Secret | None = None


class NewName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player wants to be called from now on."""

    name: Name


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A code that may be used once; `until` is in milliseconds since 1970."""

    code: str
    until: int


class GivenCode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code as it was typed."""

    code: Secret


@post("/api/session", status_code=200, tags=["people"])
async def arrive(data: JSONBody[Arrival], services: Given[Services], asker: Given[Asker]) -> Response[Me]:
    """Come in as a guest, or as who this device's session says already. The session's key is set as a cookie."""
    if asker.identity is not None:
        mine = asker.identity.player
        return Response(Me.of(await services.store.query(lambda connection: find_player(connection, mine))))
    guest = await welcome(services, asker, data.name, data.code)
    return Response(Me.of(guest.player), headers=guest.headers)


class Welcomed(msgspec.Struct, frozen=True):
    """A player who has just come in, and what its browser is to keep."""

    player: Player
    identity: Identity
    headers: Mapping[str, str]


async def welcome(services: Services, asker: Asker, name: str | None, code: str | None = None) -> Welcomed:
    """Make a guest, and a session for the device. Raises `Denied`, `Forbidden`, `Malformed`."""
    services.players.take(asker.caller.source, "new players from this address")
    now = await services.store.now()
    decided = await services.store.query(house.decided)
    registration = decided.get(house.REGISTRATION, services.settings.registration)
    right_code = decided.get(house.REGISTRATION_CODE, services.settings.registration_code)
    if registration == "closed":
        raise Forbidden("this server takes no new players")
    if registration == "code" and (not code or code != right_code):
        raise Forbidden("this server takes new players by code: ask whoever runs it")
    made = await services.store.write(
        lambda connection: (
            player := make_guest(connection, now, name),
            open_session(connection, now, player.id, asker.device),
        )
    )
    player, opened = made
    identity = await services.recognition.identify(opened.key)
    if identity is None:
        raise Forbidden("this session was ended as it began")
    return Welcomed(player, identity, {"set-cookie": session_cookie(opened.key, asker.caller, _base(services))})


@delete("/api/session", status_code=200, tags=["people"])
async def leave(services: Given[Services], asker: Given[Asker]) -> Response[None]:
    """Log out on this device. A guest that leaves has no way back."""
    me = asker.may("self")
    now = await services.store.now()
    identifier = me.subject.partition(":")[2]
    await services.store.write(lambda connection: end_session(connection, now, me.player, identifier))
    services.recognition.revoked(me.subject)
    return Response(None, headers={"set-cookie": no_cookie(asker.caller, _base(services))})


@get("/api/me", tags=["people"])
async def me(services: Given[Services], asker: Given[Asker]) -> Me:
    """Who I am."""
    mine = asker.may("read").player
    return Me.of(await services.store.query(lambda connection: find_player(connection, mine)))


@patch("/api/me", tags=["people"])
async def change_me(data: JSONBody[NewName], services: Given[Services], asker: Given[Asker]) -> Me:
    """Be called something else, at tables from now on."""
    mine = asker.may("self").player
    player = await services.store.write(lambda connection: rename(connection, mine, data.name))
    services.recognition.forget(player_subject(mine))
    return Me.of(player)


@get("/api/players/{handle:str}", tags=["people"])
async def profile(handle: FromPath[str], services: Given[Services]) -> Profile:
    """What anybody may know of a player."""
    found = await services.store.query(lambda connection: find_handle(connection, handle))
    return Profile(handle=found.handle, name=found.name, guest=found.guest)


@get("/api/sessions", tags=["people"])
async def my_sessions(services: Given[Services], asker: Given[Asker]) -> list[Session]:
    """The devices on which I am logged in, the last used first."""
    me = asker.may("self")
    return await services.store.query(lambda connection: list_sessions(connection, me.player, me.subject))


@delete("/api/sessions/{session:str}", status_code=200, tags=["people"])
async def end_my_session(session: FromPath[str], services: Given[Services], asker: Given[Asker]) -> None:
    """Log out on a device; what is open there ends at once."""
    me = asker.may("self")
    now = await services.store.now()
    await services.store.write(lambda connection: end_session(connection, now, me.player, session))
    services.recognition.revoked(session_subject(session))


@delete("/api/sessions", status_code=200, tags=["people"])
async def end_other_sessions(services: Given[Services], asker: Given[Asker]) -> None:
    """Log out on all devices but this one."""
    me = asker.may("self")
    now = await services.store.now()
    ended = await services.store.write(lambda connection: end_sessions(connection, now, me.player, but=me.subject))
    services.recognition.revoked(*ended)


@post("/api/device", tags=["people"])
async def make_code(services: Given[Services], asker: Given[Asker]) -> Code:
    """A code for my other device: whoever types it there within five minutes is me there too, at every table."""
    me = asker.may("self")
    now = await services.store.now()
    code = await services.store.write(lambda connection: once.issue(connection, now, "device", me.player))
    return Code(code=code, until=now + once.LASTS["device"])


@post("/api/device/claim", status_code=200, tags=["people"])
async def claim_code(data: JSONBody[GivenCode], services: Given[Services], asker: Given[Asker]) -> Response[Me]:
    """Be on this device who I am on the other one."""
    services.attempts.take(asker.caller.source, "attempts from this address")
    now = await services.store.now()

    player = await services.store.write(
        lambda connection: once.use(connection, now, "device", once.as_typed(data.code)) or ""
    )
    return await let_in(services, asker, player)


async def let_in(services: Services, asker: Asker, player: str) -> Response[Me]:
    """Open a session on this device as the player. A guest that the device had goes along."""
    now = await services.store.now()
    came = await services.store.write(lambda connection: come_in(connection, now, player, asker.device, asker.identity))
    services.recognition.revoked(*came.ended)
    services.recognition.forget(player_subject(came.player.id))
    headers = {"set-cookie": session_cookie(came.session.key, asker.caller, _base(services))}
    return Response(Me.of(came.player), headers=headers)


def _base(services: Services) -> str:
    return services.settings.base_path


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (
    arrive,
    leave,
    me,
    change_me,
    profile,
    my_sessions,
    end_my_session,
    end_other_sessions,
    make_code,
    claim_code,
)
