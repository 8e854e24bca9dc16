"""A room as a value: a table online, who owns which seat, who is the host, and how much each viewer was told."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.bots import policy
from faceup.core import Event, Seat
from faceup.core.record import Terms
from faceup.server.rooms.entries import Reason
from faceup.server.rooms.opening import Opening
from faceup.table import Status, Table, open_table

Viewer: TypeAlias = Seat | None
"""Whose stream it is; None is a spectator."""

RoomStatus: TypeAlias = Status | Literal["closed"]
"""As a table's; closed is a room that ended before its game did."""

_RECENT: Final = 32


class Seen(msgspec.Struct, frozen=True):
    """The ids of the commands that are in the log, each with the number of its append.

    Adding one copies a few dozen at the most, however long the log is.

    >>> seen = Seen().add("a", 0).add("b", 1)
    >>> "a" in seen, seen.get("b"), seen.get("c")
    (True, 1, None)
    """

    recent: Mapping[str, int] = {}
    older: tuple[Mapping[str, int], ...] = ()

    def add(self, command: str, seq: int) -> "Seen":
        """With one more."""
        recent = {**self.recent, command: seq}
        if len(recent) < _RECENT:
            return Seen(recent, self.older)
        # Batches that double in size: each id is copied a logarithm of times in all, and few batches are looked into.
        older = list(self.older)
        while older and len(older[-1]) <= len(recent):
            recent = {**older.pop(), **recent}
        return Seen({}, (*older, recent))

    def get(self, command: str) -> int | None:
        """The number of the append that the command made; None if it is in none."""
        if command in self.recent:
            return self.recent[command]
        for batch in self.older:
            if command in batch:
                return batch[command]
        return None

    def __contains__(self, command: object) -> bool:
        return command in self.recent or any(command in batch for batch in self.older)


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """One room, the whole truth: only `sight_for` and `Change` make of it what may leave.

    Made by `open_room`, moved on by `evolve` alone, so that it is always the fold of its log.

    Attributes:
        opening: what was said when it was opened.
        table: the table in it.
        host: the player who may start, pause, remove and close; None is nobody.
        owners: by seat, the player whose it is; None for an empty one and for a bot's.
        kept: by seat, the handle of the player for whom it is kept; "" for nobody.
        barred: the players whom the host removed, and who cannot sit down any more.
        reactions: by seat, how many it has shown in the open decision.
        closed: why it was closed; None if it was not.
        rematch: the room in which play goes on.
        seen: the commands that are in the log.
        version: the number of appends.
        at: the time of the last entry, in milliseconds since the room was opened.
        events: what followed from the last append.
        told: how many messages every viewer was sent.
        told_at: when the last of them was, as `at`.
        alone: by seat, how many messages it alone was sent beside those.
        alone_at: by seat, when the last of these was.
    """

    opening: Opening
    table: Table
    owners: tuple[str | None, ...]
    kept: tuple[str, ...]
    reactions: tuple[int, ...]
    alone: tuple[int, ...]
    alone_at: tuple[int, ...]
    host: str | None = None
    barred: tuple[str, ...] = ()
    closed: Reason | None = None
    rematch: str | None = None
    seen: Seen = Seen()
    version: int = 0
    at: int = 0
    events: tuple[Event, ...] = ()
    told: int = 0
    told_at: int = 0

    @property
    def status(self) -> RoomStatus:
        """Seats are filling; the game is on; scores are known; or it was closed before."""
        return "closed" if self.closed else self.table.status

    @property
    def due(self) -> int | None:
        """When a `Tick` has something to do next; None if never."""
        return None if self.closed else self.table.due


def open_room(opening: Opening, host: str | None = None) -> Room:
    """The room of this opening before anything was appended to its log."""
    rules = opening.rules()
    terms = opening.terms or Terms()
    nothing = (0,) * rules.seats
    return Room(
        opening=opening,
        table=open_table(rules, policy(rules.game, terms.stand_in), terms),
        host=host,
        owners=(None,) * rules.seats,
        kept=opening.kept or ("",) * rules.seats,
        reactions=nothing,
        alone=nothing,
        alone_at=nothing,
    )


def viewer_of(room: Room, player: str | None) -> Viewer:
    """As what the player sees the room: from its seat, or as a spectator."""
    return room.owners.index(player) if player is not None and player in room.owners else None


def version_for(room: Room, viewer: Viewer) -> int:
    """The number of the last message that the viewer was sent, counted from 1."""
    return room.told if viewer is None else room.told + room.alone[viewer]


def time_for(room: Room, viewer: Viewer) -> int:
    """When the viewer was sent its last message; what others did in secret since then does not count."""
    return room.told_at if viewer is None else max(room.told_at, room.alone_at[viewer])


def may_watch(room: Room) -> bool:
    """Whether spectators may see the room now: before the game and after it, everybody may."""
    return room.opening.watch == "anyone" or room.status != "active"
