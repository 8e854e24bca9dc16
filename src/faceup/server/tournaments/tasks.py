"""Tournaments that run by themselves: tables are created, results are counted, and rounds start in time.

Any process may visit any tournament that is due. The rooms of a round have ids that follow from the tournament, round
and table, so that each is created once; results and rounds are stored by conditional writes. A process that is
killed between two steps leaves a tournament that is due, and the next visit continues.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from faceup.core import generator
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.shared_limits import Bucket
from faceup.server.live.change_listeners import ChangeListeners, wait_for_change
from faceup.server.live.hub import TableHub
from faceup.server.process.periodic import FailureIsolation, PeriodicTask, run_limited
from faceup.server.process.settings import Settings
from faceup.server.results.history import record_seats
from faceup.server.rooms import loads
from faceup.server.rooms.commands import Close
from faceup.server.rooms.entries import TournamentTable
from faceup.server.rooms.errors import TableClosedError
from faceup.server.store import Store, StoreError, TableDeletedError, new_id
from faceup.server.tournaments.queries import (
    AwaitedTable,
    StoredTournament,
    awaited_tables,
    change_tournament,
    create_tournament,
    due_tournaments,
    find_tournament,
    join_tournament,
    lead_tournament,
    mark_programs,
    open_tournaments,
    people_at,
    store_round,
    tables_counted,
    tables_created,
    versions_of,
)
from faceup.server.tournaments.reads import TournamentReads
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import (
    HostCommand,
    TournamentState,
    advance,
    open_tournament,
    with_results,
    with_status,
)
from faceup.server.tournaments.tables import (
    SeatedPlayer,
    no_result,
    programs_in,
    table_id,
    table_result,
    tournament_table_entries,
)
from faceup.table.errors import StaleCommandError
from faceup.tournament import TableResult

_subject: Final = partial(subject_of, "tournament")

_INTERVAL: Final = 1.0
"""Seconds between two searches for tournaments that are due."""

_CONCURRENCY: Final = 16
"""Maximum number of tables of a tournament that are created or closed at the same time."""


class Tournaments:
    """The tournaments of a server. Several processes may share a database.

    Args:
        store: the database.
        hub: the tables.
        changes: the requests of this process that wait for changes.

    Attributes:
        task: the periodic task.
    """

    def __init__(self, store: Store, hub: TableHub, changes: ChangeListeners) -> None:
        self._store = store
        self._hub = hub
        self._changes = changes
        self._reads = TournamentReads(store)
        self._rng = generator(None)
        self._visited_at = 0  # the interruption of the service after which all tournaments were visited
        self._failures = FailureIsolation("tournaments", store.metrics)
        self.task = PeriodicTask("tournaments", self.run_due, _INTERVAL, store.metrics)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._seen: dict[str, int] = {}  # the versions for whose successors requests wait

    async def create(
        self, settings: TournamentSettings, identifier: str, host: str, source: str, limits: Settings
    ) -> None:
        """Create a tournament, unless one with this id exists.

        Raises:
            Malformed: the tournament would start too late.
            LimitReachedError: the host or the address has too many open tournaments.
        """
        now = self._hub.now()
        state = open_tournament(settings, self._rng.below(2**53), now)
        create = partial(create_tournament, host=host, source=source, state=state, limits=limits)
        await self._store.write(lambda connection: create(connection, now, identifier))

    async def get(self, identifier: str) -> StoredTournament:
        """Return a tournament. Raises `NotFoundError`."""
        return await self._reads.get(identifier)

    async def join(self, identifier: str, who: SeatedPlayer, source: str, bucket: Bucket) -> StoredTournament:
        """Let a player join or return. Raises the errors of `join_tournament`."""
        now = self._hub.now()
        join = partial(join_tournament, now=now, identifier=identifier, who=who, source=source, bucket=bucket)
        stored = await self._store.write(join)
        self._notify(identifier)
        return stored

    async def leave(self, identifier: str, player: str) -> StoredTournament:
        """Let a player leave. Raises `NotFoundError` if the player has not joined."""
        now = self._hub.now()

        def change(stored: StoredTournament) -> TournamentState:
            if (number := stored.number_of(player)) is None:
                raise NotFoundError("you have not joined this tournament")
            return with_status(stored.state, number, "left", now)

        return await self._change(identifier, change, now)

    async def apply_host_command(self, identifier: str, command: HostCommand) -> StoredTournament:
        """Carry out a command of the host. Raises the errors of `tournament_state.apply_host_command`."""
        lead = partial(lead_tournament, now=self._hub.now(), identifier=identifier, command=command)
        await self._store.write(lead)
        self._notify(identifier)
        await self.visit(identifier)
        return await self.get(identifier)

    async def changed(self, identifier: str, after: int, seconds: float) -> StoredTournament:
        """Return a tournament when its version is greater than `after`, or when the time is over.

        Raises:
            NotFoundError: there is no such tournament.
        """
        with self._changes.listen(_subject(identifier)) as changed:
            stored = await self.get(identifier)
            if stored.version > after:
                return stored
            self._seen[identifier] = stored.version
            await wait_for_change(changed, 0 if self._changes.stopped else seconds)
        return await self.get(identifier)

    async def run_due(self) -> None:
        """Visit all tournaments that are due, and send clients what other processes have changed."""
        interrupted_at = await self._hub.interrupted_at()  # an outage moves the times of all tournaments
        query = partial(due_tournaments, now=self._hub.now())
        for identifier in await self._store.query(query if interrupted_at == self._visited_at else open_tournaments):
            if not self._failures.delay(identifier):
                with self._failures.isolate(identifier):
                    await self.visit(identifier)
        self._visited_at = interrupted_at
        self._seen = {
            identifier: version
            for identifier, version in self._seen.items()
            if self._changes.waits(_subject(identifier))
        }
        if self._seen:
            now = await self._store.query(partial(versions_of, identifiers=tuple(self._seen)))
            for identifier in [
                identifier for identifier, version in self._seen.items() if now.get(identifier) != version
            ]:
                self._notify(identifier)

    async def visit(self, identifier: str) -> None:
        """Do everything that is due in a tournament. Raises `NotFoundError`."""
        lock = self._locks.setdefault(identifier, asyncio.Lock())
        async with lock:
            await self._hub.interrupted_at()  # as in `run_due`
            while await self._step(identifier):
                self._notify(identifier)

    async def _step(self, identifier: str) -> bool:
        """Do the next due step of a tournament, and return whether it has changed."""
        now = self._hub.now()
        stored, tables = await self._store.query(
            lambda connection: (find_tournament(connection, identifier), awaited_tables(connection, now, identifier))
        )
        if new := [table for table in tables if not table.created]:
            await self._create(stored, new)
            return True
        if countable := [table for table in tables if table.countable]:
            return await self._count(stored, countable)
        if stored.outdated:  # an outage has moved its times
            await self._store.write(
                partial(change_tournament, now=now, identifier=identifier, change=lambda now: now.state)
            )
            return True
        playing = [table for table in tables if not table.over]
        ends_at = stored.state.round_ends_at
        if playing and ends_at is not None and now >= ends_at:
            await run_limited((partial(self._close, table.room) for table in playing), limit=_CONCURRENCY)
            left = await self._store.query(partial(awaited_tables, now=now, identifier=identifier))
            unclosed = [table for table in left if not table.over]  # they cannot be read, so they have no result
            return not unclosed or await self._count(stored, unclosed)
        return await self._advance(stored, now)

    async def _create(self, stored: StoredTournament, tables: Collection[AwaitedTable]) -> None:
        """Create the rooms of tables, and record who has a seat."""
        drawn, number = stored.state.tournament.rounds[-1].tables, len(stored.state.tournament.rounds)

        async def create(table: AwaitedTable) -> None:
            people = people_at(drawn[table.number].seats, stored.players)
            config = stored.state.settings.table_config(len(people))
            what = TournamentTable(stored.id, number, table.number + 1)
            entries = tournament_table_entries(config, people, what, self._rng)
            with suppress(TableDeletedError):  # then it counts as ended, without a result
                await self._hub.create_from(entries, config, "", table=table.room)

        await run_limited((partial(create, table) for table in tables), limit=_CONCURRENCY)
        now = self._hub.now()

        def record(connection: Connection) -> None:
            for table in tables:
                people = people_at(drawn[table.number].seats, stored.players)
                record_seats(connection, now, table.room, [person.id for person in people if person is not None])
            tables_created(connection, stored.id, [table.room for table in tables])

        await self._store.write(record)

    async def _count(self, stored: StoredTournament, tables: Collection[AwaitedTable]) -> bool:
        """Count the results of tables that have ended."""
        results, programs = {}, set[str]()
        for table in tables:
            seats = len(stored.state.tournament.rounds[-1].tables[table.number].seats)
            result, table_programs = await self._result(table.room, seats)
            results[table.room] = table.number, result
            programs |= table_programs
        now = self._hub.now()

        def change(current: StoredTournament) -> TournamentState:
            number = len(current.state.tournament.rounds)
            awaited_results = {  # another process may have counted them and started the next round
                table: result
                for room, (table, result) in results.items()
                if room == table_id(current.id, number, table + 1)
            }
            return with_results(current.state, awaited_results, now)

        def count(connection: Connection) -> None:
            mark_programs(connection, stored.id, programs)
            change_tournament(connection, now, stored.id, change)
            tables_counted(connection, results)

        await self._store.write(count)
        return True

    async def _result(self, room: str, seats: int) -> tuple[TableResult, frozenset[str]]:
        """Return the result of a table, and the ids of the players that programs played for."""

        def read() -> tuple[TableResult, frozenset[str]]:
            batches = [loads(row.entries) for row in log]
            return table_result(batches), programs_in(batches)

        log = await self._store.read(room)
        if not log:
            return no_result(seats), frozenset()
        with self._failures.isolate(f"the result of the table {room}"):
            return await asyncio.to_thread(read)
        return no_result(seats), frozenset()

    async def _close(self, room: str) -> None:
        """Close a table, if its game is not over and its log can be read. Raises `StoreError`."""
        over = suppress(TableClosedError, StaleCommandError)
        with self._failures.isolate(f"the end of the table {room}") as attempt, over:
            await self._hub.send(room, Close("round_over"), id=new_id(), player=None)
        if isinstance(attempt.error, StoreError):
            raise attempt.error

    async def _advance(self, stored: StoredTournament, now: int) -> bool:
        """Start the next round if it is due. Return whether the tournament has changed, perhaps by others."""
        if stored.state.wake is None or now < stored.state.wake:
            return False
        before = stored.state
        for number in before.tournament.active:
            if number not in stored.players:  # erased
                before = with_status(before, number, "left", now)
        after = await asyncio.to_thread(advance, before, now)
        if after is stored.state:
            return False
        await self._store.write(partial(store_round, now=now, before=stored, after=after))
        return True

    async def _change(
        self, identifier: str, change: Callable[[StoredTournament], TournamentState], now: int
    ) -> StoredTournament:
        stored = await self._store.write(partial(change_tournament, now=now, identifier=identifier, change=change))
        self._notify(identifier)
        return stored

    def _notify(self, identifier: str) -> None:
        """Wake the requests of this process that wait for a change of the tournament."""
        self._seen.pop(identifier, None)
        self._changes.notify(_subject(identifier))
