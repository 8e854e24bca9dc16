"""The state of an online table: seats and their owners, the host, and the message count of each viewer.

The module also makes the configuration of a rematch, and chooses the id under which a person with several ids acts.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from faceup.bots import policy
from faceup.core import Event, Seat, find_game
from faceup.core.record import Paused, Terms, Unpaused
from faceup.server.rooms.commands import AddBot, Close, Remove, RoomCommand, Sit, Start, TransferHost
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.daily import DailyDeal
from faceup.server.rooms.entries import Reacted, Reason, TournamentTable
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.series import Series, SeriesPlayer, add_game
from faceup.table import Table, open_table
from faceup.table.commands import Pause, Resume
from faceup.table.table import Status

PlayerIds: TypeAlias = str | Sequence[str]
"""The id of a player; or all ids of a person, of which the current one comes first; see `acting_player`."""

Viewer: TypeAlias = Seat | None
"""The seat of a viewer; None means a spectator."""

RoomStatus: TypeAlias = Status | Literal["closed"]
"""The status of the table, or "closed" if the room was closed before the game ended."""

COUNTDOWN: Final = 3_000
"""The length of the countdown of a rematch with two or more people, in milliseconds."""

_RECENT_SIZE: Final = 32


CHECKSUM: Final = "\t"
"""What separates the id of a player's command, which is printable, from the checksum of its content in the log."""


class ProcessedCommand(NamedTuple):
    """A command in the log: the number of its batch, and the checksum of its content; "" for the server's commands."""

    seq: int
    checksum: str


