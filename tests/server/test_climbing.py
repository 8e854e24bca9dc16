"""An outside program plays a hundred tables online, and stands where it belongs on the ladder."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.server.inside import wired

from faceup.core.record import loads
from faceup.server.api import Limits, Rate
from faceup.server.client import Client
from faceup.server.rooms import AddBot
from faceup.table import verify

PROGRAM = Path(__file__).parents[2] / "examples" / "bots" / "any_game.py"
BOTS = ("random", "lowest")
TABLE = {"game": "nimmt", "options": {"seats": 3}, "listed": True, "terms": {"clock": None, "fair": True}}
TABLES = 100
MANY = Limits(tables=Rate(1_000, 100), commands=Rate(10_000, 1_000), requests=Rate(10_000, 1_000))


async def open_tables(host: Client, count: int) -> list[str]:
    """Open tables with two bots and a free seat, one beside the other."""
    tables: list[str] = []
    for _ in range(count):
        place = await host.make(TABLE, sit=False)
        tables.append(place.id)
        for kind in BOTS:
            await host.do(place.id, AddBot(kind))
    return tables


@pytest.mark.long
async def test_a_program_climbs_over_a_bot_that_plays_at_random(tmp_path: Path) -> None:
    async with wired(tmp_path / "tables.db", limits=MANY) as server, server.guest("Programmer") as owner:
        wish = {"label": "bridge", "scopes": ["play", "read"]}
        key = (await owner.post("/api/tokens", json=wish)).json()["key"]
        words = ("arena", "bridge", server.base, "--open", "--games", str(TABLES), "--token", key, "--protocol", "json")
        async with Client(server.base) as host:
            await host.arrive("Host")
            bridge = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "faceup", *words, "--", sys.executable, str(PROGRAM),
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            try:
                tables, (_, log) = await asyncio.gather(open_tables(host, TABLES), bridge.communicate())
            finally:
                if bridge.returncode is None:
                    bridge.kill()
                    await bridge.wait()
        assert bridge.returncode == 0, log.decode()
        mine = (await owner.get("/api/me/results")).json()
        assert [rating["games"] for rating in mine["ratings"]] == [TABLES]
        assert mine["games"][0]["number"] == TABLES
        rungs = (await owner.get("/api/ladder")).json()["rungs"]
        assert [rung["games"] for rung in rungs] == [TABLES] * 3
        names = [rung["who"]["name"] for rung in rungs]
        assert names.index("Programmer") < names.index("random"), rungs
        for table in tables:
            verdict = verify(loads((await owner.get(f"/api/tables/{table}/record")).text))
            assert (verdict.faults, verdict.silent, verdict.left_out) == ((), (), ())
