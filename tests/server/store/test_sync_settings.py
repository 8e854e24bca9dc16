import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.rows import a_table, an_append

from faceup.server.store import Store


async def test_postgresql_syncs_every_commit_regardless_of_its_settings(postgresql: PostgreSQL) -> None:
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
                # Guarded, so that it uses the connection that is queried: each reports only its own syncs.
                await store.append(an_append(table, seq, guarded=True))
            await store.write(syncs)
            assert await store.write(syncs) >= before + 5
        finally:
            await store.close()
            with engine.begin() as connection:
                connection.execute(sa.text("ALTER ROLE postgres RESET synchronous_commit"))
            engine.dispose()
