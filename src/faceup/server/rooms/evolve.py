"""The fold: what each append does to a room."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from faceup.core import Event, Malformed, Seat
from faceup.core.record import Chosen, Joined, Left, Marked
from faceup.server.rooms.entries import (
    Append,
    Barred,
    Hosted,
    Reacted,
    Released,
    Rematched,
    RoomClosed,
    RoomOpened,
    Seated,
)
from faceup.server.rooms.events import NewHost, NextTable, PutOut, Renamed, Says, SeatFree, Shut
from faceup.server.rooms.opening import Opening
from faceup.server.rooms.room import Room, open_room, viewer_of
from faceup.table import SecretShown, Step, Table
from faceup.table import evolve as evolve_table

T = TypeVar("T")


def evolve(room: Room, append: Append, command: str | None = None) -> Room:
    """The room after the append, which the command of this id led to, if it was one with an id.

    Raises:
        Malformed, NotLegal, NotYours: an entry breaks a rule of the table.
    """
    before, table = room, room.table
    events: list[Event] = []
    for entry in append:
        match entry:
            case RoomOpened() | Seated() | Released() | Barred() | Hosted() | Reacted() | Rematched() | RoomClosed():
                room, told = _evolve_room(room, entry)
                events += told
            case _:
                table = evolve_table(table, entry)
                events += table.events
                if isinstance(entry, Left) and table.players[entry.seat] is None:
                    room = msgspec.structs.replace(room, owners=_put(room.owners, entry.seat, None))
                elif isinstance(entry, Joined) and room.kept[entry.seat]:
                    room = msgspec.structs.replace(room, kept=_put(room.kept, entry.seat, ""))
    return _moved(room, append, table, _told(before, append, events), command=command)


def _told(before: Room, append: Append, events: list[Event]) -> tuple[Event, ...]:
    """What is told of the append. Who stood up and sat down at once has another name, and nothing else has happened."""
    if len(append) == 3 and isinstance(append[0], Left) and isinstance(append[2], Joined):
        player = before.table.players[append[0].seat]
        if append[2].seat == append[0].seat and player is not None:
            return (Renamed(append[0].seat, player.name),)
    return tuple(events)


def stepped(room: Room, done: Step, command: str | None = None) -> Room:
    """As `evolve`, after a step of the table alone, which was taken already.

    >>> from faceup.core import generator
    >>> from faceup.table import Join, step
    >>> from faceup.server.rooms.opening import Opening
    >>> room = open_room(Opening(game="nimmt"))
    >>> done = step(room.table, Join(0, "Ann"), 5, generator(1))
    >>> stepped(room, done, "c1") == evolve(room, done.entries, "c1")
    True
    """
    return _moved(room, done.entries, done.table, done.events, command=command)


def _moved(room: Room, append: Append, table: Table, events: tuple[Event, ...], *, command: str | None) -> Room:
    alone = _told_alone(room, append)
    number, at = room.version, max(room.at, append[-1].at)
    return msgspec.structs.replace(
        room,
        table=table,
        events=events,
        version=number + 1,
        at=at,
        seen=room.seen if command is None else room.seen.add(command, number),
        told=room.told + (alone is None),
        told_at=at if alone is None else room.told_at,
        alone=room.alone if alone is None else _put(room.alone, alone, room.alone[alone] + 1),
        alone_at=room.alone_at if alone is None else _put(room.alone_at, alone, at),
        reactions=room.reactions if table.decision == room.table.decision else (0,) * len(room.reactions),
    )


def room_from(log: Iterable[tuple[Append, str | None]]) -> Room:
    """The room that a log is the story of: its appends in order, each with the id of its command.

    Raises:
        Malformed: the log does not begin with the opening of a room.
        Malformed, NotLegal, NotYours: an entry breaks a rule of the table.
    """
    ((_, room),) = deque(steps_of(log), maxlen=1)
    return room


def steps_of(log: Iterable[tuple[Append, str | None]]) -> Iterator[tuple[Room, Room]]:
    """The room before and after each append of a log. Raises as `room_from`, also where there is none at all."""
    room: Room | None = None
    for append, command in log:
        if room is None:
            room = open_room(_opening(append))
        after = evolve(room, append, command)
        yield room, after
        room = after
    if room is None:
        _opening(())


def _opening(append: Append) -> Opening:
    if not append or not isinstance(append[0], RoomOpened):
        raise Malformed("the log of a room begins with its opening", where="entry 0")
    return append[0].opening


def _told_alone(room: Room, append: Append) -> Seat | None:
    """The one seat that is told of the append, if it is of no concern to anybody else.

    That is a mark, and another choice in place of one: to everybody else they are nothing new.
    """
    if len(append) != 1:
        return None
    entry = append[0]
    if isinstance(entry, Marked) or (isinstance(entry, Chosen) and room.table.choices[entry.seat] is not None):
        return entry.seat
    return None


def _evolve_room(
    room: Room, entry: RoomOpened | Seated | Released | Barred | Hosted | Reacted | Rematched | RoomClosed
) -> tuple[Room, tuple[Event, ...]]:
    replace = msgspec.structs.replace
    match entry:
        case RoomOpened():
            return replace(room, host=entry.host), ()
        case Seated():
            return replace(room, owners=_put(room.owners, entry.seat, entry.player)), ()
        case Released():
            return replace(room, kept=_put(room.kept, entry.seat, "")), (SeatFree(entry.seat),)
        case Barred():
            put_out = PutOut(entry.seat, room.table.names[entry.seat])
            return replace(room, barred=(*room.barred, entry.player)), (put_out,)
        case Hosted():
            return replace(room, host=entry.player), (NewHost(viewer_of(room, entry.player)),)
        case Reacted():
            shown = _put(room.reactions, entry.seat, room.reactions[entry.seat] + 1)
            return replace(room, reactions=shown), (Says(entry.seat, entry.reaction),)
        case Rematched():
            return replace(room, rematch=entry.table), (NextTable(entry.table),)
        case RoomClosed():
            sealed = room.table.round
            secret = () if sealed is None or sealed.void else (SecretShown(sealed.number, sealed.secret),)
            return replace(room, closed=entry.reason), (Shut(entry.reason), *secret)


def _put(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
