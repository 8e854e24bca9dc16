"""The host names under which this server may be opened, as protection against DNS rebinding.

In this attack, a page of another site lets its own name point to this server. The browser then counts the page as one
of this server's own, so that the page can use a server that only this machine or the local network reaches. The page
cannot change the `Host` header, which is the name of its site. Therefore a server refuses names that are not its own.

These names are always allowed, because no other site can use them:

- IP addresses, `localhost`, and names without a dot, which a router or a container engine resolves.
- Names in zones that are not in the public DNS: `.local` (mDNS), `.localhost`, `.internal`, `.home.arpa`, `.lan` and
  `.test`.
- The name of this machine, and the host of the setting `public_url`.

If there are trusted proxies but no public URL, the proxies decide which names they forward.
"""

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from faceup.server.http.client_address import ClientAddress
from faceup.server.http.errors import RequestError
from faceup.server.process.settings import Settings

_PRIVATE: Final = (".local", ".localhost", ".internal", ".home.arpa", ".lan", ".test")
"""Zones that only local networks resolve (RFC 6761, RFC 6762, RFC 8375, and ICANN for `.internal`)."""

_LONGEST: Final = 253


class AllowedHosts:
    """The names that a server with these settings answers to.

    >>> hosts = AllowedHosts(Settings(public_url="https://cards.example.org", hosts=(".example.net",)))
    >>> [hosts.allows(each) for each in ("cards.example.org", "192.168.1.20:8000", "[::1]:8000", "laptop.local")]
    [True, True, True, True]
    >>> [hosts.allows(each) for each in ("a.example.net:8000", "example.net", "evil.example", "cards.example.org.evil")]
    [True, True, False, False]
    """

    def __init__(self, settings: Settings) -> None:
        names = {host.lower() for host in settings.hosts}
        self._any = "*" in names
        self._zones = (*_PRIVATE, *(host for host in names if host.startswith(".")))
        own = {socket.gethostname().lower(), urlsplit(settings.public_url).hostname or ""}
        self._names = names | own | {zone[1:] for zone in self._zones}
        self._trusts_proxies = not settings.public_url and not settings.hosts

    def allows(self, host: str) -> bool:
        """Return whether a `Host` header is allowed. An empty one is, because browsers always send a name."""
        name = name_of(host)
        if name in self._names or self._any or ("." not in name and name.replace("-", "").replace("_", "").isalnum()):
            return True
        return name.endswith(self._zones) or _is_address(name)

    def check(self, caller: ClientAddress) -> None:
        """Raise `RequestError` ("wrong_host") if the client opened the server under a name that is not allowed."""
        if self.allows(caller.host) or (caller.proxied and self._trusts_proxies):
            return
        name = name_of(caller.host)[:_LONGEST]
        raise RequestError(
            "wrong_host",
            f"this server does not answer to the name {name!r}: open it by its address; or, if it is your server, "
            f"add the name to the setting hosts",
        )


def name_of(host: str) -> str:
    """Return the name or address in a `Host` header, without the port, in lower case.

    >>> name_of("Cards.Example.org.:8000"), name_of("[::1]:8000"), name_of("192.168.1.20")
    ('cards.example.org', '::1', '192.168.1.20')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
