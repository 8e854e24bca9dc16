"""What clients see of a tournament. Everyone sees the same, except who they are themselves.

There are no ids of players and no cards in it: players have numbers, names and handles, and a table has places and
scores only when its result counts.
"""

import zlib
from collections import OrderedDict
from fractions import Fraction
from struct import pack
from typing import Final, NamedTuple

import msgspec

from faceup.server.rooms.names import ERASED_NAME, handle_of
from faceup.server.tournaments.queries import StoredTournament
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import TournamentStatus
from faceup.server.tournaments.tables import table_id
from faceup.tournament import standings
from faceup.tournament.tournament import EntrantStatus, Round

_KEPT: Final = 32
"""Maximum number of views in memory."""

_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The header of a gzip file (RFC 1952) without a name and a time."""


class EntrantView(msgspec.Struct, frozen=True, kw_only=True):
    """A player of a tournament.

    Attributes:
        number: the number in this tournament, from 1.
        name: the name; "" if the player waits for the approval of the host, or was removed without having played.
        handle: the public handle; null if the player was erased, or has no name.
        face: the face; null if the player chose none.
        status: "active", or why the player is not drawn for the next round.
        program: whether a program joined, or played in the tournament.
    """

    number: int
    name: str
    handle: str | None
    face: str | None
    status: EntrantStatus
    program: bool = False


class StandingView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the standings.

    Attributes:
        number: the number of the player.
        place: 1 is the best, and tied players share a place.
        points: the points: for each table, the share of opponents that the player was better than.
        buchholz: the first tie-break.
        direct: the second tie-break, direct encounter.
        score: the third tie-break, the mean score in the game; null without a game.
        wins: the number of tables that the player won.
        rounds: the points of each round; null while the table is playing.
    """

    number: int
    place: int
    points: float
    buchholz: float
    direct: float
    score: float | None
    wins: int
    rounds: tuple[float | None, ...]


class RoundTableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round.

    Attributes:
        table: the id of the table; null while it is created.
        seats: the numbers of the players by seat; 0 for a bot.
        places: the places by seat; null until the result counts.
        scores: the scores by seat; null until the result counts, and if the table was deleted.
    """

    table: str | None
    seats: tuple[int, ...]
    places: tuple[int, ...] | None
    scores: tuple[int, ...] | None


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round: its tables, and the numbers of the players with a bye."""

    tables: tuple[RoundTableView, ...]
    byes: tuple[int, ...]


class PublicTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, as everyone sees it.

    Attributes:
        id: its id.
        version: the number of changes, for `after`.
        status: "open", "playing", "break", "paused", "finished" or "cancelled".
        settings: what the host chose.
        seats: the number of seats of most tables.
        can_join: whether new players can join.
        paused: whether rounds start only by the host.
        next_at: when the next round starts, in milliseconds since 1970; null if that is not known.
        round_ends_at: when tables that are still playing are closed, in milliseconds since 1970; null between rounds.
        players: the players by number.
        standings: the standings, the best player first.
        rounds: the rounds that have started.
    """

    id: str
    version: int
    status: TournamentStatus
    settings: TournamentSettings
    seats: int
    can_join: bool
    paused: bool
    next_at: int | None
    round_ends_at: int | None
    players: tuple[EntrantView, ...]
    standings: tuple[StandingView, ...]
    rounds: tuple[RoundView, ...]


class MyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The requester's part in a tournament.

    Attributes:
        number: the requester's number.
        status: whether the requester is drawn for the next round, or "waiting" for the approval of the host.
        table: the id of the table at which the requester plays now; null if there is none, and while it is created.
    """

    number: int
    status: EntrantStatus
    table: str | None


class SharedJson:
    """A member of JSON objects that is the same for all clients, encoded and compressed once.

    Args:
        name: the name of the member.
        value: its value.

    >>> class Own(msgspec.Struct):
    ...     number: int
    >>> SharedJson("all", [1, 2]).plain(Own(7))
    b'{"number":7,"all":[1,2]}'
    """

    __slots__ = ("_compressed", "_member")

    def __init__(self, name: str, value: object) -> None:
        self._member = f',"{name}":'.encode() + msgspec.json.encode(value) + b"}"
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        self._compressed = compressor.compress(self._member) + compressor.flush()

    def plain(self, others: msgspec.Struct) -> bytes:
        """Return an object that has the members of a struct, which must have at least one, and this member."""
        return msgspec.json.encode(others)[:-1] + self._member

    def compressed(self, others: msgspec.Struct) -> bytes:
        """Return the same object as `plain` in gzip format.

        The other members are stored without compression, so that the length reveals nothing about them.
        """
        others_json = msgspec.json.encode(others)[:-1]
        stored = [others_json[start : start + 0xFFFF] for start in range(0, len(others_json), 0xFFFF)]
        check = zlib.crc32(self._member, zlib.crc32(others_json))
        return b"".join(
            (
                _GZIP_HEADER,
                *(pack("<BHH", 0, len(part), len(part) ^ 0xFFFF) + part for part in stored),  # as in RFC 1951
                self._compressed,
                pack("<II", check, len(others_json) + len(self._member)),
            )
        )


