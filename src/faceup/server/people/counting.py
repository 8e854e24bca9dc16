"""Counts every finished game once: who played, who won, and what that says of everybody's strength.

What is counted follows from the logs, so nothing is lost if a server is killed at any moment: the games that are not
counted yet are found again and counted in the order in which they ended. A game gets a number when it is counted, and
the ratings are what follows from the games in the order of their numbers. Two servers that count the same game, or
different ones at the same moment, collide on that number; the one that comes second reads on and tries again.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.core import RulesError
from faceup.server.people.finished import Finished, finished
from faceup.server.people.rating import Rating, after_game
from faceup.server.people.results_schema import games, ratings, results
from faceup.server.people.schema import players
from faceup.server.rooms import loads
from faceup.server.store import Store, StoreError, Unavailable
from faceup.server.store.schema import log, rooms

BATCH: Final = 20
"""Games that are counted in one transaction."""

SLACK: Final = 120_000
"""Milliseconds: no game is committed so long after the time at which it ended, so older ones are looked for once."""

_TRIES: Final = 20

_LOG: Final = logging.getLogger(__name__)


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A finished room, and what became of it; None if its log cannot be read."""

    room: str
    opened_at: int
    ended_at: int
    finished: Finished | None


class _Found(NamedTuple):
    room: str
    opened_at: int
    ended_at: int


class Counting:
    """Counts what is finished, in the background of a server or when it is asked to."""

    def __init__(self, store: Store, *, every: float = 2.0) -> None:
        self._store = store
        self._every = every
        self._since = 0  # whatever ended before is counted
        self._begun = 0
        self._done = 0
        self._busy = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Count from now on, every so many seconds."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Leave the rest to whoever counts next."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def count(self) -> int:
        """Count all that is finished; how many games that were. Raises `Unavailable`."""
        counted, begun = 0, self._begun
        async with self._busy:
            if self._done > begun:
                return 0  # a count that began after this call has counted for it, too
            self._begun += 1
            now = await self._store.now()
            while found := await self._store.query(lambda connection: _uncounted(connection, self._since)):
                played = await self._store.query(partial(_read, found=found))
                counted += await self._write(played)
            self._since = max(self._since, now - SLACK)
            self._done = self._begun
        return counted

    async def _write(self, played: Sequence[Played]) -> int:
        for tries in range(_TRIES):
            try:
                return await self._store.write(partial(_count, played=played))
            except IntegrityError:  # another server counts at this moment, and was first
                await asyncio.sleep(0.05 * tries)
        raise Unavailable("finished games cannot be counted beside so many other servers; nothing was stored")

    async def _run(self) -> None:
        trouble = False
        while True:
            try:
                await self.count()
                trouble = False
            except StoreError as error:
                if not trouble:  # once, and not again every second
                    _LOG.warning("finished games wait to be counted: %s", error.kind)
                trouble = True
            except Exception as error:  # noqa: BLE001 -- what cannot be counted today shall not keep others from it
                _LOG.error("finished games could not be counted: %s", type(error).__name__)
            await asyncio.sleep(self._every)


def _uncounted(connection: sa.Connection, since: int) -> Sequence[_Found]:
    asked = (
        sa.select(rooms.c.id, rooms.c.opened_at, rooms.c.ended_at)
        .join(games, games.c.room == rooms.c.id, isouter=True)
        .where(rooms.c.status == "finished", rooms.c.ended_at >= since, games.c.room.is_(None))
        .order_by(rooms.c.ended_at, rooms.c.id)
        .limit(BATCH)
    )
    return [_Found(*row) for row in connection.execute(asked)]


def _read(connection: sa.Connection, found: Sequence[_Found]) -> list[Played]:
    return [_played(connection, *each) for each in found]


def _played(connection: sa.Connection, room: str, opened_at: int, ended_at: int) -> Played:
    texts = connection.execute(sa.select(log.c.entries).where(log.c.room == room).order_by(log.c.seq)).scalars()
    result: Finished | None = None
    try:
        result = finished(loads(text) for text in texts)
    except RulesError as error:  # its words may quote hands
        _LOG.warning("the log of finished table %s cannot be counted: %s", room, error.kind)
    return Played(room=room, opened_at=opened_at, ended_at=ended_at, finished=result)


def _count(connection: sa.Connection, played: Sequence[Played]) -> int:
    number = connection.execute(sa.select(sa.func.max(games.c.number))).scalar() or 0
    counted = [each for each in played if not _is_counted(connection, each.room)]
    for each in counted:
        number += 1
        _write_game(connection, number, each)
    return len(counted)


