"""The client at a real server: it plays, comes back, repeats itself without harm, and says what was refused."""

import asyncio
from pathlib import Path

import pytest
from tests.server.client.lines import Heard
from tests.server.inside import Wired, wired

from faceup.server.api import Limits, Rate
from faceup.server.client import Client, Refused, Unreachable, by_policy, play, read_address, view_of
from faceup.server.client.playing import rules_of
from faceup.server.rooms import Choose, Sit, Start

TWO = {"game": "nimmt", "options": {"seats": 2, "hand": 3}, "terms": {"clock": None, "stand_in": "lowest"}}


async def test_two_clients_play_a_game_to_its_end_and_fold_the_same_result(server: Wired) -> None:
    async with Client(server.base) as ann, Client(server.base) as bo:
        await ann.arrive("Ann")
        place = await ann.make(TWO)
        await bo.arrive("Bo")
        found = await bo.find(place.code)
        assert found.id == place.id
        async with ann.live(place.id) as first, bo.live(place.id) as second:
            assert second.seat is None
            await second.do(Sit("Bo"))
            await second.until(lambda: second.seat == 1)
            played = await asyncio.gather(play(first, by_policy("highest")), play(second, by_policy("lowest")))
            assert all(played)
            assert first.sight["result"] == second.sight["result"]
        assert b'"result"' in await ann.record(place.id)


async def test_what_a_player_of_ours_is_given_is_the_view_of_its_seat(server: Wired) -> None:
    async with Client(server.base) as ann:
        await ann.arrive("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start())
            await live.until(lambda: live.status == "active")
            view = view_of(live, rules_of(live))
            assert view.seat == 0
            assert len(view.legal) == 3


async def test_the_lines_of_several_connections_are_those_of_one(server: Wired) -> None:
    """A client that is cut off again and again hears every line once, and ends with what is to be seen."""
    heard = Heard()
    async with Client(server.base) as ann:
        await ann.arrive("Ann")
        place = await ann.make({**TWO, "options": {"seats": 2, "hand": 10}, "bots": ["greedy"]})
        async with ann.live(place.id, heard=heard.append) as live:
            await live.do(Start())
            playing = asyncio.create_task(play(live, by_policy("lowest")))
            while not playing.done():
                await asyncio.wait([playing], timeout=0.05)
                if live._connection is not None:
                    live._connection.transport.abort()
            assert await playing
            assert live.connections > 3
            assert heard.numbers == list(range(1, len(heard.numbers) + 1))
            assert heard.folded == live.sight == (await ann.see(place.id))["sight"]


async def test_a_command_that_was_sent_twice_counts_once(server: Wired) -> None:
    async with Client(server.base) as ann:
        await ann.arrive("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start(), id="start")
            await live.do(Start(), id="start")
            await ann.do(place.id, Start(), id="start")
            with pytest.raises(Refused) as refused:
                await live.do(Start(), id="another")
            assert refused.value.why == "stale"


async def test_a_refusal_says_what_would_be_legal(server: Wired) -> None:
    async with Client(server.base) as ann:
        await ann.arrive("Ann")
        place = await ann.make({**TWO, "bots": ["greedy"]})
        async with ann.live(place.id) as live:
            await live.do(Start())
            await live.until(lambda: live.status == "active")
            missing = next(f"play {card}" for card in range(1, 105) if f"play {card}" not in live.sight["words"])
            with pytest.raises(Refused) as refused:
                await live.do(Choose(0, missing, 0))
            assert refused.value.why == "not_legal"
            assert list(refused.value.legal) == live.sight["words"]


async def test_a_client_contributes_to_a_fair_deal_by_itself(server: Wired) -> None:
    async with Client(server.base) as ann, Client(server.base) as bo:
        await ann.arrive("Ann")
        await bo.arrive("Bo")
        place = await ann.make({**TWO, "terms": {"clock": None, "stand_in": "lowest", "fair": True}})
        await bo.do(place.id, Sit("Bo"))
        async with ann.live(place.id) as first, bo.live(place.id) as second:
            assert await asyncio.gather(play(first, by_policy("lowest")), play(second, by_policy("lowest")))
            assert None not in first.sight["fair"]["contributions"]


async def test_a_client_that_is_held_back_contributes_when_it_may(tmp_path: Path) -> None:
    slow = Limits(commands=Rate(2, 2))
    async with wired(tmp_path / "tables.sqlite", limits=slow) as server, Client(server.base) as ann:
        await ann.arrive("Ann")
        place = await ann.make({**TWO, "bots": ["lowest"], "terms": {"clock": None, "fair": True}})
        async with ann.live(place.id) as live:
            await live.do(Start())  # one of the two that are free, and the pledge is the other
            await live.until(lambda: bool(live.sight["words"]))
            assert live.sight["fair"]["left_out"] == []
            assert live.sight["fair"]["listed"] == [0]


async def test_a_table_that_is_not_there_and_a_server_that_is_not_there_are_told_apart(server: Wired) -> None:
    async with Client(server.base) as ann:
        with pytest.raises(Refused, match="no such table"):
            await ann.find(read_address(f"{server.base}/t/{'x' * 22}"))
        with pytest.raises(Refused, match="no such table"):
            async with ann.live("x" * 22):
                pass
    async with Client("http://127.0.0.1:9") as nobody:
        with pytest.raises(Unreachable, match="does not answer"):
            await nobody.arrive()


def test_the_sight_of_a_client_is_what_its_lines_add_up_to() -> None:
    heard = Heard()
    heard.append(b'{"v":1,"at":0,"sight":{"a":1}}\n')
    heard.append(b'{"v":2,"at":0,"events":[],"patch":{"b":2,"a":null}}\n')
    assert heard.folded == {"b": 2}
