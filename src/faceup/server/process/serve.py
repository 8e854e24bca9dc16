"""Assemble a server process: store, table hub, application and background tasks."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.core import Malformed, RulesError
from faceup.extras import needs
from faceup.server.accounts.server_state import announcement
from faceup.server.admin.automatic_backups import AutomaticBackups, last_backup
from faceup.server.admin.deletion import erase_requested, resume
from faceup.server.admin.moderation_journal import ModerationJournal
from faceup.server.admin.page.app import AdminPage, AdminPort
from faceup.server.admin.players import watch_bans
from faceup.server.admin.retention import sweep
from faceup.server.http.app import make_app
from faceup.server.http.middleware import App
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.live import TableHub
from faceup.server.process.access_log import AccessLog
from faceup.server.process.logs import LOG
from faceup.server.process.metrics import DatabaseCounts
from faceup.server.process.periodic import BackgroundTask, PeriodicTask, running
from faceup.server.process.settings import Settings, sqlite_path
from faceup.server.process.uvicorn_server import Application
from faceup.server.rooms.wire import Announced, Announcement, encode_message
from faceup.server.store import Store, StoreError, UnavailableError, UnsupportedDatabaseError
from faceup.server.store.schema import outages, rooms

with needs("server", __name__):
    import sqlalchemy as sa

if TYPE_CHECKING:
    from faceup.server.process.tracing import Tracing

_HOUR: Final = 3600.0
_MINUTE: Final = 60.0
_ANNOUNCEMENT_POLL: Final = 2.0
"""Seconds between checks for a new announcement."""

_JOURNAL_POLL: Final = 1.0
_JOURNAL_COPY: Final = 10.0
"""Seconds between checks for acts that are missing in the moderation journal, and for changes of it."""

_LAST_UPDATE: Final = 2.0
"""Seconds in which the moderation journal is renewed at the stop."""


@asynccontextmanager
async def opened(settings: Settings, limits: ServerLimits | None = None) -> AsyncIterator[Application]:
    """Start everything that one server process needs, and stop it when the context ends.

    Args:
        settings: the server's settings.
        limits: rate limits; default: `ServerLimits()`.

    Raises:
        Malformed: the database cannot be used, because its folder is not writable, its schema is not known, or a driver
            is missing.
        OSError: the database does not answer.
    """
    async with AsyncExitStack() as stack:
        tracing = _tracing(os.environ)
        if tracing is not None:
            stack.push_async_callback(tracing.stop)
        store = await _store(settings)
        stack.push_async_callback(_close, store)
        if (path := sqlite_path(settings.database_url)) is not None:
            store.metrics.watch_disk("database", path.parent)
        hub = TableHub(store, trace_command=None if tracing is None else tracing.trace_command)
        journal = ModerationJournal(store, settings)
        stack.push_async_callback(_complete_journal, journal)
        poll = _announcement_poll(store, hub, await store.query(announcement))
        tasks = [
            PeriodicTask("poll for announcements", poll, _ANNOUNCEMENT_POLL, store.metrics),
            PeriodicTask("deletion of expired data", partial(_delete_expired, store, journal), _HOUR, store.metrics),
            PeriodicTask("check of the database", store.look_for_damage, _HOUR, store.metrics),
            PeriodicTask("unfinished deletions", partial(resume, store), _MINUTE, store.metrics),
            PeriodicTask("deletions of accounts", partial(erase_requested, store), _MINUTE, store.metrics),
            PeriodicTask("moderation journal", journal.update, _JOURNAL_POLL, store.metrics),
            PeriodicTask("copy of the moderation journal", journal.copy, _JOURNAL_COPY, store.metrics),
        ]
        if settings.backup_every:
            tasks.append(AutomaticBackups(store, settings).task)
        await stack.enter_async_context(running((hub, *tasks)))
        api = make_app(settings, store, hub, limits=limits, tracing=tracing)
        bans = BackgroundTask(partial(watch_bans, store, api.services.changes))
        await stack.enter_async_context(running((bans,)))
        app: App = AccessLog(api, settings, store.metrics, _CachedCounts(store))
        if settings.admin_port:
            app = AdminPort(app, AdminPage(api.services), settings.admin_port)

        async def inform_clients() -> None:
            api.services.changes.stop()
            await hub.stop()

        yield Application(app, inform_clients)


async def _close(store: Store) -> None:
    with suppress(StoreError):  # if the database is unavailable, all acknowledged commands are stored anyway
        await store.close()


async def _complete_journal(journal: ModerationJournal) -> None:
    """Record that the journal has all acts until the stop, and not only until it was renewed last."""
    with suppress(StoreError, RulesError, OSError):
        async with asyncio.timeout(_LAST_UPDATE):
            await journal.update(renew=True)


def _tracing(environ: Mapping[str, str]) -> "Tracing | None":
    """Return the traces that OpenTelemetry's variables turn on; None if they turn on none.

    Raises:
        Malformed: the exporter is unknown.
        MissingExtraError: traces need the extra `otel`.
    """
    exporter = environ.get("OTEL_TRACES_EXPORTER", "")
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    is_requested = exporter or any(environ.get(name) for name in endpoints)
    if not is_requested or exporter == "none" or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    from faceup.server.process.tracing import load_tracing  # noqa: PLC0415 -- an extra

    return load_tracing(environ)


async def _store(settings: Settings) -> Store:
    url = settings.database_url
    if (path := sqlite_path(url)) is not None:
        _create_file(path)
    try:
        return await Store.open(url)
    except UnsupportedDatabaseError as error:
        raise Malformed(error.message, where="database") from None
    except UnavailableError as error:
        raise OSError(error.message) from None


def _create_file(file: Path) -> None:
    """Create the database file and its folder, readable by the owner only, because it contains hidden hands."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        probe = file.with_name(f".{file.name}.probe")  # SQLite creates its WAL in this folder
        probe.touch(mode=0o600)
        probe.unlink()
    except OSError as error:
        raise Malformed(
            f"the database {file} cannot be written: {error.strerror}; set another file with `--database FILE`, or "
            "another data folder with FACEUP_DATA",
            what=str(file),
            where="database",
        ) from None


class _CachedCounts:
    """Counts from the database for `/metrics`, cached for 30 seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts = DatabaseCounts()
        self._until = 0.0

    async def __call__(self) -> DatabaseCounts:
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            try:
                self._counts = await self._store.query(_count)
            except StoreError:  # use the cached counts
                self._counts = self._counts._replace(up=False)
            self._until = now + 30
        return self._counts


def _count(connection: sa.Connection) -> DatabaseCounts:
    by_status = sa.select(rooms.c.status, sa.func.count()).group_by(rooms.c.status)
    tables = {status: count for status, count in connection.execute(by_status)}  # noqa: C416 -- rows are not tuples
    outage_count = connection.execute(sa.select(sa.func.count()).select_from(outages)).scalar_one()
    return DatabaseCounts(tables, outage_count, last_backup(connection))


def _announcement_poll(store: Store, hub: TableHub, last: Announcement | None) -> Callable[[], Awaitable[None]]:
    """Return a function that broadcasts the announcement to all connected clients if it has changed."""

    async def poll() -> None:
        nonlocal last
        now = await store.query(announcement)
        if now != last:
            last = now
            hub.broadcast(encode_message(Announced(now)))

    return poll


async def _delete_expired(store: Store, journal: ModerationJournal) -> None:
    deleted = await sweep(store)
    await journal.prune()
    LOG.info("deleted expired data", extra={"fields": dict(deleted)})
