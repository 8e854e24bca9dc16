"""Who is at the other end: address, scheme and host, as seen through the proxies that are trusted."""

from collections.abc import Iterable, MutableMapping
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple

Scope = MutableMapping[str, Any]  # Any: ASGI puts values of every kind into it


class Caller(NamedTuple):
    """Where a request comes from, and by which name the page knows this server.

    Attributes:
        address: of the person's machine, or of the last proxy that is not trusted.
        scheme: "http" or "https", as the person's browser has it.
        host: with the port, if it is not the usual one; may be empty.
    """

    address: str
    scheme: str
    host: str

    @property
    def source(self) -> str:
        """Whom limits count together: an address, or of IPv6 the network of one customer (64 bits).

        >>> Caller("2001:db8:1:2:3::4", "http", "").source, Caller("192.0.2.7", "http", "").source
        ('2001:db8:1:2::/64', '192.0.2.7')
        """
        if ":" not in self.address:
            return self.address
        try:
            whole = ip_address(self.address)
        except ValueError:
            return self.address
        if isinstance(whole, IPv6Address) and whole.ipv4_mapped is not None:
            return str(whole.ipv4_mapped)
        return str(ip_network((int(whole) >> 64 << 64, 64)))

    @property
    def origin(self) -> str:
        """What a browser sends as `Origin` from a page of ours."""
        return f"{self.scheme}://{self.host}"

    @property
    def secure(self) -> bool:
        """Whether cookies may be kept to encrypted connections."""
        return self.scheme == "https"


class Proxies:
    """The proxies that are believed.

    >>> proxies = Proxies(["10.0.0.0/8"])
    >>> headers = [(b"x-forwarded-for", b"1.2.3.4, 10.0.0.7"), (b"x-forwarded-proto", b"https"), (b"host", b"a.org")]
    >>> proxies.caller({"client": ("10.0.0.1", 1), "scheme": "http", "headers": headers})
    Caller(address='1.2.3.4', scheme='https', host='a.org')
    >>> proxies.caller({"client": ("8.8.8.8", 1), "scheme": "http", "headers": headers})
    Caller(address='8.8.8.8', scheme='http', host='a.org')
    """

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted: list[IPv4Network | IPv6Network] = [ip_network(each, strict=False) for each in trusted]

    def caller(self, scope: Scope) -> Caller:
        """Where the request comes from. What an untrusted address claims of itself is not read."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        scheme = _web(scope.get("scheme", "http"))
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        host = _header(headers, b"host")
        if not self._trusted or not self._trusts(address):
            return Caller(address, scheme, host)
        claimed = [each.strip() for each in _header(headers, b"x-forwarded-for").split(",") if each.strip()]
        while claimed and self._trusts(address):
            address = _without_port(claimed.pop())
        forwarded = _header(headers, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
        scheme = _web(forwarded) if forwarded in {"http", "https", "ws", "wss"} else scheme
        return Caller(address, scheme, _header(headers, b"x-forwarded-host").rpartition(",")[2].strip() or host)

    def _trusts(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._trusted)


def _header(headers: list[tuple[bytes, bytes]], name: bytes) -> str:
    return ",".join(value.decode("latin-1") for key, value in headers if key == name)


def _web(scheme: str) -> str:
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _without_port(address: str) -> str:
    """`1.2.3.4:5` and `[::1]:5` as some proxies write them."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