class ProcessedCommands(msgspec.Struct, frozen=True):
    """The commands in the log by their ids, so that a retry is not applied twice.

    On average, adding an id copies at most a few dozen ids, however long the log is.

    >>> seen = ProcessedCommands().add("a", 0).add(f"b{CHECKSUM}5c", 1)
    >>> "a" in seen, seen.get("b"), seen.get("c")
    (True, ProcessedCommand(seq=1, checksum='5c'), None)
    """

    recent: Mapping[str, ProcessedCommand] = {}
    older: tuple[Mapping[str, ProcessedCommand], ...] = ()

    def add(self, command: str, seq: int) -> "ProcessedCommands":
        """Return a copy with one more command, given its id and checksum as in the log."""
        identifier, _, checksum = command.partition(CHECKSUM)
        recent = {**self.recent, identifier: ProcessedCommand(seq, checksum)}
        if len(recent) < _RECENT_SIZE:
            return ProcessedCommands(recent, self.older)
        # The maps double in size, so each id is copied O(log n) times, and a lookup searches O(log n) maps.
        older = list(self.older)
        while older and len(older[-1]) <= len(recent):
            recent = {**older.pop(), **recent}
        return ProcessedCommands({}, (*older, recent))

    def get(self, command: str) -> ProcessedCommand | None:
        """Return the command with this id; None if it is not in the log."""
        if command in self.recent:
            return self.recent[command]
        for batch in self.older:
            if command in batch:
                return batch[command]
        return None

    def __contains__(self, command: object) -> bool:
        return command in self.recent or any(command in batch for batch in self.older)

    def __iter__(self) -> Iterator[str]:
        return chain(self.recent, *self.older)


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """The complete state of a room, including secrets.

    Send clients only the results of `room_view_for` and `UpdateEncoder`. A room is created by `open_room` and changed
    only by `evolve`, so it always equals the fold of its log.

    Attributes:
        config: the configuration.
        table: the table.
        host: id of the host, who may start, pause and close the game and remove players; None if there is no host.
        replaced_host: id of the host who left and whose heir has not used the role, so that the host gets it back.
        owners: for each seat, the id of its player; None for empty seats and bots.
        faces: for each seat, the face its player chose; "" if the player chose none.
        reserved: for each seat, the handle of the player it is reserved for; "" if it is not reserved.
        programs: ids of the players that programs play for.
        barred: ids of the players removed by the host, who may not sit down in this room again.
        reactions: the reactions in the current decision, each with the id of the seat's player.
        bot_votes: the votes in the current decision that a bot plays for an idle player: the seat of the voter and that
            of the idle player.
        closed: why the room was closed; None if it is open.
        rematch: id of the room of the rematch; None if there is no rematch.
        series: the score of the games before, if this room is a rematch; else None.
        countdown_ends: when the countdown of a rematch ends, in the unit of `at`; None without a countdown.
        daily: the daily deal that is played in this room; None in all other rooms.
        fill_after: in a quick match, the time from when the first person sits down to when bots fill the empty seats,
            in milliseconds; 0 in all other rooms.
        tournament: the table of a tournament that is played in this room; None in all other rooms.
        rate_programs: whether a rated game between people and programs changes ratings, too.
        fills_at: when bots fill the empty seats of a quick match, in the unit of `at`; None while no person has a
            seat, and when the game has started.
        processed: the ids of the commands in the log.
        rewrites: how many times players were erased from the log.
        erased: the ids that replace those of erased players.
        version: the number of batches in the log.
        at: time of the last entry, in milliseconds since the room was created.
        events: the events of the last batch.
        public_count: the number of messages sent to every viewer.
        public_at: time of the last message sent to every viewer, in the unit of `at`.
        private_counts: for each seat, the number of messages sent only to this seat.
        private_at: for each seat, the time of the last message sent only to this seat.
    """

    config: TableConfig
    table: Table
    owners: tuple[str | None, ...]
    faces: tuple[str, ...]
    reserved: tuple[str, ...]
    private_counts: tuple[int, ...]
    private_at: tuple[int, ...]
    host: str | None = None
    replaced_host: str | None = None
    programs: frozenset[str] = frozenset()
    barred: tuple[str, ...] = ()
    reactions: tuple[tuple[str | None, Reacted], ...] = ()
    bot_votes: frozenset[tuple[Seat, Seat]] = frozenset()
    closed: Reason | None = None
    rematch: str | None = None
    series: Series | None = None
    countdown_ends: int | None = None
    daily: DailyDeal | None = None
    fill_after: int = 0
    tournament: TournamentTable | None = None
    rate_programs: bool = False
    fills_at: int | None = None
    processed: ProcessedCommands = ProcessedCommands()
    rewrites: int = 0
    erased: tuple[str, ...] = ()
    version: int = 0
    at: int = 0
    events: tuple[Event, ...] = ()
    public_count: int = 0
    public_at: int = 0

    @property
    def status(self) -> RoomStatus:
        """The status of the room: pending, active, finished or closed."""
        return "closed" if self.closed else self.table.status

    @property
    def rated(self) -> bool:
        """Whether the game changes ratings, with the people and programs who have seats now."""
        programs = {owner in self.programs for owner in self.owners if owner is not None}
        return self.config.rated and (self.rate_programs or len(programs) < 2)

    @property
    def due(self) -> int | None:
        """The time at which the next `ExpireDeadline` is due; None if none is due."""
        return None if self.closed else self.table.due


def open_room(config: TableConfig, host: str | None = None) -> Room:
    """Return the room of this configuration with an empty log."""
    rules = config.rules()
    terms = config.terms or Terms()
    nothing = (0,) * rules.seats
    return Room(
        config=config,
        table=open_table(rules, policy(rules.game, terms.autoplay), terms, find_game(rules.game).reveal_time),
        host=host,
        owners=(None,) * rules.seats,
        faces=("",) * rules.seats,
        reserved=config.reserved or ("",) * rules.seats,
        private_counts=nothing,
        private_at=nothing,
    )


def as_ids(player: PlayerIds | None) -> Sequence[str]:
    """Return the ids as a sequence, which is empty for no player."""
    return (player,) if isinstance(player, str) else player or ()


def viewer_of(room: Room, player: PlayerIds | None) -> Viewer:
    """Return the player's seat, or None for a spectator."""
    return next((room.owners.index(identifier) for identifier in as_ids(player) if identifier in room.owners), None)


