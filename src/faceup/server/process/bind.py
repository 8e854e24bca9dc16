"""Bind the server's listening socket, or take it over from the service manager that keeps it open between servers."""

import errno
import os
import socket
from typing import Final

from faceup.core import Malformed
from faceup.server.process.lan import lan_addresses
from faceup.server.process.settings import Settings

_FIRST_PASSED: Final = 3
"""The first file descriptor that a service manager passes (sd_listen_fds(3))."""


def listen(settings: Settings) -> socket.socket:
    """Return the listening socket that the service manager passes, or else one at the address of the settings.

    Raises:
        Malformed: as for `listen_at`, or the service manager passes anything but one listening TCP socket.
    """
    passed = _passed_socket()
    return listen_at(_host(settings), settings.port) if passed is None else passed


def _passed_socket() -> socket.socket | None:
    """Return the listening socket that systemd passes to this process; None if it passes none (sd_listen_fds(3)).

    The service manager keeps the socket open while it replaces the server, so clients that connect then wait for
    the next server, and none is refused.
    """
    count, process = os.environ.pop("LISTEN_FDS", ""), os.environ.pop("LISTEN_PID", "")
    if process != str(os.getpid()):
        return None
    passed = None
    if count == "1":
        passed = socket.socket(fileno=_FIRST_PASSED)
        is_tcp = passed.family in {socket.AF_INET, socket.AF_INET6} and passed.type == socket.SOCK_STREAM
        if is_tcp and passed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            passed.set_inheritable(False)
            passed.setblocking(False)
            return passed
        passed.close()
    raise Malformed(
        "the server takes over one listening TCP socket from the service manager: give the socket unit exactly one "
        "`ListenStream=ADDRESS:PORT`",
        what=count,
        where="LISTEN_FDS",
    )


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
