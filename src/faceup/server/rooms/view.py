"""The view of a room for one viewer, without anything that is secret from this viewer."""

from typing import Any

import msgspec

from faceup.core import Action, Seat, View, WrongSeatError
from faceup.core.record import Result, Times
from faceup.server.rooms.bot_votes import idle_from
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.entries import Reason, TournamentTable
from faceup.server.rooms.errors import SpectatorsOffError
from faceup.server.rooms.merge_patch import drop_nulls
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.reactions import Pin, pins
from faceup.server.rooms.room import PlayerIds, Room, RoomStatus, Viewer, as_ids, may_watch, series_after, viewer_of
from faceup.server.rooms.series import Series
from faceup.table import view_for
from faceup.table.table import deadline_of, last_deadline
from faceup.table.views import FairView, TableView, fair_view


class RoomSeat(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a seat.

    Attributes:
        name: the name shown at the table.
        kind: "person", or the name of the bot.
        handle: the public handle of a person; null for a bot.
        face: the animal and colour that a person chose, as in "fox-3"; null for a bot, and before a person chose one.
        program: true if a program of this person plays; null if not.
    """

    name: str
    kind: str
    handle: str | None = None
    face: str | None = None
    program: bool | None = None


class RoomView(msgspec.Struct, frozen=True, kw_only=True):
    """The room as one viewer sees it. In JSON, null members are left out (`encode_room_view`).

    Attributes:
        seat: the viewer's seat; null for a spectator.
        status: pending, active, finished or closed.
        config: the table's configuration: game, variant, options, terms, and who may watch.
        host: the host's seat; null if the host has no seat.
        is_host: true for the host, who can start, pause and close the game and remove players; null for all others.
        removed: true for a player that the host has removed, who can only watch; null for all others.
        seats: for each seat, its player; null if the seat is empty.
        reserved: for each seat, the handle of the player it is reserved for; "" if it is not reserved.
        away: the seats with absent players.
        chosen: the seats that have chosen in the current decision.
        times: for each seat, its time limit as a multiple of the clock; null if it has no limit.
        decision: the number of the current decision, which commands must state.
        due: the viewer's deadline (for a spectator, the latest deadline of all seats), in milliseconds since the room
            was created; null if there is no clock or time limit, or if the room is closed.
        paused: when the game was paused; resuming the game makes deadlines later by the length of the pause.
        choice: the viewer's choice, in notation.
        mark: the action to play if the viewer's time runs out, in notation.
        actions: the actions of `view.legal` in notation, in the same order; empty while a fair deal is being made.
        view: the viewer's view of the game.
        result: scores and places after the game is over.
        fair: the current round of a fair deal; null at tables without fair deals.
        closed: why the room was closed; null if it is open.
        rematch: id of the table of the rematch.
        series: the score of a rematch's series: of the games before, and of this game when it is finished; null in a
            first game.
        fills_at: when bots fill the empty seats of a quick match and the game starts, in milliseconds since the room
            was created; null at other tables, and when the game has started.
        countdown_ends: when the countdown of a rematch ends, in milliseconds since the room was created; null without
            one. Players can choose before.
        daily: the date of the daily deal that is played at this table, such as "2026-11-23"; null at other tables.
        tournament: the tournament of which this is a table; null at other tables.
        hints: whether players may ask the coach for advice.
        idle_from: for each seat, when a player who has not chosen counts as idle, so that the others can vote that a
            bot plays, in milliseconds since the room was created; null for a seat with a deadline. Null at tables where
            every seat has one.
        pins: the emotes that are pinned to cards until the next reveal, oldest first; null if there are none.
        rated: whether the game changes ratings, with the people and programs who have seats now.
    """

    seat: Seat | None
    status: RoomStatus
    config: TableConfig
    host: Seat | None
    is_host: bool | None
    removed: bool | None
    seats: tuple[RoomSeat | None, ...]
    reserved: tuple[str, ...]
    away: tuple[Seat, ...]
    chosen: tuple[Seat, ...]
    times: tuple[Times, ...]
    decision: int
    due: int | None
    paused: int | None
    choice: str | None
    mark: str | None
    actions: tuple[str, ...]
    view: View
    result: Result | None
    fair: FairView | None
    closed: Reason | None
    rematch: str | None
    series: Series | None
    fills_at: int | None
    countdown_ends: int | None
    daily: str | None
    tournament: TournamentTable | None
    hints: bool
    idle_from: tuple[int | None, ...] | None
    pins: tuple[Pin, ...] | None
    rated: bool


def room_view_for(room: Room, viewer: Viewer, player: PlayerIds | None = None) -> RoomView:
    """Return the room as a seat, or a spectator (None), may see it.

    Args:
        room: the current room.
        viewer: the seat, or None for a spectator.
        player: the ids of the viewer, if known. They are needed to recognize a host by another id, and a player whom
            the host has removed.

    Raises:
        SpectatorsOffError: the viewer is a spectator, and spectators are off.
    """
    require_may_watch(room, viewer)
    table: TableView = view_for(room.table, viewer)
    return RoomView(
        seat=viewer,
        status=room.status,
        config=room.config,
        host=viewer_of(room, room.host),
        is_host=is_host_for(room, viewer, player),
        removed=True if viewer is None and not set(room.barred).isdisjoint(as_ids(player)) else None,
        seats=seats_of(room),
        reserved=room.reserved,
        away=away_seats(room),
        chosen=chosen_seats(room),
        times=room.table.paces,
        decision=table.decision,
        due=due_for(room, viewer),
        paused=table.paused,
        choice=describe_action(room, table.choice),
        mark=describe_action(room, table.mark),
        actions=_describe_legal(room, table.view),
        view=table.view,
        result=table.result,
        fair=fair_of(room),
        closed=room.closed,
        rematch=room.rematch,
        series=series_of(room),
        fills_at=room.fills_at,
        countdown_ends=room.countdown_ends,
        daily=None if room.daily is None else room.daily.date,
        tournament=room.tournament,
        hints=may_have_hints(room),
        idle_from=idle_from(room),
        pins=pins(room),
        rated=room.rated,
    )


def is_host_for(room: Room, viewer: Viewer, player: PlayerIds | None = None) -> bool | None:
    """Return True if the viewer is the host, by the seat or by one of the ids `player`, else None."""
    ids = as_ids(player)
    own = ids if viewer is None else (room.owners[viewer], *ids)
    return True if room.host is not None and room.host in own else None


def fair_of(room: Room) -> FairView | None:
    """Return the current round of a fair deal, or None. In a closed room, the round includes the server's secret."""
    return fair_view(room.table, given_up=room.closed is not None)


def series_of(room: Room) -> Series | None:
    """Return the score of a rematch's series, which includes this game when it is finished; None in a first game."""
    return None if room.series is None else series_after(room) if room.status == "finished" else room.series


def may_have_hints(room: Room) -> bool:
    """Return whether players may ask the coach for advice.

    They always may if one person plays against bots, and several people may if the terms allow it. There are no hints
    in a rated game, in a daily deal and in a tournament, in which people compete although one may play against bots.
    """
    if room.config.rated or room.daily is not None or room.tournament is not None:
        return False
    people = sum(owner is not None for owner in room.owners)
    return people == 1 or room.table.terms.hints


def due_for(room: Room, viewer: Viewer) -> int | None:
    """Return the viewer's deadline, or for a spectator the latest deadline of all seats; None if there is none."""
    if room.closed is not None:
        return None
    return last_deadline(room.table) if viewer is None else deadline_of(room.table, viewer)


def legal_actions_for(room: Room, viewer: Viewer) -> tuple[str, ...]:
    """Return the viewer's legal actions in notation; empty while a fair deal is being made."""
    return _describe_legal(room, room.table.rules.view(room.table.state, viewer))


def _describe_legal(room: Room, view: View) -> tuple[str, ...]:
    return () if room.table.committing else tuple(room.table.rules.describe(action) for action in view.legal)


def encode_room_view(room_view: RoomView) -> dict[str, Any]:  # Any: JSON
    """Convert a room view to a JSON object without null members, because a merge patch cannot set a member to null."""
    members: dict[str, Any] = msgspec.to_builtins(room_view)
    return drop_nulls(members)


def require_may_watch(room: Room, viewer: Viewer) -> None:
    """Check that the viewer may watch the room.

    Raises:
        SpectatorsOffError: the viewer is a spectator, and spectators are off.
        WrongSeatError: there is no such seat.
    """
    if viewer is None and not may_watch(room):
        when = "until the game is over" if room.daily is None else "because it is an attempt at the daily deal"
        raise SpectatorsOffError(f"this table allows no spectators {when}")
    if viewer is not None and not 0 <= viewer < len(room.owners):
        raise WrongSeatError(f"there is no seat {viewer}: the seats are 0 to {len(room.owners) - 1}", seats=(viewer,))


def seats_of(room: Room) -> tuple[RoomSeat | None, ...]:
    """Return the player of each seat; None for an empty seat."""
    return tuple(
        None
        if player is None
        else RoomSeat(
            name=player.name,
            kind=player.kind,
            handle=None if owner is None else handle_of(owner),
            face=None if owner is None else face or None,
            program=True if owner in room.programs else None,
        )
        for player, owner, face in zip(room.table.players, room.owners, room.faces, strict=True)
    )


def away_seats(room: Room) -> tuple[Seat, ...]:
    """Return the seats with absent players."""
    players = enumerate(room.table.players)
    return tuple(seat for seat, player in players if player is not None and not player.here)


def chosen_seats(room: Room) -> tuple[Seat, ...]:
    """Return the seats that have chosen in the current decision."""
    choices = enumerate(room.table.choices)
    return tuple([seat for seat, choice in choices if choice is not None])


def describe_action(room: Room, action: Action | None) -> str | None:
    """Return an action in notation; None for no action."""
    return None if action is None else room.table.rules.describe(action)
