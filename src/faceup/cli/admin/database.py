"""Database access for the `faceup admin` commands."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from faceup.cli.options import add_database, add_json
from faceup.core import Malformed

if TYPE_CHECKING:
    from faceup.server.process.settings import Settings
    from faceup.server.store import Store

T = TypeVar("T")


def add_options(parser: ArgumentParser) -> None:
    """Add the options `--database`, `--config` and `--json`."""
    add_database(parser)
    add_json(parser)


def add_limit(parser: ArgumentParser, default: int, what: str) -> None:
    """Add the option `--limit` of a list of `what`; see `list_rows`."""
    parser.add_argument(
        "--limit", type=int, default=default, metavar="N", help=f"maximum number of {what} (default {default})"
    )


def list_rows(
    arguments: Namespace, find: "Callable[[Store, int], Awaitable[Sequence[T]]]", *, narrow: str = ""
) -> Sequence[T]:
    """Return the rows of a list, up to `--limit`. If there are more, say so on standard error.

    Args:
        arguments: the options.
        find: returns the first rows, given their maximum number.
        narrow: an option that makes the list shorter, for the message.

    Raises:
        Malformed: the limit is less than 1; and as `with_database`.
    """
    limit = arguments.limit
    if limit < 1:
        raise Malformed(f"the limit must be 1 or more; got {limit}", what=limit, where="--limit")
    rows = with_database(arguments, lambda store: find(store, limit + 1))
    if len(rows) > limit:
        print(
            f"There are more: raise --limit {limit}{narrow and f', or narrow the list with {narrow}'}.", file=sys.stderr
        )
    return rows[:limit]


def settings_of(arguments: Namespace) -> "Settings":
    """Return the server settings that follow from `--database`, `--config` and the environment."""
    from faceup.server.process.settings import load_settings

    return load_settings({"database": arguments.database}, os.environ, arguments.config).settings


def with_database(arguments: Namespace, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Open the database, run a coroutine function on it, and return its result; a server may use it at the same time.

    Raises:
        Malformed: the database does not exist, or it rejects the operation.
        OSError: the database does not respond, or the moderation journal cannot be written.
    """
    import asyncio

    from faceup.server.accounts.errors import AccountError
    from faceup.server.process.settings import sqlite_path
    from faceup.server.store import Store, StoreError, UnavailableError

    settings = settings_of(arguments)
    url = settings.database_url
    file = sqlite_path(url)
    if file is not None and not (file.is_file() and file.stat().st_size):
        fault = "does not exist" if not file.exists() else "is empty" if file.is_file() else "is not a file"
        raise Malformed(
            f"the database {file} {fault}; run `faceup serve` to create it, or name another with `--database`",
            what=str(file),
            where="database",
        )

    async def inside() -> T:
        store = await Store.attach(url)
        try:
            started = store.now()
            done = await work(store)
            await _update_journal(store, settings, started)
            return done
        finally:
            await store.close()

    try:
        return asyncio.run(inside())
    except UnavailableError as error:
        raise OSError(error.message) from None
    except (StoreError, AccountError) as error:
        raise Malformed(error.message, where=error.kind) from None


async def _update_journal(store: "Store", settings: "Settings", started: int) -> None:
    """Copy the bans, deletions and erasures since a time to the moderation journal."""
    from faceup.server.admin.moderation_journal import ModerationJournal

    journal = ModerationJournal(store, settings)
    try:
        await journal.update_after(started)
    except OSError as error:
        raise OSError(
            f"the database is changed, but the moderation journal {journal.path} cannot be written: {error.strerror}"
        ) from None
