"""Routes of the requesting player, sessions, and one-time codes for other devices."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hmac import compare_digest
from typing import TypeVar

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from faceup.server.accounts import one_time_codes, server_state
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.accounts.fresh_login import require_fresh_login
from faceup.server.accounts.login import LoginResult, log_in_as
from faceup.server.accounts.passwords import normalize_password
from faceup.server.accounts.players import StoredPlayer, create_guest, find_by_handle, find_player, update_profile
from faceup.server.accounts.revocations import revoke, subject_of
from faceup.server.accounts.sessions import Session, create_session, end_sessions, list_sessions, reuse_session
from faceup.server.http.address_limits import admit_guest
from faceup.server.http.auth import session_cookie
from faceup.server.http.idempotency import guest_session_key, note_new_guest, write_once
from faceup.server.http.login_limits import device_cookie
from faceup.server.http.schemas import Face, Me, Name, Profile, Secret
from faceup.server.http.services import Requester, Services
from faceup.server.tables.seat_name_tasks import show_name_everywhere
from faceup.server.tournaments.player_data import name_entrants

T = TypeVar("T")


class GuestRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to create a guest. `code` is required if the server's registration mode is "code"."""

    name: Name | None = None
    code: Secret | None = None


class ProfileChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change some of the player's settings.

    Attributes:
        name: the new name.
        face: the new face, an animal and a colour, as in "fox-3".
        listed: whether to show the player in the list of people online.
    """

    name: Name | None = None
    face: Face | None = None
    listed: bool | None = None


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A one-time code, which expires at the time `until`, in milliseconds since 1970."""

    code: str
    until: int


class DeviceCode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A one-time code that the player typed."""

    code: Secret


async def provide_fresh_account(services: Given[Services], requester: Given[Requester]) -> Identity:
    """Return the player if the login is recent. Raises as `require_fresh_login`, and `UnauthenticatedError`."""
    account = requester.may("self")
    await services.query(require_fresh_login, services.store.now(), account)
    return account


@post("/api/session", status_code=200, tags=["accounts"])
async def create_guest_session(
    data: JSONBody[GuestRequest], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Create a guest and set the session cookie. If the request has a session or token, return its player instead."""
    if requester.identity is not None:
        return Response(Me.of(await services.query(find_player, requester.identity.player)))
    guest = await register_guest(services, requester, data.name, data.code)
    return Response(Me.of(await services.query(find_player, guest.identity.player)), headers=guest.headers)


class NewGuest(msgspec.Struct, frozen=True):
    """A new guest, and the response headers that set the guest's session cookie."""

    identity: Identity
    headers: Mapping[str, str]


async def register_guest(
    services: Services, requester: Requester, name: str | None, code: str | None = None
) -> NewGuest:
    """Create a guest and a session for the device, or return the guest of this visitor's other requests.

    Raises:
        LimitReachedError: the address created too many players.
        RequestError: the address tried too many codes.
        ForbiddenError: registration is closed, or the registration code is missing or wrong.
        Malformed: the name is invalid.
    """
    key = guest_session_key(services)
    player = key and await services.write(reuse_session, key)
    if not (key and player):
        key, player = await _create_guest(services, requester, name, code, key)
        note_new_guest(player)
    identity = await services.auth_cache.identify(key)
    if identity is None:
        raise ForbiddenError("the new session was already revoked: create another session")
    services.online.note_request(identity.player)
    return NewGuest(identity, {"set-cookie": session_cookie(key, requester.caller, services.settings.base_path)})


async def _create_guest(
    services: Services, requester: Requester, name: str | None, code: str | None, key: str | None
) -> tuple[str, str]:
    """Create a guest with a session, and return the session's key and the guest's id. See `register_guest`."""
    state = await services.query(server_state.get_all)
    registration = state.get(server_state.REGISTRATION, services.settings.registration)
    right_code = state.get(server_state.REGISTRATION_CODE, services.settings.registration_code)
    if registration == "closed":
        raise ForbiddenError("registration is closed on this server")
    if registration == "code":
        services.attempts.take(requester.caller.source)
        if not (code and compare_digest(normalize_password(code), normalize_password(right_code))):
            raise ForbiddenError("the registration code is missing or wrong: ask the server's operator for the code")

    await admit_guest(services, requester.caller)

    def create(connection: Connection, now: int) -> tuple[str, str]:
        if key and (player := reuse_session(connection, now, key)):  # another request was faster
            return key, player
        player = create_guest(connection, now, name).id
        return create_session(connection, now, player, requester.device, key).key, player

    with suppress(IntegrityError):  # another process has created the guest
        return await services.write(create)
    return await services.write(create)


@delete("/api/session", status_code=200, tags=["accounts"])
async def log_out(services: Given[Services], requester: Given[Requester], account: Given[Identity]) -> Response[None]:
    """Log out on this device. If the player is a guest, the player cannot log in again."""
    session = account.subject.removeprefix(subject_of("session", ""))
    services.auth_cache.revoked(await services.write(revoke, account.player, "session", session))
    return Response(None, headers={"set-cookie": session_cookie("", requester.caller, services.settings.base_path)})


