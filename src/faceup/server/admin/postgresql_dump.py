"""Backup and restore of a PostgreSQL database with PostgreSQL's own programs `pg_dump`, `pg_restore` and `psql`.

A restore loads a dump into a new schema of the database, where it is migrated and changed, and then switches to it in
one transaction. So the database has either all old or all new tables, also after a kill.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Final, cast

import sqlalchemy as sa

from faceup.core import Malformed
from faceup.extras import needs
from faceup.server.store import metadata
from faceup.server.store.database import Database
from faceup.server.store.migrations import SCHEMAS, VERSIONS

_RESTORED: Final = "faceup_restored"
"""The new schema, into which a dump is loaded."""

_CURRENT: Final = "faceup_current"
"""The schema that holds the tables of the database while a dump is loaded. No other transaction sees it."""

_MOVE_ALL: Final = """
DO $move$ DECLARE name text; BEGIN
FOR name IN SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = '{source}' LOOP
    EXECUTE format('ALTER TABLE %I.%I SET SCHEMA %I', '{source}', name, '{target}');
END LOOP; END $move$
"""

_TRANSACTION_TIMEOUT: Final = b"SET transaction_timeout = 0;\n"
"""A statement at the start of a script, which servers before version 17 do not know."""

_HEADER: Final = 1 << 16
"""Maximum number of bytes before the end of this statement."""

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


def load_new_schema(url: str, file: Path) -> str:
    """Load a dump into a new schema of the database, and return the URL of the database with this schema.

    The names in a dump contain the schema that it was made from. So one transaction moves the current tables out of
    their schema, loads the dump there, moves its tables to the new schema, and moves the current tables back.

    Raises:
        Malformed: the database has tables that are not faceup's, or a program of PostgreSQL fails.
        SQLAlchemyError: the database does not answer.
    """
    database = Database(url)
    try:
        with database.readers.connect() as connection:
            tables = _own_tables(connection)
            schema: str = connection.execute(sa.text("SELECT current_schema()")).scalar_one()
    finally:
        database.close()
    before = [
        "SELECT set_config(name, '0', true) FROM pg_settings WHERE name LIKE '%transaction%timeout'",
        f"DROP SCHEMA IF EXISTS {_RESTORED} CASCADE",  # a restore that was killed has left it
        f"CREATE SCHEMA {_RESTORED}",
        f"CREATE SCHEMA {_CURRENT}",
        *(f"ALTER TABLE {table} SET SCHEMA {_CURRENT}" for table in tables),
    ]
    after = [_move_all(schema, _RESTORED), _move_all(_CURRENT, schema), f"DROP SCHEMA {_CURRENT}"]
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
    scripts = (f"--command={';'.join(before)}", "--file=-", f"--command={';'.join(after)}")
    dumped = ("--no-owner", "--no-privileges", "--no-comments", "--file=-", str(file))
    _pipe(("pg_restore", *dumped), ("psql", *options, *scripts), url=url)
    return _new_schema_url(url)


def switch(url: str, check: Callable[[sa.Connection], None]) -> None:
    """Replace the tables of the database by those of `load_new_schema`, in one transaction.

    Args:
        url: the database.
        check: called when no one else can change the current tables any more; an error of it changes nothing.

    Raises:
        Malformed: as `load_new_schema`.
        SQLAlchemyError: the database does not answer.
    """
    database = Database(url)
    try:
        with database.engine.begin() as connection:
            connection.execute(_NO_TIMEOUT)
            schema: str = connection.execute(sa.text("SELECT current_schema()")).scalar_one()
            if tables := ", ".join(_own_tables(connection)):
                connection.execute(sa.text(f"LOCK TABLE {tables}"))
                check(connection)
                connection.execute(sa.text(f"DROP TABLE {tables} CASCADE"))
            connection.execute(sa.text(_move_all(_RESTORED, schema)))
            connection.execute(sa.text(f"DROP SCHEMA {_RESTORED}"))
    finally:
        database.close()


def drop_new_schema(url: str) -> None:
    """Delete what `load_new_schema` has loaded."""
    database = Database(url)
    try:
        with database.engine.begin() as connection:
            connection.execute(sa.text(f"DROP SCHEMA IF EXISTS {_RESTORED} CASCADE"))
    finally:
        database.close()


def _own_tables(connection: sa.Connection) -> list[str]:
    """Return the tables of the database, as SQL names. Raises `Malformed` if some of them are not faceup's."""
    for module in SCHEMAS:
        import_module(module)
    tables = sa.inspect(connection).get_table_names()
    if others := sorted({*tables} - {*metadata.tables, VERSIONS}):
        raise Malformed(
            f"the database has tables that this version of faceup does not have ({', '.join(others)}): drop "
            "them if a newer version made them, or restore to an empty database",
            where="database",
        )
    return [f'"{table}"' for table in tables]


