"""LAN addresses of this machine, and QR codes for the terminal."""

import contextlib
import os
import re
import socket
import struct
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, ip_address
from itertools import zip_longest
from typing import Final, Literal, NamedTuple

from faceup.extras import needs


class LanAddress(NamedTuple):
    """An address of this machine, and the network interface that has it ("" if unknown)."""

    address: str
    interface: str = ""


def lan_addresses() -> list[LanAddress]:
    """Return this machine's LAN addresses, beginning with the most reachable one; empty without a network."""
    addresses = {interface.address: interface for interface in (*_by_name(), *_by_interface())}
    outgoing = _source_address(socket.AF_INET, "198.51.100.1")
    if outgoing and outgoing not in addresses:
        addresses[outgoing] = LanAddress(outgoing)
    ranked = rank(addresses.values(), outgoing)
    if not ranked and (ipv6 := _source_address(socket.AF_INET6, "2001:db8::1")) and not ip_address(ipv6).is_loopback:
        return [LanAddress(ipv6)]
    return ranked


def rank(addresses: Iterable[LanAddress], outgoing: str = "") -> list[LanAddress]:
    """Return IPv4 addresses, sorted so that the one that a phone can most likely reach comes first.

    Addresses in networks of containers and virtual machines come last; loopback addresses are left out. `outgoing` is
    the source address of packets that this machine sends to other networks.

    >>> rank([LanAddress("172.17.0.1", "docker0"), LanAddress("127.0.0.1", "lo"), LanAddress("192.168.1.20", "wlan0")])
    [LanAddress(address='192.168.1.20', interface='wlan0'), LanAddress(address='172.17.0.1', interface='docker0')]
    """

    def place(interface: LanAddress) -> tuple[bool, bool, bool, int]:
        address = IPv4Address(interface.address)
        network = next((n for n, block in enumerate(_HOME_NETWORKS) if address in block), len(_HOME_NETWORKS))
        return address.is_link_local, interface.interface.startswith(_VIRTUAL), interface.address != outgoing, network

    usable = [
        interface
        for interface in addresses
        if not (IPv4Address(interface.address).is_loopback or IPv4Address(interface.address).is_unspecified)
    ]
    return sorted(usable, key=place)


def reachable_origin(origin: str) -> str:
    """Return the origin as other devices reach it: a loopback host is replaced by this machine's first LAN address.

    Without a network, the origin stays as it is.

    >>> reachable_origin("http://192.168.1.20:8000")
    'http://192.168.1.20:8000'
    """
    loopback = re.match(r"(https?://)(localhost|127\.0\.0\.1|\[::1\])(?=:|$)", origin)
    addresses = lan_addresses() if loopback else []
    if loopback is None or not addresses:
        return origin
    address = addresses[0].address
    return f"{loopback[1]}{f'[{address}]' if ':' in address else address}{origin[loopback.end() :]}"


_HOME_NETWORKS: Final = (IPv4Network("192.168.0.0/16"), IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"))
_VIRTUAL: Final = (
    *("docker", "br-", "veth", "virbr", "vmnet", "vboxnet"),
    *("tun", "utun", "tap", "wg", "tailscale", "zt", "lxc"),
)


def _source_address(family: socket.AddressFamily, to: str) -> str:
    """Return the source address of packets to the address `to`, without sending any packet."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((to, 9))
        name: str = probe.getsockname()[0]
        return name
    return ""


def _by_name() -> Iterator[LanAddress]:
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_DGRAM):
            yield LanAddress(str(address[0]))


def _by_interface() -> Iterator[LanAddress]:
    """Yield the address of each interface. On Windows, yield none, because `_by_name` finds all addresses there."""
    if os.name != "posix":
        return
    import fcntl  # noqa: PLC0415 -- not on Windows
    import sys  # noqa: PLC0415 -- as above

    request = 0xC0206921 if sys.platform == "darwin" else 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an IPv4 address
                answer = fcntl.ioctl(probe.fileno(), request, struct.pack("256s", name.encode()[:15]))
                yield LanAddress(socket.inet_ntoa(answer[20:24]), name)


_BLACK_ON_WHITE: Final = "\x1b[38;5;16;48;5;231m"  # from the 256-colour palette, which themes do not change
_RESET: Final = "\x1b[0m"


def qr_code(text: str, *, background: Literal["own", "dark", "light"] = "own") -> str:
    """Return the QR code of a text, including its quiet zone, as lines that end with a newline.

    Each character shows two modules, one above the other. `background` is the background: "own" sets the colours
    explicitly. "dark" and "light" keep the colours of the terminal: on a dark background the light modules are drawn,
    on a light background the dark modules.

    >>> qr_code("faceup", background="light").splitlines()[2]
    '    █▀▀▀▀▀█ ▀▄▀▄█ █▀▀▀▀▀█    '
    """
    with needs("server", __name__):
        import segno  # noqa: PLC0415 -- slow to import, and not needed by every server

    rows = [tuple(row) for row in segno.make(text, micro=False).matrix_iter(border=4)]
    drawn_module = 0 if background == "dark" else 1
    prefix, suffix = (_BLACK_ON_WHITE, _RESET) if background == "own" else ("", "")
    lines = []
    for top, bottom in zip_longest(rows[::2], rows[1::2], fillvalue=(0,) * len(rows[0])):
        cells = (
            _HALF_BLOCKS[upper == drawn_module, lower == drawn_module] for upper, lower in zip(top, bottom, strict=True)
        )
        lines.append(f"{prefix}{''.join(cells)}{suffix}\n")
    return "".join(lines)


_HALF_BLOCKS: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def terminal_background(environ: dict[str, str]) -> Literal["own", "dark", "light"]:
    """Return the background for a QR code: "own", unless `NO_COLOR` is set or `TERM` is "dumb".

    Otherwise it is the terminal's background, which several terminals put into `COLORFGBG`: "light" if the last number
    there is 7 or 15, else "dark".

    >>> terminal_background({}), terminal_background({"NO_COLOR": "1"})
    ('own', 'dark')
    >>> terminal_background({"NO_COLOR": "1", "COLORFGBG": "0;15"})
    'light'
    """
    if not environ.get("NO_COLOR") and environ.get("TERM") != "dumb":
        return "own"
    return "light" if environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"} else "dark"
