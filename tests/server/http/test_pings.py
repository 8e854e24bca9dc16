"""When a player is pinged, and when a silent connection counts as lost; the clock of these tests is set by hand."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from faceup.server.http import websocket
from faceup.server.http.pings import CLIENT_MARGIN, SILENCE
from faceup.server.http.websocket import ATTENDED_PING_INTERVAL, _Connection
from faceup.server.live import Subscription

INVALID = b"not JSON"
"""A message that the server rejects; it comes from the player all the same."""


class Player:
    """The connection of an attended player, and the times at which it was pinged or counted as silent."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        patch.setattr(websocket, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.reader = Subscription("ann", on_close=lambda _: None, grace=20_000)
        self.reader.attended = True
        services: Any = SimpleNamespace(
            commands=SimpleNamespace(take=lambda _: None),
            limits=SimpleNamespace(frame=1000),
            store=SimpleNamespace(metrics=SimpleNamespace(round_trip_seconds=SimpleNamespace(observe=lambda _: None))),
        )
        self.connection = _Connection(services, "t", self.reader, cast("Any", None), identity=None, address="::1")
        self.pings: list[float] = []
        self.silent: list[float] = []
        self.connection.ping(self.now)
        self.next_check = self.now
        self.answer()

    def receive(self) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.reader.take().splitlines()) if "ping" in line]

    def answer(self) -> None:
        self.connection._take(b'{"command":"pong","ping":%d}' % self.receive()[-1]["ping"])

    def pass_time(self, seconds: float, *, answers: bool = True) -> None:
        """Check the connection whenever it asks for it, and answer each ping."""
        end = self.now + seconds
        while self.next_check <= end:
            self.now = max(self.now, self.next_check)
            self.next_check = self.connection.check(self.now)
            assert self.next_check > self.now
            if received := self.reader.take():
                self.pings.append(self.now)
                ping = json.loads(received.splitlines()[-1])
                assert ping["silence"] == 1000 * (ATTENDED_PING_INTERVAL + SILENCE + CLIENT_MARGIN)
                if answers:
                    self.connection._take(b'{"command":"pong","ping":%d}' % ping["ping"])
            if self.reader.silent and not self.silent:
                self.silent.append(self.now)
        self.now = end


async def test_a_player_who_sends_nothing_is_pinged_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch)
    player.pass_time(10)
    assert player.pings == [100 + ATTENDED_PING_INTERVAL * number for number in range(1, 9)]


async def test_a_player_who_has_just_sent_something_is_not_pinged(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch)
    for _ in range(10):
        player.pass_time(1)
        player.connection._take(INVALID)
        player.reader.take()
    assert not player.pings
    player.pass_time(2)
    assert player.pings == [110 + ATTENDED_PING_INTERVAL]


async def test_a_lost_connection_is_found_within_three_seconds_of_the_last_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = Player(monkeypatch)
    player.pass_time(1.2)
    player.connection._take(INVALID)
    player.reader.take()
    player.pass_time(6, answers=False)
    assert player.silent == [101.2 + ATTENDED_PING_INTERVAL + SILENCE]
    assert player.silent[0] - 101.2 < 3
    assert len(player.pings) == 4, "it is pinged again, because it may receive what it cannot answer"
    player.connection._take(INVALID)
    assert not player.reader.silent


async def test_a_message_instead_of_the_answer_shows_that_a_player_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch)
    player.pass_time(2, answers=False)
    player.connection._take(INVALID)
    player.reader.take()
    player.pass_time(1.4, answers=False)
    assert not player.silent
    player.pass_time(1, answers=False)
    assert player.silent
