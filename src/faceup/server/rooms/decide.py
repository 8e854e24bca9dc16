"""The decide function of a room: check whether a command is allowed, and return the log entries that it leads to."""

from collections.abc import Collection

from faceup import table as tables
from faceup.bots import character_for, default_policy
from faceup.core import Generator, Malformed, Seat, WrongSeatError
from faceup.core.record import PERSON, AnyEntry, Extended, Paced
from faceup.server.rooms.bot_votes import IDLE_AFTER, idle_seats, is_outvoted, voters, waits_since
from faceup.server.rooms.commands import (
    AddBot,
    ChooseForBot,
    Close,
    DeclareProgram,
    Extend,
    React,
    Rematch,
    Remove,
    Rename,
    RoomCommand,
    Sit,
    Start,
    TransferHost,
    VoteForBot,
)
from faceup.server.rooms.config import TableConfig, check_bot
from faceup.server.rooms.daily import DailyDeal
from faceup.server.rooms.entries import (
    BotVoted,
    EntryBatch,
    HostSet,
    PlayerBarred,
    ProgramDeclared,
    RematchLinked,
    ReservationReleased,
    RoomClosed,
    RoomCreated,
    Seated,
)
from faceup.server.rooms.errors import (
    NotIdleError,
    PauseUsedUpError,
    TableClosedError,
    TableFullError,
)
from faceup.server.rooms.evolve import evolve, evolve_step
from faceup.server.rooms.host_changes import host_confirmed, host_of_newcomer, host_of_returned, inherit
from faceup.server.rooms.names import handle_of, name_among, normalize_name, unique_name
from faceup.server.rooms.reactions import react
from faceup.server.rooms.room import COUNTDOWN, Room, open_room, pause_limit, rematch_config, series_after, viewer_of
from faceup.server.rooms.seat_names import gets_first_name, name_guest, names_at, rename_before_game
from faceup.server.rooms.succession import successor
from faceup.table import Choose, ExpireDeadline, Table
from faceup.table.commands import Autoplay, Leave, Mark, OpenPledge, Pace, Pause, Pledge, Resume, Return, Unchoose
from faceup.table.errors import AlreadyDoneError, StaleCommandError


def create_entries(
    config: TableConfig, player: str | None, name: str | None, rng: Generator, *, face: str = ""
) -> EntryBatch:
    """Return the first entries of a room's log. The player becomes the host, and takes a seat if `name` is given.

    Raises:
        Malformed: the name is invalid.
    """
    first = RoomCreated(0, config, player)
    if name is None:
        return (first,)
    return (first, *decide(open_room(config, player), Sit(name, face=face), player, 0, rng))


def quick_match_entries(config: TableConfig, fill_after: int) -> EntryBatch:
    """Return the first entries of a quick match, which has no host; `fill_after` as in `RoomCreated`."""
    return (RoomCreated(0, config, None, fill_after=fill_after),)


def rematch_entries(room: Room, player: str, rng: Generator) -> EntryBatch:
    """Return the first entries of the log of a rematch.

    The player, who asks for it, becomes the host and keeps their time limit. All bots and this player take their seats
    at once, so the game starts if the others were bots.

    Args:
        room: the room of the finished game.
        player: id of a player or the host of this room.
        rng: random number generator for dealing.
    """
    config = rematch_config(room)
    entries: EntryBatch = (RoomCreated(0, config, player, series=series_after(room), barred=room.barred),)
    after = evolve(open_room(config), entries)
    table = after.table
    for seat, (occupant, owner) in enumerate(zip(room.table.players, room.owners, strict=True)):
        if occupant is not None and owner is None:
            joined = tables.decide(table, tables.Join(seat, occupant.name, occupant.kind), 0, rng)
            table = tables.fold(table, joined)
            entries += joined
    if player not in room.owners:
        return entries
    seat = room.owners.index(player)
    sit = Sit(room.table.names[seat], face=room.faces[seat])
    entries += decide(evolve(open_room(config), entries), sit, player, 0, rng)
    times = room.table.paces[seat]
    return entries if times == 1 else (*entries, Paced(0, seat, times))


