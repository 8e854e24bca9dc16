"""Killing servers during games loses nothing that was acknowledged or shown.

`./script/kills` repeats this as often as wanted.
"""

import asyncio
from pathlib import Path

import pytest
from tests.server.kills.kill_test import NIMMT, WAR, KillTest, kill_test
from tests.server.postgresql import PostgreSQL

TABLES = [*[(NIMMT, 1.0)] * 16, *[(NIMMT, 0.9)] * 2, *[(WAR, 0.0)] * 2]
"""Twenty tables with the probability of a choice: at two a choice is sometimes missing, at two always."""


async def check_promises(servers: KillTest, *, slowest: int = 5_000) -> None:
    """Check that deadlines still expire and all promises hold."""
    await servers.wait_for_timeouts(slowest)
    await servers.stop_playing()
    findings = await servers.findings()
    assert findings.violations == []
    assert findings.acknowledged > 0
    assert findings.timeouts > 0
    assert findings.disruptions == len(servers.disruptions)


async def kill_repeatedly(database: str, times: int, *, slowest: int = 5_000) -> None:
    """Kill the only server, every other time just after a commit."""
    async with kill_test(database) as servers:
        await servers.open_tables(TABLES)
        for number in range(times):
            await servers.play_for_a_while()
            await servers.kill(servers.ports[0], at_commit=number % 2 == 0)
        await check_promises(servers, slowest=slowest)


@pytest.mark.slow
async def test_nothing_is_lost_when_a_server_is_killed(tmp_path: Path) -> None:
    await kill_repeatedly(f"sqlite:///{tmp_path / 'tables.db'}", 4, slowest=1_000)


@pytest.mark.long
async def test_nothing_is_lost_in_twenty_kills(url: str) -> None:
    await kill_repeatedly(url, 20)


@pytest.mark.long
async def test_killing_or_freezing_one_of_two_servers_marks_no_one_away(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with kill_test(database, servers=2) as servers:
            await servers.open_tables(TABLES)
            for number in range(12):
                await servers.play_for_a_while()
                port = servers.ports[number // 2 % 2]
                if number % 4 == 3:
                    await servers.freeze(port, 6)
                else:
                    await servers.kill(port, at_commit=number % 2 == 0)
            await check_promises(servers)
            # Both may stall for a moment on a busy machine, but not as long as one was frozen.
            assert all(outage.length < 5_000 for outage in await servers.outages())


@pytest.mark.long
async def test_freezing_both_servers_autoplays_no_one(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with kill_test(database, servers=2) as servers:
            await servers.open_tables(TABLES)
            for _ in range(3):
                await servers.play_for_a_while()
                await servers.freeze_all(7)
            await check_promises(servers)
            assert len([outage for outage in await servers.outages() if outage.length > 6_000]) == 3


@pytest.mark.long
async def test_nothing_is_lost_when_postgresql_is_restarted(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with kill_test(database, servers=2) as servers:
            await servers.open_tables(TABLES)
            for seconds in (0, 5, 0, 5):
                await servers.play_for_a_while()
                async with servers.disruption(alone=seconds > 3):
                    await asyncio.to_thread(postgresql.stop)
                    await asyncio.sleep(seconds)
                    await asyncio.to_thread(postgresql.start)
            await check_promises(servers)
            assert len([outage for outage in await servers.outages() if outage.length > 4_000]) >= 2
