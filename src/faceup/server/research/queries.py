"""The consent of players to give their games for research: give it, withdraw it, and find the games that it covers."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa

from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.schema import account_deletions
from faceup.server.research.schema import research_consents
from faceup.server.results.schema import games, results
from faceup.server.results.standing_ids import bot_id
from faceup.server.store.queries import is_unseen
from faceup.server.store.schema import log, rooms

VERSION: Final = 1
"""The version of the text `shell.research.text`. Increase it when its meaning changes.

A consent to another version does not count, so that the page asks again.
"""


class Consent(NamedTuple):
    """When a player consented, and whether to games that ended before, too."""

    at: int
    earlier: bool


def find_consent(connection: sa.Connection, player: str) -> Consent | None:
    """Return the consent of a player to the current text; None if there is none."""
    columns = research_consents.c
    query = sa.select(columns.at, columns.earlier).where(columns.player == player, columns.version == VERSION)
    row = connection.execute(query).first()
    return None if row is None else Consent(*row)


def give_consent(connection: sa.Connection, now: int, player: str, *, earlier: bool) -> None:
    """Store that a player consents to the current text. A repeated consent keeps its time."""
    (player,) = lock_players(connection, player)
    before = find_consent(connection, player)
    withdraw_consent(connection, player)
    at = now if before is None else before.at
    connection.execute(research_consents.insert().values(player=player, version=VERSION, at=at, earlier=earlier))


def withdraw_consent(connection: sa.Connection, player: str) -> None:
    """Delete the consent of a player, if there is one."""
    (player,) = lock_players(connection, player)
    connection.execute(research_consents.delete().where(research_consents.c.player == player))


def _valid_consents() -> sa.Subquery:
    """Return the consents that count. Someone who has asked for the deletion of the account does not consent."""
    columns = research_consents.c
    deleted = sa.exists().where(account_deletions.c.player == columns.player)
    return sa.select(columns.player, columns.at, columns.earlier).where(columns.version == VERSION, ~deleted).subquery()


def list_consents(connection: sa.Connection) -> Mapping[str, Consent]:
    """Return the consents that count, by player."""
    consents = _valid_consents().c
    rows = connection.execute(sa.select(consents.player, consents.at, consents.earlier))
    return {player: Consent(at, earlier) for player, at, earlier in rows}


class GivenSeat(NamedTuple):
    """The player of a seat: the id of a person with the consent, or the id of a bot, which has none."""

    who: str
    program: bool
    consent: Consent | None


class GivenGame(NamedTuple):
    """A game that all its people give: its number, the entries of its log, and its seats."""

    number: int
    entries: Sequence[str]
    seats: Sequence[GivenSeat]


def count_given(connection: sa.Connection, now: int) -> int:
    """Return how many games are given for research."""
    return connection.execute(sa.select(sa.func.count()).select_from(_given_games(now).subquery())).scalar_one()


def given_games(connection: sa.Connection, now: int, after: int, limit: int) -> list[GivenGame]:
    """Return the first games after the one with the number `after` that are given for research.

    These are finished games at public tables that had at least one person, if each person consented before the game
    ended, or consented to games that ended before, too. Games of a guest who became part of an account are left out,
    because the guest may have been someone else on the same device.
    """
    query = _given_games(now).where(games.c.number > after).order_by(games.c.number).limit(limit)
    rooms_by_number = {row.number: row.room for row in connection.execute(query)}
    consents = _valid_consents()
    seats: dict[int, list[GivenSeat]] = {number: [] for number in rooms_by_number}
    of_seats = (
        sa.select(results.c.number, results.c.who, results.c.program, consents.c.at, consents.c.earlier)
        .outerjoin(consents, consents.c.player == results.c.who)
        .where(results.c.number.in_(rooms_by_number))
        .order_by(results.c.number, results.c.seat)
    )
    for number, who, program, at, earlier in connection.execute(of_seats):
        seats[number].append(GivenSeat(who, program, None if at is None else Consent(at, earlier)))
    entries: dict[str, list[str]] = {room: [] for room in rooms_by_number.values()}
    of_logs = sa.select(log.c.room, log.c.entries).where(log.c.room.in_(entries)).order_by(log.c.room, log.c.seq)
    for room, text in connection.execute(of_logs):
        entries[room].append(text)
    return [GivenGame(number, entries[room], seats[number]) for number, room in rooms_by_number.items()]


def _given_games(now: int) -> sa.Select[tuple[int, str]]:
    is_person = (results.c.number == games.c.number) & ~results.c.who.startswith(bot_id(""))
    consents = _valid_consents()
    covers = consents.c.earlier | (consents.c.at < games.c.ended_at)
    consented = sa.exists().where(consents.c.player == results.c.who, covers).correlate(results, games)
    return (
        sa.select(games.c.number, games.c.room)
        .join(rooms, rooms.c.id == games.c.room)
        .where(rooms.c.status == "finished", rooms.c.listed, ~is_unseen(now))
        .where(sa.exists().where(is_person), ~sa.exists().where(is_person, ~consented))
    )