def create_daily_entries(
    config: TableConfig,
    player: str,
    name: str,
    daily: DailyDeal,
    rng: Generator,
    *,
    face: str,
    program: bool,
) -> EntryBatch:
    """Return the first entries of a player's attempt at a daily deal: everyone has a seat, and the cards are dealt.

    The room has no host, so no one can pause or close it.

    Args:
        config: the configuration of the day, which names the bots.
        player: id of the player, who gets seat 0.
        name: the player's name at the table.
        daily: the daily deal.
        rng: the generator that deals the cards of the day.
        face: the player's face.
        program: whether the player is a program.

    Raises:
        Malformed: the name is invalid.
    """
    room = open_room(config)
    joined = tables.decide(room.table, tables.Join(0, normalize_name(name), PERSON), 0, rng)
    dealt = _fill_with_bots(room, tables.fold(room.table, joined), 0, rng)
    declared = (ProgramDeclared(0, player),) if program else ()
    return (RoomCreated(0, config, None, daily=daily), Seated(0, 0, player, face), *declared, *joined, *dealt)


def step(
    room: Room, command: RoomCommand, player: str | None, now: int, rng: Generator, *, key: str | None = None
) -> tuple[EntryBatch, Room]:
    """Return the entries of a command, and the room after them; `key` is the id of the command.

    For choices this is faster than `decide` followed by `evolve`, because the step of the table is computed only once.
    """
    if isinstance(command, Mark | Choose | Unchoose | Pledge | OpenPledge) and room.closed is None:
        _require_owner(room, command.seat, player)
        try:
            done = tables.step(room.table, command, max(now, room.at), rng)
        except AlreadyDoneError:
            return (), room  # nothing changes, for example because autoplay has already played the same card
        return done.entries, evolve_step(room, done, key)
    batch = decide(room, command, player, now, rng)
    return batch, evolve(room, batch, key) if batch else room


def decide(room: Room, command: RoomCommand, player: str | None, now: int, rng: Generator) -> EntryBatch:
    """Return the entries of a command, or no entries if it changes nothing. Append all of them to the log, or none.

    Args:
        room: the current room.
        command: the command.
        player: id of the sender. None means the server itself, which may give any command except a person's choices.
        now: milliseconds since the room was created. If this is before the last entry, that entry's time is used.
        rng: random number generator for dealing and for the autoplay policy.

    Raises:
        Malformed, IllegalActionError, WrongSeatError, StaleCommandError, GamePausedError: the table rejects the
            command.
        TableFullError, TooManyReactionsError, NotIdleError, TableClosedError: the room rejects the command.
    """
    at = max(now, room.at)
    if room.closed is not None:
        if isinstance(command, ExpireDeadline | Extend):
            return ()
        raise TableClosedError("this table is closed")
    match command:
        case Sit() | Rename() | AddBot() | Remove() | Start():
            entries = _decide_lobby(room, command, player, at, rng)
            confirmed = host_confirmed(room, command, player, at) if entries else ()
            return (*confirmed, *entries, *_extend_by_countdown(room, entries, at))
        case Leave() | Return():
            return _decide_presence(room, command, player, at, rng)
        case Pause() | Resume() | Pace() | TransferHost() | Close():
            entries = _decide_host(room, command, player, at, rng)
            return (*host_confirmed(room, command, player, at), *entries) if entries else ()
        case DeclareProgram():
            return _declare_program(room, player, at)
        case React() | VoteForBot() | Rematch():
            return _decide_others(room, command, player, at, rng)
        case Mark() | Choose() | Unchoose() | Pledge() | OpenPledge():
            return step(room, command, player, at, rng)[0]
        case ExpireDeadline() | Extend() | ChooseForBot() | Autoplay():
            return _decide_server(room, command, player, at, rng)


# Commands before the game starts.


