"""Bring a database to the schema of this version, from none or from any earlier one.

The steps are in `migrations/versions`, and are only ever taken forward: to go back, restore the backup that was made
before. All of it is one transaction under a lock, so servers may start at once.
"""

from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from faceup.server.store.database import Database, reason
from faceup.server.store.failures import Unfit

HEAD: Final = "0001"
"""The step that leads to this version's schema."""

VERSIONS: Final = "faceup_version"
"""The table that says which step a database has reached."""

SCHEMAS: Final = ("faceup.server.desk.schema", "faceup.server.people.schema")
"""The modules with the tables of other parts: they have to be imported before all tables are known."""

SCRIPTS: Final = Path(__file__).parent / "migrations"

_OURS: Final = 0x66617372  # "fasr", by which tools such as file(1) tell it from other SQLite files
_LOCK: Final = 0x6661636575700001  # "faceup" and a number: what PostgreSQL's advisory lock is called

_VERSION: Final = sa.table(VERSIONS, sa.column("version_num", sa.Text))


def prepare(database: Database) -> None:
    """Make sure that the database has this version's schema.

    Raises:
        Unfit: it is of a later version, or not one of ours.
    """
    if database.path is not None:
        _make_room(database, database.path)
    with database.readers.connect() as connection, connection.begin():
        if _reached(connection) == HEAD:
            return
    with database.engine.connect() as connection, connection.begin():
        if not database.sqlite:
            # A step may compute between two statements, and on a busy machine loading it alone takes seconds.
            connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        reached = _reached(connection)
        if reached != HEAD:
            _upgrade(connection, reached)


def _make_room(database: Database, path: Path) -> None:
    """Find or make SQLite's file, and see that it is ours."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unfit(f"the folder of {path} cannot be made: {error.strerror}") from None
    try:
        with database.readers.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            if tables and VERSIONS not in tables:
                raise Unfit(f"{path} is a database of something else: name another file")
            connection.rollback()
            driver: Any = connection.connection.driver_connection  # Any: SQLAlchemy does not say whose it is
            driver.execute("PRAGMA journal_mode = WAL")  # readers and the writer never wait for each other
            if not tables:
                driver.execute(f"PRAGMA application_id = {_OURS}")
    except sa.exc.OperationalError as error:
        said = reason(error)
        if "locked" in said or "disk" in said:
            raise
        raise Unfit(f"{path} cannot be opened for writing: {said}") from None
    except sa.exc.DatabaseError as error:
        raise Unfit(f"{path} is no SQLite database: {reason(error)}") from None


def _reached(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(VERSIONS):
        return None
    return connection.execute(sa.select(_VERSION.c.version_num)).scalar()


def _upgrade(connection: sa.Connection, reached: str | None) -> None:
    # Slow to import, and only needed where something has changed.
    from alembic.config import Config  # noqa: PLC0415
    from alembic.runtime.environment import EnvironmentContext  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    if reached is not None and reached not in {step.revision for step in script.walk_revisions()}:
        raise Unfit(
            f"the database has been brought to version {reached} by a later faceup, and this one knows it up to "
            f"{HEAD}: run that faceup, or restore the backup from before (faceup admin restore)"
        )
    steps = EnvironmentContext(
        config,
        script,
        # Alembic's own commands call this underscored method, and offer no other way without an env.py.
        fn=lambda revision, _context: script._upgrade_revs(HEAD, revision),  # noqa: SLF001
    )
    with steps:
        steps.configure(connection=connection, version_table=VERSIONS)
        steps.run_migrations()
