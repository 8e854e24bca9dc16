"""Servers are killed while people play, and nothing that was acknowledged or shown is ever lost.

`./script/kills` does the same as often as wanted.
"""

import asyncio
from pathlib import Path

import pytest
from tests.server.kills.siege import NIMMT, WAR, Siege, siege
from tests.server.postgresql import PostgreSQL

TABLES = [*[(NIMMT, 1.0)] * 16, *[(NIMMT, 0.9)] * 2, *[(WAR, 0.0)] * 2]
"""Twenty: at two of them somebody now and then does not choose, and at two only the clock does."""


async def end(fight: Siege, *, slowest: int = 5_000) -> None:
    """Deadlines still fire, and all that was ever promised holds."""
    await fight.until_time_is_up(slowest)
    await fight.stop_playing()
    findings = await fight.findings()
    assert findings.violations == []
    assert findings.acknowledged > 0
    assert findings.timeouts > 0
    assert findings.blows == len(fight.blows)


async def kills(database: str, times: int, *, slowest: int = 5_000) -> None:
    """Kill the only server, every other time just after a commit."""
    async with siege(database) as fight:
        await fight.open_tables(TABLES)
        for number in range(times):
            await fight.let_play()
            await fight.kill(fight.ports[0], at_commit=number % 2 == 0)
        await end(fight, slowest=slowest)


@pytest.mark.slow
async def test_nothing_is_lost_when_a_server_is_killed(tmp_path: Path) -> None:
    await kills(f"sqlite:///{tmp_path / 'tables.db'}", 4, slowest=1_000)


@pytest.mark.long
async def test_nothing_is_lost_in_twenty_kills(url: str) -> None:
    await kills(url, 20)


@pytest.mark.long
async def test_of_two_servers_one_may_be_killed_or_frozen_and_nobody_was_away(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with siege(database, servers=2) as fight:
            await fight.open_tables(TABLES)
            for number in range(12):
                await fight.let_play()
                port = fight.ports[number // 2 % 2]
                if number % 4 == 3:
                    await fight.freeze(port, 6)
                else:
                    await fight.kill(port, at_commit=number % 2 == 0)
            await end(fight)
            # A busy machine may let both sleep for a moment, but not as long as the frozen one slept.
            assert all(outage.length < 5_000 for outage in await fight.outages())


@pytest.mark.long
async def test_both_servers_may_be_frozen_and_nobody_was_played_for(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with siege(database, servers=2) as fight:
            await fight.open_tables(TABLES)
            for _ in range(3):
                await fight.let_play()
                await fight.freeze_all(7)
            await end(fight)
            assert len([outage for outage in await fight.outages() if outage.length > 6_000]) == 3


@pytest.mark.long
async def test_postgresql_may_be_restarted(postgresql: PostgreSQL) -> None:
    with postgresql.database() as database:
        async with siege(database, servers=2) as fight:
            await fight.open_tables(TABLES)
            for seconds in (0, 5, 0, 5):
                await fight.let_play()
                async with fight.blow(alone=seconds > 3):
                    await asyncio.to_thread(postgresql.stop)
                    await asyncio.sleep(seconds)
                    await asyncio.to_thread(postgresql.start)
            await end(fight)
            assert len([outage for outage in await fight.outages() if outage.length > 4_000]) >= 2
