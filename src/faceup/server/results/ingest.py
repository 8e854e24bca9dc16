"""Ingestion of results: compute the result of each finished game from its log, and update ratings and hand statistics.

A game with a spectator delay is ingested when spectators have seen its end, so that no list shows it before.

A server may be killed at any moment, because ingestion finds all games without a result again, and processes them in
the order in which they ended. A game gets its number when it is ingested, and ratings are updated in the order of these
numbers. If two servers ingest at the same time, they choose the same number for a game, and the second server retries.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.games.hand_scores import HandTotals
from faceup.server.accounts.player_ids import current_ids
from faceup.server.accounts.schema import players
from faceup.server.process.periodic import FailureIsolation, PeriodicTask
from faceup.server.results.game_result import GameResult, result_from_log
from faceup.server.results.ratings import Rating, combine_ratings, update_ratings
from faceup.server.results.schema import games, hand_totals, ratings, results
from faceup.server.results.standing_ids import PROGRAM, program_id
from faceup.server.rooms import loads
from faceup.server.rooms.config import MAX_DELAY
from faceup.server.store import Store, UnavailableError
from faceup.server.store.queries import is_unseen, lock
from faceup.server.store.schema import log, rooms

_INTERVAL: Final = 2.0
"""Seconds between two searches for finished games."""

BATCH: Final = 20
"""The number of games ingested in one transaction."""

SLACK: Final = 120_000
"""The maximum time from the end of a game to the commit of its log, in milliseconds.

