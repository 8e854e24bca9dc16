"""The client on a real server: it plays, reconnects, retries idempotently and reports rejections."""

import asyncio
from pathlib import Path

import pytest
from tests.server.app_server import ListeningServer, listening_server
from tests.server.client.received_lines import ReceivedLines

from faceup.server.client import (
    Client,
    RequestRefusedError,
    UnreachableError,
    parse_address,
    play,
    policy_chooser,
    view_of,
)
from faceup.server.client.player import rules_of
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.rooms import Choose, Sit, Start

TWO = {"game": "nimmt", "options": {"seats": 2, "hand": 3}, "terms": {"clock": None, "autoplay": "lowest"}}


async def test_two_clients_play_a_game_to_its_end_and_fold_the_same_result(server: ListeningServer) -> None:
    async with Client(server.base) as ann, Client(server.base) as bo:
        await ann.join("Ann")
        place = await ann.make(TWO)
        await bo.join("Bo")
        found_table = await bo.find(place.code)
        assert found_table.id == place.id
        async with ann.live(place.id) as first, bo.live(place.id) as second:
            assert second.seat is None
            await second.do(Sit("Bo"))
            await second.until(lambda: second.seat == 1)
            played = await asyncio.gather(
                play(first, policy_chooser("highest")), play(second, policy_chooser("lowest"))
            )
            assert all(played)
            assert first.room["result"] == second.room["result"]
        assert b'"result"' in await ann.record(place.id)


async def test_a_bot_receives_the_view_of_its_seat(server: ListeningServer) -> None:
    async with Client(server.base) as ann:
        await ann.join("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start())
            await live.until(lambda: live.status == "active")
            view = view_of(live, rules_of(live))
            assert view.seat == 0
            assert len(view.legal) == 3


async def test_a_reconnecting_client_sees_the_lines_of_one_connection(server: ListeningServer) -> None:
    """A client that is disconnected after every third line receives every line once and ends with the current view."""
    received = ReceivedLines()

    def receive(line: bytes) -> None:
        received.append(line)
        if len(received.texts) % 3 == 0 and live._connection is not None:
            live._connection.transport.abort()

    async with Client(server.base) as ann:
        await ann.join("Ann")
        place = await ann.make({**TWO, "options": {"seats": 2, "hand": 10}, "bots": ["greedy"]})
        async with ann.live(place.id, on_line=receive) as live:
            await live.do(Start())
            assert await play(live, policy_chooser("lowest"))
            assert live.connections > 1
            assert received.numbers == list(range(1, len(received.numbers) + 1))
            assert received.folded == live.room == (await ann.see(place.id))["room"]


async def test_a_repeated_command_counts_once(server: ListeningServer) -> None:
    async with Client(server.base) as ann:
        await ann.join("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start(), id="start")
            await live.do(Start(), id="start")
            await ann.do(place.id, Start(), id="start")
            with pytest.raises(RequestRefusedError) as refused:
                await live.do(Start(), id="another")
            assert refused.value.why == "stale"


async def test_a_rejection_lists_the_legal_actions(server: ListeningServer) -> None:
    async with Client(server.base) as ann:
        await ann.join("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start())
            await live.until(lambda: live.status == "active")
            missing = next(f"play {card}" for card in range(1, 105) if f"play {card}" not in live.room["actions"])
            with pytest.raises(RequestRefusedError) as refused:
                await live.do(Choose(0, missing, 0))
            assert refused.value.why == "illegal_action"
            assert list(refused.value.legal) == live.room["actions"]


async def test_a_client_contributes_to_a_fair_deal_by_itself(server: ListeningServer) -> None:
    async with Client(server.base) as ann, Client(server.base) as bo:
        await ann.join("Ann")
        await bo.join("Bo")
        place = await ann.make({**TWO, "terms": {"clock": None, "autoplay": "lowest", "fair": True}})
        await bo.do(place.id, Sit("Bo"))
        async with ann.live(place.id) as first, bo.live(place.id) as second:
            assert await asyncio.gather(play(first, policy_chooser("lowest")), play(second, policy_chooser("lowest")))
            assert None not in first.room["fair"]["contributions"]


async def test_a_rate_limited_client_contributes_later(tmp_path: Path) -> None:
    slow = ServerLimits(commands=RateLimit(2, 2))
    async with listening_server(tmp_path / "tables.sqlite", limits=slow) as server, Client(server.base) as ann:
        await ann.join("Ann")
        place = await ann.make({**TWO, "bots": ["lowest"], "terms": {"clock": None, "fair": True}})
        async with ann.live(place.id) as live:
            await live.do(Start())  # one of the two that are free, and the pledge is the other
            await live.until(lambda: bool(live.room["actions"]))
            assert live.room["fair"]["left_out"] == []
            assert live.room["fair"]["listed"] == [0]


async def test_a_missing_table_and_an_unreachable_server_are_distinguished(server: ListeningServer) -> None:
    async with Client(server.base) as ann:
        with pytest.raises(RequestRefusedError, match="no such table"):
            await ann.find(parse_address(f"{server.base}/t/{'x' * 22}"))
        with pytest.raises(RequestRefusedError, match="no such table"):
            async with ann.live("x" * 22):
                pass
    async with Client("http://127.0.0.1:9") as client:
        with pytest.raises(UnreachableError, match="does not answer"):
            await client.join()


def test_a_clients_view_is_the_fold_of_its_lines() -> None:
    received = ReceivedLines()
    received.append(b'{"v":1,"at":0,"room":{"a":1}}\n')
    received.append(b'{"v":2,"at":0,"events":[],"patch":{"b":2,"a":null}}\n')
    assert received.folded == {"b": 2}
