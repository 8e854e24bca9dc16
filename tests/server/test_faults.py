"""Network faults affect only the client behind them, and missed lines are delivered exactly once."""

import asyncio

import pytest
from tests.server.app_server import ListeningServer
from tests.server.client.received_lines import ReceivedLines
from tests.server.faulty_proxy import Faults

from faceup.server.client import Client, play, policy_chooser
from faceup.server.http.pings import AWAITED_PING_INTERVAL, SILENCE
from faceup.server.http.websocket import PING_ROUND
from faceup.server.rooms import Choose, Sit, Start

TERMS = {"clock": None, "autoplay": "lowest"}
TWO_SEATS = {"game": "nimmt", "options": {"seats": 2, "hand": 10}, "terms": TERMS, "bots": ["greedy"]}
TEN_SEATS = {"game": "nimmt", "options": {"seats": 10, "deals": 2}, "terms": TERMS, "bots": ["lowest"]}


def port_of(server: ListeningServer) -> int:
    return int(server.base.rpartition(":")[2])


async def test_a_client_receives_exactly_the_missed_lines_after_disconnections(server: ListeningServer) -> None:
    """A client that is disconnected after every third line receives the same bytes as another client of the player."""
    complete, interrupted = ReceivedLines(), ReceivedLines()

    def receive(line: bytes) -> None:
        interrupted.append(line)
        if len(interrupted.texts) % 3 == 0:
            network.disconnect()

    async with Faults(port_of(server)) as network, Client(server.base) as near:
        await near.join("Ann")
        table = await near.make(TWO_SEATS)
        async with (
            Client(f"http://127.0.0.1:{network.port}", key=near.key) as far,
            near.live(table.id, on_line=complete.append) as watching,
            far.live(table.id, on_line=receive) as playing,
        ):
            await near.do(table.id, Start())
            # Before the game is active, a reconnecting client gets a snapshot.
            await playing.until(lambda: playing.status == "active")
            assert await play(playing, policy_chooser("lowest"))
            await watching.until(lambda: watching.version == playing.version)
            await playing.until(lambda: watching.version == playing.version)
        assert playing.connections > 3
        assert interrupted.texts[1:] == complete.texts[1:]  # the first is a snapshot with the time of the request


@pytest.mark.slow
async def test_a_slow_or_silent_client_never_slows_its_table(server: ListeningServer) -> None:
    """A third client plays a long game without delay, and the slow client receives all of it."""
    async with (
        Faults(port_of(server), small_buffer=True) as slow_network,
        Faults(port_of(server), small_buffer=True) as silent_network,
        Client(server.base) as ann,
    ):
        await ann.join("Ann")
        table = await ann.make(TEN_SEATS)
        slow_lines, lines = ReceivedLines(), ReceivedLines()
        async with (
            Client(f"http://127.0.0.1:{slow_network.port}", key=ann.key) as slow,
            Client(f"http://127.0.0.1:{silent_network.port}", key=ann.key) as silent,
            ann.live(table.id, on_line=lines.append) as live,
            slow.live(table.id, on_line=slow_lines.append) as slow_live,
            silent.live(table.id) as silent_live,
        ):
            slow_network.rate = 20_000
            silent_network.stop_forwarding()
            await live.do(Start())
            assert await asyncio.wait_for(play(live, policy_chooser("lowest")), 40)
            assert silent_live.status == "pending"
            slow_network.rate = None
            await slow_live.until(lambda: slow_live.version == live.version)
        assert slow_lines.folded == lines.folded


async def test_delayed_data_is_not_lost(server: ListeningServer) -> None:
    """Data arrives when the network forwards again, and a command sent before that is stored once."""
    async with Faults(port_of(server)) as network, Client(server.base) as ann, Client(server.base) as near:
        await ann.join("Ann")
        await near.join("Bo")
        table = await ann.make({**TWO_SEATS, "bots": []})
        async with (
            Client(f"http://127.0.0.1:{network.port}", key=near.key) as far,
            ann.live(table.id) as host,
            far.live(table.id) as live,
        ):
            network.delay = 0.02
            network.stop_forwarding()
            sitting = asyncio.create_task(live.do(Sit("Bo"), id="sit"))
            await asyncio.sleep(0.1)
            assert host.status == "pending"
            network.disconnect()
            network.resume_forwarding()
            await sitting
            await host.until(lambda: host.status == "active")
            assert [seat["name"] for seat in host.room["seats"]] == ["Ann", "Bo"]
            both = await asyncio.gather(play(host, policy_chooser("lowest")), play(live, policy_chooser("highest")))
            assert all(both)


async def test_a_lost_network_is_shown_to_the_others(server: ListeningServer) -> None:
    """The connection stays open, but the client no longer answers. Those who wait for it learn it within 3 seconds."""
    assert AWAITED_PING_INTERVAL + SILENCE + 4 * PING_ROUND < 3
    async with Faults(port_of(server)) as network, Client(server.base) as ann, Client(server.base) as near:
        await ann.join("Ann")
        await near.join("Bo")
        table = await ann.make({**TWO_SEATS, "bots": []})
        async with (
            Client(f"http://127.0.0.1:{network.port}", key=near.key) as far,
            ann.live(table.id) as host,
            far.live(table.id) as live,
        ):
            await live.do(Sit("Bo"), id="sit")
            await host.until(lambda: host.status == "active")
            await host.do(Choose(0, host.room["actions"][0], host.room["decision"]))
            await asyncio.sleep(2 * AWAITED_PING_INTERVAL)  # until it has answered a ping
            assert host.disconnected == ()
            network.stop_forwarding()
            await host.until(lambda: host.disconnected == (1,))
            assert host.room["away"] == []
            network.resume_forwarding()
            await host.until(lambda: host.disconnected == ())
            assert live.connections == 1
