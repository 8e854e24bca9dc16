"""The addresses by which other devices of the network reach this machine; no internet is needed to find them."""

import contextlib
import os
import socket
import struct
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, ip_address
from typing import Final, NamedTuple


class Reach(NamedTuple):
    """An address of this machine, and the interface that has it ("" where the system does not say)."""

    address: str
    interface: str = ""


def reaches() -> list[Reach]:
    """The addresses, the one that a phone most likely reaches first; none where there is no network."""
    found = {reach.address: reach for reach in (*_by_name(), *_by_interface())}
    way_out = _way_out(socket.AF_INET, "198.51.100.1")
    if way_out and way_out not in found:
        found[way_out] = Reach(way_out)
    ranked = rank(found.values(), way_out)
    if not ranked and (six := _way_out(socket.AF_INET6, "2001:db8::1")) and not ip_address(six).is_loopback:
        return [Reach(six)]
    return ranked


def rank(found: Iterable[Reach], way_out: str = "") -> list[Reach]:
    """IPv4 addresses in the order in which a phone most likely reaches them; `way_out` is what this machine uses.

    Networks of containers and virtual machines come last, though packets may leave by a tunnel; what reaches nobody is
    left out.

    >>> rank([Reach("172.17.0.1", "docker0"), Reach("127.0.0.1", "lo"), Reach("192.168.1.20", "wlan0")])
    [Reach(address='192.168.1.20', interface='wlan0'), Reach(address='172.17.0.1', interface='docker0')]
    """

    def place(reach: Reach) -> tuple[bool, bool, bool, int]:
        address = IPv4Address(reach.address)
        network = next((n for n, block in enumerate(_HOME) if address in block), len(_HOME))
        return address.is_link_local, reach.interface.startswith(_VIRTUAL), reach.address != way_out, network

    usable = [each for each in found if not (IPv4Address(each.address).is_loopback or each.address == "0.0.0.0")]  # noqa: S104 -- compared, not bound
    return sorted(usable, key=place)


_HOME: Final = (IPv4Network("192.168.0.0/16"), IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"))
_VIRTUAL: Final = (
    "docker",
    "br-",
    "veth",
    "virbr",
    "vmnet",
    "vboxnet",
    "tun",
    "utun",
    "tap",
    "wg",
    "tailscale",
    "zt",
    "lxc",
)


def _way_out(family: socket.AddressFamily, to: str) -> str:
    """Which address packets to another network would leave from; connecting a datagram socket sends nothing."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((to, 9))
        name: str = probe.getsockname()[0]
        return name
    return ""


def _by_name() -> Iterator[Reach]:
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_DGRAM):
            yield Reach(str(address[0]))


def _by_interface() -> Iterator[Reach]:
    """What each interface says; there is no such question on Windows, where the host's name has all addresses."""
    if os.name != "posix":
        return
    import fcntl  # noqa: PLC0415 -- not on Windows
    import sys  # noqa: PLC0415 -- likewise

    ask = 0xC0206921 if sys.platform == "darwin" else 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an IPv4 address
                answer = fcntl.ioctl(probe.fileno(), ask, struct.pack("256s", name.encode()[:15]))
                yield Reach(socket.inet_ntoa(answer[20:24]), name)
