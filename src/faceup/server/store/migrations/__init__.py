"""Migrations, which upgrade a database to this version's schema with Alembic.

Migrations are in `migrations/versions` and only go forward. To downgrade, restore a backup. The upgrade is one
transaction under a lock, so that several servers can start at the same time.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from faceup.server.store.database import Database, reason
from faceup.server.store.errors import UnsupportedDatabaseError
from faceup.server.store.schema import metadata

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

HEAD: Final = "0001_8b2de586"
"""Revision of this version's schema. Until the first release it ends with a digest, written by `script/migration`."""

_FIRST: Final = "0001"
"""The beginning of the revisions of all first migrations."""

VERSIONS: Final = "faceup_version"
"""The table that holds the revision of a database."""

SCHEMAS: Final = (
    "faceup.server.store.schema",
    "faceup.server.accounts.schema",
    "faceup.server.audit.schema",
    "faceup.server.tables.schema",
    "faceup.server.results.schema",
    "faceup.server.tournaments.schema",
    "faceup.server.daily.schema",
    "faceup.server.puzzles.schema",
    "faceup.server.parties.schema",
    "faceup.server.friends.schema",
    "faceup.server.moderation.schema",
    "faceup.server.turns.schema",
    "faceup.server.research.schema",
)
"""The modules that define tables. Import all of them before you use `metadata` as a whole."""

SCRIPTS: Final = Path(__file__).parent

_APPLICATION_ID: Final = 0x66617372  # "fasr" marks SQLite files of faceup for tools such as file(1)
_LOCK: Final = 0x6661636575700001  # key of PostgreSQL's advisory lock: "faceup" and a number

_VERSION: Final = sa.table(VERSIONS, sa.column("version_num", sa.Text))


def prepare(database: Database) -> None:
    """Upgrade the database to this version's schema.

    Raises:
        UnsupportedDatabaseError: the schema is not known, the database is not a faceup database, or its encoding is not
            UTF-8.
    """
    if database.path is not None:
        _prepare_file(database, database.path)
    with database.readers.connect() as connection, connection.begin():
        if not database.sqlite:
            _check_encoding(connection)
        if _current_version(connection) == HEAD:
            return
    with database.engine.connect() as connection, connection.begin():
        if not database.sqlite:
            # Importing a migration can exceed the idle timeout on a busy machine.
            connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        reached = _current_version(connection)
        if reached != HEAD:
            _upgrade(connection, reached)


def _prepare_file(database: Database, path: Path) -> None:
    """Create SQLite's file if needed, and check that it is a faceup database."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnsupportedDatabaseError(f"the folder of {path} cannot be created: {error.strerror}") from None
    try:
        with database.readers.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            if tables and VERSIONS not in tables:
                raise UnsupportedDatabaseError(f"{path} is not a faceup database; name another file")
            connection.rollback()
            driver: Any = connection.connection.driver_connection  # Any: untyped in SQLAlchemy
            if not tables:  # only before the file has a page; `faceup admin compact` changes older files
                driver.execute("PRAGMA auto_vacuum = INCREMENTAL")
            driver.execute("PRAGMA journal_mode = WAL")  # readers do not block the writer
            if not tables:
                driver.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    except sa.exc.OperationalError as error:
        message = reason(error)
        if "locked" in message or "disk" in message:
            raise
        raise UnsupportedDatabaseError(f"{path} cannot be opened for writing: {message}") from None
    except sa.exc.DatabaseError as error:
        raise UnsupportedDatabaseError(f"{path} is not an SQLite database: {reason(error)}") from None


def _check_encoding(connection: sa.Connection) -> None:
    encoding = connection.execute(sa.text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise UnsupportedDatabaseError(
            f"the database has the encoding {encoding}, which cannot store all names: create one with "
            "CREATE DATABASE faceup TEMPLATE template0 ENCODING 'UTF8'"
        )


def _current_version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(VERSIONS):
        return None
    return connection.execute(sa.select(_VERSION.c.version_num)).scalar()


def check_version(version: str) -> None:
    """Raise `UnsupportedDatabaseError` if the schema has a version that this version of faceup does not know."""
    _check_version(_scripts(), version)


def _check_version(script: "ScriptDirectory", version: str) -> None:
    if version not in {step.revision for step in script.walk_revisions()}:
        raise UnsupportedDatabaseError(
            f"the database has schema version {version} of another faceup, newer or from before the first release, but "
            f"this version supports only schemas up to {HEAD}; nothing was changed: run the other faceup, or restore a "
            "backup that this one made (faceup admin restore)"
        )


def _scripts() -> "ScriptDirectory":
    # Slow to import, and only needed for an upgrade.
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def _is_another_first(revision: str | None) -> bool:
    """Return whether this is the revision of a first migration from before the first release."""
    return revision is not None and revision != HEAD and revision.startswith(_FIRST) and HEAD.startswith(_FIRST)


def _has_all_columns(connection: sa.Connection) -> bool:
    """Return whether the database has all tables and columns of this version."""
    for module in SCHEMAS:
        import_module(module)
    inspector = sa.inspect(connection)
    present = {
        table: {column["name"] for column in inspector.get_columns(table)} for table in inspector.get_table_names()
    }
    return all({*table.columns.keys()} <= present.get(name, set()) for name, table in metadata.tables.items())


def _upgrade(connection: sa.Connection, reached: str | None) -> None:
    from alembic.config import Config  # noqa: PLC0415 -- as above
    from alembic.runtime.environment import EnvironmentContext  # noqa: PLC0415 -- as above

    script = _scripts()
    if _is_another_first(reached) and _has_all_columns(connection):
        connection.execute(sa.update(_VERSION).values(version_num=HEAD))
        return
    if reached is not None:
        _check_version(script, reached)
    steps = EnvironmentContext(
        Config(),
        script,
        # Alembic calls this private method itself and offers no other way without an env.py.
        fn=lambda revision, _context: script._upgrade_revs(HEAD, revision),  # noqa: SLF001
    )
    with steps:
        steps.configure(connection=connection, version_table=VERSIONS)
        steps.run_migrations()
