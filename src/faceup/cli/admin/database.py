"""The database that a command of `faceup admin` works on: that of the server with the same settings."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from faceup.cli.options import add_database, add_json

if TYPE_CHECKING:
    from faceup.server.settings import Settings
    from faceup.server.store import Store

T = TypeVar("T")


def add_options(parser: ArgumentParser) -> None:
    """Which database, and whether to answer in JSON."""
    add_database(parser)
    add_json(parser)


def settings_of(arguments: Namespace) -> "Settings":
    """The settings of the server whose database this is."""
    from faceup.server.gathering import gather

    return gather({"database": arguments.database}, os.environ, arguments.config).settings


def visit(arguments: Namespace, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Do something with the database, whether a server runs on it or not.

    Raises:
        Malformed: there is none, or what was asked for cannot be done; says why.
        OSError: it does not answer.
    """
    import asyncio

    from faceup.core import Malformed
    from faceup.server.people.refusals import Refused
    from faceup.server.store import Store, StoreError, Unavailable

    url = settings_of(arguments).database_url
    file = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite:") and not file.is_file():
        raise Malformed(
            f"there is no database {file}: `faceup serve` makes it, `--database` names another",
            what=str(file),
            where="database",
        )

    async def inside() -> T:
        store = await Store.visit(url)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(inside())
    except Unavailable as error:
        raise OSError(error.message) from None
    except (StoreError, Refused) as error:
        raise Malformed(error.message, where=error.kind) from None
