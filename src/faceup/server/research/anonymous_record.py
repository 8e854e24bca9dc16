"""A game in a room's log as a record without names, ids and times of people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from faceup.core import AnyRules, Seat, find_game
from faceup.core.options import option_fields
from faceup.core.record import (
    AnyEntry,
    Applied,
    Autoplayed,
    Chosen,
    Joined,
    Left,
    Record,
    Returned,
    Terms,
    TimedOut,
    applied,
    applied_move,
    record_of,
)
from faceup.core.registry import options_of
from faceup.server.rooms.entries import AnyRoomEntry, EntryBatch
from faceup.server.rooms.logged_game import logged_game


class AnonymousPlayer(NamedTuple):
    """The player of a seat in an anonymous record; `kind` as in `Joined`."""

    name: str
    kind: str


def anonymous_record(log: Iterable[EntryBatch], players: Sequence[AnonymousPlayer]) -> Record | None:
    """Return the record of a finished game without names, ids and times of people.

    The record is built from the deals and the revealed choices, so that nothing else can get into it: no reactions, no
    choices that were changed before the reveal, no pauses, no time limits of single players, and no proofs of a
    fair deal, whose contributions identify the game. Times only grow by a whole clock where the table waited for one.

    Return None if the table allowed no spectators, or if an option of the game can hold any text.

    Raises:
        Malformed: the log is not the log of a room.
        IllegalActionError, WrongSeatError: a move breaks a rule of the game.
    """
    config, logged, state = logged_game(log)
    rules = config.rules()
    fields = option_fields(find_game(config.game).rules)
    if config.spectators == "nobody" or any(fields[name].kind is str for name in options_of(rules)):
        return None
    terms = msgspec.structs.replace(config.terms or Terms(), fair=False)
    joined = [Joined(0, seat, *player) for seat, player in enumerate(players)]
    return record_of(rules, (*joined, *_moves(rules, terms, logged)), state, terms)


def _moves(rules: AnyRules, terms: Terms, logged: Iterable[AnyRoomEntry]) -> Iterator[AnyEntry]:
    """Yield an entry for each move, after the entries of the choices that it reveals."""
    now = 0
    by_table: dict[Seat, TimedOut | Autoplayed] = {}
    away = set[Seat]()
    for entry in logged:
        match entry:
            case TimedOut(source="autoplay") | Autoplayed(source="autoplay"):
                by_table[entry.seat] = entry
            case Chosen() | TimedOut() | Autoplayed():  # a mark is the player's own choice, too
                by_table.pop(entry.seat, None)
            case Applied():
                move = applied_move(rules, entry)
                if isinstance(move, dict):
                    is_late = any(isinstance(choice, TimedOut) for choice in by_table.values())
                    end = now + (terms.clock or 0) if is_late or terms.reveal == "at_deadline" else now
                    words = {seat: rules.describe(action) for seat, action in move.items()}
                    choices = _choices(words, by_table, away, now, end)
                    yield from sorted(choices, key=lambda choice: choice.at)
                    now = end
                    by_table.clear()
                yield applied(rules, now, move)
            case _:
                pass


def _choices(
    words: Mapping[Seat, str], by_table: Mapping[Seat, TimedOut | Autoplayed], away: set[Seat], now: int, end: int
) -> Iterator[AnyEntry]:
    """Yield the choices of a turn, and who was away for them; `away` has the seats that were away before."""
    for seat, action in words.items():
        match by_table.get(seat):
            case None:
                if seat in away:
                    yield Returned(now, seat)
                away.discard(seat)
                yield Chosen(now, seat, action)
            case TimedOut():
                yield TimedOut(end, seat, action, "autoplay")
            case Autoplayed():
                if seat not in away:
                    yield Left(now, seat)
                away.add(seat)
                yield Autoplayed(now, seat, action, "autoplay")