def _decide_lobby(
    room: Room, command: Sit | Rename | AddBot | Remove | Start, player: str | None, at: int, rng: Generator
) -> EntryBatch:
    if isinstance(command, Sit):
        return _sit(room, command, player, at, rng)
    if not isinstance(command, Rename):
        _require_host(room, player)
    elif gets_first_name(room, command):
        _require_owner(room, command.seat, player)
        return name_guest(room, command, at)
    if room.table.status != "pending":
        raise StaleCommandError("the game has already started")
    match command:
        case Rename():
            _require_owner(room, command.seat, player)
            return rename_before_game(room, command, at, rng)
        case AddBot(kind=kind, seat=seat):
            seat = _free_seat(room, "") if seat is None else seat
            _require_not_reserved(room, seat, "")
            return _join_bots(room.table, ((seat, kind),), at, rng)
        case Remove(seat=seat):
            if 0 <= seat < len(room.reserved) and room.reserved[seat]:
                return (ReservationReleased(at, seat),)
            return _remove(room, seat, at, rng)
        case Start():
            return _fill_with_bots(room, room.table, at, rng)


def _extend_by_countdown(room: Room, entries: EntryBatch, at: int) -> EntryBatch:
    """Return an entry that extends the first deadline of a rematch by its countdown, if there is a deadline."""
    if room.series is None or not entries:
        return ()
    after = evolve(room, entries)
    return () if after.countdown_ends is None or after.table.deadline is None else (Extended(at, COUNTDOWN),)


def _sit(room: Room, command: Sit, player: str | None, at: int, rng: Generator) -> EntryBatch:
    if player is None:
        raise Malformed("a player is required to take a seat", where="player")
    name = name_among(command.name, names_at(room.table))
    if player in room.owners:
        raise StaleCommandError(
            f"you already have seat {room.owners.index(player)}", seats=(room.owners.index(player),)
        )
    if player in room.barred:
        raise WrongSeatError("the host removed you from this table: you can watch it, and play at other tables")
    handle = handle_of(player)
    if None not in room.table.players:
        raise TableFullError("every seat is taken")
    seat = _free_seat(room, handle) if command.seat is None else command.seat
    _require_not_reserved(room, seat, handle)
    joined = tables.decide(room.table, tables.Join(seat, name, PERSON), at, rng)
    entries = (Seated(at, seat, player, command.face), *host_of_newcomer(room, player, at), *joined)
    awaited = [other for other, handle in enumerate(room.reserved) if handle and other != seat]
    if any(room.reserved) and not awaited:
        # The rematch starts, because all reserved seats are now taken.
        return (*entries, *_fill_with_bots(room, tables.fold(room.table, joined), at, rng))
    return entries


def _remove(room: Room, seat: Seat, at: int, rng: Generator) -> EntryBatch:
    left = _leave(room, seat, at, rng)
    owner = room.owners[seat]
    return left if owner is None or owner == room.host else (PlayerBarred(at, seat, owner), *left)


def _free_seat(room: Room, handle: str) -> Seat:
    """Return the seat that is reserved for the handle, or else the first free seat that is not reserved."""
    if handle and handle in room.reserved:
        return room.reserved.index(handle)
    for seat, (taken, reserved) in enumerate(zip(room.table.players, room.reserved, strict=True)):
        if taken is None and not reserved:
            return seat
    raise TableFullError("every seat is taken or reserved for another player")


def _require_not_reserved(room: Room, seat: Seat, handle: str) -> None:
    if 0 <= seat < len(room.reserved) and room.reserved[seat] not in {"", handle}:
        raise TableFullError(f"seat {seat} is reserved for another player", seats=(seat,))