@get("/api/me", tags=["accounts"])
async def get_me(services: Given[Services], reader: Given[Identity]) -> Me:
    """Get the player of the session or token."""
    return Me.of(await services.query(find_player, reader.player))


@patch("/api/me", tags=["accounts"])
async def update_me(data: JSONBody[ProfileChange], services: Given[Services], account: Given[Identity]) -> Me:
    """Change the player's settings. Tables that the player has already joined keep the old name and face.

    A seat that shows "Guest", because the player had no name, gets the new one.
    """

    def change(connection: Connection) -> StoredPlayer:
        after = update_profile(connection, account.player, name=data.name, face=data.face, listed=data.listed)
        if data.name is not None:
            name_entrants(connection, after)
        return after

    player = await services.store.write(change)
    services.auth_cache.forget(subject_of("player", account.player))
    if data.name is not None:
        await show_name_everywhere(services.hub, player.id)
    if data.listed is not None:
        services.online.forget()
    return Me.of(player)


@get("/api/players/{handle:str}", tags=["accounts"])
async def get_profile(handle: FromPath[str], services: Given[Services], requester: Given[Requester]) -> Profile:  # noqa: ARG001 -- refuses banned addresses
    """Get the public profile of a player."""
    profile = await services.query(find_by_handle, handle)
    return Profile(handle=profile.handle, name=profile.name, guest=profile.guest, face=profile.face or None)


@get("/api/sessions", tags=["accounts"])
async def list_my_sessions(services: Given[Services], account: Given[Identity]) -> list[Session]:
    """List the player's sessions. The last used session comes first."""
    return await services.query(list_sessions, account.player, account.subject)


@delete("/api/sessions/{session:str}", status_code=200, tags=["accounts"])
async def end_my_session(session: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """Log out on the device with the given session, and close the device's connections."""
    services.auth_cache.revoked(await services.write(revoke, account.player, "session", session))


@delete("/api/sessions", status_code=200, tags=["accounts"])
async def end_other_sessions(services: Given[Services], account: Given[Identity]) -> None:
    """Log out on all other devices."""
    services.auth_cache.revoked(*await services.write(end_sessions, account.player, but=account.subject))


@post("/api/device", tags=["accounts"])
async def create_device_code(services: Given[Services], fresh_account: Given[Identity]) -> Code:
    """Create a one-time code to log in on another device within five minutes. Needs a recent login."""
    now = services.store.now()
    code = await services.store.write(
        lambda connection: one_time_codes.issue(connection, now, "device", fresh_account.player)
    )
    return Code(code=code, until=now + one_time_codes.LIFETIMES["device"])


@post("/api/device/claim", status_code=200, tags=["accounts"])
async def redeem_device_code(
    data: JSONBody[DeviceCode], services: Given[Services], requester: Given[Requester]
) -> Response[Me]:
    """Log in by a one-time code that another device created."""
    services.attempts.take(requester.caller.source)
    code = one_time_codes.normalize_code(data.code)

    def redeem(connection: Connection, now: int) -> str:
        return one_time_codes.redeem(connection, now, "device", code) or ""

    return await log_in_response(services, requester, redeem, proved=False)


async def log_in_response(
    services: Services,
    requester: Requester,
    authenticate: Callable[[Connection, int], str],
    *,
    proved: bool = True,
) -> Response[Me]:
    """Log in on this device as the player with the id that a function returns, in one transaction with this function.

    If the device had a guest session before, the guest is merged into the player. `proved` as in `log_in_as`.
    """

    def log_in(connection: Connection, now: int) -> tuple[LoginResult, Me]:
        player, before = authenticate(connection, now), requester.identity
        login = log_in_as(connection, now, player, requester.device, before, merge=services.merge, proved=proved)
        return login, Me.of(login.player)

    return await start_session(services, requester, log_in)


async def start_session(
    services: Services,
    requester: Requester,
    log_in: Callable[[Connection, int], tuple[LoginResult, T]],
    status: int = 200,
) -> Response[T]:
    """Run a function that logs the player in, and return its body with the new session's cookies.

    The response is stored with the login for retries. This process forgets what it knew of the player.
    """

    def respond(result: tuple[LoginResult, T]) -> Response[T]:
        login, body = result
        headers = {"set-cookie": session_cookie(login.session.key, requester.caller, services.settings.base_path)}
        cookies = [] if login.player.guest else [device_cookie(services, requester.caller, login.player.id)]
        return Response(body, headers=headers, cookies=cookies, status_code=status)

    (login, _), response = await write_once(services, log_in, respond)
    services.auth_cache.revoked(*login.ended)
    services.auth_cache.forget(subject_of("player", login.player.id))
    await show_name_everywhere(services.hub, login.player.id)
    return response
