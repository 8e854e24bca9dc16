"""Which address phones are shown, and that the code says the same."""

import socket

import pytest
import segno

from faceup.server import listening
from faceup.server.lan import Reach, rank, reaches
from faceup.server.qr import drawn, ground
from faceup.server.settings import Settings


def test_the_address_by_which_packets_leave_comes_first_unless_it_is_a_tunnel() -> None:
    found = [Reach("10.8.0.2", "tun0"), Reach("192.168.1.20", "wlan0"), Reach("10.0.0.5", "eth0")]
    assert [each.interface for each in rank(found, "10.0.0.5")] == ["eth0", "wlan0", "tun0"]
    assert [each.interface for each in rank(found, "10.8.0.2")] == ["wlan0", "eth0", "tun0"]


def test_without_a_way_out_home_networks_come_first_and_self_assigned_addresses_last() -> None:
    found = [
        Reach("169.254.3.4", "eth1"),
        Reach("172.20.10.2", "en0"),
        Reach("8.8.4.4", "ppp0"),
        Reach("127.0.0.1", "lo"),
    ]
    assert [each.interface for each in rank(found)] == ["en0", "ppp0", "eth1"]


def test_a_network_of_ipv6_alone_is_listened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for found, family in (([Reach("fd00::2")], socket.AF_INET6), ([Reach("192.168.1.20")], socket.AF_INET)):
        monkeypatch.setattr(listening, "reaches", lambda found=found: found)
        with listening.listen(Settings(lan=True, port=0)) as door:
            assert door.family == family
            assert door.getsockname()[0] in {"::", "0.0.0.0"}  # noqa: S104 -- what --lan asks for


def test_this_machine_is_never_shown_as_itself() -> None:
    assert not any(each.address.startswith("127.") for each in reaches())


def test_the_code_in_the_terminal_is_the_code_of_the_address() -> None:
    text = "http://192.168.1.20:8000"
    wanted = [bool(cell) for row in segno.make(text, micro=False).matrix_iter(border=4) for cell in row]
    for kind, dark_is in (("light", True), ("dark", False), ("own", True)):
        cells: list[bool] = []
        for line in drawn(text, ground=kind).splitlines():  # type: ignore[arg-type]  # one of the three
            halves = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
            cells += [(each in "█▀") == dark_is for each in halves]
            cells += [(each in "█▄") == dark_is for each in halves]
        assert cells[: len(wanted)] == wanted


def test_colours_are_used_unless_they_are_forbidden() -> None:
    assert "\x1b[" in drawn("x", ground=ground({"TERM": "xterm-256color"}))
    for environ in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "COLORFGBG": "0;default;15"}):
        assert "\x1b" not in drawn("x", ground=ground(environ))
