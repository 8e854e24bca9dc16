"""Backup and restore of a PostgreSQL database with PostgreSQL's own programs `pg_dump` and `pg_restore`."""

import os
import re
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from faceup.core import Malformed
from faceup.extras import needs
from faceup.server.store import metadata
from faceup.server.store.database import Database
from faceup.server.store.migrations import SCHEMAS, VERSIONS

_NO_TIMEOUT: Final = sa.text("SET LOCAL idle_in_transaction_session_timeout = 0")


def dump(url: str, file: Path) -> int:
    """Write a consistent dump of the database to a file that exists. Return the number of game tables in the dump.

    Raises:
        Malformed: `pg_dump` is not installed, too old for the server, or fails.
        SQLAlchemyError: the database does not answer.
    """
    database = Database(url)
    try:
        with database.readers.connect() as connection, connection.begin():
            connection.execute(_NO_TIMEOUT)  # `pg_dump` uses the snapshot of this transaction
            snapshot: str = connection.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one()
            count: int = connection.execute(sa.text("SELECT count(*) FROM rooms")).scalar_one()
            _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}", url=url)
            return count
    finally:
        database.close()


def dumped_version(file: Path) -> str | None:
    """Return the version of the schema in a dump; None if it is a dump of another database.

    Raises:
        Malformed: the file is not a dump, or `pg_restore` is not installed or too old for the dump.
    """
    text = _run("pg_restore", "--data-only", f"--table={VERSIONS}", "--file=-", str(file))
    version_match = re.search(rf"^COPY \S*{VERSIONS} .*;\n(\S+)\n", text, re.MULTILINE)
    return version_match and version_match[1]


def replace_tables(url: str, file: Path) -> None:
    """Drop the tables of the database, and restore those of a dump.

    Raises:
        Malformed: the database has tables that are not faceup's, or `pg_restore` fails.
        SQLAlchemyError: the database does not answer.
    """
    database = Database(url)
    try:
        with database.engine.begin() as connection:
            for module in SCHEMAS:
                import_module(module)
            tables = sa.inspect(connection).get_table_names()
            if others := sorted({*tables} - {*metadata.tables, VERSIONS}):
                raise Malformed(
                    f"the database has tables that this version of faceup does not have ({', '.join(others)}): drop "
                    "them if a newer version made them, or restore to an empty database",
                    where="database",
                )
            if tables:
                names = ", ".join(f'"{table}"' for table in tables)
                connection.execute(sa.text(f"DROP TABLE {names} CASCADE"))
    finally:
        database.close()
    _run("pg_restore", "--single-transaction", "--no-owner", "--no-privileges", "--no-comments", str(file), url=url)


def _run(program: str, *arguments: str, url: str | None = None) -> str:
    """Run a program and return its output. The password is passed in the environment, which others cannot read."""
    environment = dict(os.environ)
    if url is not None:
        with needs("postgres", "PostgreSQL"):
            from psycopg.conninfo import conninfo_to_dict, make_conninfo  # noqa: PLC0415 -- an extra
        parts = conninfo_to_dict(sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
        if password := parts.pop("password", None):
            environment["PGPASSWORD"] = str(password)
        arguments = (f"--dbname={make_conninfo(**parts)}", *arguments)  # type: ignore[arg-type]  # values are text
    try:
        ran = subprocess.run(  # noqa: S603 -- PostgreSQL's own program
            (program, *arguments), env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise Malformed(
            f"{program} is not installed: install PostgreSQL's client programs, as of the version of the database",
            what=program,
            where="database",
        ) from None
    if ran.returncode:
        message = " ".join(ran.stderr.decode(errors="replace").split())
        raise Malformed(f"{program} failed: {message}", what=program, where="database")
    return ran.stdout.decode(errors="replace")
