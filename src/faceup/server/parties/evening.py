"""The last evening of a party: its score over all games, and its awards.

An evening is a series of games, each of which ended at most `GAP` after the one before. So it does not end at midnight,
and the score starts again by itself when the members meet the next time.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.core import Event, RulesError, places, win_shares
from faceup.core.record import Applied, applied_move
from faceup.server.parties.awards import Award, PlayedGame, awards_of
from faceup.server.parties.statistics import PartyGame, PartySide, best_sides, who_played
from faceup.server.results.history import PlayerName
from faceup.server.rooms import loads
from faceup.server.rooms.logged_game import LoggedGame, logged_game
from faceup.server.store.schema import log

GAP: Final = 4 * 60 * 60 * 1000
"""The maximum time between two games of an evening, in milliseconds."""

MAX_GAMES: Final = 60
"""The maximum number of games of an evening: the latest ones count."""


class EveningStanding(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a person in an evening.

    Attributes:
        place: the place; people with equal wins and places in the games share it.
        games: the number of games.
        wins: the number of wins; a shared win counts as a fraction.
    """

    who: PlayerName
    place: int
    games: int
    wins: float


class PartyEvening(msgspec.Struct, frozen=True, kw_only=True):
    """The last evening of a party.

    Attributes:
        games: the number of its games.
        started_at: when the first game ended, in milliseconds since 1970; null if there is none.
        ended_at: when the last game ended; null if there is none.
        standings: the people, the best first: those with more wins, then those with better places.
        awards: the awards, if they were requested.
    """

    games: int
    started_at: int | None
    ended_at: int | None
    standings: tuple[EveningStanding, ...]
    awards: tuple[Award, ...] = ()


def last_evening(games: Sequence[PartyGame]) -> list[PartyGame]:
    """Return the games of the last evening, the latest first, of games in this order."""
    evening = list(games[:1])
    for game in games[1:MAX_GAMES]:
        if evening[-1].ended_at - game.ended_at > GAP:
            break
        evening.append(game)
    return evening


def evening_of(connection: Connection, games: Sequence[PartyGame], *, with_awards: bool) -> PartyEvening:
    """Return the last evening of games, the latest first. Of erased players and bots, there is nothing."""
    evening = last_evening(games)
    return PartyEvening(
        games=len(evening),
        started_at=evening[-1].ended_at if evening else None,
        ended_at=evening[0].ended_at if evening else None,
        standings=_standings(evening),
        awards=awards_of(_played(connection, evening[::-1])) if with_awards else (),
    )


def _standings(evening: Sequence[PartyGame]) -> tuple[EveningStanding, ...]:
    sides = defaultdict[str, list[tuple[PartySide, float]]](list)  # by handle
    for game in evening:
        shares = win_shares([side.place for side in game.sides])
        for handle, best in best_sides(zip(game.sides, shares, strict=True)).items():
            sides[handle].append(best)
    wins = {handle: sum(share for _, share in own) for handle, own in sides.items()}
    mean_places = {handle: sum(side.place for side, _ in own) / len(own) for handle, own in sides.items()}
    ranks = places([(-round(wins[handle], 6), round(mean_places[handle], 6)) for handle in sides])
    standings = [
        EveningStanding(
            who=who_played(side for side, _ in own),
            place=place,
            games=len(own),
            wins=wins[handle],
        )
        for (handle, own), place in zip(sides.items(), ranks, strict=True)
    ]
    return tuple(sorted(standings, key=lambda standing: (standing.place, standing.who.name)))


def _played(connection: Connection, evening: Sequence[PartyGame]) -> Iterator[PlayedGame]:
    """Yield the games with events that every member may see: those with spectators and a log that can be read."""
    for game in evening:
        query = sa.select(log.c.entries).where(log.c.room == game.table).order_by(log.c.seq)
        try:
            logged = logged_game(map(loads, connection.execute(query).scalars()))
            events = list(_public_events(logged))
        except RulesError:  # the table was deleted, or the log is damaged
            continue
        if logged.config.spectators == "anyone":
            who = tuple(side.who.handle for side in game.sides)
            yield PlayedGame(game.table, logged.config.rules(), who, events)


def _public_events(logged: LoggedGame) -> Iterator[Event]:
    rules = logged.config.rules()
    state = rules.start()
    for entry in logged.entries:
        if isinstance(entry, Applied):
            step = rules.apply(state, applied_move(rules, entry))
            state = step.state
            yield from (event for event in step.events if event.audience is None)