def _is_counted(connection: sa.Connection, room: str) -> bool:
    return connection.execute(sa.select(games.c.number).where(games.c.room == room)).first() is not None


def _write_game(connection: sa.Connection, number: int, played: Played) -> None:
    ended = played.finished
    who = [] if ended is None else _stays(connection, [side.who for side in ended.sides])
    rated = ended is not None and ended.rated and len(set(who)) > 1
    connection.execute(
        games.insert().values(
            number=number,
            room=played.room,
            game="" if ended is None else ended.game,
            variant="" if ended is None else ended.variant,
            options="{}" if ended is None else msgspec.json.encode(ended.options).decode(),
            opened_at=played.opened_at,
            ended_at=played.ended_at,
            rated=rated,
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
            }
            for seat, side in enumerate(ended.sides)
        ],
    )
    if rated:
        _learn(connection, ended.game, ended.variant, who, [side.place for side in ended.sides])


def _learn(connection: sa.Connection, game: str, variant: str, who: Sequence[str], places: Sequence[int]) -> None:
    here = _here(game, variant)
    after = after_game(_known(connection, here, who), who, places)
    connection.execute(ratings.delete().where(here, ratings.c.who.in_(after)))
    _keep(connection, game, variant, after)


def _keep(connection: sa.Connection, game: str, variant: str, known: Mapping[str, Rating]) -> None:
    rows = [
        {"game": game, "variant": variant, "who": who, "rating": each.rating, **msgspec.structs.asdict(each)}
        for who, each in known.items()
    ]
    if rows:
        connection.execute(ratings.insert(), rows)


def _here(game: str, variant: str) -> sa.ColumnElement[bool]:
    return (ratings.c.game == game) & (ratings.c.variant == variant)


def _known(connection: sa.Connection, here: sa.ColumnElement[bool], who: Sequence[str]) -> dict[str, Rating]:
    return {
        row.who: Rating(mean=row.mean, deviation=row.deviation, games=row.games, wins=row.wins)
        for row in connection.execute(sa.select(ratings).where(here, ratings.c.who.in_(who)))
    }


def _stays(connection: sa.Connection, who: Sequence[str]) -> list[str]:
    """Those as whom the players go on who were merged into others."""
    merged = players.c.merged_into
    found = connection.execute(sa.select(players.c.id, merged).where(players.c.id.in_(who), merged.is_not(None)))
    into: Mapping[str, str] = {row.id: row.merged_into for row in found}
    return [into.get(each, each) for each in who]


class _Learnt(NamedTuple):
    """All ratings of a variant, and the number of the last game that they follow from."""

    last: int
    known: dict[str, Rating]


async def recount(store: Store, player: str | None = None) -> None:
    """Learn ratings anew from the games in the order of their numbers, and write them when none was counted meanwhile.

    Args:
        store: with the games.
        player: only of the variants in which this player has one: after it was merged into another.
    """
    for game, variant in await store.query(partial(_variants, player=player)):
        while True:
            learnt = await store.query(partial(_anew, game=game, variant=variant))
            if await store.write(partial(_replace, game=game, variant=variant, learnt=learnt)):
                break


def _variants(connection: sa.Connection, player: str | None) -> list[tuple[str, str]]:
    asked = sa.select(ratings.c.game, ratings.c.variant).distinct()
    if player is not None:
        asked = asked.where(ratings.c.who == player)
    return [(row.game, row.variant) for row in connection.execute(asked)]


def _anew(connection: sa.Connection, game: str, variant: str) -> _Learnt:
    asked = (
        sa.select(games.c.number, results.c.who, results.c.place)
        .join(results, results.c.number == games.c.number)
        .where(games.c.game == game, games.c.variant == variant, games.c.rated)
        .order_by(games.c.number, results.c.seat)
    )
    rows = connection.execute(asked).all()
    into = dict(zip(found := sorted({row.who for row in rows}), _stays(connection, found), strict=True))
    last, known = 0, dict[str, Rating]()
    for number, sides in groupby(rows, key=lambda row: row.number):
        seats = list(sides)
        known |= after_game(known, [into[side.who] for side in seats], [side.place for side in seats])
        last = number
    return _Learnt(last, known)


def _replace(connection: sa.Connection, game: str, variant: str, learnt: _Learnt) -> bool:
    newer = sa.select(games.c.number).where(
        games.c.game == game, games.c.variant == variant, games.c.rated, games.c.number > learnt.last
    )
    if connection.execute(newer.limit(1)).first() is not None:
        return False
    connection.execute(ratings.delete().where(_here(game, variant)))
    _keep(connection, game, variant, learnt.known)
    return True