class _LastView(NamedTuple):
    """The last view of a tournament."""

    stored: StoredTournament
    view: PublicTournament
    encoded: SharedJson


class TournamentViews:
    """The last view of some tournaments, so that standings are computed and encoded once for all clients."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, _LastView] = OrderedDict()

    def view(self, stored: StoredTournament) -> PublicTournament:
        """Return the view of a tournament."""
        return self._get(stored).view

    def encoded(self, stored: StoredTournament) -> SharedJson:
        """Return the view of a tournament, encoded."""
        return self._get(stored).encoded

    def _get(self, stored: StoredTournament) -> _LastView:
        last = self._last.pop(stored.id, None)
        if last is None or last.stored != stored:
            view = public_view(stored)
            last = _LastView(stored, view, SharedJson("tournament", view))
        self._last[stored.id] = last
        while len(self._last) > _KEPT:
            self._last.popitem(last=False)
        return last


def public_view(stored: StoredTournament) -> PublicTournament:
    """Return the view of a tournament."""
    state, tournament = stored.state, stored.state.tournament
    hidden = tournament.hidden
    players = [
        EntrantView(number=number, name="", handle=None, face=None, status=entrant.status)
        if number in hidden
        else _entrant(stored, number)
        for number, entrant in enumerate(tournament.entrants, 1)
    ]
    return PublicTournament(
        id=stored.id,
        version=stored.version,
        status=state.status,
        settings=state.settings,
        seats=tournament.rules.seats,
        can_join=not state.over and not tournament.ended and len(tournament.rounds) < tournament.rules.join_until,
        paused=state.paused,
        next_at=state.next_at,
        round_ends_at=state.round_ends_at,
        players=tuple(players),
        standings=tuple(
            StandingView(
                number=row.number,
                place=row.place,
                points=_rounded(row.points),
                buchholz=_rounded(row.buchholz),
                direct=_rounded(row.direct),
                score=None if row.score is None else _rounded(row.score),
                wins=row.wins,
                rounds=tuple(None if points is None else _rounded(points) for points in row.rounds),
            )
            for row in standings(tournament)
        ),
        rounds=tuple(
            _round_view(stored, number, played_round) for number, played_round in enumerate(tournament.rounds, 1)
        ),
    )


def waiting_entrants(stored: StoredTournament) -> tuple[EntrantView, ...]:
    """Return the players who wait for the approval of the host, who alone sees their names."""
    entrants = enumerate(stored.state.tournament.entrants, 1)
    waiting = [number for number, entrant in entrants if entrant.status == "waiting" and number in stored.players]
    return tuple(_entrant(stored, number) for number in waiting)


def _entrant(stored: StoredTournament, number: int) -> EntrantView:
    who = stored.players.get(number)
    if who is None:
        return EntrantView(number=number, name=ERASED_NAME, handle=None, face=None, status="left")
    status = stored.state.tournament.entrants[number - 1].status
    return EntrantView(
        number=number,
        name=who.name,
        handle=handle_of(who.id),
        face=who.face or None,
        status=status,
        program=who.program,
    )


def my_entry(stored: StoredTournament, player: str | None) -> MyEntry | None:
    """Return a player's part in a tournament; None for everyone else."""
    number = stored.number_of(player)
    if number is None:
        return None
    tournament = stored.state.tournament
    tables = tournament.rounds[-1].tables if tournament.running else ()
    own_table = next(
        (index for index, table in enumerate(tables, 1) if number in table.seats and table.result is None), None
    )
    table = None if own_table is None else table_id(stored.id, len(tournament.rounds), own_table)
    shown = None if table in stored.missing else table
    return MyEntry(number=number, status=tournament.entrants[number - 1].status, table=shown)


def _round_view(stored: StoredTournament, number: int, played: Round) -> RoundView:
    tables = []
    for index, table in enumerate(played.tables, 1):
        result, room = table.result, table_id(stored.id, number, index)
        tables.append(
            RoundTableView(
                table=None if room in stored.missing else room,
                seats=table.seats,
                places=None if result is None else result.places,
                scores=None if result is None else result.scores or None,
            )
        )
    return RoundView(tables=tuple(tables), byes=played.byes)


def _rounded(value: Fraction) -> float:
    return round(float(value), 4)
