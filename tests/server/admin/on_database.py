"""Work on a database without a server."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from faceup.server.store import Store

T = TypeVar("T")


def on_database(path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    """Return the result of work on a SQLite database."""

    async def run() -> T:
        store = await Store.attach(f"sqlite:///{path}")
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())
