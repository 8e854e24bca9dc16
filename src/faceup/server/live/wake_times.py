"""What the database has of a room besides its log: its next wake time and its cost."""

from typing import Final

from faceup.bots import policy
from faceup.bots.search_policies import Level, SearchPolicy
from faceup.core import Malformed, Seat
from faceup.core.record import (
    PERSON,
    Applied,
    Chosen,
    Joined,
    Left,
    Listed,
    Marked,
    Paced,
    Paused,
    PledgeOpened,
    Returned,
    SecretCommitted,
    TimedOut,
    Unchosen,
    Unpaused,
)
from faceup.extras import MissingExtraError
from faceup.server.live.timeouts import Timeouts
from faceup.server.rooms import Room
from faceup.server.rooms.room import pause_limit
from faceup.server.store import TableOrigin
from faceup.table.fair_round import awaited_seats

_STEPS: Final = 16
"""The time at which an abandoned table is closed is rounded up to a multiple of 1/16 of the timeout.

Therefore most choices leave the wake time unchanged. Updating this indexed column for every choice would write three
database pages in addition to the four that a choice needs anyway.
"""


def wake_time(room: Room, opened_at: int, timeouts: Timeouts) -> int | None:
    """Return when a process must visit the room if its log has not grown by then; None if the table is over.

    Args:
        room: the current room.
        opened_at: when the table was opened, in milliseconds since 1970.
        timeouts: timeouts of the server.

    Returns:
        Milliseconds since 1970.
    """
    table = room.table
    match room.status:
        case "pending":
            wake = abandoned_at(room, opened_at, timeouts)
            return opened_at + (wake if room.fills_at is None else min(wake, room.fills_at))
        case "active":
            wake = _rounded_up(abandoned_at(room, opened_at, timeouts), timeouts.abandoned // _STEPS)
            if table.paused is not None:
                limit = None if room.daily is not None else longest_pause(room, timeouts)
                return opened_at + (wake if limit is None else min(wake, table.paused + limit))
            waiting = table.waiting
            if (due := table.due) is not None:
                wake = min(wake, due + timeouts.lag)
            if any(is_autoplayed(room, seat) for seat in waiting):
                wake = min(wake, room.at + timeouts.take_over)
            return opened_at + wake
        case _:
            return None


def longest_pause(room: Room, timeouts: Timeouts) -> int | None:
    """Return how long the open pause may last, in milliseconds; None for an unrated correspondence game."""
    return pause_limit(room) if room.config.correspondence else timeouts.max_pause


def abandoned_at(room: Room, opened_at: int, timeouts: Timeouts, *, connected_at: int = 0, outages: int = 0) -> int:
    """Return when the room counts as abandoned if nothing happens, in milliseconds since it was opened.

    A daily deal can be resumed until its day has ended. A correspondence game is not abandoned as long as any person
    acts: its deadlines alone do not keep it open.

    Args:
        room: the current room.
        opened_at: when the table was opened, in milliseconds since 1970.
        timeouts: timeouts of the server.
        connected_at: when players may last have been connected, in milliseconds since the table was opened.
        outages: the total length of the outages since a person last did something, in milliseconds.
    """
    if room.config.correspondence:
        return last_action_at(room) + timeouts.dormant + outages
    last = max(room.at, connected_at) + (timeouts.forgotten if room.status == "pending" else timeouts.abandoned)
    return last if room.daily is None else max(last, room.daily.ends_at - opened_at)


def last_action_at(room: Room) -> int:
    """Return when a person last did something at the table, in milliseconds since it was opened.

    Before the start, only people do anything.
    """
    if room.status == "pending":
        return room.at
    people = room.table.people
    for entry in reversed(room.table.entries):
        match entry:
            case Paused() | Unpaused():
                return entry.at
            case Chosen() | Marked() | Unchosen() | Joined() | Left() | Returned() | Paced() if entry.seat in people:
                return entry.at
            case _:
                pass
    return 0


def _rounded_up(time: int, step: int) -> int:
    return time if step < 1 else -(-time // step) * step


def decision_started_at(room: Room) -> int | None:
    """Return when the open decision started, in milliseconds since the table was opened; None if none is open.

    A step of a fair deal that waits for clients counts as a decision.
    """
    if not room.table.deciders and not awaited_seats(room.table):
        return None
    starts = SecretCommitted | Listed if room.table.committing else Applied | Joined | Listed | PledgeOpened
    for entry in reversed(room.table.entries):
        if isinstance(entry, starts):
            return entry.at
    return None


def was_running_at(room: Room, opened_at: int, moment: int) -> bool:
    """Return whether the current deadline was already running at `moment` (milliseconds since 1970)."""
    if room.status != "active" or room.table.due is None:
        return False
    started = decision_started_at(room)
    return started is not None and opened_at + started <= moment


def paused_by_absence(room: Room) -> bool:
    """Return whether the game was paused because all players were away, so that it resumes when one of them returns."""
    return room.table.paused is not None and isinstance(_without_people(room), Paused)


def is_played_out(room: Room) -> bool:
    """Return whether bots finish an abandoned rated game, which was resumed without people, and no one has returned."""
    return room.config.rated and room.table.paused is None and isinstance(_without_people(room), Unpaused)


def _without_people(room: Room) -> Paused | Unpaused | None:
    """Return the last pause or its end if all players were away then. The end of a pause counts until one returns."""
    people, away = room.table.people, set[int]()
    last: Paused | Unpaused | None = None
    for entry in room.table.entries:
        match entry:
            case Left():
                away.add(entry.seat)
            case Returned() | Joined():
                away.discard(entry.seat)
                last = last if isinstance(last, Paused) else None
            case Paused() | Unpaused():
                last = entry if away.issuperset(people) else None
            case _:
                pass
    return last


def turns_without_choice(room: Room) -> int:
    """Return in how many turns in a row, including the open one, no person has chosen, marked a choice or returned."""
    people = room.table.people
    turns, timed_out = 1, True
    for entry in reversed(room.table.entries):
        match entry:
            case TimedOut() if not timed_out:
                turns, timed_out = turns + 1, True
            case Applied():
                timed_out = False
            case Joined() | Unpaused():
                break
            case Chosen() | Marked() | Unchosen() | Returned() | Paced() if entry.seat in people:
                break
            case _:
                pass
    return turns


def table_cost(room: Room) -> tuple[int, bool]:
    """Return what a room counts in the limits on open tables, and whether only bots have seats.

    A room counts 1, and 1 more for each bot that searches. Bots that will fill seats at the start count already.
    """
    config = room.config
    kinds = [player.kind for player in room.table.players if player is not None]
    empty = len(room.table.players) - len(kinds)
    if room.status == "pending" and config.bots:
        kinds += [*config.bots[:empty], *[config.bots[-1]] * (empty - len(config.bots))]
    bots = [kind for kind in kinds if kind != PERSON]
    return 1 + sum(is_search_bot(config.game, kind) for kind in bots), bool(bots) and len(bots) == len(kinds)


def table_origin(room: Room, source: str, creator: str) -> TableOrigin:
    """Return who created a table, and what it counts in the limits on open tables; see `TableOrigin`."""
    cost, bot_only = table_cost(room)
    return TableOrigin(
        source=source, creator=creator, cost=cost, bot_only=bot_only, correspondence=room.config.correspondence
    )


def is_search_bot(game: str, kind: str) -> bool:
    """Return whether a bot searches, so that it needs a worker process. A bot that is not installed does not."""
    try:
        return isinstance(policy(game, kind), Level | SearchPolicy)
    except (Malformed, MissingExtraError):
        return False


def is_autoplayed(room: Room, seat: Seat) -> bool:
    """Return whether the server chooses for the seat, because the seat has a bot or its player is away.

    A daily deal waits for its player.
    """
    player = room.table.players[seat]
    return player is not None and (player.kind != PERSON or (not player.here and room.daily is None))
