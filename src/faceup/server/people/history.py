"""What a person has played, and who is how strong."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from faceup.core.registry import OptionValue
from faceup.server.people.finished import bot_id, bot_kind
from faceup.server.people.merging import also_known_as
from faceup.server.people.players import Player
from faceup.server.people.results_schema import games, ratings, results
from faceup.server.people.schema import players

LEAST: Final = 5
"""Rated games before somebody has a place on a ladder."""

MOST: Final = 100
"""Games or places in one answer."""


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """Who it is: a person by name and handle, or a bot by its kind."""

    name: str
    handle: str | None = None
    bot: str | None = None


class SideView(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat did; `away` if its person was not there at the end."""

    who: Name
    score: int
    place: int
    away: bool


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game.

    Attributes:
        number: counts all finished games of this server.
        table: the id of its table, by which its record is asked for.
        options: those that the table set.
        ended_at: in milliseconds since 1970.
        rated: whether ratings were learnt from it.
        sides: by seat.
        seat: the seat of the player whose history it stands in.
    """

    number: int
    table: str
    game: str
    variant: str
    options: dict[str, OptionValue]
    ended_at: int
    rated: bool
    sides: tuple[SideView, ...]
    seat: int


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How strong somebody is in a variant of a game.

    Attributes:
        rating: what the strength is at least; ladders are ordered by it.
        mean: the best guess of it.
        deviation: how sure that is.
        games: how many it was learnt from.
        wins: how many of them were won, a shared win in part.
        place: on the ladder; none before `LEAST` games.
    """

    game: str
    variant: str
    rating: float
    mean: float
    deviation: float
    games: int
    wins: float
    place: int | None


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """A place on a ladder."""

    place: int
    who: Name
    rating: float
    mean: float
    deviation: float
    games: int
    wins: float


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """All that a player finished in a variant, rated or not."""

    game: str
    variant: str
    games: int
    first: int


def history(connection: sa.Connection, player: Player, before: int | None = None, limit: int = 20) -> list[GameView]:
    """What the player has finished, the last one first, from before the game with this number on."""
    own = _ids(connection, player.id)
    seats = sa.select(results.c.number, results.c.seat).where(results.c.who.in_(own))
    if before is not None:
        seats = seats.where(results.c.number < before)
    found = {
        row.number: row.seat
        for row in connection.execute(seats.order_by(results.c.number.desc()).limit(min(limit, MOST)))
    }
    rows = connection.execute(sa.select(games).where(games.c.number.in_(found)).order_by(games.c.number.desc())).all()
    sides: dict[int, list[sa.Row[Any]]] = {number: [] for number in found}  # Any: rows of different columns
    asked = sa.select(results).where(results.c.number.in_(found)).order_by(results.c.number, results.c.seat)
    for side in connection.execute(asked):
        sides[side.number].append(side)
    names = _names(connection, {side.who for each in sides.values() for side in each})
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
                SideView(who=names[side.who], score=side.score, place=side.place, away=side.away)
                for side in sides[row.number]
            ),
            seat=found[row.number],
        )
        for row in rows
    ]


def every_game(connection: sa.Connection, player: Player) -> Iterator[GameView]:
    """All that the player has finished, the last one first."""
    before: int | None = None
    while found := history(connection, player, before, MOST):
        yield from found
        before = found[-1].number


def tallies(connection: sa.Connection, player: Player) -> list[Tally]:
    """How many games the player finished and won of each variant, the most played first."""
    won = sa.func.sum(sa.case((results.c.place == 1, 1), else_=0))
    asked = (
        sa.select(games.c.game, games.c.variant, sa.func.count().label("games"), won.label("first"))
        .join(results, results.c.number == games.c.number)
        .where(results.c.who.in_(_ids(connection, player.id)))
        .group_by(games.c.game, games.c.variant)
        .order_by(sa.func.count().desc(), games.c.game, games.c.variant)
    )
    return [
        Tally(game=row.game, variant=row.variant, games=row.games, first=row.first) for row in connection.execute(asked)
    ]


def standings(connection: sa.Connection, player: Player) -> list[Standing]:
    """The player's ratings, the best known first."""
    return _standings(connection, player.id)


def bot_standings(connection: sa.Connection, kind: str) -> list[Standing]:
    """A bot's ratings, likewise."""
    return _standings(connection, bot_id(kind))


def _standings(connection: sa.Connection, who: str) -> list[Standing]:
    rows = connection.execute(sa.select(ratings).where(ratings.c.who == who).order_by(ratings.c.games.desc())).all()
    return [
        Standing(
            game=row.game,
            variant=row.variant,
            rating=row.rating,
            mean=row.mean,
            deviation=row.deviation,
            games=row.games,
            wins=row.wins,
            place=_place(connection, row) if row.games >= LEAST else None,
        )
        for row in rows
    ]


def _place(connection: sa.Connection, row: sa.Row[Any]) -> int:  # Any: of ratings
    above = _ladder(row.game, row.variant).where(ratings.c.rating > row.rating).subquery()
    better: int = connection.execute(sa.select(sa.func.count()).select_from(above)).scalar_one()
    return better + 1


def ladder(connection: sa.Connection, game: str, variant: str, limit: int = MOST) -> list[Rung]:
    """People and bots by their rating in a variant of a game, the best first; `LEAST` rated games or more for each."""
    asked = _ladder(game, variant).order_by(ratings.c.rating.desc(), ratings.c.who).limit(min(limit, MOST))
    rows = connection.execute(asked).all()
    names = _names(connection, [row.who for row in rows])
    rungs: list[Rung] = []
    for number, row in enumerate(rows, 1):
        same = bool(rungs) and rungs[-1].rating == row.rating
        rungs.append(
            Rung(
                place=rungs[-1].place if same else number,
                who=names[row.who],
                rating=row.rating,
                mean=row.mean,
                deviation=row.deviation,
                games=row.games,
                wins=row.wins,
            )
        )
    return rungs


def _ladder(game: str, variant: str) -> sa.Select[Any]:  # Any: of ratings
    """Who is on a ladder: not those who are gone, or go on as somebody else."""
    gone = players.c.erased_at.is_not(None) | players.c.merged_into.is_not(None) | players.c.banned_at.is_not(None)
    return (
        sa.select(ratings)
        .join(players, players.c.id == ratings.c.who, isouter=True)
        .where(ratings.c.game == game, ratings.c.variant == variant, ratings.c.games >= LEAST)
        .where(players.c.id.is_(None) | ~gone)
    )


def _ids(connection: sa.Connection, player: str) -> Sequence[str]:
    return sorted({player, *also_known_as(connection, player)})


def _names(connection: sa.Connection, who: Iterable[str]) -> Mapping[str, Name]:
    """What those are called now."""
    wanted = set(who)
    asked = sa.select(players.c.id, players.c.name, players.c.handle, players.c.erased_at, players.c.merged_into)
    rows = {row.id: row for row in connection.execute(asked.where(players.c.id.in_(wanted)))}
    others = {row.merged_into for row in rows.values() if row.merged_into is not None} - set(rows)
    rows |= {row.id: row for row in connection.execute(asked.where(players.c.id.in_(others)))}
    names: dict[str, Name] = {}
    for each in wanted:
        row = rows.get(each)
        if row is not None and row.merged_into is not None:
            row = rows.get(row.merged_into)
        if (kind := bot_kind(each)) is not None:
            names[each] = Name(name=kind, bot=kind)
        elif row is None:
            names[each] = Name(name="Somebody")
        else:
            names[each] = Name(name=row.name, handle=None if row.erased_at is not None else row.handle)
    return names
