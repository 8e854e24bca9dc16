import subprocess
import sys
from pathlib import Path

import msgspec
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.tables import a_table, an_append
from tests.server.tracing import Call

from faceup.server.store import Store

PROGRAM = """
import asyncio, os, sys
from faceup.server.store import Store
from tests.server.store.tables import a_table, an_append

async def main():
    store = await Store.open(sys.argv[1])
    table = await a_table(store)
    print("ready", flush=True)
    while not os.path.exists(sys.argv[2]):
        await asyncio.sleep(0.01)
    with open(os.devnull, "wb", buffering=0) as mark:
        for seq in (1, 2, 3):
            mark.write(b"asked")
            await store.append(an_append(table, seq, entries=b'["the secret of append %d"]' % seq))
            mark.write(b"answered")
    await store.close()

asyncio.run(main())
"""


def test_an_append_is_on_the_disk_before_anybody_is_told(tmp_path: Path) -> None:
    go, out, database = tmp_path / "go", tmp_path / "trace", tmp_path / "tables.db"
    program = (sys.executable, "-c", PROGRAM, f"sqlite:///{database}", str(go))
    with subprocess.Popen(
        (sys.executable, "-m", "tests.server.tracing", str(out), *program),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as tracer:
        assert tracer.stdin is not None
        assert tracer.stdout is not None
        assert tracer.stderr is not None
        assert tracer.stdout.readline() == "ready\n"
        print("go", file=tracer.stdin, flush=True)
        assert tracer.stderr.readline() == "tracing\n"
        go.touch()
        assert tracer.wait(60) == 0, tracer.stderr.read()
    calls = [msgspec.json.decode(line, type=Call) for line in out.read_bytes().splitlines()]
    for seq in (1, 2, 3):
        start = [call.data for call in calls].index(b"asked")
        end = [call.data for call in calls].index(b"answered")
        between, calls = calls[start:end], calls[end + 1 :]
        wal = [call for call in between if call.path == f"{database}-wal"]
        written = [number for number, call in enumerate(wal) if b"the secret of append %d" % seq in call.data]
        synced = [number for number, call in enumerate(wal) if call.name in {"fsync", "fdatasync"}]
        assert written
        assert synced
        assert max(synced) == len(wal) - 1 > max(written), wal


async def test_postgresql_syncs_for_every_commit_whatever_it_is_set_to(postgresql: PostgreSQL) -> None:
    def syncs(connection: sa.Connection) -> int:
        connection.execute(sa.text("SELECT pg_stat_force_next_flush()"))
        counted = "SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend'"
        return int(connection.execute(sa.text(counted)).scalar_one())

    with postgresql.database() as url:
        engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.begin() as connection:
            connection.execute(sa.text("ALTER ROLE postgres SET synchronous_commit = off"))
        store = await Store.open(url)
        try:
            table = await a_table(store)
            before = await store.write(syncs)
            for seq in range(1, 6):
                # Guarded, so that it goes over the connection that is asked: each tells at once of its own syncs alone.
                await store.append(an_append(table, seq, guarded=True))
            await store.write(syncs)
            assert await store.write(syncs) >= before + 5
        finally:
            await store.close()
            with engine.begin() as connection:
                connection.execute(sa.text("ALTER ROLE postgres RESET synchronous_commit"))
            engine.dispose()
