"""Send a signal right after a commit, before its result is sent to anyone.

    python -m tests.server.kills.commit_killer DATABASE

Each line of standard input, `PROCESS SIGNAL`, is answered by a line when the signal was sent. It is sent as soon as
the next commit is visible in the database, about ten microseconds after it was made, or after one second without one.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Callable

import psycopg


def commit_counter(database: str) -> Callable[[], int]:
    """Return a function whose result changes with every commit."""
    if database.startswith("postgresql"):
        cursor = psycopg.connect(database, autocommit=True).cursor()
        return lambda: hash(cursor.execute("SELECT pg_current_wal_flush_lsn()").fetchone())
    connection = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    return lambda: int(connection.execute("PRAGMA data_version").fetchone()[0])


def main() -> None:
    """Wait for the commit and send the signal, for each line of the input."""
    version = commit_counter(sys.argv[1])
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
