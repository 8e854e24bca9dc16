"""Bind the server's listening socket."""

import errno
import socket

from faceup.core import Malformed
from faceup.server.process.lan import lan_addresses
from faceup.server.process.settings import Settings


def listen(settings: Settings) -> socket.socket:
    """Return a listening socket at the address of the settings. Raises the errors of `listen_at`."""
    return listen_at(_host(settings), settings.port)


def listen_at(host: str, port: int, prefix: str = "") -> socket.socket:
    """Return a listening socket.

    Args:
        host: the address.
        port: the port; 0 means any free port.
        prefix: the start of the flags that give the host and the port, for error messages.

    Raises:
        Malformed: the port is in use or privileged, or the host is not an address of this machine. The message suggests
            another port or host.
    """
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise _bind_error(f"{host!r} is not a valid address: {error.strerror}", "host") from None
    family, kind, protocol, _, address = addresses[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # This option lets a restarted server bind its port immediately. On Windows it has another meaning.
        if hasattr(socket, "SO_REUSEPORT"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # accept IPv4 as well
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise _bind_failure(error, host, port, prefix) from None
    listener.setblocking(False)
    return listener


def _host(settings: Settings) -> str:
    """Return the host to bind. With the setting `lan`, it is "::" on a network that has only IPv6."""
    by_network = lan_addresses() if settings.lan and settings.bind_address == "0.0.0.0" else []  # noqa: S104 -- asked for by --lan
    return "::" if by_network and all(":" in interface.address for interface in by_network) else settings.bind_address


def _bind_failure(error: OSError, host: str, port: int, prefix: str) -> Malformed:
    if error.errno == errno.EADDRINUSE:
        return _bind_error(
            f"another program listens on port {port} of {host}; use another port, such as "
            f"`--{prefix}port {port + 1 if port < 65535 else 8000}`, or any free port with `--{prefix}port 0`",
            "port",
        )
    if error.errno == errno.EACCES:
        return _bind_error(f"port {port} is privileged; use a port above 1023, such as `--{prefix}port 8000`", "port")
    if error.errno == errno.EADDRNOTAVAIL:
        return _bind_error(
            f"{host} is not an address of this machine; use `--{prefix}host 127.0.0.1` to serve this machine only, or "
            "`--lan` to serve its network",
            "host",
        )
    return _bind_error(f"port {port} of {host} cannot be bound: {error.strerror}", "port")


def _bind_error(message: str, where: str) -> Malformed:
    return Malformed(message, what=where, where=where)
