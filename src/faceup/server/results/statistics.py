"""Statistics of a player's finished games: wins, scores, trends and records by game, variant and number of seats."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.core import RulesError, find_game, make
from faceup.core.observation import ObservationSpec
from faceup.core.registry import OptionValue
from faceup.server.accounts.player_ids import ids_of
from faceup.server.results.history import withheld_rooms
from faceup.server.results.schema import games, results
from faceup.server.rooms.config import has_default_options

MAX_SEATS: Final = 5_000
"""The maximum number of a player's results that the statistics count, the latest first."""

MAX_GROUPS: Final = 40
"""The maximum number of variants and numbers of seats with their own statistics."""

MAX_POINTS: Final = 40
"""The maximum number of points of a trend."""


class FinishedGame(NamedTuple):
    """A finished game from the point of view of a player, who may have had several seats.

    Attributes:
        table: the id of its table.
        default_options: whether all options, apart from the number of seats, had their default values.
        opened_at: when the table was created, in milliseconds since 1970.
        ended_at: when the game ended.
        seats: the number of seats.
        own: the number of seats of the player.
        place: the place of the player's best seat.
        score: the score of this seat.
        win: the player's share of the win, from 0 to 1.
    """

    table: str
    game: str
    variant: str
    default_options: bool
    opened_at: int
    ended_at: int
    seats: int
    own: int
    place: int
    score: int
    win: float


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The game with an extreme value.

    Attributes:
        value: the value.
        table: the id of the table, for requesting its replay, unless the table was deleted.
        ended_at: when the game ended, in milliseconds since 1970.
    """

    value: int
    table: str
    ended_at: int


class TrendPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive games.

    Attributes:
        games: the number of games.
        until: when the last of them ended, in milliseconds since 1970.
        score: their mean score.
        wins: the share of them that the player won.
    """

    games: int
    until: int
    score: float
    wins: float


class WinTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of games and wins.

    Attributes:
        games: the number of games. A game in which the player had several seats counts once, with the best of them.
        first: the number of games in which the player finished first, alone or together with others.
        wins: the number of wins, where a shared win counts as a fraction.
        expected: the number of wins to expect if everyone at the tables played equally well.
        streak: how many of the last games the player finished first, in a row.
        best_streak: the longest such streak.
    """

    games: int
    first: int
    wins: float
    expected: float
    streak: int
    best_streak: int


class VariantStatistics(WinTotals, frozen=True, kw_only=True):
    """The games of a variant with the same number of seats.

    Attributes:
        seats: the number of seats.
        default_options: whether all other options had their default values.
        score: the mean score.
        best: the game with the best score; null if the game does not define which scores are better.
        worst: the game with the worst score; null as above.
        fastest_win: the win in the least time since the table was created, in milliseconds; null without a win.
        trend: up to 40 parts of the games with about equally many games, in order.
    """

    game: str
    variant: str
    seats: int
    default_options: bool
    score: float
    best: GameRecord | None
    worst: GameRecord | None
    fastest_win: GameRecord | None
    trend: tuple[TrendPoint, ...]


class Statistics(WinTotals, frozen=True, kw_only=True):
    """The statistics of a player, without the games that programs of the player played.

    Attributes:
        variants: the statistics of each variant and number of seats, those with the most games first.
    """

    variants: tuple[VariantStatistics, ...]


def finished_games(connection: Connection, player: str) -> list[FinishedGame]:
    """Return the player's latest finished games in order, without those that programs of the player played.

    Daily deals are left out until their days have ended.
    """
    sides = results.alias()
    seats = sa.func.count(sides.c.seat).label("seats")
    winners = sa.func.count(sa.case((sides.c.place == 1, 1))).label("winners")
    own = (
        sa.select(results.c.number, results.c.seat, results.c.place, results.c.score)
        .join(games, games.c.number == results.c.number)
        .where(results.c.who.in_(ids_of(connection, player)), ~results.c.program)
        .where(games.c.room.not_in(withheld_rooms()))
        .order_by(results.c.number.desc())
        .limit(MAX_SEATS)
        .subquery()
    )
    columns = (games.c.number, games.c.room, games.c.game, games.c.variant, games.c.options, games.c.opened_at)
    query = (
        sa.select(*columns, games.c.ended_at, own.c.place, own.c.score, own.c.seat, seats, winners)
        .join(games, games.c.number == own.c.number)
        .join(sides, sides.c.number == own.c.number)
        .group_by(*columns, games.c.ended_at, own.c.place, own.c.score, own.c.seat)
        .order_by(games.c.number, own.c.place, own.c.seat)
    )
    default_options = cache(_has_default_options)
    finished = []
    for _, game_rows in groupby(connection.execute(query), key=lambda row: row.number):
        rows = list(game_rows)
        row = rows[0]
        finished.append(
            FinishedGame(
                table=row.room,
                game=row.game,
                variant=row.variant,
                default_options=default_options(row.game, row.variant, row.options),
                opened_at=row.opened_at,
                ended_at=row.ended_at,
                seats=row.seats,
                own=len(rows),
                place=row.place,
                score=row.score,
                win=sum(side.place == 1 for side in rows) / row.winners,
            )
        )
    return finished


def statistics_of(played: Sequence[FinishedGame]) -> Statistics:
    """Return the statistics of games, given in order.

    >>> first, second = (
    ...     FinishedGame(f"t{place}", "nimmt", "cowheadking", True, 0, 60_000, 4, 1, place, 7 * place, 2.0 - place)
    ...     for place in (1, 2)
    ... )
    >>> found = statistics_of([second, first, first])
    >>> found.games, found.wins, found.expected, found.streak
    (3, 2.0, 0.75, 2)
    >>> [variant] = found.variants
    >>> variant.best.value, variant.worst.value, round(variant.score, 2), [each.score for each in variant.trend]
    (7, 14, 9.33, [14.0, 7.0, 7.0])
    """
    groups: dict[tuple[str, str, int, bool], list[FinishedGame]] = {}
    for game in played:
        groups.setdefault((game.game, game.variant, game.seats, game.default_options), []).append(game)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))[:MAX_GROUPS]
    return Statistics(
        **msgspec.structs.asdict(_totals(played)),
        variants=tuple(
            VariantStatistics(
                game=game,
                variant=variant,
                seats=seats,
                default_options=default_options,
                score=_mean(game.score for game in group),
                **msgspec.structs.asdict(_totals(group)),
                best=_extreme(group, 1),
                worst=_extreme(group, -1),
                fastest_win=_fastest_win(group),
                trend=tuple(_trend(group)),
            )
            for (game, variant, seats, default_options), group in largest
        ),
    )


def _totals(played: Sequence[FinishedGame]) -> WinTotals:
    streaks = [(first, len(list(run))) for first, run in groupby(played, key=lambda item: item.place == 1)]
    return WinTotals(
        games=len(played),
        first=sum(game.place == 1 for game in played),
        wins=round(sum(game.win for game in played), 4),
        expected=round(sum(game.own / game.seats for game in played), 4),
        streak=streaks[-1][1] if streaks and streaks[-1][0] else 0,
        best_streak=max((length for first, length in streaks if first), default=0),
    )


def _extreme(played: Sequence[FinishedGame], sign: int) -> GameRecord | None:
    """Return the game with the best score for the sign 1, or with the worst one for -1."""
    if (better := _better(played[0].game)) is None:
        return None
    game = max(played, key=lambda item: sign * better * item.score)
    return GameRecord(value=game.score, table=game.table, ended_at=game.ended_at)


def _fastest_win(played: Sequence[FinishedGame]) -> GameRecord | None:
    first = [game for game in played if game.place == 1]
    if not first:
        return None
    game = min(first, key=lambda item: item.ended_at - item.opened_at)
    return GameRecord(value=game.ended_at - game.opened_at, table=game.table, ended_at=game.ended_at)


def _trend(played: Sequence[FinishedGame]) -> Iterable[TrendPoint]:
    count = min(MAX_POINTS, len(played))
    for part in range(count):
        part_played = played[len(played) * part // count : len(played) * (part + 1) // count]
        yield TrendPoint(
            games=len(part_played),
            until=part_played[-1].ended_at,
            score=_mean(game.score for game in part_played),
            wins=_mean(game.win for game in part_played),
        )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return round(sum(numbers) / len(numbers), 4)


def _better(game: str) -> int | None:
    """Return 1 if a higher score is better in a game, -1 if a lower one is, and None if the game does not define it."""
    try:
        spec = find_game(game).formats.get("observation")
    except RulesError:  # the game's package is not installed any more
        return None
    return spec.points.better if isinstance(spec, ObservationSpec) else None


def _has_default_options(game: str, variant: str, options: str) -> bool:
    values = msgspec.json.decode(options, type=dict[str, OptionValue])
    try:
        return has_default_options(make(f"{game}:{variant}", **values))
    except RulesError:  # as above
        return False
