"""What follows from a command in a room, and who may give it."""

from typing import Final

from faceup import table as tables
from faceup.bots import is_pure_chance, policy, usual_policy
from faceup.core import Action, Generator, Malformed, NotYours, Seat
from faceup.core.record import AnyEntry, Extended
from faceup.server.rooms.commands import (
    AddBot,
    Bot,
    Choose,
    Close,
    Extend,
    HandOver,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    React,
    Rematch,
    Remove,
    Rename,
    Resume,
    Return,
    RoomCommand,
    Sit,
    StandIn,
    Start,
    Tick,
    Unchoose,
)
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
from faceup.server.rooms.evolve import evolve, stepped
from faceup.server.rooms.names import free_name, handle_of, proper_name
from faceup.server.rooms.opening import Opening
from faceup.server.rooms.refusals import Closed, Full, TooMany
from faceup.server.rooms.room import Room, open_room
from faceup.table import Already, Stale, Table

PERSON: Final = "person"
MOST_REACTIONS: Final = 3
"""A seat shows no more of them in one decision."""


def opened(opening: Opening, player: str | None, name: str | None, rng: Generator) -> Append:
    """The first append of a room's log: it is open, the player is its host, and sits in it if there is a name.

    Raises:
        Malformed: the name is none.
    """
    first = RoomOpened(0, opening, player)
    if name is None:
        return (first,)
    return (first, *decide(open_room(opening, player), Sit(name), player, 0, rng))


def step(
    room: Room, command: RoomCommand, player: str | None, now: int, rng: Generator, *, key: str | None = None
) -> tuple[Append, Room]:
    """As `decide`, with the room after the append, which is that of the command with the id `key`.

    Most commands are choices, and a choice is decided by seeing what the table makes of it: here it is seen once.
    """
    if isinstance(command, Mark | Choose | Unchoose | Pledge | OpenPledge) and room.closed is None:
        _require_owner(room, command.seat, player)
        try:
            done = tables.step(room.table, _of_table(room.table, command), max(now, room.at), rng)
        except Already:
            return (), room  # it is as the command wants it: the stand-in may have played that very card
        return done.entries, stepped(room, done, key)
    append = decide(room, command, player, now, rng)
    return append, evolve(room, append, key) if append else room


def decide(room: Room, command: RoomCommand, player: str | None, now: int, rng: Generator) -> Append:
    """What follows from the command, to be appended all or none; nothing if the room is as the command wants it.

    Args:
        room: as it stands.
        command: what is asked of it.
        player: the id of whoever asks; None is the server itself, which may ask anything but for a choice of a person.
        now: milliseconds since the room was opened. A clock that was set back counts as the time of the last entry.
        rng: deals, and plays for the stand-in.

    Raises:
        Malformed, NotLegal, NotYours, Stale, Full, TooMany, Closed, OnPause: refused, and the room is as it was.
    """
    at = max(now, room.at)
    if room.closed is not None:
        if isinstance(command, Tick | Extend):
            return ()
        raise Closed("this table was closed: nothing can happen at it any more")
    match command:
        case Sit() | Rename() | AddBot() | Remove() | Start():
            return _before_the_start(room, command, player, at, rng)
        case Leave() | Return():
            return _presence(room, command, player, at, rng)
        case Pause() | Resume() | Pace() | HandOver() | Close():
            return _hosting(room, command, player, at, rng)
        case React():
            return _reacted(room, command, player, at)
        case Rematch():
            return _rematched(room, command, player, at)
        case Mark() | Choose() | Unchoose() | Pledge() | OpenPledge():
            return step(room, command, player, at, rng)[0]
        case Tick() | Extend() | Bot() | StandIn():
            return _by_server(room, command, player, at, rng)


def _of_table(table: Table, command: Mark | Choose | Unchoose | Pledge | OpenPledge) -> tables.Command:
    match command:
        case Choose(seat=seat, action=words, decision=decision):
            return tables.Choose(seat, _action(table, words), decision)
        case Unchoose(seat=seat, decision=decision):
            return tables.Unchoose(seat, decision)
        case Mark(seat=seat, action=mark, decision=decision):
            return tables.Mark(seat, None if mark is None else _action(table, mark), decision)
        case Pledge(seat=seat, round=number, pledge=pledge):
            return tables.Pledge(seat, number, pledge)
        case OpenPledge(seat=seat, round=number, contribution=contribution):
            return tables.OpenPledge(seat, number, contribution)


def _action(table: Table, words: str) -> Action:
    action = table.rules.parse(words)
    if not isinstance(action, int):
        raise Malformed(f"{words!r} is not a decision", what=words, where="action")
    return action


