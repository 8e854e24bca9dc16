"""A program that sends a signal at the worst moment: when a commit is on the disk, and nobody has been told of it yet.

    python -m tests.server.kills.killing DATABASE

Each line on its standard input, `PROCESS SIGNAL`, is answered by a line when the signal is sent. It is sent when the
next commit can be seen in the database, which is some ten microseconds after it was made; or after a second without
one.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Callable

import psycopg


def watch(database: str) -> Callable[[], int]:
    """What tells by another number that something was committed."""
    if database.startswith("postgresql"):
        looking = psycopg.connect(database, autocommit=True).cursor()
        return lambda: hash(looking.execute("SELECT pg_current_wal_flush_lsn()").fetchone())
    connection = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    return lambda: int(connection.execute("PRAGMA data_version").fetchone()[0])


def main() -> None:
    """Watch, and strike."""
    version = watch(sys.argv[1])
    for line in sys.stdin:
        process, signal = map(int, line.split())
        until = time.monotonic() + 1
        before = version()
        while version() == before and time.monotonic() < until:
            pass
        os.kill(process, signal)
        sys.stdout.write(f"{time.time_ns() // 1_000_000}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
