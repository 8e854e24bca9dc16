"""Kill a restore at one moment after the other, and print what the database contains after each.

    python -m tests.server.admin.restore_killer DATABASE BACKUP JOURNAL STEP

A moment is the start of a change in the file system, of a program, or of a statement of PostgreSQL. Of the statements
in the new schema, only a few count. Every STEP-th moment is tried, in a process of its own, until a restore ends before
its moment. Each line is the JSON of `contents`.
"""

import json
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa

from faceup.server.admin.restore import Journals, restore_backup
from faceup.server.process.settings import sqlite_path
from faceup.server.store.database import Database

CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "sqlite3.connect", "subprocess.Popen"}
QUERIES = {
    "players": "SELECT name FROM players WHERE erased_at IS NULL ORDER BY name",
    "banned": "SELECT name FROM bans JOIN players ON players.id = bans.player ORDER BY name",
    "tables": "SELECT count(*) FROM rooms",
    "version": "SELECT count(*) FROM faceup_version",
}


def contents(url: str) -> dict[str, Any]:
    """Return what a database contains, as a server would read it; nothing if it cannot be read."""
    database = Database(url)
    try:
        with database.readers.connect() as connection:
            return {name: connection.execute(sa.text(query)).scalars().all() for name, query in QUERIES.items()}
    except sa.exc.SQLAlchemyError:
        return {}
    finally:
        database.close()


def kill_at(number: int) -> None:
    """Kill this process at a moment, counted from 1."""
    count = in_new_schema = 0

    def pass_moment() -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if event in CHANGES or is_write:
            pass_moment()

    def before_statement(connection: sa.Connection, *_: object) -> None:
        nonlocal in_new_schema
        if connection.dialect.name == "sqlite":
            return
        if "options" in connection.engine.url.query:  # most statements only change tables that no one else uses yet
            in_new_schema += 1
            if in_new_schema % 20:
                return
        pass_moment()

    sys.addaudithook(hear)
    sa.event.listen(sa.Engine, "before_cursor_execute", before_statement)
    sa.event.listen(sa.Engine, "commit", before_statement)


def main() -> None:
    """Kill a restore at one moment after the other."""
    url, backup, journal, step = sys.argv[1:]
    number, status = 1, -1
    while status:
        child = os.fork()
        if not child:
            kill_at(number)
            restore_backup(url, Path(backup), Journals(path=Path(journal)))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status not in {0, -signal.SIGKILL}:
            raise SystemExit(f"the restore failed at the moment {number}")
        _wait_for_programs(url)
        sys.stdout.write(f"{json.dumps(contents(url))}\n")
        sys.stdout.flush()
        number += int(step)


def _wait_for_programs(url: str) -> None:
    """Wait until PostgreSQL has ended the sessions of the programs that a killed restore has left."""
    if sqlite_path(url) is None:
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        with closing(psycopg.connect(url, autocommit=True)) as connection:
            while connection.execute(others).fetchone() != (0,):
                connection.execute("SELECT pg_sleep(0.02)")


if __name__ == "__main__":
    main()
