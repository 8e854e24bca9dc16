"""The score of a party over all its games, from the results of finished games.

Scores of different variants cannot be compared, so each variant has its own standings. Erased players are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.core import win_shares
from faceup.server.parties.schema import party_tables
from faceup.server.results.history import PlayerName, player_names
from faceup.server.results.schema import games, results

MAX_GAMES: Final = 2_000
"""The number of the latest games from which the statistics are computed."""


class PartySide(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a person or bot in a game."""

    who: PlayerName
    score: int
    place: int


class PartyGame(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game of a party.

    Attributes:
        number: the number of the game on this server.
        table: the id of the table, for its replay.
        game: the game.
        variant: the variant.
        ended_at: when it ended, in milliseconds since 1970.
        sides: the results by seat.
    """

    number: int
    table: str
    game: str
    variant: str
    ended_at: int
    sides: tuple[PartySide, ...]


class PartyStanding(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a person in a variant.

    Attributes:
        games: the number of games.
        wins: the number of wins; a shared win counts as a fraction.
        places: how often the person had the first place, the second and so on.
        score: the sum of the scores, such as heads.
        streak: the longest series of games in a row that the person won, of those in which the person took part.
    """

    who: PlayerName
    games: int
    wins: float
    places: tuple[int, ...]
    score: int
    streak: int


class PartyDuel(msgspec.Struct, frozen=True, kw_only=True):
    """How often two people finished before each other, by their handles. The rest of their games was tied."""

    one: str
    other: str
    games: int
    one_ahead: int
    other_ahead: int


class PartyRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The lowest or highest score of a person in one game, and the table of this game."""

    who: PlayerName
    score: int
    table: str
    ended_at: int


class PartyVariantStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of the games of a variant.

    Attributes:
        games: the number of games.
        standings: the people, the one with the most wins first.
        duels: all pairs of people who played with each other.
        lowest: the lowest score of a person in one game.
        highest: the highest score of a person in one game.
        low_wins: whether low scores win.
    """

    game: str
    variant: str
    games: int
    standings: tuple[PartyStanding, ...]
    duels: tuple[PartyDuel, ...]
    lowest: PartyRecord | None
    highest: PartyRecord | None
    low_wins: bool


def party_games(
    connection: Connection, party: str, *, since: int = 0, before: int | None = None, limit: int = MAX_GAMES
) -> list[PartyGame]:
    """Return the finished games of a party, the latest first.

    Args:
        connection: a connection.
        party: the id of the party.
        since: only games that ended at this time or later, in milliseconds since 1970.
        before: only games with a smaller number.
        limit: the maximum number of games.
    """
    query = (
        sa.select(games.c.number, games.c.room, games.c.game, games.c.variant, games.c.ended_at)
        .join(party_tables, party_tables.c.room == games.c.room)
        .where(party_tables.c.party == party, games.c.ended_at >= since, games.c.game != "")
        .order_by(games.c.number.desc())
        .limit(min(limit, MAX_GAMES))
    )
    if before is not None:
        query = query.where(games.c.number < before)
    rows = connection.execute(query).all()
    sides = _sides(connection, [row.number for row in rows])
    names = player_names(connection, {side.who for game_sides in sides.values() for side in game_sides})
    return [
        PartyGame(
            number=row.number,
            table=row.room,
            game=row.game,
            variant=row.variant,
            ended_at=row.ended_at,
            sides=tuple(
                PartySide(
                    who=msgspec.structs.replace(names[side.who], program=side.program),
                    score=side.score,
                    place=side.place,
                )
                for side in sides[row.number]
            ),
        )
        for row in rows
    ]


def party_statistics(games: Iterable[PartyGame]) -> tuple[PartyVariantStatistics, ...]:
    """Return the statistics of each variant. The one with the most games comes first."""
    kinds = defaultdict[tuple[str, str], list[PartyGame]](list)
    for game in sorted(games, key=lambda game: game.number):
        kinds[game.game, game.variant].append(game)
    variants = [_variant_statistics(game, variant, played) for (game, variant), played in kinds.items()]
    return tuple(sorted(variants, key=lambda entry: -entry.games))


def _variant_statistics(game: str, variant: str, played: Sequence[PartyGame]) -> PartyVariantStatistics:
    sides = defaultdict[str, list[tuple[PartySide, float]]](list)  # by handle, in the order of the games
    duels = defaultdict[tuple[str, str], Counter[str]](Counter)
    records = list[PartyRecord]()
    inversions = 0
    for party_game in played:
        shares = win_shares([side.place for side in party_game.sides])
        people = best_sides(zip(party_game.sides, shares, strict=True))
        for handle, (side, share) in people.items():
            sides[handle].append((side, share))
            records.append(
                PartyRecord(who=side.who, score=side.score, table=party_game.table, ended_at=party_game.ended_at)
            )
        for (first_player, (first, _)), (other, (second, _)) in combinations(sorted(people.items()), 2):
            ahead = "tied" if first.place == second.place else "one" if first.place < second.place else "other"
            duels[first_player, other][ahead] += 1
        for one_side, other_side in combinations(party_game.sides, 2):
            inversions += _sign(other_side.place - one_side.place) * _sign(one_side.score - other_side.score)
    standings = [_standing(own_sides) for own_sides in sides.values()]
    return PartyVariantStatistics(
        game=game,
        variant=variant,
        games=len(played),
        standings=tuple(sorted(standings, key=lambda entry: (-entry.wins, entry.games, entry.who.name))),
        duels=tuple(
            PartyDuel(one=first_player, other=other, games=n.total(), one_ahead=n["one"], other_ahead=n["other"])
            for (first_player, other), n in sorted(duels.items())
        ),
        lowest=min(records, key=lambda entry: entry.score, default=None),
        highest=max(records, key=lambda entry: entry.score, default=None),
        low_wins=inversions < 0,
    )


def best_sides(sides: Iterable[tuple[PartySide, float]]) -> dict[str, tuple[PartySide, float]]:
    """Return the best side of each person in a game, by handle. Bots and erased players have no handle."""
    best = dict[str, tuple[PartySide, float]]()
    for side, share in sides:
        handle = side.who.handle
        if handle is not None and (handle not in best or side.place < best[handle][0].place):
            best[handle] = (side, share)
    return best


def who_played(sides: Iterable[PartySide]) -> PlayerName:
    """Return the person who has these sides, marked if a program played in one of the games."""
    names = [side.who for side in sides]
    return msgspec.structs.replace(names[0], program=any(who.program for who in names))


def _standing(sides: Sequence[tuple[PartySide, float]]) -> PartyStanding:
    places = Counter(side.place for side, _ in sides)
    streaks = [len([*group]) for won, group in groupby(sides, key=lambda item: item[0].place == 1) if won]
    return PartyStanding(
        who=who_played(side for side, _ in sides),
        games=len(sides),
        wins=sum(share for _, share in sides),
        places=tuple(places[place] for place in range(1, max(places) + 1)),
        score=sum(side.score for side, _ in sides),
        streak=max(streaks, default=0),
    )


def _sides(connection: Connection, numbers: Sequence[int]) -> dict[int, list[sa.Row[Any]]]:  # Any: columns are untyped
    sides: dict[int, list[sa.Row[Any]]] = {number: [] for number in numbers}
    query = sa.select(results).where(results.c.number.in_(numbers)).order_by(results.c.number, results.c.seat)
    for row in connection.execute(query):
        sides[row.number].append(row)
    return sides


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