Every run searches the games whose end spectators have seen within this time before the previous run, because their
commits may be late.
"""

_TRIES: Final = 20

STANDINGS: Final = "standings"
"""The lock of all transactions that compute ratings and hand totals from the stored ones."""


class EndedRoom(NamedTuple):
    """A finished room and its result. The result is None before the log is read, and if the log cannot be read.

    `seq` is the number of the last row of the log.
    """

    room: str
    opened_at: int
    ended_at: int
    seq: int
    result: GameResult | None = None


class ResultsIngest:
    """A task that ingests finished games periodically and on request."""

    def __init__(self, store: Store, *, rate_programs: bool = False) -> None:
        self._store = store
        self._rate_programs = rate_programs
        self._since = 0  # all games that ended before this time are ingested
        self._runs_started = 0
        self._last_run = 0
        self._busy = asyncio.Lock()
        self._failures = FailureIsolation("results ingestion", store.metrics)
        self._failed: dict[str, int] = {}  # when the games ended that could not be stored
        self.task = PeriodicTask("results ingestion", self.ingest, _INTERVAL, store.metrics)

    async def ingest(self) -> int:
        """Ingest all finished games that have no result yet. Return their number. Raises `UnavailableError`."""
        count, started = 0, self._runs_started
        async with self._busy:
            if self._last_run > started:
                return 0  # another run, which started after this call, has ingested all games
            self._runs_started += 1
            now = self._store.now()
            # A game that could not be stored is tried again later, so it must be found again.
            self._failed = {room: at for room, at in self._failed.items() if self._failures.delay(room)}
            while batch := await self._store.query(
                lambda connection: _pending_rooms(connection, self._since, now, self._failed)
            ):
                ended = await self._store.query(partial(_read, ended_rooms=batch, failures=self._failures))
                count += await self._write_all(ended)
            self._since = max(self._since, min((now - SLACK - MAX_DELAY, *self._failed.values())))
            self._last_run = self._runs_started
        return count

    async def _write_all(self, ended: Sequence[EndedRoom]) -> int:
        """Store results together or, if one of them cannot be stored, one by one. Return how many were stored."""
        try:
            return await self._write(ended)
        except UnavailableError:
            raise
        except Exception:  # noqa: BLE001 -- one of them is at fault
            count = 0
        for room in ended:
            with self._failures.isolate(room.room) as attempt:
                count += await self._write([room])
            if attempt.error is not None:
                self._failed[room.room] = room.ended_at
        return count

    async def _write(self, ended: Sequence[EndedRoom]) -> int:
        work = partial(_ingest, ended=ended, rate_programs=self._rate_programs)
        for tries in range(1, _TRIES):
            try:
                return await self._store.write(work)
            except IntegrityError:  # another server ingested at the same time
                await asyncio.sleep(0.05 * tries)
        return await self._store.write(work)


# This query is built only once, because it is executed faster than it is built.
_PENDING: Final = (
    sa.select(rooms.c.id, rooms.c.opened_at, rooms.c.ended_at, rooms.c.seq)
    .join(games, games.c.room == rooms.c.id, isouter=True)
    .where(rooms.c.status == "finished", rooms.c.ended_at >= sa.bindparam("since"))
    .where(games.c.room.is_(None), ~is_unseen(sa.bindparam("now")))
    .where(rooms.c.id.not_in(sa.bindparam("without", expanding=True)))
    .order_by(rooms.c.ended_at, rooms.c.id)
    .limit(BATCH)
)


def _pending_rooms(connection: sa.Connection, since: int, now: int, without: Collection[str]) -> Sequence[EndedRoom]:
    """Return finished rooms without a result, but none whose end spectators have not seen, because results show it."""
    values = {"since": since, "now": now, "without": tuple(without)}
    return [EndedRoom(*row) for row in connection.execute(_PENDING, values)]


def _read(connection: sa.Connection, ended_rooms: Sequence[EndedRoom], failures: FailureIsolation) -> list[EndedRoom]:
    """Return the finished rooms with the results that their logs contain."""
    ended = []
    for room in ended_rooms:
        query = sa.select(log.c.entries).where(log.c.room == room.room).order_by(log.c.seq)
        result = None
        entries = connection.execute(query).scalars().all()
        with failures.isolate(f"the log of {room.room}"):
            result = result_from_log(map(loads, entries))
        ended.append(room._replace(result=result))
    return ended


def _ingest(connection: sa.Connection, ended: Sequence[EndedRoom], *, rate_programs: bool) -> int:
    lock(connection, STANDINGS)
    # If a table was deleted, or a player erased from its log, after the log was read, its result is not stored.
    still_there = sa.select(rooms.c.id, rooms.c.seq).where(rooms.c.id.in_([item.room for item in ended]))
    unchanged = {tuple(row) for row in connection.execute(still_there.with_for_update(read=True, skip_locked=True))}
    ended = [item for item in ended if (item.room, item.seq) in unchanged]
    last = connection.execute(sa.select(sa.func.max(games.c.number))).scalar() or 0
    stored = sa.select(games.c.room).where(games.c.room.in_([item.room for item in ended]))
    ingested = set(connection.execute(stored).scalars())
    new = [item for item in ended if item.room not in ingested]
    for number, item in enumerate(new, last + 1):
        _write_game(connection, number, item, rate_programs=rate_programs)
    return len(new)


def _write_game(connection: sa.Connection, number: int, room: EndedRoom, *, rate_programs: bool) -> None:
    ended = room.result
    who = [] if ended is None else _standing_ids(connection, [(side.who, side.program) for side in ended.sides])
    rated = ended is not None and ended.rated and len(set(who)) > 1 and (rate_programs or not ended.mixed)
    connection.execute(
        games.insert().values(
            number=number,
            room=room.room,
            game="" if ended is None else ended.game,
            variant="" if ended is None else ended.variant,
            options="{}" if ended is None else msgspec.json.encode(ended.options).decode(),
            opened_at=room.opened_at,
            ended_at=room.ended_at,
            rated=rated,
            comparable=ended is not None and ended.comparable,
        )
    )
    if ended is None:
        return
    connection.execute(
        results.insert(),
        [
            {
                "number": number,
                "seat": seat,
                "who": side.who,
                "score": side.score,
                "place": side.place,
                "away": side.away,
                "program": side.program,
                "hands": None if side.hands is None else msgspec.json.encode(side.hands).decode(),
            }
            for seat, side in enumerate(ended.sides)
        ],
    )
    if rated:
        _update_ratings(connection, ended.game, ended.variant, who, [side.place for side in ended.sides])
    if ended.comparable:
        _add_hands(connection, ended.game, ended.variant, who, [side.hands for side in ended.sides])


def _standing_ids(connection: sa.Connection, sides: Sequence[tuple[str, bool]]) -> list[str]:
    """Return the ids in ratings and hand totals, given each seat's id and whether a program of the player played."""
    who = current_ids(connection, [player for player, _ in sides])
    return [program_id(player) if program else player for player, (_, program) in zip(who, sides, strict=True)]


