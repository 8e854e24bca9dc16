"""Apply log entries to a room."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from faceup.core import Event, Malformed, Seat
from faceup.core.record import Chosen, Extended, Joined, Left, Marked
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.entries import (
    BotVoteCast,
    BotVoted,
    EntryBatch,
    HostChanged,
    HostSet,
    LogRewritten,
    PlayerBarred,
    PlayerRemoved,
    ProgramDeclared,
    Reacted,
    ReactionShown,
    RematchCreated,
    RematchLinked,
    Renamed,
    ReservationReleased,
    RoomClosed,
    RoomCreated,
    RoomEntry,
    Seated,
    SeatReleased,
    SeatRenamed,
    TableClosed,
)
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import COUNTDOWN, Room, open_room, viewer_of
from faceup.server.rooms.series import rename_in_series
from faceup.table import Table
from faceup.table import evolve as evolve_table
from faceup.table.decide import Decided
from faceup.table.events import DeadlineExtended, SecretRevealed
from faceup.table.table import rename_player, with_item

_CREATED: Final = ("host", "series", "barred", "daily", "fill_after", "tournament", "rate_programs")
"""The fields of `RoomCreated` that become members of the room."""


def evolve(room: Room, batch: EntryBatch, command: str | None = None) -> Room:
    """Return the room after a batch of entries. `command` is the id of the command that caused it, if any.

    Raises:
        Malformed, IllegalActionError, WrongSeatError: an entry breaks a rule of the table.
    """
    before, table = room, room.table
    events: list[Event] = []
    for entry in batch:
        if isinstance(entry, RoomEntry):
            room, new = _evolve_room(room, entry)
            events += new
            if isinstance(entry, SeatRenamed):
                table = rename_player(table, entry.seat, entry.name)
            continue
        table = evolve_table(table, entry)
        events += table.events
        if isinstance(entry, Left) and table.players[entry.seat] is None:
            room = msgspec.structs.replace(room, owners=with_item(room.owners, entry.seat, None))
        elif isinstance(entry, Joined) and room.reserved[entry.seat]:
            room = msgspec.structs.replace(room, reserved=with_item(room.reserved, entry.seat, ""))
    return _advanced(room, batch, table, _visible_events(before, batch, events), command=command)


def _visible_events(before: Room, batch: EntryBatch, events: list[Event]) -> tuple[Event, ...]:
    """Return the events to show.

    If a player leaves and rejoins a seat in one batch, this is one `Renamed` event. The extension of the first deadline
    by the countdown is not shown.
    """
    if before.table.status == "pending" and isinstance(batch[-1], Extended):
        events = [event for event in events if not isinstance(event, DeadlineExtended)]
    if len(batch) == 3 and isinstance(batch[0], Left) and isinstance(batch[2], Joined):
        player = before.table.players[batch[0].seat]
        if batch[2].seat == batch[0].seat and player is not None:
            return () if batch[2].name == player.name else (Renamed(batch[0].seat, player.name),)
    return tuple(events)


def evolve_step(room: Room, done: Decided, command: str | None) -> Room:
    """Return the room after a step of the table that was already computed. The result is the same as from `evolve`.

    >>> from faceup.core import generator
    >>> from faceup.table import Join, step
    >>> from faceup.server.rooms.config import TableConfig
    >>> room = open_room(TableConfig(game="nimmt"))
    >>> done = step(room.table, Join(0, "Ann"), 5, generator(1))
    >>> evolve_step(room, done, "c1") == evolve(room, done.entries, "c1")
    True
    """
    return _advanced(room, done.entries, done.table, done.events, command=command)


def _advanced(room: Room, batch: EntryBatch, table: Table, events: tuple[Event, ...], *, command: str | None) -> Room:
    recipient = _private_recipient(room, batch)
    number, at = room.version, max(room.at, batch[-1].at)
    return msgspec.structs.replace(
        room,
        table=table,
        events=events,
        version=number + 1,
        at=at,
        processed=room.processed if command is None else room.processed.add(command, number),
        public_count=room.public_count + (recipient is None),
        public_at=at if recipient is None else room.public_at,
        private_counts=room.private_counts
        if recipient is None
        else with_item(room.private_counts, recipient, room.private_counts[recipient] + 1),
        private_at=room.private_at if recipient is None else with_item(room.private_at, recipient, at),
        fills_at=_fills_at(room, table, at) if room.fill_after else None,
        countdown_ends=at + COUNTDOWN if _starts_countdown(room, table) else room.countdown_ends,
        reactions=room.reactions if table.decision == room.table.decision else (),
        bot_votes=room.bot_votes if table.decision == room.table.decision else frozenset(),
    )


def _fills_at(room: Room, table: Table, at: int) -> int | None:
    """Return when bots fill the empty seats of a quick match; None if no person waits."""
    if table.status != "pending" or all(player is None for player in table.players):
        return None
    return at + room.fill_after if room.fills_at is None else room.fills_at


def _starts_countdown(room: Room, table: Table) -> bool:
    """Return whether a rematch with two or more people starts."""
    if room.series is None or room.table.status != "pending" or table.status == "pending":
        return False
    return len(table.people) > 1


def fold_log(log: Iterable[tuple[EntryBatch, str | None]]) -> Room:
    """Rebuild a room from its log, which holds the batches in order, each with the id of its command or None.

    Raises:
        Malformed: the log is empty or does not start with `RoomCreated`.
        Malformed, IllegalActionError, WrongSeatError: an entry breaks a rule of the table.
    """
    ((_, room),) = deque(fold_steps(log), maxlen=1)
    return room


def fold_steps(log: Iterable[tuple[EntryBatch, str | None]]) -> Iterator[tuple[Room, Room]]:
    """Yield the room before and after each batch of a log. Raises the same errors as `fold_log`."""
    room: Room | None = None
    for batch, command in log:
        if room is None:
            room = open_room(_config_of(batch))
        after = evolve(room, batch, command)
        yield room, after
        room = after
    if room is None:
        _config_of(())


def _config_of(batch: EntryBatch) -> TableConfig:
    if not batch or not isinstance(batch[0], RoomCreated):
        raise Malformed("the log of a room must start with room_created", where="entry 0")
    return batch[0].config


def _private_recipient(room: Room, batch: EntryBatch) -> Seat | None:
    """Return the only seat that may learn of a batch, or None if all viewers may learn of it.

    A batch is private if it only sets a mark or replaces a choice.
    """
    if len(batch) != 1:
        return None
    entry = batch[0]
    if isinstance(entry, Marked) or (isinstance(entry, Chosen) and room.table.choices[entry.seat] is not None):
        return entry.seat
    return None


def _evolve_room(room: Room, entry: RoomEntry) -> tuple[Room, tuple[Event, ...]]:
    replace = msgspec.structs.replace
    match entry:
        case RoomCreated():
            created = {name: getattr(entry, name) for name in _CREATED}
            return replace(room, **created), ()
        case Seated() | ProgramDeclared() | SeatRenamed():
            return _with_player(room, entry)
        case ReservationReleased():
            return replace(room, reserved=with_item(room.reserved, entry.seat, "")), (SeatReleased(entry.seat),)
        case PlayerBarred():
            removed = PlayerRemoved(entry.seat, room.table.names[entry.seat])
            return replace(room, barred=(*room.barred, entry.player)), (removed,)
        case HostSet():
            replaced = (room.replaced_host or room.host) if entry.by_rule else None
            shown = () if entry.player == room.host else (HostChanged(viewer_of(room, entry.player)),)
            return replace(room, host=entry.player, replaced_host=replaced), shown
        case Reacted() | BotVoted():
            return _count(room, entry)
        case RematchLinked():
            return replace(room, rematch=entry.table), (RematchCreated(entry.table, entry.seat),)
        case LogRewritten():
            return replace(room, rewrites=room.rewrites + 1, erased=(*room.erased, *entry.people)), ()
        case RoomClosed():
            sealed = room.table.round
            secret = () if sealed is None or sealed.void else (SecretRevealed(sealed.number, sealed.secret),)
            return replace(room, closed=entry.reason), (TableClosed(entry.reason), *secret)


def _with_player(room: Room, entry: Seated | ProgramDeclared | SeatRenamed) -> tuple[Room, tuple[Event, ...]]:
    if isinstance(entry, ProgramDeclared):
        return msgspec.structs.replace(room, programs=room.programs | {entry.player}), ()
    if isinstance(entry, SeatRenamed):
        owner, series, renamed = room.owners[entry.seat], room.series, Renamed(entry.seat, room.table.names[entry.seat])
        if series is not None and owner is not None:
            series = rename_in_series(series, handle_of(owner), entry.name, room.faces[entry.seat])
        return msgspec.structs.replace(room, series=series), (renamed,)
    owners = with_item(room.owners, entry.seat, entry.player)
    return msgspec.structs.replace(room, owners=owners, faces=with_item(room.faces, entry.seat, entry.face)), ()


def _count(room: Room, entry: Reacted | BotVoted) -> tuple[Room, tuple[Event, ...]]:
    """Add a reaction or a vote to those of the current decision."""
    if isinstance(entry, BotVoted):
        votes = room.bot_votes | {(entry.seat, entry.idle)}
        return msgspec.structs.replace(room, bot_votes=votes), (BotVoteCast(entry.seat, entry.idle),)
    reactions = (*room.reactions, (room.owners[entry.seat], entry))
    shown = ReactionShown(entry.seat, entry.reaction, entry.to, entry.card)
    return msgspec.structs.replace(room, reactions=reactions), (shown,)
