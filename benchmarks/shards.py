"""Measure one PostgreSQL, three joined by `postgres_fdw`, and two servers with a PostgreSQL each.

    python -m benchmarks.shards [--times 3] FOLDER

FOLDER has the programs of a PostgreSQL with `postgres_fdw`, which the wheel of the tests lacks. Every round uses new
databases and measures all cases in turn, on all cores, with the clients and the databases.

In a sharded database, the logs and rooms of tables are partitioned by the hash of the table's ID. Each partition is a
foreign table, and all statements of the server are unchanged.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg
import sqlalchemy as sa
import uvloop
from tests.server.postgresql import PostgreSQL

from benchmarks import online_faceup
from benchmarks.__main__ import machine
from benchmarks.interleave import Row, table
from benchmarks.online_load import Dialect, Table, as_fast_as_it_goes, at_a_rate, seated
from benchmarks.online_processes import cpu
from faceup.server.store import LogRow, Store
from faceup.server.store.models import new_code, new_id

TABLES = 40
"""Tables of ten, over all servers."""
SECONDS, SLOW, STEADY = 3.0, 5.0, 200.0
"""Seconds at full load; seconds at a fixed rate, and that rate in choices per second."""
DEALS = 1000
"""More deals than are played."""
GROUPS = 20
"""Groups of appends while a shard fails, with one append for each of `TABLES` tables."""


class Measured(NamedTuple):
    """The figures of one case: choices per second, and for each choice microseconds, bytes and milliseconds."""

    rate: float
    servers: float
    first: float
    databases: float
    log: float
    half: float
    late: float


class Case(NamedTuple):
    """Servers and their databases: the URL for each server, and every PostgreSQL that they use."""

    urls: Sequence[str]
    clusters: Sequence[PostgreSQL]


def statements(shards: Sequence[str]) -> Iterator[str]:
    """Yield the statements that partition a migrated database over others, which are migrated, too.

    Foreign tables cannot be part of a unique index or of a foreign key, so these are dropped. Each shard keeps its own.
    """
    yield "CREATE EXTENSION postgres_fdw"
    for number, shard in enumerate(shards):
        url = sa.make_url(shard)
        options = f"host '{url.query['host']}', dbname '{url.database}', parallel_commit 'true'"
        yield f"CREATE SERVER shard_{number} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({options})"
        yield f"CREATE USER MAPPING FOR CURRENT_USER SERVER shard_{number} OPTIONS (user '{url.username}')"
    for referring in ("player_tables", "reports"):
        yield f"ALTER TABLE {referring} DROP CONSTRAINT fk_{referring}_room"
    for name, key in (("rooms", "id"), ("log", "room")):
        yield f"ALTER TABLE {name} RENAME TO {name}_before"
        yield f"CREATE TABLE {name} (LIKE {name}_before) PARTITION BY HASH ({key})"
        for number in range(len(shards)):
            part = f"FOR VALUES WITH (MODULUS {len(shards)}, REMAINDER {number})"
            foreign = f"SERVER shard_{number} OPTIONS (table_name '{name}')"
            yield f"CREATE FOREIGN TABLE {name}_{number} PARTITION OF {name} {part} {foreign}"
        yield f"DROP TABLE {name}_before"


@contextmanager
def sharded(clusters: Sequence[PostgreSQL]) -> Iterator[list[str]]:
    """Yield the URL of an empty database with tables in the databases of other servers, and the URLs of these."""
    with ExitStack() as stack:
        urls = [stack.enter_context(cluster.database()) for cluster in clusters]
        for url in urls:
            asyncio.run(_migrate(url))
        _execute(urls[0], *statements(urls[1:]))
        yield urls


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements:
            connection.execute(statement.encode())


async def _migrate(url: str) -> None:
    await (await Store.attach(url)).close()


_FAIL = "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the shard fails'; END $$"
_FAIL_AT_COMMIT = "AFTER INSERT ON log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()"


async def acknowledged_and_lost(urls: Sequence[str]) -> tuple[int, int]:
    """Append to many tables while the last shard fails at each commit; return how many appends succeed and are lost."""
    store, acknowledged, lost = await Store.attach(urls[0]), 0, 0
    await asyncio.to_thread(_execute, urls[-1], _FAIL)
    for _ in range(GROUPS):
        tables = [new_id() for _ in range(TABLES)]
        for identifier in tables:
            await store.create(_row(identifier, 0), opened_at=store.now(), listed=False, code=new_code(), summary=b"{}")
        await asyncio.to_thread(_execute, urls[-1], f"CREATE CONSTRAINT TRIGGER failing {_FAIL_AT_COMMIT}")
        answers = await asyncio.gather(*(store.append(_row(table, 1)) for table in tables), return_exceptions=True)
        await asyncio.to_thread(_execute, urls[-1], "DROP TRIGGER failing ON log")
        stored = await store.last_seqs(tables)
        successful = [table for table, answer in zip(tables, answers, strict=True) if answer is None]
        acknowledged += len(successful)
        lost += sum(stored[table] == 0 for table in successful)
    await store.close()
    return acknowledged, lost


def _row(name: str, seq: int) -> LogRow:
    return LogRow(table=name, seq=seq, at=seq, entries=b"[]", status="active")


def measure(case: Case) -> Measured:
    """Start the servers of a case, play at full load and at a fixed rate, and kill them."""
    with TemporaryDirectory(prefix="faceup-") as folder, ExitStack() as stack:
        servers = [stack.enter_context(online_faceup.serve(None, Path(folder), url)) for url in case.urls]
        for server in servers:
            server.ready(online_faceup.READY)

        def used() -> tuple[float, ...]:
            spent = [_cpu(cluster) for cluster in case.clusters]
            return sum(server.cpu() for server in servers), spent[0], sum(spent), sum(map(_log, case.clusters))

        return uvloop.run(_play([server.port for server in servers], used))


async def _play(ports: Sequence[int], used: Callable[[], tuple[float, ...]]) -> Measured:
    turn: list[Callable[[Table], None]] = [lambda _: None]
    clients: list[Sequence[Dialect]] = []
    for port in ports:
        clients += online_faceup.tables(port, TABLES // len(ports), DEALS)
    tables = await seated(clients, lambda table: turn[0](table))  # noqa: PLW0108 -- it is another one later
    before = used()
    fast = await as_fast_as_it_goes(tables, SECONDS, turn)
    servers, first, databases, log = (
        (end - start) / len(fast.waits) for start, end in zip(before, used(), strict=True)
    )
    steady = await at_a_rate(tables, STEADY, SLOW, turn)
    for seated_table in tables:
        seated_table.close()
    waits = sorted(steady.waits)
    half, late = (waits[int(len(waits) * part)] * 1e3 for part in (0.5, 0.99))
    return Measured(fast.choices / fast.seconds, servers * 1e6, first * 1e6, databases * 1e6, log, half, late)


def _cpu(cluster: PostgreSQL) -> float:
    """Return the CPU seconds of a PostgreSQL and its processes."""
    assert cluster.process is not None
    pid = cluster.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return sum(map(cpu, (pid, *map(int, children))))


def _log(cluster: PostgreSQL) -> int:
    """Return the bytes that a PostgreSQL has written to its write-ahead log."""
    with psycopg.connect(cluster.url("postgres")) as connection:
        row = connection.execute("SELECT pg_current_wal_lsn() - '0/0'").fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def cases(clusters: Sequence[PostgreSQL]) -> Iterator[dict[str, Case]]:
    """Yield the cases by name, with new databases."""
    first, second = clusters[:2]
    with ExitStack() as stack:
        single, double, left, right = (
            stack.enter_context(cluster.database()) for cluster in (first, first, first, second)
        )
        (spread, *_), (shared, *_) = (stack.enter_context(sharded(clusters)) for _ in range(2))
        yield {
            "one PostgreSQL, one server": Case([single], [first]),
            "postgres_fdw with two shards, one server": Case([spread], clusters),
            "one PostgreSQL, two servers": Case([double] * 2, [first]),
            "postgres_fdw with two shards, two servers": Case([shared] * 2, clusters),
            "two PostgreSQLs, a server each": Case([left, right], [first, second]),
        }


UNITS = {
    "rate": ("choices", "/s"),
    "servers": ("servers' processor for a choice", "us"),
    "first": ("processor of the first PostgreSQL for a choice", "us"),
    "databases": ("processor of all PostgreSQLs for a choice", "us"),
    "log": ("write-ahead logs for a choice", "bytes"),
    "half": ("half of the choices answered within, at 200/s", "ms"),
    "late": ("99 of 100 choices answered within, at 200/s", "ms"),
}


def rows(programs: Path, times: int) -> list[Row]:
    """Measure all cases in turn, `times` times."""
    measurements: dict[str, list[Measured]] = {}
    with ExitStack() as stack:
        clusters = []
        for _ in range(3):
            cluster = PostgreSQL(programs)
            stack.callback(cluster.remove)
            clusters.append(cluster.start())
        for _ in range(times):
            with cases(clusters) as round_:
                for name, case in round_.items():
                    measurements.setdefault(name, []).append(measure(case))
                    print(f"{name}: {measurements[name][-1]}", file=sys.stderr, flush=True)
        with sharded(clusters) as urls:
            acknowledged, lost = asyncio.run(acknowledged_and_lost(urls))
    return [
        Row(f"{label}: {name}" if number == 0 else f"  {name}", unit, [getattr(run, field) for run in measured])
        for field, (label, unit) in UNITS.items()
        for number, (name, measured) in enumerate(measurements.items())
    ] + [
        Row("appends acknowledged while a shard fails at its commits", "", [acknowledged]),
        Row("  of them lost", "", [lost]),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shards", description=__doc__)
    parser.add_argument("programs", metavar="FOLDER", type=Path, help="of a PostgreSQL with postgres_fdw")
    parser.add_argument("--times", type=int, default=3, help="rounds (3)")
    asked = parser.parse_args()
    print(f"{machine()}\n\n{table(rows(asked.programs, asked.times))}")


if __name__ == "__main__":
    main()
