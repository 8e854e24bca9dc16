"""When a player is pinged, and when a silent connection counts as lost; the clock of these tests is set by hand."""

import json
from math import inf
from types import SimpleNamespace
from typing import Any, cast

import pytest

from faceup.server.http import websocket
from faceup.server.http.pings import (
    ATTENDED_PING_INTERVAL,
    AWAITED_PING_INTERVAL,
    CLIENT_MARGIN,
    IDLE_PING_INTERVAL,
    SILENCE,
    PingSchedule,
)
from faceup.server.http.websocket import _Connection
from faceup.server.live import Subscription

INVALID = b"not JSON"
"""A message that the server rejects; it comes from the player all the same."""


class Player:
    """The connection of a player, and the times at which it was pinged or counted as silent."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        patch.setattr(websocket, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.reader = Subscription("ann", on_close=lambda _: None, time=lambda _: round(1000 * self.now), grace=20_000)
        self.reader.on_attention(lambda: self.connection.notice_attention(self.schedule))
        services: Any = SimpleNamespace(
            commands=SimpleNamespace(take=lambda _: None),
            limits=SimpleNamespace(frame=1000),
            store=SimpleNamespace(metrics=SimpleNamespace(round_trip_seconds=SimpleNamespace(observe=lambda _: None))),
        )
        self.connection = _Connection(services, "t", self.reader, cast("Any", None), identity=None, address="::1")
        self.schedule = PingSchedule()
        self.pings: list[float] = []
        self.silent: list[float] = []
        self.lost_at = inf
        self.connection.ping(self.now)
        self.receive()
        self.answer()
        self.schedule.add(self.connection, self.now)

    def receive(self) -> list[dict[str, Any]]:
        """Handle what the server has sent as clients do, and return it. The last ping's limit applies from now on."""
        lines = [json.loads(line) for line in self.reader.take().splitlines()]
        for line in lines:
            if "ping" in line:
                self.number = line["ping"]
                self.interval = line["silence"] / 1000 - SILENCE - CLIENT_MARGIN
            self.lost_at = self.now + self.interval + SILENCE + CLIENT_MARGIN
        return lines

    def answer(self) -> None:
        self.connection._take(b'{"command":"pong","ping":%d}' % self.number)

    def send(self) -> None:
        """Send anything but an answer. The server's rejection is no ping."""
        self.connection._take(INVALID)
        self.receive()

    def await_from(self, at: float | None) -> None:
        """Attend the player, and wait for this player from a time."""
        self.reader.attend(attended=True, awaited_from=None if at is None else round(1000 * at))

    def pass_time(self, seconds: float, *, answers: bool = True) -> None:
        """Check the connection when it is due, and answer each ping."""
        end = self.now + seconds
        while self.connection.check_at <= end:
            self.now = max(self.now, self.connection.check_at)
            self.schedule.check(self.now)
            assert self.connection.check_at > self.now
            assert self.now < self.lost_at
            if received := self.receive():
                self.pings.append(self.now)
            if answers and received:
                self.answer()
            if self.reader.silent and not self.silent:
                self.silent.append(self.now)
        self.now = end


def attended(monkeypatch: pytest.MonkeyPatch, awaited_from: float | None = None) -> Player:
    """Return a player for whom others may wait."""
    player = Player(monkeypatch)
    player.await_from(None)
    player.receive()
    assert player.interval == ATTENDED_PING_INTERVAL
    player.answer()
    player.await_from(awaited_from)
    player.pass_time(0)
    return player


async def test_a_client_for_whom_no_one_waits_is_pinged_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch)
    player.pass_time(80)
    assert player.pings == [100 + IDLE_PING_INTERVAL * number for number in range(1, 4)]


async def test_a_client_that_never_answers_is_pinged_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    player.connection._round_trips = None
    player.pass_time(61, answers=False)
    assert len(player.pings) == 6
    assert not player.silent


async def test_a_player_who_sends_nothing_is_pinged_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    player.pass_time(61)
    assert player.pings == [100 + ATTENDED_PING_INTERVAL * number for number in range(1, 7)]


async def test_a_player_for_whom_everyone_waits_is_pinged_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch, 112.0)
    player.pass_time(30)
    assert player.pings == [110, 113.25, 114.5, 117, 122], "the longer the wait, the longer the intervals"


async def test_a_ping_with_the_longer_limit_comes_with_the_update_that_ends_the_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = attended(monkeypatch, 100.0)
    player.pass_time(2)
    player.await_from(None)
    player.receive()
    assert player.interval == ATTENDED_PING_INTERVAL
    player.answer()
    player.reader.attend(attended=False, awaited_from=None)
    player.receive()
    assert player.interval == IDLE_PING_INTERVAL


async def test_a_player_who_chooses_soon_after_the_others_is_not_pinged(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    for _ in range(10):
        player.pass_time(6)
        player.await_from(player.now)
        player.pass_time(1)
        player.send()
        player.await_from(None)
    assert not player.pings


async def test_a_player_who_has_just_sent_something_is_not_pinged(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    for _ in range(10):
        player.pass_time(9)
        player.send()
    assert not player.pings
    player.pass_time(11)
    assert player.pings == [190 + ATTENDED_PING_INTERVAL]


async def test_a_client_gets_a_longer_limit_before_the_shorter_one_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Player.pass_time` checks that no limit of the client ends."""
    player = attended(monkeypatch, 100.0)
    player.pass_time(3)
    player.await_from(None)
    player.pass_time(15)
    player.reader.attend(attended=False, awaited_from=None)
    player.pass_time(60)


@pytest.mark.parametrize(("awaited_from", "interval"), [(100.0, AWAITED_PING_INTERVAL), (None, ATTENDED_PING_INTERVAL)])
async def test_a_lost_connection_is_found_in_time(
    monkeypatch: pytest.MonkeyPatch, awaited_from: float | None, interval: float
) -> None:
    player = attended(monkeypatch, awaited_from)
    player.pass_time(1.2)
    player.send()
    player.pass_time(14, answers=False)
    assert player.silent == [101.2 + interval + SILENCE]
    assert player.silent[0] - 101.2 < (12 if awaited_from is None else 3)
    assert len(player.pings) > 1, "it is pinged again, because it may receive what it cannot answer"
    player.send()
    assert not player.reader.silent


async def test_a_lost_connection_is_found_soon_after_everyone_starts_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    player.pass_time(4, answers=False)
    player.await_from(104.0)
    player.pass_time(4, answers=False)
    assert player.silent == [104 + AWAITED_PING_INTERVAL + SILENCE]
    assert player.silent[0] - 104 < 3


async def test_a_message_instead_of_the_answer_shows_that_a_player_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch, 100.0)
    player.pass_time(2, answers=False)
    player.send()
    player.pass_time(1.4, answers=False)
    assert not player.silent
    player.pass_time(1, answers=False)
    assert player.silent


async def test_a_closed_connection_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    player = attended(monkeypatch)
    player.schedule.remove(player.connection)
    player.await_from(player.now)
    player.schedule.check(player.now + 1000)
    assert not player.reader.take()


async def test_a_server_that_is_late_takes_no_client_for_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may not have read the client's answer yet."""
    player = attended(monkeypatch, 100.0)
    player.pass_time(1.5, answers=False)
    assert player.pings
    for late in (True, False):
        player.now += 2
        player.schedule.check(player.now, late=late)
        assert player.reader.silent is not late
