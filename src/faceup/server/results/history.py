"""Queries for finished games, ratings, hand statistics and ladders, and for the open tables of a player.

The list of a player's tables only serves to find the tables again. The log of a table determines who owns a seat.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, select, update

from faceup.core import places
from faceup.core.registry import OptionValue
from faceup.games.hand_scores import HandTotals
from faceup.server.accounts.player_ids import current_id, ids_of
from faceup.server.accounts.players import StoredPlayer
from faceup.server.accounts.schema import players
from faceup.server.daily.schema import daily_attempts
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.results.ingest import rating_of
from faceup.server.results.ratings import MAX_DEVIATION, Rating
from faceup.server.results.schema import games, hand_totals, ratings, results
from faceup.server.results.standing_ids import PROGRAM, bot_kind, is_program, program_id
from faceup.server.rooms.names import ERASED_NAME
from faceup.server.store import TableRow
from faceup.server.store.queries import insert_new, table_rows
from faceup.server.store.schema import rooms, server_clock
from faceup.server.tables.schema import player_tables

MIN_HANDS: Final = 100
"""The minimum number of hands for a place on a ladder of hands."""

MAX_ROWS: Final = 100
"""The maximum number of games or places in one response."""


class PlayerName(msgspec.Struct, frozen=True, kw_only=True):
    """The name of a person or bot. Bots also have their kind.

    Persons also have a handle, unless they are erased, and the face that they chose, if any. `program` is true if a
    program of the person plays.
    """

    name: str
    handle: str | None = None
    face: str | None = None
    bot: str | None = None
    program: bool = False


class HandsView(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of hands.

    Attributes:
        hands: the number of hands.
        sum: the sum of their statistics points.
        mean: the mean of their statistics points.
        baozi: the number of hands that were a baozi.
        points: the numbers of hands with 0 points, 1 point and so on.
    """

    hands: int
    sum: int
    mean: float
    baozi: int
    points: tuple[int, ...]

    @classmethod
    def of(cls, row: sa.Row[Any] | HandTotals) -> "HandsView":  # Any: a row of hand_totals
        """Convert the totals of all hands of a player (a row of `hand_totals`), or of the hands of one game."""
        points = row.points if isinstance(row, HandTotals) else msgspec.json.decode(row.points, type=tuple[int, ...])
        return cls(hands=row.hands, sum=row.sum, mean=row.mean, baozi=row.baozi, points=points)