# Before the start.


def _before_the_start(
    room: Room, command: Sit | Rename | AddBot | Remove | Start, player: str | None, at: int, rng: Generator
) -> Append:
    if isinstance(command, Sit):
        return _sat(room, command, player, at, rng)
    if not isinstance(command, Rename):
        _require_host(room, player)
    if room.table.status != "pending":
        raise Stale("the game has begun already")
    match command:
        case Rename():
            return _renamed(room, command, player, at, rng)
        case AddBot(kind=kind, seat=seat):
            seat = _free_seat(room, "") if seat is None else seat
            _require_not_kept(room, seat, "")
            return _joined(room.table, ((seat, kind),), at, rng)
        case Remove(seat=seat):
            if 0 <= seat < len(room.kept) and room.kept[seat]:
                return (Released(at, seat),)
            return _removed(room, seat, at, rng)
        case Start():
            return _filled(room, room.table, at, rng)


def _sat(room: Room, command: Sit, player: str | None, at: int, rng: Generator) -> Append:
    if player is None:
        raise Malformed("nobody is named who would sit down", where="player")
    name = free_name(proper_name(command.name), _names(room.table))
    if player in room.owners:
        raise Stale(f"you have seat {room.owners.index(player)} already", seats=(room.owners.index(player),))
    if player in room.barred:
        raise NotYours("the host took you from this table: you may look on, and sit down at others")
    handle = handle_of(player)
    if None not in room.table.players:
        raise Full("every seat is taken")
    seat = _free_seat(room, handle) if command.seat is None else command.seat
    _require_not_kept(room, seat, handle)
    joined = tables.decide(room.table, tables.Join(seat, name, PERSON), at, rng)
    hosted = (Hosted(at, player),) if room.host is None else ()
    entries = (Seated(at, seat, player), *hosted, *joined)
    awaited = [other for other, handle in enumerate(room.kept) if handle and other != seat]
    if any(room.kept) and not awaited:
        # Everybody for whom a seat was kept is there: a rematch waits for nobody else.
        return (*entries, *_filled(room, tables.fold(room.table, joined), at, rng))
    return entries


def _renamed(room: Room, command: Rename, player: str | None, at: int, rng: Generator) -> Append:
    """The player stands up and sits down again under the other name, between which nobody else can sit down."""
    seat = command.seat
    _require_owner(room, seat, player)
    left = tables.decide(room.table, tables.Leave(seat), at, rng)
    empty = tables.fold(room.table, left)
    join = tables.Join(seat, free_name(proper_name(command.name), _names(empty)), PERSON)
    return (*left, Seated(at, seat, room.owners[seat] or ""), *tables.decide(empty, join, at, rng))


def _removed(room: Room, seat: Seat, at: int, rng: Generator) -> Append:
    left = _left(room, seat, at, rng)
    owner = room.owners[seat]
    return left if owner is None or owner == room.host else (Barred(at, seat, owner), *left)


def _free_seat(room: Room, handle: str) -> Seat:
    """The seat that is kept for the handle, else the first that is free and kept for nobody."""
    if handle and handle in room.kept:
        return room.kept.index(handle)
    for seat, (taken, kept) in enumerate(zip(room.table.players, room.kept, strict=True)):
        if taken is None and not kept:
            return seat
    raise Full("every seat is taken, or kept for somebody else")


def _require_not_kept(room: Room, seat: Seat, handle: str) -> None:
    if 0 <= seat < len(room.kept) and room.kept[seat] not in {"", handle}:
        raise Full(f"seat {seat} is kept for somebody else", seats=(seat,))


