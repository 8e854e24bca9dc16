"""Append rows as fast as possible, until the process is killed.

    python -m tests.server.store.appending_process FILE

Prints the ID of each table when it is created, a table's ID and row number when a row is stored, and `checkpoint` when
one starts.
"""

import asyncio
import sys
from typing import Any

from tests.server.store.rows import a_table, an_append

from faceup.server.store import Store
from faceup.server.store.wal import WalManager


async def append(store: Store) -> None:
    """Append to a new table."""
    table, seq = await a_table(store), 0
    while True:
        sys.stdout.write(f"{table} {seq}\n")
        sys.stdout.flush()
        seq += 1
        await store.append(an_append(table, seq))


async def main() -> None:
    """Append to several tables at the same time, so that the writer is never idle."""
    run_checkpoints = WalManager._run_checkpoints

    def announced(manager: Any) -> None:
        sys.stdout.write("checkpoint\n")
        sys.stdout.flush()
        run_checkpoints(manager)

    setattr(WalManager, "_run_checkpoints", announced)  # noqa: B010 -- mypy rejects the assignment to a method
    store = await Store.open(f"sqlite:///{sys.argv[1]}")
    await asyncio.gather(*(append(store) for _ in range(8)))


if __name__ == "__main__":
    asyncio.run(main())