def _update_ratings(
    connection: sa.Connection, game: str, variant: str, who: Sequence[str], places: Sequence[int]
) -> None:
    in_variant = _in_variant(ratings, game, variant)
    after = update_ratings(_current_ratings(connection, in_variant, who), who, places)
    connection.execute(ratings.delete().where(in_variant, ratings.c.who.in_(after)))
    _insert_ratings(connection, game, variant, after)


def _insert_ratings(connection: sa.Connection, game: str, variant: str, new_ratings: Mapping[str, Rating]) -> None:
    rows = [
        {"game": game, "variant": variant, "who": who, **msgspec.structs.asdict(rating)}
        for who, rating in new_ratings.items()
    ]
    if rows:
        connection.execute(ratings.insert(), rows)


def _add_hands(
    connection: sa.Connection, game: str, variant: str, who: Sequence[str], hands: Sequence[HandTotals | None]
) -> None:
    condition = _in_variant(hand_totals, game, variant) & hand_totals.c.who.in_(who)
    before = {row.who: _totals_of(row) for row in connection.execute(sa.select(hand_totals).where(condition))}
    connection.execute(hand_totals.delete().where(condition))
    after = _summed(zip(who, hands, strict=True), before)
    _insert_hands(
        connection, game, variant, {identifier: after[identifier] for identifier in who if identifier in after}
    )


def _summed(
    hands: Iterable[tuple[str, HandTotals | None]], before: Mapping[str, HandTotals] = MappingProxyType({})
) -> dict[str, HandTotals]:
    """Return the totals of the players' hands after the hands of a game are added to the totals `before`."""
    after = dict(before)
    for who, more in hands:
        if more is not None:
            after[who] = after[who] + more if who in after else more
    return after


def _totals_of(row: sa.Row[Any]) -> HandTotals:  # Any: a row of hand_totals
    return HandTotals(row.hands, row.sum, row.baozi, msgspec.json.decode(row.points, type=tuple[int, ...]))


def _insert_hands(
    connection: sa.Connection, game: str, variant: str, totals_by_player: Mapping[str, HandTotals]
) -> None:
    erased = sa.select(players.c.id).where(players.c.id.in_(totals_by_player), players.c.erased_at.is_not(None))
    erased_ids = set(connection.execute(erased).scalars())  # erased players get no statistics
    rows = [
        {
            "game": game,
            "variant": variant,
            "who": who,
            "hands": totals.hands,
            "sum": totals.sum,
            "baozi": totals.baozi,
            "points": msgspec.json.encode(totals.points).decode(),
            "mean": totals.mean,
        }
        for who, totals in totals_by_player.items()
        if who not in erased_ids and totals.hands
    ]
    if rows:
        connection.execute(hand_totals.insert(), rows)


def _in_variant(table: sa.Table, game: str, variant: str) -> sa.ColumnElement[bool]:
    return (table.c.game == game) & (table.c.variant == variant)


def _current_ratings(
    connection: sa.Connection, in_variant: sa.ColumnElement[bool], who: Sequence[str]
) -> dict[str, Rating]:
    rows = connection.execute(sa.select(ratings).where(in_variant, ratings.c.who.in_(who)))
    return {row.who: rating_of(row) for row in rows}


def rating_of(row: sa.Row[Any]) -> Rating:  # Any: a row of ratings
    """Convert a row of `ratings`."""
    return Rating(mean=row.mean, deviation=row.deviation, games=row.games, wins=row.wins)


def merge_standings(connection: sa.Connection, source: str, target: str) -> None:
    """Add the ratings and hand totals of the player `source` to those of the player `target`.

    This takes a few statements for each variant, so that a login does not wait. `recount` computes slightly other ones.
    """
    lock(connection, STANDINGS)
    for first, second in ((source, target), (program_id(source), program_id(target))):
        _merge_standing(connection, first, second)