def version_for(room: Room, viewer: Viewer) -> int:
    """Return the number of the viewer's last message, counted from 1."""
    return room.public_count if viewer is None else room.public_count + room.private_counts[viewer]


def last_update_at(room: Room, viewer: Viewer) -> int:
    """Return the time of the viewer's last message. Private messages to other seats do not count."""
    return room.public_at if viewer is None else max(room.public_at, room.private_at[viewer])


def pause_limit(room: Room) -> int | None:
    """Return how long the open or next pause may last, in milliseconds; None if a game has no limit of its own.

    A rated game with days per move can be paused for as long as one choice may take, all pauses together.
    """
    if not (room.config.rated and room.config.correspondence) or room.table.terms.clock is None:
        return None
    used, paused_at = 0, None
    for entry in room.table.entries:
        if isinstance(entry, Paused):
            paused_at = entry.at
        elif isinstance(entry, Unpaused) and paused_at is not None:
            used, paused_at = used + entry.at - paused_at, None
    return max(0, room.table.terms.clock - used)


def may_watch(room: Room) -> bool:
    """Return whether spectators may see the room now. Before and after the game, they always may.

    A daily deal never has spectators, because others may not have played it yet.
    """
    return room.daily is None and (room.config.spectators == "anyone" or room.status != "active")


def rematch_config(room: Room) -> TableConfig:
    """Return the configuration of a rematch of the same game, with each player's seat reserved.

    Seats are not rotated: all games are simultaneous, so no seat has an advantage, and every player keeps the same
    place and colour for the whole series. The seats of erased players are open to everyone.
    """
    absent = (None, *room.erased)
    reserved = tuple("" if owner is None or owner in absent else handle_of(owner) for owner in room.owners)
    return msgspec.structs.replace(room.config, reserved=reserved if any(reserved) else ())


def rematch_id(table: str) -> str:
    """Derive the ID of the rematch of a table. Players know it anyway, from the room view."""
    return sha256(f"faceup rematch\n{table}".encode()).hexdigest()[:22]


def series_after(room: Room) -> Series:
    """Return the series with this game, which must be finished."""
    result = room.table.record.result
    assert result is not None  # noqa: S101 -- the game is finished
    players = tuple(
        SeriesPlayer(
            name=player.name,
            kind=player.kind,
            handle=None if owner is None else handle_of(owner),
            face=face or None,
            seat=seat,
        )
        for seat, (player, owner, face) in enumerate(zip(room.table.players, room.owners, room.faces, strict=True))
        if player is not None
    )
    return add_game(room.series, players, result)


def acting_player(
    room: Room, players: Sequence[str], command: RoomCommand | None = None, seat: Seat | None = None
) -> str:
    """Return which of a person's ids to use for sending a command, or for watching if `command` is None.

    A person has several ids if they played as a guest before they logged in, and may have a seat under each id. Someone
    who is removed or has a seat under one id acts under this id, and so does the host.

    Args:
        room: the current room.
        players: the person's ids, of which the first is the current one.
        command: the command to send; None to watch.
        seat: the seat given in the request to watch, if any.

    >>> from faceup.server.rooms.config import TableConfig
    >>> from faceup.server.rooms.room import open_room
    >>> acting_player(open_room(TableConfig(game="nimmt")), ["ann-id", "guest-id"])
    'ann-id'
    """
    if isinstance(command, AddBot | Remove | Start | Pause | Resume | TransferHost | Close):
        return room.host if room.host is not None and room.host in players else players[0]
    if isinstance(command, Sit):
        seated = (player for player in players if player in room.barred or player in room.owners)
        reserved = (player for player in players if handle_of(player) in room.reserved)
        replaced = (player for player in players if player == room.replaced_host)
        if (player := next(seated, None) or next(reserved, None) or next(replaced, None)) is not None:
            return player
    else:
        seat = getattr(command, "seat", seat)
    if seat is not None and 0 <= seat < len(room.owners) and (owner := room.owners[seat]) in players:
        return owner or players[0]
    seated = (player for player in players if player in room.owners)
    return next(seated, room.host if room.host is not None and room.host in players else players[0])