class SeatResultView(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a seat.

    Attributes:
        away: whether the player of the seat was away at the end of the game.
        hands: statistics of the hands of the seat; null in games that do not score hands.
    """

    who: PlayerName
    score: int
    place: int
    away: bool
    hands: HandsView | None


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game.

    Attributes:
        number: the number of the game on this server.
        table: id of the table, for requesting its record, unless the table was deleted.
        options: the values of the options that the host set for the table.
        ended_at: when the game ended, in milliseconds since 1970.
        rated: whether the game changed ratings.
        sides: the results by seat.
        seat: the seat of the player of this history.
    """

    number: int
    table: str
    game: str
    variant: str
    options: dict[str, OptionValue]
    ended_at: int
    rated: bool
    sides: tuple[SeatResultView, ...]
    seat: int


class PlayerRating(msgspec.Struct, frozen=True, kw_only=True):
    """A rating in a variant of a game.

    Attributes:
        rating: the rating, 1500 for a new player and never negative.
        deviation: the standard deviation of the rating.
        provisional: whether the deviation is still above 125, so that the rating may change a lot.
        games: the number of rated games.
        wins: the number of wins. A shared win counts as a fraction, and so does a win of one of a player's seats.
        place: the place on the ladder; null while the rating is provisional.
        program: whether it is the rating of the player's programs, which have a ladder of their own.
    """

    game: str
    variant: str
    rating: int
    deviation: int
    provisional: bool
    games: int
    wins: float
    place: int | None
    program: bool = False


class LadderRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player or bot on a ladder. The attributes have the same meaning as in `PlayerRating`."""

    place: int | None
    who: PlayerName
    rating: int
    deviation: int
    provisional: bool
    games: int
    wins: float


class HandStanding(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of all comparable hands of a player or bot in a variant of a game.

    Attributes:
        totals: the statistics.
        place: the place on the ladder of mean statistics points; null if there are fewer than `MIN_HANDS` hands.
        program: whether these are the hands of the player's programs.
    """

    game: str
    variant: str
    totals: HandsView
    place: int | None
    program: bool = False


class HandRung(msgspec.Struct, frozen=True, kw_only=True):
    """A place on a ladder of mean statistics points."""

    place: int
    who: PlayerName
    totals: HandsView


class VariantTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of games of a player in a variant, including unrated games.

    Attributes:
        games: the number of games that the player finished.
        first: the number of games in which the player finished first.
    """

    game: str
    variant: str
    games: int
    first: int


def history(
    connection: sa.Connection, player: StoredPlayer, before: int | None = None, limit: int = 20
) -> list[GameView]:
    """Return the player's finished games, the latest first. If `before` is set, only games with a smaller number.

    A daily deal is left out until its day has ended everywhere, because the scores of all seats would help others.
    """
    seats = (
        sa.select(results.c.number, results.c.seat)
        .join(games, games.c.number == results.c.number)
        .where(results.c.who.in_(ids_of(connection, player.id)), games.c.room.not_in(withheld_rooms()))
    )
    if before is not None:
        seats = seats.where(results.c.number < before)
    sides_by_game = {
        row.number: row.seat
        for row in connection.execute(seats.order_by(results.c.number.desc()).limit(min(limit, MAX_ROWS)))
    }
    rows = connection.execute(
        sa.select(games).where(games.c.number.in_(sides_by_game)).order_by(games.c.number.desc())
    ).all()
    sides: dict[int, list[sa.Row[Any]]] = {number: [] for number in sides_by_game}  # Any: rows of different columns
    query = sa.select(results).where(results.c.number.in_(sides_by_game)).order_by(results.c.number, results.c.seat)
    for side in connection.execute(query):
        sides[side.number].append(side)
    names = player_names(connection, {side.who for game_sides in sides.values() for side in game_sides})
    return [
        GameView(
            number=row.number,
            table=row.room,
            game=row.game,
            variant=row.variant,
            options=msgspec.json.decode(row.options, type=dict[str, OptionValue]),
            ended_at=row.ended_at,
            rated=row.rated,
            sides=tuple(
                SeatResultView(
                    who=msgspec.structs.replace(names[side.who], program=side.program),
                    score=side.score,
                    place=side.place,
                    away=side.away,
                    hands=None
                    if side.hands is None
                    else HandsView.of(msgspec.json.decode(side.hands, type=HandTotals)),
                )
                for side in sides[row.number]
            ),
            seat=sides_by_game[row.number],
        )
        for row in rows
    ]


def withheld_rooms() -> sa.Select[tuple[str]]:
    """Return a query for the tables of daily deals of days that have not ended everywhere."""
    now = sa.select(server_clock.c.last_heartbeat).scalar_subquery()
    return sa.select(daily_attempts.c.room).where(daily_attempts.c.ends_at > now)


def every_game(connection: sa.Connection, player: StoredPlayer) -> Iterator[GameView]:
    """Yield all finished games of the player, the latest first."""
    before: int | None = None
    while part := history(connection, player, before, MAX_ROWS):
        yield from part
        before = part[-1].number


def totals(connection: sa.Connection, player: StoredPlayer) -> list[VariantTotals]:
    """Return how many games of each variant the player finished and won, without those that programs played.

    The most played variant comes first.
    """
    number = games.c.number.distinct()  # a player with several seats counts once
    first = sa.func.count(sa.case((results.c.place == 1, games.c.number)).distinct())
    query = (
        sa.select(games.c.game, games.c.variant, sa.func.count(number).label("games"), first.label("first"))
        .join(results, results.c.number == games.c.number)
        .where(results.c.who.in_(ids_of(connection, player.id)), ~results.c.program)
        .where(games.c.room.not_in(withheld_rooms()))
        .group_by(games.c.game, games.c.variant)
        .order_by(sa.func.count(number).desc(), games.c.game, games.c.variant)
    )
    return [VariantTotals(**row) for row in connection.execute(query).mappings()]


def ratings_of(connection: sa.Connection, who: str) -> list[PlayerRating]:
    """Return the ratings of the bot or player with the id `who`, and of the player's programs, most games first."""
    both = ratings.c.who.in_((who, program_id(who)))
    rows = connection.execute(sa.select(ratings).where(both).order_by(ratings.c.games.desc())).all()
    return [
        PlayerRating(
            game=row.game,
            variant=row.variant,
            **_shown(rating := rating_of(row)),
            place=None
            if rating.provisional
            else 1
            + _count(
                connection,
                _ladder(row.game, row.variant, programs=is_program(row.who)).where(SETTLED, ratings.c.mean > row.mean),
            ),
            program=is_program(row.who),
        )
        for row in rows
    ]


def settled_ratings(connection: sa.Connection, game: str, variant: str, handles: Iterable[str]) -> dict[str, int]:
    """Return the ratings of the players with these handles in a variant, without provisional ones, by handle."""
    who = current_id()
    query = (
        sa.select(players.c.handle, ratings)
        .join(ratings, ratings.c.who == who)
        .where(players.c.handle.in_(set(handles)), ratings.c.game == game, ratings.c.variant == variant, SETTLED)
    )
    return {row.handle: rating_of(row).points for row in connection.execute(query)}


SETTLED: Final = ratings.c.deviation <= MAX_DEVIATION
"""The condition that a rating is not provisional."""


def _shown(rating: Rating) -> dict[str, Any]:  # Any: fields of different types
    """Return the fields with which `PlayerRating` and `LadderRow` show a rating."""
    return {
        "rating": rating.points,
        "deviation": rating.deviation_points,
        "provisional": rating.provisional,
        "games": rating.games,
        "wins": rating.wins,
    }


def hand_standings(connection: sa.Connection, who: str) -> list[HandStanding]:
    """Return the hand statistics of the bot or player with the id `who`, and of the player's programs, most first."""
    both = hand_totals.c.who.in_((who, program_id(who)))
    query = sa.select(hand_totals).where(both).order_by(hand_totals.c.hands.desc())
    return [
        HandStanding(
            game=row.game,
            variant=row.variant,
            totals=HandsView.of(row),
            place=1
            + _count(
                connection,
                _hand_ladder(row.game, row.variant, programs=is_program(row.who)).where(hand_totals.c.mean > row.mean),
            )
            if row.hands >= MIN_HANDS
            else None,
            program=is_program(row.who),
        )
        for row in connection.execute(query).all()
    ]


def _count(connection: sa.Connection, rows: sa.Select[Any]) -> int:  # Any: rows of any ladder
    count: int = connection.execute(sa.select(sa.func.count()).select_from(rows.subquery())).scalar_one()
    return count


def ladder(
    connection: sa.Connection, game: str, variant: str, limit: int = MAX_ROWS, *, programs: bool = False
) -> list[LadderRow]:
    """Return the people and bots of a variant, the highest rating first. Provisional ratings follow, without places.

    With `programs`, return the programs of people in place of the people.
    """
    order = (SETTLED.desc(), ratings.c.mean.desc(), ratings.c.who)
    rows = connection.execute(
        _ladder(game, variant, programs=programs).order_by(*order).limit(min(limit, MAX_ROWS))
    ).all()
    names = player_names(connection, [row.who for row in rows])
    ratings_of_rows = [rating_of(row) for row in rows]
    shared = places([-rating.mean for rating in ratings_of_rows if not rating.provisional])
    numbers: list[int | None] = [*shared, *[None] * (len(rows) - len(shared))]
    return [
        LadderRow(place=place, who=names[row.who], **_shown(rating))
        for place, row, rating in zip(numbers, rows, ratings_of_rows, strict=True)
    ]


def hand_ladder(
    connection: sa.Connection, game: str, variant: str, limit: int = MAX_ROWS, *, programs: bool = False
) -> list[HandRung]:
    """Return the people and bots with `MIN_HANDS` or more hands in a variant, the highest mean score first.

    With `programs`, return the programs of people in place of the people.
    """
    order = (hand_totals.c.mean.desc(), hand_totals.c.hands.desc(), hand_totals.c.who)
    rows = connection.execute(
        _hand_ladder(game, variant, programs=programs).order_by(*order).limit(min(limit, MAX_ROWS))
    ).all()
    names = player_names(connection, [row.who for row in rows])
    shared = places([-row.mean for row in rows])
    return [
        HandRung(place=place, who=names[row.who], totals=HandsView.of(row))
        for place, row in zip(shared, rows, strict=True)
    ]


def _ladder(game: str, variant: str, *, programs: bool) -> sa.Select[Any]:  # Any: rows of ratings
    return _ladder_rows(ratings, game, variant, programs=programs)


def _hand_ladder(game: str, variant: str, *, programs: bool) -> sa.Select[Any]:  # Any: rows of hand_totals
    return _ladder_rows(hand_totals, game, variant, programs=programs).where(hand_totals.c.hands >= MIN_HANDS)


def _ladder_rows(table: sa.Table, game: str, variant: str, *, programs: bool) -> sa.Select[Any]:  # Any: rows of it
    """Return the query for the rows of a ladder, without erased, merged and banned players.

    The ladder of programs has the bots, too, as a yardstick.
    """
    of_program = table.c.who.startswith(PROGRAM)
    is_own = of_program | players.c.id.is_(None) if programs else ~of_program
    is_hidden = players.c.erased_at.is_not(None) | players.c.merged_into.is_not(None) | is_banned(players)
    return (
        sa.select(table)
        .join(players, players.c.id == sa.func.replace(table.c.who, PROGRAM, ""), isouter=True)
        .where(table.c.game == game, table.c.variant == variant, is_own)
        .where(players.c.id.is_(None) | ~is_hidden)
    )


def player_names(connection: sa.Connection, who: Collection[str]) -> Mapping[str, PlayerName]:
    """Return the current names of players, their programs, and bots by their ids."""
    ids = {identifier.removeprefix(PROGRAM) for identifier in set(who)}
    columns = (players.c.id, players.c.name, players.c.handle, players.c.face, players.c.erased_at)
    query = sa.select(*columns, players.c.merged_into)
    rows = {row.id: row for row in connection.execute(query.where(players.c.id.in_(ids)))}
    others = {row.merged_into for row in rows.values() if row.merged_into is not None} - set(rows)
    rows |= {row.id: row for row in connection.execute(query.where(players.c.id.in_(others)))}
    names: dict[str, PlayerName] = {}
    for identifier in ids:
        row = rows.get(identifier)
        if row is not None and row.merged_into is not None:
            row = rows.get(row.merged_into)
        if (kind := bot_kind(identifier)) is not None:
            names[identifier] = PlayerName(name=kind, bot=kind)
        elif row is None or row.erased_at is not None:
            names[identifier] = PlayerName(name=ERASED_NAME if row is None else row.name)
        else:
            names[identifier] = PlayerName(name=row.name, handle=row.handle, face=row.face or None)
    programs = {identifier for identifier in who if is_program(identifier)}
    return names | {
        identifier: msgspec.structs.replace(names[identifier.removeprefix(PROGRAM)], program=True)
        for identifier in programs
    }


MAX_OPEN_TABLES: Final = 50
"""The maximum number of open tables that `find_open_tables` returns."""


def record_seats(connection: Connection, now: int, room: str, players: Sequence[str]) -> None:
    """Record that the players have seats at the table, or seats reserved for them."""
    for player in sorted(players):
        if not insert_new(connection, player_tables, player=player, room=room, at=now):
            same_seat = (player_tables.c.player == player, player_tables.c.room == room)
            connection.execute(update(player_tables).where(*same_seat).values(at=now))


def find_open_tables(connection: Connection, *player_ids: str) -> list[TableRow]:
    """Return the unfinished tables of a player, given all ids of the player. The table joined last comes first.

    `find_turns` returns the running correspondence games, which are left out.
    """
    query = (
        select(rooms)
        .join(player_tables, rooms.c.id == player_tables.c.room)
        .where(player_tables.c.player.in_(player_ids), rooms.c.ended_at.is_(None))
        .where(~rooms.c.correspondence | (rooms.c.status == "pending"))
        .group_by(rooms.c.id)  # two ids of a person may have sat at it
        .order_by(sa.func.max(player_tables.c.at).desc())
        .limit(MAX_OPEN_TABLES)
    )
    return table_rows(connection, query=query, values={})