def _fill_with_bots(room: Room, table: Table, at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """Fill all empty seats with bots, which starts the game."""
    empty = [seat for seat, taken in enumerate(table.players) if taken is None]
    bots = room.config.bots or (default_policy(table.rules.game),)
    kinds = [*bots, *[bots[-1]] * len(empty)]
    return _join_bots(table, tuple(zip(empty, kinds, strict=False)), at, rng)


def _join_bots(table: Table, bots: tuple[tuple[Seat, str], ...], at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    entries: tuple[AnyEntry, ...] = ()
    for seat, kind in bots:
        check_bot(table.rules.game, kind)
        name = character_for(table.rules.game, kind, names_at(table))
        join = tables.Join(seat, unique_name(normalize_name(name), names_at(table)), kind)
        joined = tables.decide(table, join, at, rng)
        table = tables.fold(table, joined)
        entries += joined
    return entries


def _names(table: Table) -> list[str]:
    return [player.name for player in table.players if player is not None]


def _declare_program(room: Room, player: str | None, at: int) -> EntryBatch:
    if player is None or player not in room.owners:
        raise WrongSeatError("only a player of this table can be a program")
    return () if player in room.programs else (ProgramDeclared(at, player),)


# Leave and return.


def _decide_presence(room: Room, command: Leave | Return, player: str | None, at: int, rng: Generator) -> EntryBatch:
    if player is not None:
        _require_owner(room, command.seat, player)
    if room.table.status == "finished":
        return ()
    if isinstance(command, Leave):
        return _leave(room, command.seat, at, rng)
    returned = tables.decide(room.table, command, at, rng)
    return (*returned, *host_of_returned(room, command.seat, at)) if returned else ()


def _leave(room: Room, seat: Seat, at: int, rng: Generator) -> EntryBatch:
    left = tables.decide(room.table, Leave(seat), at, rng)
    after = tables.fold(room.table, left)
    if room.fill_after and after.status == "pending" and all(player is None for player in after.players):
        return (*left, RoomClosed(at, "abandoned"))
    return (*left, *inherit(room, seat, after, at))


def departure(room: Room, people: Collection[str], now: int, rng: Generator) -> EntryBatch:
    """Return the entries with which players, who were erased or banned, leave a table that is not over.

    In a game, they count as absent. Before it, their seats become free. If one of them is the host, another player
    becomes the host, even if all others are absent.
    """
    at = max(now, room.at)
    entries: EntryBatch = ()
    for seat, owner in enumerate(room.owners):
        player = room.table.players[seat]
        if room.status in {"pending", "active"} and owner in people and player is not None and player.here:
            left = _leave(room, seat, at, rng)
            entries, room = (*entries, *left), evolve(room, left)
    if room.host not in people or room.status not in {"pending", "active"}:
        return entries
    seats = zip(room.owners, room.table.players, strict=True)
    others = [(owner, player.here) for owner, player in seats if owner not in people and owner and player is not None]
    return (*entries, HostSet(at, successor(others)))


# Commands of the host.


def _decide_host(
    room: Room, command: Pause | Resume | Pace | TransferHost | Close, player: str | None, at: int, rng: Generator
) -> EntryBatch:
    if isinstance(command, Pace):
        is_own = 0 <= command.seat < len(room.owners) and player is not None and room.owners[command.seat] == player
        if not is_own or command.times is None:
            _require_host(room, player)
    else:
        _require_host(room, player)
    match command:
        case Pause() | Resume() | Pace():
            if isinstance(command, Pause) and player is not None and pause_limit(room) == 0:
                raise PauseUsedUpError(
                    "this rated game was paused for as long as a choice may take: play it to its end"
                )
            return tables.decide(room.table, command, at, rng)
        case TransferHost(seat=seat):
            return (HostSet(at, _require_person(room, seat)),)
        case Close(reason=reason):
            if player is not None and reason != "host":
                raise Malformed(
                    f"a client must close a table with the reason 'host'; got {reason!r}", what=reason, where="reason"
                )
            if room.table.status == "finished":
                raise StaleCommandError("the game is already over")
            if room.config.rated and room.table.status == "active" and reason in {"host", "abandoned"}:
                return _play_out(room, player, at, rng)
            return (RoomClosed(at, reason),)


def _play_out(room: Room, player: str | None, at: int, rng: Generator) -> EntryBatch:
    """Return the entries after which bots finish an abandoned rated game: everyone leaves, and the game is resumed.

    So no one avoids a defeat. Raises `WrongSeatError` if a player, who is the host, wants to close the table.
    """
    if player is not None:
        raise WrongSeatError("a rated game cannot be closed: leave your seat, and a bot plays on for you")
    people = enumerate(zip(room.table.players, room.owners, strict=True))
    present = [seat for seat, (occupant, owner) in people if occupant is not None and occupant.here and owner]
    pauses = () if room.table.paused is not None else (Pause(),)
    entries, table = list[AnyEntry](), room.table
    for command in (*map(Leave, present), *pauses, Resume()):
        decided = tables.step(table, command, at, rng)
        entries, table = [*entries, *decided.entries], decided.table
    return tuple(entries)


def _require_person(room: Room, seat: Seat) -> str:
    owner = room.owners[seat] if 0 <= seat < len(room.owners) else None
    if owner is None:
        raise WrongSeatError(f"seat {seat} has no player who could be the host", seats=(seat,))
    if owner == room.host:
        raise StaleCommandError(f"seat {seat} is already the host", seats=(seat,))
    return owner


def _require_host(room: Room, player: str | None) -> None:
    if player is not None and player != room.host:
        raise WrongSeatError("only the host of the table may do this")


def _require_owner(room: Room, seat: Seat, player: str | None) -> None:
    if not 0 <= seat < len(room.owners):
        raise WrongSeatError(f"there is no seat {seat}: the seats are 0 to {len(room.owners) - 1}", seats=(seat,))
    if player is None or room.owners[seat] != player:
        raise WrongSeatError(f"seat {seat} is not yours", seats=(seat,))


# Reactions, votes and rematch.


def _decide_others(
    room: Room, command: React | VoteForBot | Rematch, player: str | None, at: int, rng: Generator
) -> EntryBatch:
    match command:
        case React():
            _require_owner(room, command.seat, player)
            return react(room, command, player, at)
        case VoteForBot():
            return _vote_for_bot(room, command, player, at, rng)
        case Rematch():
            return _link_rematch(room, command, player, at)


def _vote_for_bot(room: Room, command: VoteForBot, player: str | None, at: int, rng: Generator) -> EntryBatch:
    """Return the vote and, if it decides, that the idle player counts as absent."""
    idle = command.seat
    if idle not in idle_seats(room):
        raise NotIdleError(f"the game does not wait for seat {idle}, or the seat has a deadline", seats=(idle,))
    voter = room.owners.index(player) if player in room.owners else None
    if voter not in voters(room) or voter is None:
        raise WrongSeatError("only players of this game who have chosen may vote")
    if at < waits_since(room, idle) + IDLE_AFTER:
        raise NotIdleError(f"a player counts as idle after {IDLE_AFTER // 1000} seconds: wait a moment", seats=(idle,))
    if (voter, idle) in room.bot_votes:
        return ()
    decides = is_outvoted(room, idle, room.bot_votes | {(voter, idle)})
    return (BotVoted(at, voter, idle), *(_leave(room, idle, at, rng) if decides else ()))


def _link_rematch(room: Room, command: Rematch, player: str | None, at: int) -> EntryBatch:
    if player is not None and player not in room.owners and player != room.host:
        raise WrongSeatError("only the players of this game may ask for a rematch")
    if room.table.status != "finished":
        raise WrongSeatError("a rematch is possible only after the game is over")
    if room.daily is not None:
        raise WrongSeatError("a daily deal has no rematch: everyone has one attempt")
    if room.tournament is not None:
        raise WrongSeatError("a table of a tournament has no rematch: the next round follows")
    if room.rematch != command.instead:
        raise StaleCommandError("the rematch was already created")
    return (RematchLinked(at, command.table, viewer_of(room, player)),)


# Commands of the server.


def _decide_server(
    room: Room, command: ExpireDeadline | Extend | ChooseForBot | Autoplay, player: str | None, at: int, rng: Generator
) -> EntryBatch:
    if player is not None:
        raise WrongSeatError("only the server may do this")
    table = room.table
    match command:
        case ExpireDeadline() | Autoplay():
            return tables.decide(table, command, at, rng)
        case Extend(by=by):
            return (Extended(at, by),) if table.status == "active" and table.running and by > 0 else ()
        case ChooseForBot(seat=seat, action=text, decision=decision):
            occupant = table.players[seat] if 0 <= seat < len(table.players) else None
            if occupant is None or occupant.kind == PERSON:
                raise WrongSeatError(f"seat {seat} has no bot", seats=(seat,))
            return tables.decide(table, Choose(seat, text, decision), at, rng)