def _merge_standing(connection: sa.Connection, source: str, target: str) -> None:
    for game, variant in _variants(connection, source):
        in_variant = _in_variant(ratings, game, variant)
        standing_ratings = _current_ratings(connection, in_variant, (source, target))
        if source in standing_ratings:
            both = (
                combine_ratings(standing_ratings[source], standing_ratings[target])
                if target in standing_ratings
                else standing_ratings[source]
            )
            connection.execute(ratings.delete().where(in_variant, ratings.c.who.in_((source, target))))
            _insert_ratings(connection, game, variant, {target: both})
        thrown = _in_variant(hand_totals, game, variant) & (hand_totals.c.who == source)
        row = connection.execute(sa.select(hand_totals).where(thrown)).one_or_none()
        if row is not None:
            connection.execute(hand_totals.delete().where(thrown))
            _add_hands(connection, game, variant, [target], [_totals_of(row)])


class _Recomputed(NamedTuple):
    """All ratings and hand totals of a variant, and the number of the last game that they include.

    `remaining` has the players in them that were neither erased nor merged.
    """

    last: int
    ratings: dict[str, Rating]
    hands: dict[str, HandTotals]
    remaining: frozenset[str]


async def recount(store: Store, player: str | None = None) -> None:
    """Recompute ratings and hand statistics from all games in the order of their numbers.

    If another game of a variant is ingested meanwhile, or a player merged or erased, the variant is computed again.

    Args:
        store: the store.
        player: if not None, recompute only the variants in which this player has ratings or hands, as after a merge.
    """
    for game, variant in await store.query(partial(_variants, player=player)):
        while True:
            computed = await store.query(partial(_recompute, game=game, variant=variant))
            if await store.write(partial(_replace, game=game, variant=variant, computed=computed)):
                break


def _variants(connection: sa.Connection, player: str | None) -> list[tuple[str, str]]:
    variants: set[tuple[str, str]] = set()
    for table in (ratings, hand_totals):
        query = sa.select(table.c.game, table.c.variant).distinct()
        if player is not None:
            query = query.where(table.c.who == player)
        variants |= {(row.game, row.variant) for row in connection.execute(query)}
    return sorted(variants)


def _recompute(connection: sa.Connection, game: str, variant: str) -> _Recomputed:
    query = (
        sa.select(games.c.number, games.c.rated, games.c.comparable, *_SIDE)
        .join(results, results.c.number == games.c.number)
        .where(games.c.game == game, games.c.variant == variant, games.c.rated | games.c.comparable)
        .order_by(games.c.number, results.c.seat)
    )
    rows = connection.execute(query).all()
    sides_of_all = sorted({(row.who, row.program) for row in rows})
    into = dict(zip(sides_of_all, _standing_ids(connection, sides_of_all), strict=True))
    last, current_ratings, hands = 0, dict[str, Rating](), dict[str, HandTotals]()
    for number, sides in groupby(rows, key=lambda row: row.number):
        seats = list(sides)
        who = [into[side.who, side.program] for side in seats]
        if seats[0].rated:
            current_ratings |= update_ratings(current_ratings, who, [side.place for side in seats])
        if seats[0].comparable:
            thrown = [msgspec.json.decode(side.hands, type=HandTotals) for side in seats]
            hands = _summed(zip(who, thrown, strict=True), hands)
        last = number
    return _Recomputed(last, current_ratings, hands, _remaining(connection, {*current_ratings, *hands}))


_SIDE: Final = (results.c.who, results.c.program, results.c.place, results.c.hands)


def _remaining(connection: sa.Connection, who: Collection[str]) -> frozenset[str]:
    """Return those of the players, given their ids and those of their programs, who are neither erased nor merged."""
    ids = {identifier.removeprefix(PROGRAM) for identifier in who}
    exists = players.c.erased_at.is_(None), players.c.merged_into.is_(None)
    return frozenset(connection.execute(sa.select(players.c.id).where(players.c.id.in_(ids), *exists)).scalars())


def _replace(connection: sa.Connection, game: str, variant: str, computed: _Recomputed) -> bool:
    lock(connection, STANDINGS)
    newer = sa.select(games.c.number).where(
        games.c.game == game,
        games.c.variant == variant,
        games.c.rated | games.c.comparable,
        games.c.number > computed.last,
    )
    same = _remaining(connection, {*computed.ratings, *computed.hands}) == computed.remaining
    if not same or connection.execute(newer.limit(1)).first() is not None:
        return False
    for table in (ratings, hand_totals):
        connection.execute(table.delete().where(_in_variant(table, game, variant)))
    _insert_ratings(connection, game, variant, computed.ratings)
    _insert_hands(connection, game, variant, computed.hands)
    return True
