"""What a server process is made of: store, desk, application, and the tasks beside them."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.server.admin.keeping import sweep
from faceup.server.api import Limits, make_app
from faceup.server.desk import Desk
from faceup.server.logs import LOG
from faceup.server.people.house import Announcement, announcement
from faceup.server.running import Served
from faceup.server.settings import Settings
from faceup.server.store import Store, StoreError, Unavailable, Unfit
from faceup.server.store.schema import outages, rooms
from faceup.server.tally import Kept, Tally
from faceup.server.watching import Watched

_HOUR: Final = 3600.0
_NEWS_EVERY: Final = 2.0
"""Seconds between two looks at what is announced."""


@asynccontextmanager
async def opened(settings: Settings, limits: Limits | None = None) -> AsyncIterator[Served]:
    """One server process, from the opening of its database to the closing.

    Args:
        settings: the server's.
        limits: how much one player and one address may do; the usual if none are given.

    Raises:
        Malformed: the database cannot be used: a folder that cannot be written, a later version, no such driver.
        OSError: the database does not answer.
    """
    store = await _store(settings)
    tally = Tally(store.commit_seconds, store.commit_sizes)
    desk = Desk(store)
    try:
        await desk.start()
        api = make_app(settings, store, desk, limits=limits, tally=tally)
        app = Watched(api, settings, tally, desk.figures, _Counted(store))
        beside = [asyncio.create_task(_tell_news(store, desk)), asyncio.create_task(_tidy(store))]
        try:
            yield Served(app, desk.stop)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await desk.stop()
    finally:
        with suppress(StoreError):  # the database may be gone by now; all that was acknowledged is in it
            await store.close()


async def _store(settings: Settings) -> Store:
    url = settings.database_url
    if url.startswith("sqlite:///"):
        _make_room(Path(url.removeprefix("sqlite:///")))
    try:
        return await Store.open(url)
    except Unfit as error:
        raise Malformed(error.message, where="database") from None
    except Unavailable as error:
        raise OSError(error.message) from None


def _make_room(file: Path) -> None:
    """The folder and the file, which only their owner may read: hands are in it."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        trial = file.with_name(f".{file.name}.trial")  # the log beside the file is made and deleted in this folder
        trial.touch(mode=0o600)
        trial.unlink()
    except OSError as error:
        raise Malformed(
            f"tables are kept in {file}, which cannot be written: {error.strerror}; `--database FILE` names another, "
            "and FACEUP_DATA another folder",
            what=str(file),
            where="database",
        ) from None


class _Counted:
    """What a monitor is told of the database, which is asked no more often than twice a minute."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = Kept()
        self._until = 0.0

    async def __call__(self) -> Kept:
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            with suppress(StoreError):  # the last counts are better than no metrics at all
                self._kept = await self._store.query(_count)
            self._until = now + 30
        return self._kept


def _count(connection: sa.Connection) -> Kept:
    by_status = sa.select(rooms.c.status, sa.func.count()).group_by(rooms.c.status)
    tables = {status: count for status, count in connection.execute(by_status)}  # noqa: C416 -- rows are no pairs
    return Kept(tables, connection.execute(sa.select(sa.func.count()).select_from(outages)).scalar_one())


async def _tell_news(store: Store, desk: Desk) -> None:
    """Tell everybody who is connected what is announced, when it is and when it is not any more."""
    told: Announcement | None = await _asked(store)
    while True:
        await asyncio.sleep(_NEWS_EVERY)
        now = await _asked(store, told)
        if now != told:
            told = now
            desk.tell_everybody(msgspec.json.encode({"announcement": now}) + b"\n")


async def _asked(store: Store, otherwise: Announcement | None = None) -> Announcement | None:
    try:
        return await store.query(announcement)
    except StoreError:
        return otherwise


async def _tidy(store: Store) -> None:
    """Delete what is older than it is kept, once an hour."""
    while True:
        await asyncio.sleep(_HOUR)
        try:
            deleted = await sweep(store)
        except StoreError as error:
            LOG.warning("tidying failed", extra={"fields": {"why": error.kind}})
        else:
            LOG.info("tidied", extra={"fields": dict(deleted)})
