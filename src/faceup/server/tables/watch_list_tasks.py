"""The public games that are in progress, the best one to watch first."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from statistics import mean
from typing import Final

import msgspec
from sqlalchemy import Connection

from faceup.core.record import PERSON, Milliseconds
from faceup.server.live.hub import TableHub
from faceup.server.live.recent_value import RecentValue
from faceup.server.process.periodic import FailureIsolation
from faceup.server.results.history import settled_ratings
from faceup.server.results.ratings import POINTS_AT_START
from faceup.server.rooms.errors import SpectatorsOffError, TableNotFoundError
from faceup.server.rooms.summary import TableSummary
from faceup.server.rooms.view import RoomSeat, RoomView
from faceup.server.store import Store, TableRow
from faceup.server.store.queries import games_to_watch

MAX_GAMES: Final = 30
"""The maximum number of games in the list."""

_KEPT: Final = 5.0
"""Seconds for which the list is kept at least."""

_MAX_ROWS: Final = 200
"""The maximum number of tables from which the games are chosen."""

_LATE: Final = 0.4
"""The share of `Bounds.decisions` after which a game counts as nearly over.

Hardly any game needs all decisions that it may have. A deal of 6 nimmt! has ten turns and at most 20 decisions, because
each turn may need the choice of a row, so it is nearly over after about seven turns.
"""


class WatchedSeat(RoomSeat, frozen=True, kw_only=True):
    """The player of a seat. `rating` is a person's rating in the variant; null while it is provisional."""

    rating: int | None = None


class GameToWatch(msgspec.Struct, frozen=True, kw_only=True):
    """A public game in progress, as spectators see it.

    Attributes:
        table: id of the table.
        decision: the number of decisions that have been played.
        late: whether the game is nearly over.
        paused: whether the game is paused.
        delay: how late spectators see the game, in milliseconds.
        seats: for each seat, its player.
    """

    table: str
    game: str
    variant: str
    rated: bool
    decision: int
    late: bool
    paused: bool
    delay: Milliseconds
    seats: tuple[WatchedSeat | None, ...]

    @property
    def people(self) -> tuple[WatchedSeat, ...]:
        """The people who play."""
        return tuple(seat for seat in self.seats if seat is not None and seat.kind == PERSON)

    @property
    def rating(self) -> float:
        """The mean rating of the people. A provisional rating counts as that of a new player."""
        ratings = [POINTS_AT_START if seat.rating is None else seat.rating for seat in self.people]
        return mean(ratings) if ratings else 0.0


def best_first(games: Sequence[GameToWatch]) -> tuple[GameToWatch, ...]:
    """Sort games, the best one to watch first.

    Running games come before paused ones, then games that are not nearly over before the others. Among these, the game
    with the most people is the best, then the one with the highest mean rating of its people, then the one with the
    fewest decisions played.
    """
    return tuple(
        sorted(games, key=lambda game: (game.paused, game.late, -len(game.people), -game.rating, game.decision))
    )


class WatchList:
    """The public games in progress of all processes.

    Args:
        store: the database.
        hub: the tables.
    """

    def __init__(self, store: Store, hub: TableHub) -> None:
        self._store = store
        self._hub = hub
        self._failures = FailureIsolation("games to watch", store.metrics)
        self._games = RecentValue(self._read, _KEPT)

    async def get(self) -> tuple[GameToWatch, ...]:
        """Return the games, the best one to watch first, as of some seconds ago. Raises `StoreError`."""
        return await self._games.get()

    def forget(self) -> None:
        """Read the games again for the next caller of `get`."""
        self._games.forget()

    async def _read(self) -> tuple[GameToWatch, ...]:
        rows = await self._store.query(partial(games_to_watch, now=self._store.now(), limit=_MAX_ROWS))
        views = [(row.id, view) for row in _most_people(rows) if (view := await self._view(row.id)) is not None]
        return best_first(await self._store.query(partial(_rated, views=views)))

    async def _view(self, table: str) -> RoomView | None:
        """Return what spectators see of a table; None if they see no game in progress."""
        with self._failures.isolate(table), suppress(SpectatorsOffError, TableNotFoundError):
            view = await self._hub.view(table, None)
            return view if view.status == "active" else None
        return None


def _most_people(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the tables with the most people, only tables that allow spectators."""
    games_by_people = []
    for row in rows:
        summary = msgspec.json.decode(row.summary, type=TableSummary)
        if summary.spectators == "anyone":
            games_by_people.append((sum(seat is not None and seat.kind == PERSON for seat in summary.seats), row))
    games_by_people.sort(key=lambda entry: -entry[0])
    return [row for _, row in games_by_people[:MAX_GAMES]]


def _rated(connection: Connection, views: Sequence[tuple[str, RoomView]]) -> list[GameToWatch]:
    """Return games with the ratings of their people, given their tables and what spectators see of these."""
    handles: dict[tuple[str, str], set[str]] = {}
    for _, view in views:
        people = {seat.handle for seat in view.seats if seat is not None and seat.handle is not None}
        handles.setdefault((view.config.game, view.config.variant), set()).update(people)
    ratings = {kind: settled_ratings(connection, *kind, them) for kind, them in handles.items()}
    return [_game(table, view, ratings[view.config.game, view.config.variant]) for table, view in views]


def _game(table: str, view: RoomView, ratings: dict[str, int]) -> GameToWatch:
    config = view.config
    return GameToWatch(
        table=table,
        game=config.game,
        variant=config.variant,
        rated=view.rated,
        decision=view.decision,
        late=view.decision >= _LATE * config.rules().bounds.decisions,
        paused=view.paused is not None,
        delay=config.spectator_delay,
        seats=tuple(
            None if seat is None else WatchedSeat(**msgspec.structs.asdict(seat), rating=ratings.get(seat.handle or ""))
            for seat in view.seats
        ),
    )
