"""Queries for daily deals: their secrets, who attempted them, the ranking and streaks.

Only the attempt that a person started first counts, also if the person has merged guests with attempts of their own.
The result of an attempt is that of its game in `results`; it counts if the game ended before the day did.
"""

import secrets
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.core.fair_draw import SIZE
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.player_ids import current_id, ids_query
from faceup.server.accounts.schema import players
from faceup.server.daily.schema import daily_attempts, daily_deals
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.results.history import MAX_ROWS, PlayerName
from faceup.server.results.schema import games, results
from faceup.server.rooms import TableConfig
from faceup.server.rooms.daily import commitment_of, ends_at
from faceup.server.store.queries import insert_new, require_not_deleted

PLAYER_SEAT: Final = 0
"""The seat of the player in every daily deal. Bots have the other seats."""


class Par(msgspec.Struct, frozen=True, kw_only=True):
    """What the strongest bot makes of a daily deal in the player's seat.

    Attributes:
        bot: the name of the bot.
        heads: the heads that it collects.
        place: its place at the table.
        turns: the heads that it collects in each turn.
    """

    bot: str
    heads: int
    place: int
    turns: tuple[int, ...]


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A daily deal as the server stores it, with its secret.

    Attributes:
        date: the date.
        secret: the 32 bytes from which the cards and the bots' choices follow.
        config: the configuration of the tables.
        created_at: when the secret was drawn and its commitment published, in milliseconds since 1970.
        par: what the strongest bot makes of the deal; None if it is not computed yet.
    """

    date: str
    secret: bytes
    config: TableConfig
    created_at: int
    par: Par | None = None

    @property
    def commitment(self) -> str:
        """The hash that commits the server to the secret, in hexadecimal digits."""
        return commitment_of(self.date, self.secret).hex()


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A person's attempt at a daily deal that counts.

    Attributes:
        date: the date of the deal.
        player: the id under which the person started it, which owns the seat.
        room: the id of its table.
        heads: the heads collected; None if the game was not finished before the day ended.
        place: the place at the table; None as above.
    """

    date: str
    player: str
    room: str
    heads: int | None = None
    place: int | None = None


class RankedAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A finished attempt in the ranking of a day.

    Attributes:
        rank: the place among all who finished; attempts with equally many heads share a place.
        who: the person.
        guest: whether the person has no account.
        heads: the heads collected.
        table: the id of the table.
    """

    rank: int
    who: PlayerName
    guest: bool
    heads: int
    table: str


class DailyStandings(msgspec.Struct, frozen=True, kw_only=True):
    """The results of everyone who finished the deal of a date, the fewest heads first.

    Attributes:
        heads: the heads of each attempt.
        tables: the ids of their tables.
        first: the first places. Among equals, the attempt that started first is first.
    """

    heads: tuple[int, ...]
    tables: frozenset[str]
    first: tuple[RankedAttempt, ...]

    def rank(self, heads: int) -> int:
        """Return the place among all for this number of heads."""
        return 1 + bisect_left(self.heads, heads)


def create_days(connection: Connection, now: int, dates: Iterable[str], config: TableConfig) -> None:
    """Draw a secret for each date that has none. A date never gets a second secret, also not from another process."""
    dates = tuple(dates)
    existing = set(connection.execute(sa.select(daily_deals.c.date).where(daily_deals.c.date.in_(dates))).scalars())
    for date in sorted(set(dates) - existing):
        insert_new(
            connection,
            daily_deals,
            date=date,
            secret=secrets.token_hex(SIZE),
            config=msgspec.json.encode(config).decode(),
            created_at=now,
        )


def find_day(connection: Connection, date: str) -> Day:
    """Return the daily deal of a date. Raises `NotFoundError`."""
    row = connection.execute(sa.select(daily_deals).where(daily_deals.c.date == date)).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no daily deal of {date}")
    return Day(
        date=row.date,
        secret=bytes.fromhex(row.secret),
        config=msgspec.json.decode(row.config, type=TableConfig),
        created_at=row.created_at,
        par=None if row.par is None else msgspec.json.decode(row.par, type=Par),
    )


def dates_without_par(connection: Connection) -> list[str]:
    """Return the dates that someone has started and that have no par yet, the earliest first."""
    started = daily_deals.c.date.in_(sa.select(daily_attempts.c.date))
    query = sa.select(daily_deals.c.date).where(daily_deals.c.par.is_(None), started)
    return list(connection.execute(query.order_by(daily_deals.c.date)).scalars())


def store_par(connection: Connection, date: str, par: Par) -> None:
    """Store the par of a date, unless another process has stored it."""
    update = daily_deals.update().where(daily_deals.c.date == date, daily_deals.c.par.is_(None))
    connection.execute(update.values(par=msgspec.json.encode(par).decode()))


def start_attempt(connection: Connection, now: int, date: str, player: str, room: str) -> Attempt:
    """Store that a player starts a daily deal. If the person has started it already, return that attempt instead.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        date: the date of the deal.
        player: the current id of the player.
        room: the id of the table to be created.

    Raises:
        NotFoundError: there is no such player.
        TableDeletedError: the player has started it, but the table was deleted.
    """
    if (attempt := find_attempt(connection, date, player)) is None:
        require_not_deleted(connection, room)
        insert_new(
            connection, daily_attempts, date=date, player=player, room=room, started_at=now, ends_at=ends_at(date)
        )
        attempt = find_attempt(connection, date, player)
    if attempt is None:  # the row was rejected
        raise NotFoundError("there is no such player")
    return attempt


def find_attempt(connection: Connection, date: str, player: str) -> Attempt | None:
    """Return the player's attempt at the deal of a date that counts; None if there is none."""
    return next(iter(attempts_of(connection, player, (date,))), None)


