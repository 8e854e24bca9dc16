"""The tables of a tournament: their first log entries, and their results."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from faceup import table as tables
from faceup.bots import character_for, default_policy, is_pure_chance
from faceup.core import Generator, Seat
from faceup.core.record import PERSON, Chosen, Extended, Joined, Left, Marked, Returned
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.entries import AnyRoomEntry, EntryBatch, ProgramDeclared, RoomCreated, Seated, TournamentTable
from faceup.server.rooms.logged_game import logged_game
from faceup.server.rooms.names import normalize_name, unique_name
from faceup.server.rooms.room import open_room
from faceup.tournament import TableResult

ARRIVAL: Final = 10_000
"""Milliseconds by which the first deadline is later, because players come from the page of the tournament."""


class SeatedPlayer(NamedTuple):
    """A player of a tournament who gets a seat: the id, the name, the face, and whether it is a program."""

    id: str
    name: str
    face: str
    program: bool = False


def table_id(tournament: str, number: int, table: int) -> str:
    """Derive the id of a room from its tournament, its round and its table, so that it is created only once.

    >>> table_id("cup", 1, 2)
    '35a31c6238daa9b9380ce3'
    """
    return sha256(f"faceup tournament\n{tournament}\n{number}\n{table}".encode()).hexdigest()[:22]


def tournament_table_entries(
    config: TableConfig, players: Sequence[SeatedPlayer | None], what: TournamentTable, rng: Generator
) -> EntryBatch:
    """Return the first entries of a table of a tournament: everyone has a seat, and the game starts.

    Args:
        config: the configuration of the table.
        players: the player of each seat; None for a bot.
        what: the tournament, the round and the table.
        rng: the generator that deals.
    """
    kinds = iter([*config.bots, *(config.bots[-1:] or (default_policy(config.game),)) * len(players)])
    table, entries = open_room(config).table, list[AnyRoomEntry]()
    names: list[str] = [player.name for player in players if player is not None]
    for seat, player in enumerate(players):
        if player is None:
            kind = next(kinds)
            name = unique_name(normalize_name(character_for(config.game, kind, names)), names)
            names.append(name)
        else:
            kind, name = PERSON, player.name
            entries.append(Seated(0, seat, player.id, player.face))
        joined = tables.decide(table, tables.Join(seat, name, kind), 0, rng)
        table = tables.fold(table, joined)
        entries += joined
    entries += [ProgramDeclared(0, player.id) for player in players if player is not None and player.program]
    waits = (Extended(0, ARRIVAL),) if table.deadline is not None else ()
    return (RoomCreated(0, config, None, tournament=what), *entries, *waits)


def table_result(log: Iterable[EntryBatch]) -> TableResult:
    """Compute the result of a table from its log. In a game that was closed, the places at the end of the log count.

    A player has missed the game if there is no choice and no mark of the player. In a game without choices, it is one
    who was away at the end.

    Raises:
        Malformed: the log is not the log of a table.
    """
    config, entries, state = logged_game(log)
    rules = config.rules()
    people, chose, away = set[Seat](), set[Seat](), set[Seat]()
    for entry in entries:
        match entry:
            case Joined(seat=seat, kind=kind) if kind == PERSON:
                people.add(seat)
            case Chosen(seat=seat) | Marked(seat=seat):
                chose.add(seat)
            case Left(seat=seat):
                away.add(seat)
            case Returned(seat=seat):
                away.discard(seat)
            case _:
                pass
    missed = people & away if is_pure_chance(config.game) else people - chose
    return TableResult(tuple(rules.ranks(state)), tuple(rules.scores(state)), tuple(sorted(missed)))


def programs_in(log: Iterable[EntryBatch]) -> frozenset[str]:
    """Return the ids of the players that programs played for, from the log of a table."""
    return frozenset(entry.player for batch in log for entry in batch if isinstance(entry, ProgramDeclared))


def no_result(seats: int) -> TableResult:
    """Return the result of a table that was deleted: a tie."""
    return TableResult((1,) * seats)
