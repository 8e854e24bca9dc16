"""Choice of the LAN address, and its QR code."""

import socket

import pytest
import segno

from faceup.server.process import bind, lan
from faceup.server.process.lan import LanAddress, lan_addresses, qr_code, rank, reachable_origin, terminal_background
from faceup.server.process.settings import Settings


def test_the_outgoing_address_comes_first_unless_it_is_a_tunnel() -> None:
    addresses = [LanAddress("10.8.0.2", "tun0"), LanAddress("192.168.1.20", "wlan0"), LanAddress("10.0.0.5", "eth0")]
    assert [address.interface for address in rank(addresses, "10.0.0.5")] == ["eth0", "wlan0", "tun0"]
    assert [address.interface for address in rank(addresses, "10.8.0.2")] == ["wlan0", "eth0", "tun0"]


def test_without_a_default_route_home_networks_come_first_and_link_local_addresses_last() -> None:
    addresses = [
        LanAddress("169.254.3.4", "eth1"),
        LanAddress("172.20.10.2", "en0"),
        LanAddress("8.8.4.4", "ppp0"),
        LanAddress("127.0.0.1", "lo"),
    ]
    assert [address.interface for address in rank(addresses)] == ["en0", "ppp0", "eth1"]


def test_a_network_with_only_ipv6_is_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    for addresses, family in (
        ([LanAddress("fd00::2")], socket.AF_INET6),
        ([LanAddress("192.168.1.20")], socket.AF_INET),
    ):
        monkeypatch.setattr(bind, "lan_addresses", lambda addresses=addresses: addresses)
        with bind.listen(Settings(lan=True, port=0)) as listener:
            assert listener.family == family
            assert listener.getsockname()[0] in {"::", "0.0.0.0"}  # noqa: S104 -- what --lan asks for


@pytest.mark.parametrize(
    ("origin", "reachable"),
    [
        ("http://localhost:8000", "http://192.168.1.20:8000"),
        ("http://127.0.0.1", "http://192.168.1.20"),
        ("http://[::1]:8000", "http://192.168.1.20:8000"),
        ("http://localhost.example:8000", "http://localhost.example:8000"),
        ("http://10.0.0.5:8000", "http://10.0.0.5:8000"),
    ],
)
def test_only_a_loopback_host_is_replaced(origin: str, reachable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "lan_addresses", lambda: [LanAddress("192.168.1.20"), LanAddress("172.17.0.1")])
    assert reachable_origin(origin) == reachable
    monkeypatch.setattr(lan, "lan_addresses", list)
    assert reachable_origin(origin) == origin


def test_loopback_addresses_are_never_shown() -> None:
    assert not any(address.address.startswith("127.") for address in lan_addresses())


def test_the_qr_code_encodes_the_address() -> None:
    text = "http://192.168.1.20:8000"
    expected = [bool(cell) for row in segno.make(text, micro=False).matrix_iter(border=4) for cell in row]
    for kind, dark_is in (("light", True), ("dark", False), ("own", True)):
        cells: list[bool] = []
        for line in qr_code(text, background=kind).splitlines():  # type: ignore[arg-type]  # one of the three
            row_text = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
            cells += [(character in "█▀") == dark_is for character in row_text]
            cells += [(character in "█▄") == dark_is for character in row_text]
        assert cells[: len(expected)] == expected


def test_colours_are_used_unless_disabled() -> None:
    assert "\x1b[" in qr_code("x", background=terminal_background({"TERM": "xterm-256color"}))
    for environ in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "COLORFGBG": "0;default;15"}):
        assert "\x1b" not in qr_code("x", background=terminal_background(environ))
