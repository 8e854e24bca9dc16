"""Limits on wrong passwords and second factors, which all servers of a database share.

Wrong passwords are counted for each login and address, so that no one can lock others out of their accounts. A device
that has logged in before has a signed cookie and counts by itself, so that its player can log in from an address where
others guess. The cookie gives no access.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import compare_digest
from math import ceil
from typing import Final, TypeAlias

from litestar.datastructures import Cookie
from sqlalchemy import Connection

from faceup.server.accounts.errors import LimitReachedError
from faceup.server.accounts.sessions import SESSION_LIFETIME
from faceup.server.accounts.shared_limits import SharedLimit, give_back, take
from faceup.server.http.client_address import ClientAddress
from faceup.server.http.services import AnyRequest, Services
from faceup.server.store import new_id

DEVICE_COOKIE: Final = "faceup_device"

Buckets: TypeAlias = tuple[tuple[str, SharedLimit], ...]
"""Token buckets by key, from each of which a request takes a token."""


def login_buckets(services: Services, request: AnyRequest, source: str, login: str, player: str | None) -> Buckets:
    """Return the buckets of wrong passwords for a login.

    Args:
        services: the services.
        request: the request; its cookies identify the device.
        source: the address.
        login: the normalized login.
        player: the player with this login; None if there is none.
    """
    limits = services.limits
    if nonce := _known_device(services, request, player):
        return ((services.keyed_hash("login", login, "device", nonce), limits.logins),)
    return (
        (services.keyed_hash("login", login, "address", source), limits.logins),
        (services.keyed_hash("login", login), limits.logins_from_anywhere),
    )


@asynccontextmanager
async def count_second_factor(
    services: Services, request: AnyRequest, player: str, code: str | None
) -> AsyncIterator[None]:
    """Count the code of a second factor, unless the context ends without an error, because the code was right.

    Raises:
        LimitReachedError: there were too many wrong codes.
    """
    if not code:
        yield
        return
    nonce = _known_device(services, request, player)
    buckets = ((services.keyed_hash("second factor", player, nonce), services.limits.second_factors),)
    await services.write(take_attempt, buckets)
    yield
    await services.write(give_attempt_back, buckets)


def _known_device(services: Services, request: AnyRequest, player: str | None) -> str:
    """Return what identifies a device on which the player has logged in before; "" for other devices."""
    cookie = request.cookies.get(DEVICE_COOKIE, "")
    nonce = cookie.partition(".")[0][:64]
    if player is None or not nonce:
        return ""
    return nonce if compare_digest(cookie.encode(), _signed(services, nonce, player).encode()) else ""


def take_attempt(connection: Connection, now: int, buckets: Buckets) -> None:
    """Take a token from each bucket. Raises `LimitReachedError` if one is empty."""
    for key, limit in buckets:
        if wait := take(connection, now, key, limit):
            seconds = ceil(wait / 1000)
            raise LimitReachedError(
                f"too many wrong passwords or codes for this login: try again in {seconds} s", seconds
            )


def give_attempt_back(connection: Connection, _: int, buckets: Buckets) -> None:
    """Put the tokens of `take_attempt` back, because the password was right."""
    for key, limit in buckets:
        give_back(connection, key, limit)


def device_cookie(services: Services, caller: ClientAddress, player: str) -> Cookie:
    """Return a cookie that marks the device as one on which the player has logged in."""
    return Cookie(
        key=DEVICE_COOKIE,
        value=_signed(services, new_id(), player),
        path=services.settings.base_path or "/",
        max_age=SESSION_LIFETIME // 1000,
        secure=caller.secure,
        httponly=True,
        samesite="lax",
    )


def _signed(services: Services, nonce: str, player: str) -> str:
    return f"{nonce}.{services.keyed_hash('device', nonce, player)}"
