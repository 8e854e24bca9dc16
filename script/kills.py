"""Kill servers during games and count lost data. See `script/kills`."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.server.kills.checks import Findings
from tests.server.kills.kill_test import kill_test
from tests.server.postgresql import PostgreSQL
from tests.server.test_kills import TABLES

KILLS_PER_ROUND: Final = 25
"""Kills at the same tables; new tables keep restarts short, because a restart reads all logs."""

SERVERS: Final = {"sqlite": 1, "postgresql": 2}
"""Servers of each kind of database. They are killed in turn, and restarted."""


@contextmanager
def database(server: PostgreSQL | None) -> Iterator[str]:
    """Yield the URL of an empty database: on the given PostgreSQL server, or a SQLite file."""
    if server is not None:
        with server.database() as address:
            yield address
        return
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/tables.db"


async def run_round(database: str, kills: int, seed: int, count: int) -> tuple[Findings, list[int]]:
    """Run one round with `count` servers. Returns its findings and the restart times in milliseconds."""
    async with kill_test(database, servers=count, seed=seed) as servers:
        await servers.open_tables(TABLES)
        for number in range(kills):
            await servers.play_for_a_while()
            await servers.kill(servers.ports[number // 2 % count], at_commit=number % 2 == 0)
        await servers.wait_for_timeouts()
        await servers.stop_playing()
        return await servers.findings(), [disruption.until - disruption.at for disruption in servers.disruptions]


def run_rounds(kind: str, kills: int, seed: int) -> bool:
    """Run all rounds for one kind of database; return whether nothing was lost."""
    rounds, restarts, start = list[Findings](), list[int](), time.monotonic()
    server = PostgreSQL().start() if kind == "postgresql" else None
    done = 0
    try:
        while done < kills and not any(findings.violations for findings in rounds):
            with database(server) as address:
                findings, times = asyncio.run(
                    run_round(address, min(KILLS_PER_ROUND, kills - done), seed + done, SERVERS[kind])
                )
            rounds.append(findings)
            restarts += times
            done += findings.disruptions
            print(f"{kind}: {done} kills, {findings.acknowledged} more commands acknowledged ...", flush=True)
    finally:
        if server is not None:
            server.remove()

    def total(field: str) -> int:
        return sum(getattr(findings, field) for findings in rounds)

    restarts.sort()
    violations = [violation for findings in rounds for violation in findings.violations]
    seconds = time.monotonic() - start
    print(
        f"{kind}: {done} kills in {seconds:.0f} s, {total('commits_without_broadcast')} of them between commit and "
        f"broadcast; {total('commands')} commands, {total('acknowledged')} acknowledged; {total('appends')} "
        f"appends, {total('timeouts')} timeouts; {total('lines')} lines received over "
        f"{total('connections')} connections; "
        f"restart times {restarts[len(restarts) // 2]} ms (median), {restarts[-1]} ms (longest)\n"
        f"{kind}: {len(violations)} violations"
    )
    for violation in violations[:20]:
        print(f"  {violation}")
    return not violations


def main() -> int:
    """Run the command; return 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="kills for each kind of database (default 500)")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument(
        "--seed", type=int, default=time.time_ns() % 10**6, help="seed of the kill times (default: random)"
    )
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    kinds = ("sqlite", "postgresql") if arguments.database == "both" else (arguments.database,)
    well = [run_rounds(kind, arguments.kills, arguments.seed) for kind in kinds]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
