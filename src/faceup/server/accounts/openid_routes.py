"""Routes of logins with OpenID. The browser goes to the provider, which sends it back with an authorization code.

The state of a login is a one-time code, of the player if it links an account. A cookie ties it to the browser that
started it, so that no other site can log a browser in to another person's account.
"""

from contextlib import suppress
from hmac import compare_digest
from typing import Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.accounts import one_time_codes, openid_links, server_state
from faceup.server.accounts.consent import require_consent, store_consent
from faceup.server.accounts.credentials import Identity, digest
from faceup.server.accounts.errors import (
    ForbiddenError,
    LoginCanceledError,
    LoginExpiredError,
    MailDomainError,
    UnauthenticatedError,
    UnknownPersonError,
)
from faceup.server.accounts.fresh_login import FRESH
from faceup.server.accounts.login import LoginResult, log_in_as, rotate_session
from faceup.server.accounts.openid_provider import LoginSecrets, OpenIdPerson
from faceup.server.accounts.players import create_guest, find_player
from faceup.server.accounts.session_routes import start_session
from faceup.server.http.address_limits import admit_guest
from faceup.server.http.errors import EXPECTED, problem_of
from faceup.server.http.services import AnyRequest, Requester, Services
from faceup.server.rooms.names import normalize_name

PATH: Final = "/api/login/openid"
CALLBACK: Final = f"{PATH}/callback"


class OpenIdLogin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to log in with OpenID.

    For a new account, `consent` must be true if the server has terms or a minimum age (`GET /api/about`).
    """

    consent: bool = False


class OpenIdStart(msgspec.Struct, frozen=True, kw_only=True):
    """The address at the OpenID provider to which the browser goes. Only this browser can finish the login."""

    url: str


class OpenIdState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a login with OpenID opens the account.

    Attributes:
        linked_at: when the account was linked, in milliseconds since 1970; null if it is not.
    """

    linked_at: int | None


@post(PATH, status_code=200, tags=["accounts"])
async def start_openid_login(
    data: JSONBody[OpenIdLogin], services: Given[Services], requester: Given[Requester]
) -> Response[OpenIdStart]:
    """Start a login at the server's OpenID provider, which then sends the browser back to this server.

    If the player has an account, the provider asks for a new login of the same person.
    """
    services.attempts.take(requester.caller.source)
    account = await _account(services, requester)
    return await _start(services, requester, None, consent=data.consent, again=account is not None)


