"""The door of a server: the socket that it listens on."""

import errno
import socket

from faceup.core import Malformed
from faceup.server.lan import reaches
from faceup.server.settings import Settings


def listen(settings: Settings) -> socket.socket:
    """A listening socket at the address that the settings name.

    Raises:
        Malformed: it cannot be had: taken, not of this machine, or for the system alone; says what would do.
    """
    host, port = _host(settings), settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise _refused(f"{host!r} is no address: {error.strerror}", "host") from None
    family, kind, protocol, _, address = found[0]
    door = socket.socket(family, kind, protocol)
    try:
        # A server that has just stopped leaves its port to the next one. On Windows the option means something else.
        if hasattr(socket, "SO_REUSEPORT"):
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # all addresses, the old ones included
        door.bind(address)
        door.listen(2048)
    except OSError as error:
        door.close()
        raise _explained(error, host, port) from None
    door.setblocking(False)
    return door


def _host(settings: Settings) -> str:
    """Where to listen; a network that has IPv6 alone is reached by that."""
    by_network = reaches() if settings.lan and settings.listens_on == "0.0.0.0" else []  # noqa: S104 -- asked for by --lan
    return "::" if by_network and all(":" in each.address for each in by_network) else settings.listens_on


def _explained(error: OSError, host: str, port: int) -> Malformed:
    if error.errno == errno.EADDRINUSE:
        return _refused(
            f"another program listens on port {port} of {host}; `--port {port + 1 if port < 65535 else 8000}` takes "
            f"another port, `--port 0` any that is free",
            "port",
        )
    if error.errno == errno.EACCES:
        return _refused(f"port {port} is for the system alone; take one above 1023, such as `--port 8000`", "port")
    if error.errno == errno.EADDRNOTAVAIL:
        return _refused(
            f"{host} is no address of this machine; `--host 127.0.0.1` serves this machine alone, `--lan` its network",
            "host",
        )
    return _refused(f"port {port} of {host} cannot be had: {error.strerror}", "port")


def _refused(message: str, where: str) -> Malformed:
    return Malformed(message, what=where, where=where)
