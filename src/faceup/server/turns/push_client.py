"""Send messages to push services (RFC 8030), encrypted for one browser (RFC 8291).

A subscription's address comes from a client, so it may name any host. Requests go only to https, and only to addresses
of the public internet: the name is resolved once, and the connection goes to the address that was checked.
"""

import asyncio
import base64
import re
import socket
import ssl
from collections.abc import Iterable, Mapping
from functools import cache
from ipaddress import ip_address
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import http_ece
import httpcore
from cryptography.hazmat.primitives.asymmetric import ec

from faceup.core import Malformed
from faceup.server.turns.push_keys import PushKeys
from faceup.server.turns.push_subscriptions import PushSubscription

PushResult: TypeAlias = Literal["delivered", "gone", "failed"]
"""Whether the push service took the message, or no longer knows the subscription, or failed for now."""

TIMEOUT: Final = 10.0
"""Seconds that a request to a large push service may take in all; to any other host, half of that."""

_MOST_WAITING: Final = 16
"""The maximum number of messages that wait for hosts other than the large push services. Further ones fail for now."""

_LONGEST_ENDPOINT: Final = 1_000

_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?[a-z_-][a-z0-9_-]*")
"""The name of a host, as opposed to an IP address."""

_LARGE_SERVICES: Final = (
    ".googleapis.com",
    ".mozilla.com",
    ".notify.windows.com",
    ".push.apple.com",
)
"""The push services of the large browsers. Slow requests to other hosts cannot keep them waiting."""


class PushClient:
    """Sends messages to push services.

    Args:
        private: whether http and private addresses are allowed, for tests.
    """

    def __init__(self, *, private: bool = False) -> None:
        self._private = private
        self._pool: httpcore.AsyncConnectionPool | None = None
        self._large, self._others = asyncio.Semaphore(16), asyncio.Semaphore(8)
        self._waiting = 0

    def check(self, subscription: PushSubscription) -> None:
        """Raise `Malformed` if no message can be sent to this subscription."""
        check_subscription(subscription, private=self._private)

    async def send(
        self, subscription: PushSubscription, keys: PushKeys, content: bytes, *, now: int, ttl: int, topic: str
    ) -> PushResult:
        """Send a message.

        Args:
            subscription: the browser.
            keys: the server's keys.
            content: the message, which only the browser can read.
            now: seconds since 1970.
            ttl: seconds for which the push service keeps the message for a browser that is offline.
            topic: a message replaces an earlier one with the same topic that has not been delivered.
        """
        large = (urlsplit(subscription.endpoint).hostname or "").endswith(_LARGE_SERVICES)
        if not large and self._waiting >= _MOST_WAITING:
            return "failed"
        headers: dict[bytes | str, bytes | str] = {
            "authorization": keys.authorization(subscription.endpoint, now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(ttl),
            "topic": topic,
            "urgency": "normal",
        }
        body = _encrypt(subscription, content)
        self._waiting += not large
        try:
            async with self._large if large else self._others:
                status = await self._post(subscription.endpoint, headers, body, TIMEOUT if large else TIMEOUT / 2)
        finally:
            self._waiting -= not large
        if status in {404, 410}:
            return "gone"
        return "delivered" if 200 <= status < 300 else "failed"

    async def _connections(self) -> httpcore.AsyncConnectionPool:
        # Reading the trusted certificates takes 0.1 s, and most servers never send a message.
        context = await asyncio.to_thread(trusted_certificates)
        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=context,
                max_connections=32,
                max_keepalive_connections=8,
                keepalive_expiry=30,
                network_backend=_CheckedNetwork(private=self._private),
            )
        return self._pool

    async def _post(
        self, endpoint: str, headers: Mapping[bytes | str, bytes | str], body: bytes, seconds: float
    ) -> int:
        """Return the status of the response; 0 if there is none. Its body is not read."""
        pool = await self._connections()
        try:
            async with (
                asyncio.timeout(seconds),
                pool.stream("POST", endpoint, headers=headers, content=body) as response,
            ):
                return response.status
        except (TimeoutError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError):
            return 0

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.aclose()


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Return the context of connections, which trusts the system's certificates. The first call takes 0.1 s."""
    return ssl.create_default_context()


def check_subscription(subscription: PushSubscription, *, private: bool = False) -> None:
    """Raise `Malformed` if a subscription has an invalid address or key.

    >>> check_subscription(PushSubscription(endpoint="http://localhost/", p256dh="", auth=""))
    Traceback (most recent call last):
    ...
    faceup.core.errors.Malformed: the address of a push service must start with https:// ...
    """
    try:
        parts = urlsplit(subscription.endpoint)
        usual = parts.username is None and parts.port in {None, 443}
        is_allowed = _NAME.fullmatch(parts.hostname or "") is not None and parts.scheme == "https" and usual
    except ValueError:
        is_allowed = False
    visible = subscription.endpoint.isascii() and subscription.endpoint.isprintable()  # `urlsplit` ignores tabs
    plain = visible and " " not in subscription.endpoint
    if len(subscription.endpoint) > _LONGEST_ENDPOINT or not plain or not (is_allowed or private):
        raise Malformed(
            "the address of a push service must start with https:// and a host name, without port and password",
            what=subscription.endpoint[:200],
            where="endpoint",
        )
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(subscription.p256dh))
    except ValueError:
        raise Malformed(
            "p256dh must be a point of the curve P-256 in base64url", what=subscription.p256dh[:200], where="p256dh"
        ) from None
    try:
        right = len(_decode(subscription.auth)) == 16
    except ValueError:
        right = False
    if not right:
        raise Malformed("auth must be 16 bytes in base64url", what=subscription.auth[:200], where="auth")


def _decode(text: str) -> bytes:
    return base64.b64decode(text.encode().rstrip(b"=") + b"=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)


def _encrypt(subscription: PushSubscription, content: bytes) -> bytes:
    encrypted: bytes = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(subscription.p256dh),
        auth_secret=_decode(subscription.auth),
        version="aes128gcm",
    )
    return encrypted


class _CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connects only to addresses of the public internet, unless `private` is set."""

    def __init__(self, *, private: bool) -> None:
        self._private = private
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 -- the interface of httpcore
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,  # Any: httpcore's type of options
    ) -> httpcore.AsyncNetworkStream:
        """Resolve the host, check its addresses, and connect to the first one."""
        results = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(result[4][0]) for result in results]
        if not addresses or not (self._private or all(map(_is_public, addresses))):
            raise httpcore.ConnectError(f"{host} is not an address of the public internet")
        return await self._network.connect_tcp(addresses[0], port, timeout, local_address, socket_options)


def _is_public(address: str) -> bool:
    """Return whether an address belongs to the public internet.

    >>> [_is_public(each) for each in ("1.1.1.1", "10.0.0.1", "127.0.0.1", "::1", "::ffff:10.0.0.1", "169.254.169.254")]
    [True, False, False, False, False, False]
    """
    parsed = ip_address(address.partition("%")[0])
    mapped = getattr(parsed, "ipv4_mapped", None) or parsed
    return bool(mapped.is_global and not mapped.is_multicast)