def _filled(room: Room, table: Table, at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """Bots sit down in all seats that are empty, and so the game begins."""
    empty = [seat for seat, taken in enumerate(table.players) if taken is None]
    bots = room.opening.bots or (usual_policy(table.rules.game),)
    kinds = [*bots, *[bots[-1]] * len(empty)]
    return _joined(table, tuple(zip(empty, kinds, strict=False)), at, rng)


def _joined(table: Table, bots: tuple[tuple[Seat, str], ...], at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    entries: tuple[AnyEntry, ...] = ()
    for seat, kind in bots:
        policy(table.rules.game, kind)
        plain = "Computer" if is_pure_chance(table.rules.game) else kind.capitalize()
        join = tables.Join(seat, free_name(proper_name(plain), _names(table)), kind)
        joined = tables.decide(table, join, at, rng)
        table = tables.fold(table, joined)
        entries += joined
    return entries


def _names(table: Table) -> list[str]:
    return [player.name for player in table.players if player is not None]


# Coming and going.


def _presence(room: Room, command: Leave | Return, player: str | None, at: int, rng: Generator) -> Append:
    if player is not None:
        _require_owner(room, command.seat, player)
    if room.table.status == "finished":
        return ()
    if isinstance(command, Leave):
        return _left(room, command.seat, at, rng)
    return tables.decide(room.table, tables.Return(command.seat), at, rng)


def _left(room: Room, seat: Seat, at: int, rng: Generator) -> Append:
    left = tables.decide(room.table, tables.Leave(seat), at, rng)
    owner = room.owners[seat]
    if owner is None or owner != room.host:
        return left
    after = tables.fold(room.table, left)
    others = [
        other
        for other, (who, whose) in enumerate(zip(after.players, room.owners, strict=True))
        if who is not None and who.here and whose is not None and other != seat
    ]
    if others:
        return (*left, Hosted(at, room.owners[others[0]]))
    # Alone before the start, the host leaves an empty room, which whoever sits down next has; later nobody takes it.
    return (*left, Hosted(at, None)) if after.status == "pending" else left


# The host's.


def _hosting(
    room: Room, command: Pause | Resume | Pace | HandOver | Close, player: str | None, at: int, rng: Generator
) -> Append:
    if isinstance(command, Pace):
        own = 0 <= command.seat < len(room.owners) and player is not None and room.owners[command.seat] == player
        if not own or command.times is None:
            _require_host(room, player)
    else:
        _require_host(room, player)
    match command:
        case Pause():
            return tables.decide(room.table, tables.Pause(), at, rng)
        case Resume():
            return tables.decide(room.table, tables.Unpause(), at, rng)
        case Pace(seat=seat, times=times):
            return tables.decide(room.table, tables.Pace(seat, times), at, rng)
        case HandOver(seat=seat):
            return (Hosted(at, _require_person(room, seat)),)
        case Close(reason=reason):
            if player is not None and reason != "host":
                raise Malformed("a host closes a table as its host", what=reason, where="reason")
            if room.table.status == "finished":
                raise Stale("the game is over already")
            return (RoomClosed(at, reason),)


def _require_person(room: Room, seat: Seat) -> str:
    owner = room.owners[seat] if 0 <= seat < len(room.owners) else None
    if owner is None:
        raise NotYours(f"nobody sits in seat {seat} who could be the host", seats=(seat,))
    if owner == room.host:
        raise Stale(f"seat {seat} is the host already", seats=(seat,))
    return owner


def _require_host(room: Room, player: str | None) -> None:
    if player is not None and player != room.host:
        raise NotYours("this is for the host of the table")


def _require_owner(room: Room, seat: Seat, player: str | None) -> None:
    if not 0 <= seat < len(room.owners):
        raise NotYours(f"there is no seat {seat}: the seats are 0 to {len(room.owners) - 1}", seats=(seat,))
    if player is None or room.owners[seat] != player:
        raise NotYours(f"seat {seat} is not yours", seats=(seat,))


# Beside the game.


def _reacted(room: Room, command: React, player: str | None, at: int) -> Append:
    _require_owner(room, command.seat, player)
    if room.reactions[command.seat] >= MOST_REACTIONS:
        raise TooMany(f"you have shown {MOST_REACTIONS} reactions since the last reveal", seats=(command.seat,))
    return (Reacted(at, command.seat, command.reaction),)


def _rematched(room: Room, command: Rematch, player: str | None, at: int) -> Append:
    if player is not None and player not in room.owners and player != room.host:
        raise NotYours("a rematch is for those who played")
    if room.table.status != "finished":
        raise NotYours("there is a rematch when the game is over")
    if room.rematch is not None:
        raise Stale("there is a rematch already")
    return (Rematched(at, command.table),)


# The server's own.


def _by_server(
    room: Room, command: Tick | Extend | Bot | StandIn, player: str | None, at: int, rng: Generator
) -> Append:
    if player is not None:
        raise NotYours("this is for the server alone")
    table = room.table
    match command:
        case Tick():
            return tables.decide(table, tables.Tick(), at, rng)
        case Extend(by=by):
            return (Extended(at, by),) if table.status == "active" and table.running and by > 0 else ()
        case StandIn(seat=seat, decision=decision, action=words):
            action = None if words is None else _action(table, words)
            return tables.decide(table, tables.StandIn(seat, action, decision), at, rng)
        case Bot(seat=seat, action=words, decision=decision):
            sitting = table.players[seat] if 0 <= seat < len(table.players) else None
            if sitting is None or sitting.kind == PERSON:
                raise NotYours(f"no bot sits in seat {seat}", seats=(seat,))
            return tables.decide(table, tables.Choose(seat, _action(table, words), decision), at, rng)