def _move_all(source: str, target: str) -> str:
    """Return the statement that moves all tables of a schema to another one, with their indexes and sequences."""
    return _MOVE_ALL.format(source=source, target=target)


def _new_schema_url(url: str) -> str:
    with_schema = sa.make_url(url).update_query_dict({"options": f"-c search_path={_RESTORED}"})
    return with_schema.render_as_string(hide_password=False)


def _pipe(source: Sequence[str], target: Sequence[str], *, url: str) -> None:
    """Run a program and let another one, which uses the database, read its output. See `_run`."""
    with ExitStack() as stack:
        source_errors, target_errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        reader = stack.enter_context(_popen(*source, stdout=subprocess.PIPE, stderr=source_errors))
        loader = stack.enter_context(
            _popen(*target, url=url, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=target_errors)
        )
        script, statements = cast("IO[bytes]", reader.stdout), cast("IO[bytes]", loader.stdin)
        with suppress(BrokenPipeError), script, statements:  # the second program has failed
            statements.write(script.read(_HEADER).replace(_TRANSACTION_TIMEOUT, b""))
            shutil.copyfileobj(script, statements, 1 << 20)
        for process in (loader, reader):
            process.wait()
        # If the second program has failed, the first one only cannot write any more.
        for process, errors in ((loader, target_errors), (reader, source_errors)):
            errors.seek(0)
            _require_success(process, errors.read())


def _run(program: str, *arguments: str, url: str | None = None) -> str:
    """Run a program and return its output. Raises `Malformed` if it is not installed or fails."""
    with _popen(program, *arguments, url=url, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        output, errors = process.communicate()
    _require_success(process, errors)
    return output.decode(errors="replace")


def _popen(
    program: str,
    *arguments: str,
    url: str | None = None,
    stdin: int | IO[bytes] | None = subprocess.DEVNULL,
    stdout: int,
    stderr: int | IO[bytes],
) -> "subprocess.Popen[bytes]":
    """Start a program. The password is passed in the environment, which others cannot read."""
    environment = dict(os.environ)
    if url is not None:
        with needs("postgres", "PostgreSQL"):
            from psycopg.conninfo import conninfo_to_dict, make_conninfo  # noqa: PLC0415 -- an extra
        parts = conninfo_to_dict(sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
        if password := parts.pop("password", None):
            environment["PGPASSWORD"] = str(password)
        arguments = (f"--dbname={make_conninfo(**parts)}", *arguments)  # type: ignore[arg-type]  # values are text
    try:
        return subprocess.Popen(  # noqa: S603 -- PostgreSQL's own program
            (program, *arguments), env=environment, stdin=stdin, stdout=stdout, stderr=stderr
        )
    except FileNotFoundError:
        raise Malformed(
            f"{program} is not installed: install PostgreSQL's client programs, as of the version of the database",
            what=program,
            where="database",
        ) from None


def _require_success(process: "subprocess.Popen[bytes]", errors: bytes) -> None:
    if process.returncode:
        program = str(process.args[0])  # type: ignore[index]  # see `_popen`
        message = " ".join(errors.decode(errors="replace").split())
        raise Malformed(f"{program} failed: {message}", what=program, where="database")
