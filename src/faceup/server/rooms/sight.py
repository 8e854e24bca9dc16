"""A room as one viewer sees it: all there is to see, and nothing else."""

from typing import Any

import msgspec

from faceup.core import Action, NotYours, Seat, View
from faceup.core.record import Result, Times
from faceup.server.rooms.entries import Reason
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.opening import Opening
from faceup.server.rooms.patch import without_nulls
from faceup.server.rooms.refusals import Hidden
from faceup.server.rooms.room import Room, RoomStatus, Viewer, may_watch, viewer_of
from faceup.table import FairSight, Sight, due_of, fair_for, last_due, view_for


class RoomSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who has a seat: the name, "person" or the kind of bot, and a person's handle."""

    name: str
    kind: str
    handle: str | None = None


class RoomSight(msgspec.Struct, frozen=True, kw_only=True):
    """The room as one viewer sees it. On the wire, a field that is absent is null (`wire`).

    Attributes:
        seat: whose sight it is; null is a spectator.
        status: pending, active, finished or closed.
        opening: what was said when the room was opened.
        host: the seat of the host; null if the host has none.
        hosting: true for the host, with a seat or without; null for everybody else.
        seats: by seat, who sits there; null is an empty one.
        kept: by seat, the handle of the player for whom it is kept; "" is nobody.
        away: the seats whose players are away.
        chosen: the seats that have sealed a choice for the open decision.
        times: by seat, how many times the clock it has; null is no limit.
        decision: the number of the open decision, which a command names.
        due: when this viewer's time is up, or for a spectator the last seat's, in milliseconds since the room was
            opened; null without a clock, without a limit, or in a room that was closed.
        paused: since when the game is paused; deadlines move back by the pause when it ends.
        choice: what this viewer has sealed, in words.
        mark: what this viewer's clock plays first, in words.
        words: `view.legal` in words, one for one: what a command may hold; none while a fair deal is being made.
        view: the game, as this viewer sees it.
        result: scores and places, once they are known.
        fair: the round that a fair deal is drawn from; null at other tables.
        closed: why the room was closed.
        rematch: the room in which play goes on.
    """

    seat: Seat | None
    status: RoomStatus
    opening: Opening
    host: Seat | None
    hosting: bool | None
    seats: tuple[RoomSeat | None, ...]
    kept: tuple[str, ...]
    away: tuple[Seat, ...]
    chosen: tuple[Seat, ...]
    times: tuple[Times, ...]
    decision: int
    due: int | None
    paused: int | None
    choice: str | None
    mark: str | None
    words: tuple[str, ...]
    view: View
    result: Result | None
    fair: FairSight | None
    closed: Reason | None
    rematch: str | None


def sight_for(room: Room, viewer: Viewer, player: str | None = None) -> RoomSight:
    """The room as the seat, or a spectator (None), may see it.

    Args:
        room: as it stands.
        viewer: who looks.
        player: whose sight it is, if that is known: a host may have no seat.

    Raises:
        Hidden: a spectator, of a game at which nobody may look on.
    """
    require_watching(room, viewer)
    sight: Sight = view_for(room.table, viewer)
    return RoomSight(
        seat=viewer,
        status=room.status,
        opening=room.opening,
        host=viewer_of(room, room.host),
        hosting=hosting_of(room, viewer, player),
        seats=seats_of(room),
        kept=room.kept,
        away=away_of(room),
        chosen=chosen_of(room),
        times=room.table.paces,
        decision=sight.decision,
        due=due_for(room, viewer),
        paused=sight.paused,
        choice=in_words(room, sight.choice),
        mark=in_words(room, sight.mark),
        words=_in_words(room, sight.view),
        view=sight.view,
        result=sight.result,
        fair=fair_of(room),
        closed=room.closed,
        rematch=room.rematch,
    )


def hosting_of(room: Room, viewer: Viewer, player: str | None = None) -> bool | None:
    """True if the viewer, or the player, is the host; else None."""
    owner = player if viewer is None else room.owners[viewer]
    return True if owner is not None and owner == room.host else None


def fair_of(room: Room) -> FairSight | None:
    """The round of a fair deal; of a room that was closed nothing is hidden any more."""
    return fair_for(room.table, given_up=room.closed is not None)


def due_for(room: Room, viewer: Viewer) -> int | None:
    """When the viewer's time is up, or for a spectator the last seat's."""
    if room.closed is not None:
        return None
    return last_due(room.table) if viewer is None else due_of(room.table, viewer)


def words_for(room: Room, viewer: Viewer) -> tuple[str, ...]:
    """What the viewer may choose among, in words: nothing as long as a fair deal is being made."""
    return _in_words(room, room.table.rules.view(room.table.state, viewer))


def _in_words(room: Room, view: View) -> tuple[str, ...]:
    return () if room.table.sealing else tuple(room.table.rules.describe(action) for action in view.legal)


def wire(sight: RoomSight) -> dict[str, Any]:  # Any: JSON
    """The sight as JSON has it, its nulls left out, since a merge patch cannot tell null from absent."""
    whole: dict[str, Any] = msgspec.to_builtins(sight)
    return without_nulls(whole)


def require_watching(room: Room, viewer: Viewer) -> None:
    """Refuse a spectator where nobody may look on."""
    if viewer is None and not may_watch(room):
        raise Hidden("nobody may look on at this table before the game is over")
    if viewer is not None and not 0 <= viewer < len(room.owners):
        raise NotYours(f"there is no seat {viewer}: the seats are 0 to {len(room.owners) - 1}", seats=(viewer,))


def seats_of(room: Room) -> tuple[RoomSeat | None, ...]:
    """By seat, who sits there."""
    return tuple(
        None
        if player is None
        else RoomSeat(name=player.name, kind=player.kind, handle=None if owner is None else handle_of(owner))
        for player, owner in zip(room.table.players, room.owners, strict=True)
    )


def away_of(room: Room) -> tuple[Seat, ...]:
    """The seats whose players are away."""
    players = enumerate(room.table.players)
    return tuple(seat for seat, player in players if player is not None and not player.here)


def chosen_of(room: Room) -> tuple[Seat, ...]:
    """The seats that have sealed a choice."""
    choices = enumerate(room.table.choices)
    return tuple([seat for seat, choice in choices if choice is not None])


def in_words(room: Room, action: Action | None) -> str | None:
    """An action as commands have it."""
    return None if action is None else room.table.rules.describe(action)
