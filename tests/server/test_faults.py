"""A network that fails costs whoever is behind it, and nobody else; what was missed is told again, exactly."""

import asyncio
import random

import pytest
from tests.server.client.lines import Heard
from tests.server.faults import Faults
from tests.server.inside import Wired

from faceup.server.client import Client, by_policy, play
from faceup.server.rooms import Sit, Start

TERMS = {"clock": None, "stand_in": "lowest"}
TWO = {"game": "nimmt", "options": {"seats": 2, "hand": 10}, "terms": TERMS, "bots": ["greedy"]}
LONG = {"game": "nimmt", "options": {"seats": 10, "deals": 2}, "terms": TERMS, "bots": ["lowest"]}


def port_of(server: Wired) -> int:
    return int(server.base.rpartition(":")[2])


async def test_after_a_cut_exactly_the_missing_lines_come(server: Wired) -> None:
    """A client that is cut off again and again hears, byte for byte, what another of the same player heard at once."""
    whole, cut = Heard(), Heard()
    async with Faults(port_of(server)) as network, Client(server.base) as near:
        await near.arrive("Ann")
        place = await near.make(TWO)
        async with (
            Client(f"http://127.0.0.1:{network.port}", key=near.key) as far,
            near.live(place.id, heard=whole.append) as watching,
            far.live(place.id, heard=cut.append) as playing,
        ):
            await near.do(place.id, Start())
            await playing.until(lambda: playing.status == "active")  # before, whoever comes back sees all anew
            game = asyncio.create_task(play(playing, by_policy("lowest")))
            moments = random.Random(5)  # noqa: S311 -- moments of cutting, not cards
            while not game.done():
                await asyncio.wait([game], timeout=0.01 + 0.05 * moments.random())
                network.cut()
            assert await game
            await watching.until(lambda: watching.version == playing.version)
            await playing.until(lambda: watching.version == playing.version)
        assert playing.connections > 3
        assert cut.texts[1:] == whole.texts[1:]  # the first is the sight, with the time at which it was asked for


@pytest.mark.slow
async def test_a_slow_or_silent_client_never_slows_its_table(server: Wired) -> None:
    """While one reads by inches and another not at all, the third plays a long game; the slow one reads it, too."""
    async with (
        Faults(port_of(server), narrow=True) as inches,
        Faults(port_of(server), narrow=True) as silence,
        Client(server.base) as ann,
    ):
        await ann.arrive("Ann")
        place = await ann.make(LONG)
        slow_lines, lines = Heard(), Heard()
        async with (
            Client(f"http://127.0.0.1:{inches.port}", key=ann.key) as slow,
            Client(f"http://127.0.0.1:{silence.port}", key=ann.key) as dead,
            ann.live(place.id, heard=lines.append) as live,
            slow.live(place.id, heard=slow_lines.append) as by_inches,
            dead.live(place.id) as nothing,
        ):
            inches.rate = 20_000
            silence.fall_silent()
            await live.do(Start())
            assert await asyncio.wait_for(play(live, by_policy("lowest")), 40)
            assert nothing.status == "pending"
            inches.rate = None
            await by_inches.until(lambda: by_inches.version == live.version)
        assert slow_lines.folded == lines.folded


async def test_a_line_that_was_held_up_is_not_lost(server: Wired) -> None:
    """What was sent into silence arrives when the line is up again, and a command sent meanwhile counts once."""
    async with Faults(port_of(server)) as network, Client(server.base) as ann, Client(server.base) as near:
        await ann.arrive("Ann")
        await near.arrive("Bo")
        place = await ann.make({**TWO, "bots": []})
        async with (
            Client(f"http://127.0.0.1:{network.port}", key=near.key) as far,
            ann.live(place.id) as host,
            far.live(place.id) as live,
        ):
            network.delay = 0.02
            network.fall_silent()
            sitting = asyncio.create_task(live.do(Sit("Bo"), id="sit"))
            await asyncio.sleep(0.1)
            assert host.status == "pending"
            network.cut()
            network.flow()
            await sitting
            await host.until(lambda: host.status == "active")
            assert [seat["name"] for seat in host.sight["seats"]] == ["Ann", "Bo"]
            both = await asyncio.gather(play(host, by_policy("lowest")), play(live, by_policy("highest")))
            assert all(both)
