"""An external program plays a hundred tables online and appears on the ladder."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.server.app_server import listening_server

from faceup.core.record import loads
from faceup.server.client import Client
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.settings import Settings
from faceup.server.rooms.commands import AddBot
from faceup.table import verify

PROGRAM = Path(__file__).parents[2] / "examples" / "bots" / "any_game.py"
BOTS = ("random", "lowest")
TABLE = {
    "game": "nimmt",
    "options": {"seats": 3},
    "listed": True,
    "rated": True,
    "terms": {"clock": None, "fair": True},
}
TABLES = 100
LIMITS = ServerLimits(
    tables=RateLimit(1_000, 100), commands=RateLimit(10_000, 1_000), requests=RateLimit(10_000, 1_000)
)


async def open_tables(host: Client, count: int) -> list[str]:
    """Open tables with two bots and a free seat, concurrently."""
    tables: list[str] = []
    for _ in range(count):
        table = await host.make(TABLE, sit=False)
        tables.append(table.id)
        for kind in BOTS:
            await host.do(table.id, AddBot(kind))
    return tables


@pytest.mark.long
async def test_a_program_ranks_above_a_random_bot(tmp_path: Path) -> None:
    async with (
        listening_server(tmp_path / "tables.db", settings=Settings().without_limits(), limits=LIMITS) as server,
        server.guest("Programmer") as owner,
    ):
        request = {"label": "bridge", "scopes": ["play", "read"]}
        key = (await owner.post("/api/tokens", json=request)).json()["key"]
        options = ("--open", "--games", str(TABLES), "--token", key, "--protocol", "json")
        async with Client(server.base) as host:
            await host.join("Host")
            bridge = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "faceup", "arena", "bridge", server.base, *options),
                *("--", sys.executable, str(PROGRAM)),
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            try:
                tables, (_, log) = await asyncio.gather(open_tables(host, TABLES), bridge.communicate())
            finally:
                if bridge.returncode is None:
                    bridge.kill()
                    await bridge.wait()
        assert bridge.returncode == 0, log.decode()
        own_results = (await owner.get("/api/me/results")).json()
        assert [rating["games"] for rating in own_results["ratings"]] == [TABLES]
        assert own_results["games"][0]["number"] == TABLES
        ladder_rows = (await owner.get("/api/ladder?players=programs")).json()["ladder_rows"]
        assert [row["games"] for row in ladder_rows] == [TABLES] * 3
        names = [row["who"]["name"] for row in ladder_rows]
        assert names.index("Programmer") < names.index("random"), ladder_rows
        for table in tables:
            verdict = verify(loads((await owner.get(f"/api/tables/{table}/record")).text))
            assert (verdict.faults, verdict.silent, verdict.left_out) == ((), (), ())
