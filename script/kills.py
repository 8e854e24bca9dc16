"""Kill servers while people play, and count what is lost. See `script/kills`."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.server.kills.checking import Findings
from tests.server.kills.siege import siege
from tests.server.postgresql import PostgreSQL
from tests.server.test_kills import TABLES

A_ROUND: Final = 25
"""Kills at the same tables; then there are new ones, since every restart reads all logs anew."""


@contextmanager
def database(server: PostgreSQL | None) -> Iterator[str]:
    """The address of an empty database: of this server, or a file."""
    if server is not None:
        with server.database() as address:
            yield address
        return
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/tables.db"


async def a_round(database: str, kills: int, seed: int) -> tuple[Findings, list[int]]:
    """Kill so often; what was found, and how long each restart took, in milliseconds."""
    async with siege(database, seed=seed) as fight:
        await fight.open_tables(TABLES)
        for number in range(kills):
            await fight.let_play()
            await fight.kill(fight.ports[0], at_commit=number % 2 == 0)
        await fight.until_time_is_up()
        await fight.stop_playing()
        return await fight.findings(), [blow.until - blow.at for blow in fight.blows]


def besiege(kind: str, kills: int, seed: int) -> bool:
    """All rounds with one kind of database; whether all was well."""
    rounds, restarts, begun = list[Findings](), list[int](), time.monotonic()
    server = PostgreSQL().start() if kind == "postgresql" else None
    done = 0
    try:
        while done < kills and not any(findings.violations for findings in rounds):
            with database(server) as address:
                findings, times = asyncio.run(a_round(address, min(A_ROUND, kills - done), seed + done))
            rounds.append(findings)
            restarts += times
            done += findings.blows
            print(f"{kind}: {done} kills, {findings.acknowledged} more commands acknowledged ...", flush=True)
    finally:
        if server is not None:
            server.remove()

    def total(field: str) -> int:
        return sum(getattr(findings, field) for findings in rounds)

    restarts.sort()
    violations = [violation for findings in rounds for violation in findings.violations]
    seconds = time.monotonic() - begun
    print(
        f"{kind}: {done} kills in {seconds:.0f} s, {total('untold')} of them after a commit and before "
        f"somebody was told; {total('commands')} commands, {total('acknowledged')} acknowledged; {total('appends')} "
        f"appends, {total('timeouts')} by the clock; {total('lines')} lines told over {total('returns')} connections; "
        f"from kill to answering {restarts[len(restarts) // 2]} ms (median), {restarts[-1]} ms (longest)\n"
        f"{kind}: {len(violations)} violations"
    )
    for violation in violations[:20]:
        print(f"  {violation}")
    return not violations


def main() -> int:
    """Read the arguments; 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="how often, for each kind of database (500)")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="of the instants; else a new one")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    kinds = ("sqlite", "postgresql") if arguments.database == "both" else (arguments.database,)
    well = [besiege(kind, arguments.kills, arguments.seed) for kind in kinds]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
