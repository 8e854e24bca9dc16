"""The address of a client, and the scheme and host that it used, also if trusted proxies forwarded the request."""

from collections.abc import Iterable, MutableMapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple

from faceup.server.moderation.bans import source_of

Scope = MutableMapping[str, Any]  # Any: ASGI has values of many types


class ClientAddress(NamedTuple):
    """The address that sent a request, and the scheme and host that the browser used.

    Attributes:
        address: IP address of the client. If the request came through an untrusted proxy, the address of the proxy.
        scheme: the scheme of the URL in the browser: "http" or "https".
        host: the host of the URL in the browser, with the port unless it is the default port. It may be empty.
        proxied: whether a trusted proxy sent the request.
    """

    address: str
    scheme: str
    host: str
    proxied: bool = False

    @property
    def source(self) -> str:
        """The key for rate limits, which is the IPv4 address, or the /64 network of an IPv6 address.

        >>> ClientAddress("2001:db8:1:2:3::4", "http", "").source, ClientAddress("192.0.2.7", "http", "").source
        ('2001:db8:1:2::/64', '192.0.2.7')
        """
        if ":" not in self.address:
            return self.address
        try:
            return source_of(self.address)
        except ValueError:
            return self.address

    @property
    def origin(self) -> str:
        """The `Origin` header that browsers send from pages of this server."""
        return f"{self.scheme}://{self.host}"

    @property
    def secure(self) -> bool:
        """Whether the browser uses https, so that cookies can have the `Secure` attribute."""
        return self.scheme == "https"


class TrustedProxies:
    """The proxies that are trusted to send forwarding headers.

    >>> proxies = TrustedProxies(["10.0.0.0/8"])
    >>> headers = [(b"x-forwarded-for", b"1.2.3.4, 10.0.0.7"), (b"x-forwarded-proto", b"https"), (b"host", b"a.org")]
    >>> proxies.caller({"client": ("10.0.0.1", 1), "scheme": "http", "headers": headers})
    ClientAddress(address='1.2.3.4', scheme='https', host='a.org', proxied=True)
    >>> proxies.caller({"client": ("8.8.8.8", 1), "scheme": "http", "headers": headers})
    ClientAddress(address='8.8.8.8', scheme='http', host='a.org', proxied=False)
    """

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted: list[IPv4Network | IPv6Network] = [ip_network(network, strict=False) for network in trusted]

    def caller(self, scope: Scope) -> ClientAddress:
        """Return the client of a request. Forwarding headers from untrusted addresses are ignored."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        scheme = _http_scheme(scope.get("scheme", "http"))
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        host = _header(headers, b"host")
        if not self._trusted or not self._trusts(address):
            return ClientAddress(address, scheme, host)
        claimed = [address.strip() for address in _header(headers, b"x-forwarded-for").split(",") if address.strip()]
        while claimed and self._trusts(address):
            address = _without_port(claimed.pop())
        forwarded = _header(headers, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
        scheme = _http_scheme(forwarded) if forwarded in {"http", "https", "ws", "wss"} else scheme
        host = _header(headers, b"x-forwarded-host").rpartition(",")[2].strip() or host
        return ClientAddress(address, scheme, host, proxied=True)

    def _trusts(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._trusted)


def _header(headers: list[tuple[bytes, bytes]], name: bytes) -> str:
    return ",".join(value.decode("latin-1") for key, value in headers if key == name)


def _http_scheme(scheme: str) -> str:
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _without_port(address: str) -> str:
    """Remove the port from `1.2.3.4:5` or `[::1]:5`."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
