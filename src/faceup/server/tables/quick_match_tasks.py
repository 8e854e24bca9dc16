"""Quick matches: a player gets the next free seat of a public table, and bots fill the empty seats in time."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec
from sqlalchemy import Connection

from faceup.core.record import Terms
from faceup.server.accounts.errors import BusyError
from faceup.server.live.hub import Admit, TableHub
from faceup.server.live.programs import sit_down
from faceup.server.rooms import Sit, TableConfig
from faceup.server.rooms.config import unrated_reason
from faceup.server.rooms.decide import quick_match_entries
from faceup.server.rooms.errors import ConfusableNameError, TableClosedError, TableFullError, TableNotFoundError
from faceup.server.rooms.names import GUEST_NAME
from faceup.server.store import Store, TableRow
from faceup.server.tables.quick_match import (
    BlockedError,
    TakenError,
    current_seat,
    open_table,
    release_seat,
    replace_table,
    take_seat,
)
from faceup.table.errors import StaleCommandError

CLOCK: Final = 30_000
"""The clock of a quick match of a variant without one, in milliseconds, so that no one can stop the game."""

_TRIES: Final = 100
"""Maximum number of attempts to give a player a seat before the request is refused.

Another attempt is needed only if others have opened a table, or taken all free seats, since the first read.
"""


def quick_config(game: str, variant: str = "", seats: int | None = None) -> TableConfig:
    """Return the configuration of quick matches: public, with a clock, and rated where this is possible.

    Raises:
        Malformed: there is no such game or variant, or it has not this number of seats.

    >>> config = quick_config("nimmt", seats=2)
    >>> config.listed, config.rated, config.terms.clock, kind_of(config)
    (True, True, 30000, 'nimmt:cowheadking:2')
    """
    plain = TableConfig(game=game, variant=variant, options={} if seats is None else {"seats": seats}, listed=True)
    terms = plain.terms or Terms()
    return msgspec.structs.replace(
        plain,
        terms=msgspec.structs.replace(terms, clock=terms.clock or CLOCK),
        rated=unrated_reason(plain.rules()) is None,
    )


def kind_of(config: TableConfig) -> str:
    """Return the kind of a quick match: players who ask for the same kind meet at the same table."""
    return f"{config.game}:{config.variant}:{config.rules().seats}"


class QuickMatches:
    """The quick matches of a server. Several processes may share a database.

    Args:
        store: the database.
        hub: the tables.
    """

    def __init__(self, store: Store, hub: TableHub) -> None:
        self._store = store
        self._hub = hub

    async def join(
        self,
        config: TableConfig,
        ids: Sequence[str],
        name: str,
        *,
        face: str,
        program: bool = False,
        source: str,
        request: str,
        admit: Callable[[], Awaitable[Admit]],
    ) -> str:
        """Give a player the next free seat of a quick match, and return the ID of its table.

        The player leaves a quick match of another kind that has not started.

        Args:
            config: the result of `quick_config`.
            ids: all IDs of the player, the current one first.
            name: the player's name at the table.
            face: the player's face.
            program: whether the player is a program.
            source: as for `TableHub.create`.
            request: idempotency key of the request; "" without one.
            admit: returns the `admit` of `TableHub.create`; called before a table is created.

        Raises:
            Malformed: the name is invalid.
            BusyError: others have always taken the last free seat first.
            StoreError: the seat could not be stored.
        """
        kind, player = kind_of(config), ids[0]
        lane = 0
        for _ in range(_TRIES):
            current = partial(current_seat, now=self._store.now(), player=player, kind=kind, request=request)
            table = await self._store.query(current)
            if table is None:
                open_kind = f"{kind}/{lane}" if lane else kind
                created = await self._open_table(config, open_kind, current, source, admit)
                if created is None:
                    continue
                try:
                    seat = await self._store.write(partial(take_seat, table=created, **current.keywords))
                except BlockedError:
                    lane += 1
                    continue
                if seat.leave is not None:
                    await self._hub.leave(seat.leave, ids)
                table = seat.table
            if await self._sit(table, ids, name, face, program=program):
                return table
            await self._store.write(partial(release_seat, player=player, table=table))
        raise BusyError("too many players want to sit down at the same time: try again")

    async def _open_table(
        self,
        config: TableConfig,
        kind: str,
        current: "partial[str | None]",
        source: str,
        admit: Callable[[], Awaitable[Admit]],
    ) -> str | None:
        """Return the open quick match of a kind, which is created if needed.

        Return None if it was not created, because another request created one first, or the player has a seat by now.
        """
        before, is_open = await self._store.query(partial(open_table, kind=kind))
        if before is not None and is_open:
            return before
        check = await admit()

        def admit_first(connection: Connection, row: TableRow) -> None:
            if current(connection) is not None:
                raise TakenError
            check(connection, row)
            replace_table(connection, kind, before, row.id)

        player: str = current.keywords["player"]
        entries = quick_match_entries(config, self._hub.timeouts.fill)
        with suppress(TakenError):
            return (await self._hub.create_from(entries, config, player, source=source, admit=admit_first)).table
        return None

    async def _sit(self, table: str, ids: Sequence[str], name: str, face: str, *, program: bool) -> bool:
        """Return whether the player has a seat at the table now. Raises `Malformed`."""
        for shown_name in (name, GUEST_NAME):
            try:
                await sit_down(self._hub, table, Sit(shown_name, face=face), ids, program=program)
            except ConfusableNameError:  # the player did not choose this table, and gets another name there
                continue
            except StaleCommandError:  # the player already has a seat
                return True
            except (TableFullError, TableClosedError, TableNotFoundError):
                return False
            return True
        return False