@post("/api/account/openid", status_code=200, tags=["accounts"])
async def link_openid(
    services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> Response[OpenIdStart]:
    """Start a login at the OpenID provider that links the person there to the account. Needs a recent login."""
    services.attempts_by_player.take(fresh_account.player)
    if await _account(services, requester) is None:
        raise ForbiddenError("you have no account: create one by POST /api/login/openid")
    return await _start(services, requester, fresh_account.player, consent=False, again=False)


@get("/api/account/openid", tags=["accounts"])
async def get_openid(services: Given[Services], account: Given[Identity]) -> OpenIdState:
    """Get whether the account is linked to a person at the OpenID provider."""
    links = await services.query(openid_links.list_links, account.player)
    return OpenIdState(linked_at=next((link.since for link in links if link.issuer == services.openid.issuer), None))


@delete("/api/account/openid", status_code=200, tags=["accounts"])
async def unlink_openid(services: Given[Services], fresh_account: Given[Identity]) -> None:
    """Remove the link of the account to a person at the OpenID provider. Needs a recent login."""
    await services.store.write(
        lambda connection: openid_links.unlink(connection, fresh_account.player, services.openid.issuer)
    )


@get(CALLBACK, status_code=303, include_in_schema=False)
async def finish_openid_login(
    request: AnyRequest, services: Given[Services], requester: Given[Requester]
) -> Response[None]:
    """Finish a login, and show the account page, which shows an error if there is one."""
    state, error = request.query_params.get("state", "")[:100], ""
    try:
        response = await _finish(request, services, requester, state)
    except EXPECTED as denied:
        if (problem := problem_of(denied)) is None:
            raise
        fields = {"openid": problem.kind, "retry_after": problem.retry_after, "until": problem.until}
        error = f"#{urlencode({name: value for name, value in fields.items() if value is not None})}"
        response = Response(None, status_code=303)
    response.headers["location"] = f"{services.settings.base_path}/me{error}"
    response.set_cookie(_cookie(services, requester, state, "", age=0))
    return response


async def _start(
    services: Services, requester: Requester, linked: str | None, *, consent: bool, again: bool
) -> Response[OpenIdStart]:
    """Start a login, and mark the browser. `linked` is the player to link to an account at the provider."""
    state = await services.write(one_time_codes.issue, "openid", linked)
    url = await services.openid.login_url(_redirect_uri(services, requester), _secrets(services, state), again=again)
    mark = _mark(services, state, consent=consent)
    cookie = _cookie(services, requester, state, mark, age=one_time_codes.LIFETIMES["openid"] // 1000)
    return Response(OpenIdStart(url=url), cookies=[cookie])


async def _finish(request: AnyRequest, services: Services, requester: Requester, state: str) -> Response[None]:
    """Log a person in after the login at the provider, or link the person to the account."""
    services.attempts.take(requester.caller.source)
    mark = request.cookies.get(_cookie_name(state), "").encode()
    consent = compare_digest(mark, _mark(services, state, consent=True).encode())
    if not (consent or compare_digest(mark, _mark(services, state, consent=False).encode())):
        raise LoginExpiredError
    try:
        linked = await services.write(one_time_codes.redeem, "openid", state)
    except UnauthenticatedError:
        raise LoginExpiredError from None
    code = request.query_params.get("code", "")
    if "error" in request.query_params or not code:
        raise LoginCanceledError
    person = await services.openid.find_person(
        _redirect_uri(services, requester),
        _secrets(services, state),
        code,
        request.query_params.get("iss"),
        now=services.store.now() // 1000,
    )
    domains = {domain.lower() for domain in services.settings.openid_domains}
    if domains and person.domain not in domains:
        raise MailDomainError("this server needs a verified mail address of one of its domains")
    if linked is None:
        return await _log_in(services, requester, person, consent=consent)
    if requester.player != linked:
        raise LoginExpiredError
    await services.write(openid_links.link, linked, services.openid.issuer, person.subject)
    return Response(None, status_code=303)


async def _log_in(services: Services, requester: Requester, person: OpenIdPerson, *, consent: bool) -> Response[None]:
    issuer, settings = services.openid.issuer, services.settings
    current = await _account(services, requester)
    player = await services.query(openid_links.find_linked, issuer, person.subject)
    if current and player != current:
        raise UnknownPersonError("your account is not linked to this login: link it on the account page")
    proved = person.at is None or services.store.now() - 1000 * person.at <= FRESH
    if player is None:
        guest = requester.identity
        await services.query(_require_new_account, services, None if guest is None else guest.player, consent=consent)
        if guest is None:
            await admit_guest(services, requester.caller)

    def log_in(connection: Connection, now: int) -> tuple[LoginResult, None]:
        owner, before = openid_links.find_linked(connection, issuer, person.subject), requester.identity
        if owner is not None:
            login = log_in_as(connection, now, owner, requester.device, before, merge=services.merge, proved=proved)
            return login, None
        if player is not None:  # the account has just been unlinked
            raise LoginExpiredError
        owner = before.player if before else create_guest(connection, now, _name(person)).id
        openid_links.link(connection, now, owner, issuer, person.subject)
        store_consent(connection, now, settings, owner)
        if before:
            return rotate_session(connection, now, before, requester.device, proved=proved), None
        return log_in_as(connection, now, owner, requester.device, None, merge=services.merge, proved=proved), None

    return await start_session(services, requester, log_in, status=303)


def _require_new_account(connection: Connection, services: Services, guest: str | None, *, consent: bool) -> None:
    """Check that a person may create an account, as this guest if there is one.

    Raises:
        ConsentRequiredError: the person has not accepted the terms.
        UnknownPersonError: new accounts are not allowed.
    """
    closed = server_state.registration_mode(connection, services.settings) == "closed"
    if services.settings.openid_existing_only or (closed and guest is None):
        raise UnknownPersonError("no account is linked to this login, and this server creates none for it")
    require_consent(connection, services.settings, guest or "", accepted=consent)


def _name(person: OpenIdPerson) -> str | None:
    """Return the name for a new player; None if the person has no suitable one."""
    for name in person.names:
        with suppress(Malformed):
            return normalize_name(name)
    return None


async def _account(services: Services, requester: Requester) -> str | None:
    """Return the requester's account; None for guests and others."""
    if requester.identity is None or (await services.query(find_player, requester.identity.player)).guest:
        return None
    return requester.may("self").player


def _redirect_uri(services: Services, requester: Requester) -> str:
    origin = services.settings.public_url or requester.caller.origin
    return f"{origin}{services.settings.base_path}{CALLBACK}"


def _secrets(services: Services, state: str) -> LoginSecrets:
    """Return the secrets of a login, which follow from its state and the server's key."""
    verifier = [services.keyed_hash("openid verifier", half, state) for half in ("1", "2")]
    return LoginSecrets(state, services.keyed_hash("openid nonce", state), "".join(verifier))


def _mark(services: Services, state: str, *, consent: bool) -> str:
    """Return the value of the cookie of the browser that starts a login, with or without consent to the terms."""
    return services.keyed_hash("openid browser", str(consent), state)


def _cookie_name(state: str) -> str:
    return f"faceup_openid_{digest(state)[:16]}"  # several tabs may log in


def _cookie(services: Services, requester: Requester, state: str, mark: str, *, age: int) -> Cookie:
    return Cookie(
        key=_cookie_name(state),
        value=mark,
        path=f"{services.settings.base_path}{PATH}",
        max_age=age,
        secure=requester.caller.secure,
        httponly=True,
        samesite="lax",
    )