def attempts_of(connection: Connection, player: str, dates: Sequence[str] | None = None) -> list[Attempt]:
    """Return the player's attempts that count, the latest date first; with `dates`, only those at these dates."""
    counted = _counted(player=player)
    query = _with_results(counted, isouter=True).order_by(counted.c.date.desc())
    if dates is not None:
        query = query.where(counted.c.date.in_(dates))
    return [
        Attempt(date=row.date, player=row.player, room=row.room, heads=row.score, place=row.place)
        for row in connection.execute(query)
    ]


def standings(connection: Connection, date: str) -> DailyStandings:
    """Return the results of everyone who finished the deal of a date. Banned and erased players are left out."""
    counted = _counted(date=date)
    query = _with_results(counted).order_by(results.c.score, counted.c.started_at, counted.c.room)
    rows = connection.execute(query).all()
    heads = tuple([row.score for row in rows])
    return DailyStandings(
        heads=heads,
        tables=frozenset([row.room for row in rows]),
        first=tuple(
            RankedAttempt(
                rank=1 + bisect_left(heads, row.score),
                who=PlayerName(name=row.name, handle=row.handle, face=row.face or None, program=row.program),
                guest=row.account_at is None,
                heads=row.score,
                table=row.room,
            )
            for row in rows[:MAX_ROWS]
        ),
    )


def streaks(connection: Connection, player: str, date: str) -> tuple[int, int]:
    """Return the player's current streak of days on the date, and the longest streak.

    A streak counts consecutive daily deals that the player finished. The deal of the date itself, which can still be
    played, does not end a streak. Days without a deal, on which no server was running, do not count.
    """
    query = sa.select(daily_deals.c.date).where(daily_deals.c.date <= date).order_by(daily_deals.c.date)
    number = {day: index for index, day in enumerate(connection.execute(query).scalars())}
    finished = sorted(
        number[attempt.date]
        for attempt in attempts_of(connection, player)
        if attempt.heads is not None and attempt.date in number
    )
    runs = [1] if finished else []
    for before, after in pairwise(finished):
        if after == before + 1:
            runs[-1] += 1
        else:
            runs.append(1)
    current = bool(finished) and finished[-1] >= len(number) - 2
    return runs[-1] if current else 0, max(runs, default=0)


def dates_since(connection: Connection, first: str, last: str) -> list[str]:
    """Return the dates from `first` to `last` that have a daily deal, the latest first."""
    query = sa.select(daily_deals.c.date).where(daily_deals.c.date.between(first, last))
    return list(connection.execute(query.order_by(daily_deals.c.date.desc())).scalars())


def _counted(*, date: str | None = None, player: str | None = None) -> sa.Subquery:
    """Return the attempts that count, of one date or of one person: the first attempt of each person at each date."""
    owner = players.alias("owner")
    attempt = daily_attempts
    order = sa.func.row_number().over(
        partition_by=(attempt.c.date, owner.c.id), order_by=(attempt.c.started_at, attempt.c.room)
    )
    query = (
        sa.select(attempt, owner.c.name, owner.c.handle, owner.c.face, owner.c.account_at, order.label("number"))
        .join(players, players.c.id == attempt.c.player)
        .join(owner, owner.c.id == current_id())
        .where(~is_banned(owner), owner.c.erased_at.is_(None))
    )
    if date is not None:
        query = query.where(attempt.c.date == date)
    if player is not None:
        query = query.where(attempt.c.player.in_(ids_query(player)))
    return query.subquery()


def _with_results(counted: sa.Subquery, *, isouter: bool = False) -> sa.Select[Any]:  # Any: columns of three tables
    """Return the counted attempts with the score and place in `results` of those that ended in time."""
    in_time = (games.c.room == counted.c.room) & (games.c.ended_at < counted.c.ends_at)
    own = (results.c.number == games.c.number) & (results.c.seat == PLAYER_SEAT)
    return (
        sa.select(counted, results.c.score, results.c.place, results.c.program)
        .select_from(counted.join(games, in_time, isouter=isouter).join(results, own, isouter=isouter))
        .where(counted.c.number == 1)
    )
