"""The game in a room's log: its configuration, all entries, and the position at their end."""

from collections.abc import Iterable
from typing import NamedTuple

from faceup.core import Malformed, State
from faceup.core.record import Applied, applied_move
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.entries import AnyRoomEntry, EntryBatch, RoomCreated


class LoggedGame(NamedTuple):
    """The configuration of a room, the entries of its log, and the state of the game after them."""

    config: TableConfig
    entries: list[AnyRoomEntry]
    state: State


def logged_game(log: Iterable[EntryBatch]) -> LoggedGame:
    """Return the game in a room's log. This is much faster than the room, because nothing else is computed.

    Raises:
        Malformed: the log is not the log of a room.
        IllegalActionError, WrongSeatError: a move breaks a rule of the game.
    """
    entries = [entry for batch in log for entry in batch]
    if not entries or not isinstance(entries[0], RoomCreated):
        raise Malformed("the log of a room must start with the entry room_created", where="entry 0")
    config = entries[0].config
    rules = config.rules()
    state: State = rules.start()
    for entry in entries:
        if isinstance(entry, Applied):
            state = rules.apply(state, applied_move(rules, entry)).state
    return LoggedGame(config, entries, state)
