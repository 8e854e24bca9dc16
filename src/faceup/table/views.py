"""Views: what each viewer may see of a table.

Entries are never sent while a game is in progress, since they contain deals and secret choices. Instead, a viewer gets
events, and a `TableView` with everything to show. A view is not made by removing secrets from the full state, which
could miss some. Instead, a `TableView` has no field for another seat's choice or mark, and each event names its
audience.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from faceup.core import Action, Event, Seat, View
from faceup.core.record import Result, Terms, Times
from faceup.table.errors import require_seat
from faceup.table.evolve import evolve
from faceup.table.table import Status, Table, deadline_of, last_deadline, open_table


class SeatView(msgspec.Struct, frozen=True):
    """The public view of a taken seat.

    `here` is false while the player is away. `chosen` is true once the seat has chosen for the open decision. `times`
    is the seat's time limit as a multiple of the clock; None means no limit.
    """

    name: str
    kind: str
    here: bool
    chosen: bool
    times: Times


class FairView(msgspec.Struct, frozen=True, kw_only=True):
    """The public view of a round of a fair deal. Hashes and bytes are in hexadecimal.

    Attributes:
        number: number of the round, from 0; a new round starts when a seat is excluded.
        commitment: hash of the server's secret.
        pledges: for each seat, the hash of its contribution; null before the seat pledges.
        listed: the seats that contribute; null while pledging is open.
        contributions: for each seat, its contribution; null before the seat opens its pledge.
        left_out: the seats that did not open their pledges in time, in this round and in earlier rounds.
        due: deadline for pledging, or for opening the pledges once the contributors are listed.
        secret: the server's secret; null until the round is void or the match ends.
    """

    number: int
    commitment: str
    pledges: tuple[str | None, ...]
    listed: tuple[Seat, ...] | None = None
    contributions: tuple[str | None, ...]
    left_out: tuple[Seat, ...]
    due: int
    secret: str | None = None


class TableView(msgspec.Struct, frozen=True):
    """The table as one viewer sees it.

    Attributes:
        seat: the viewing seat; None for a spectator.
        status: pending, active or finished.
        terms: the settings besides the rules.
        seats: for each seat, its public view; None for an empty seat.
        decision: the number of the open decision, which commands state.
        due: the viewer's deadline (for a spectator, the latest deadline of all seats), in milliseconds since the table
            was created; None if there is no clock or time limit.
        paused: when the game was paused, in milliseconds since the table was created; None if it is not paused.
            Resuming the game makes deadlines later by the length of the pause.
        choice: the viewer's secret choice; None if the viewer has not chosen.
        mark: the action to play if the viewer's time runs out; None if the viewer has marked no action.
        view: the viewer's view of the game; `view.legal` holds the actions that the viewer may choose.
        result: scores and ranks; None until the game is over.
        fair: the round of a fair deal; None at tables without fair deals.
    """

    seat: Seat | None
    status: Status
    terms: Terms
    seats: tuple[SeatView | None, ...]
    decision: int
    due: int | None
    paused: int | None
    choice: Action | None
    mark: Action | None
    view: View
    result: Result | None
    fair: FairView | None = None


class HistoryEvent(NamedTuple):
    """An event with its time, in milliseconds since the table was created."""

    at: int
    event: Event


def view_for(table: Table, viewer: Seat | None) -> TableView:
    """Return the table as a seat, or a spectator (None), may see it. Raises `WrongSeatError` for another seat."""
    if viewer is not None:
        require_seat(table, viewer)
    rules, state = table.rules, table.state
    deciders, waiting = table.deciders, table.waiting
    finished = table.status == "finished"
    return TableView(
        seat=viewer,
        status=table.status,
        terms=table.terms,
        seats=tuple(
            None
            if player is None
            else SeatView(player.name, player.kind, player.here, seat in deciders and seat not in waiting, times)
            for seat, (player, times) in enumerate(zip(table.players, table.paces, strict=True))
        ),
        decision=table.decision,
        due=last_deadline(table) if viewer is None else deadline_of(table, viewer),
        paused=table.paused,
        choice=None if viewer is None else table.choices[viewer],
        mark=None if viewer is None else table.marks[viewer],
        view=rules.view(state, viewer),
        result=Result(rules.scores(state), rules.ranks(state)) if finished else None,
        fair=fair_view(table),
    )


def fair_view(table: Table, *, given_up: bool = False) -> FairView | None:
    """Return the public view of a fair deal's round; None if there is no round.

    Args:
        table: the table.
        given_up: whether the table was closed before its game is over, so that the server's secret can be revealed.
    """
    round_ = table.round
    if round_ is None:
        return None
    return FairView(
        number=round_.number,
        commitment=round_.commitment,
        pledges=round_.pledges,
        listed=round_.listed,
        contributions=round_.contributions,
        left_out=round_.left_out,
        due=round_.due,
        secret=round_.secret if round_.void or given_up or table.status == "finished" else None,
    )


def visible_events(table: Table, viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of the last entry that a seat, or a spectator (None), may see."""
    return tuple(event for event in table.events if event.is_visible_to(viewer))


def visible_history(table: Table, viewer: Seat | None) -> Iterator[HistoryEvent]:
    """Yield all events since the table was created that the viewer may see, to show the game log of a resumed table."""
    past = open_table(table.rules, table.autoplay, table.terms)
    for entry in table.entries:
        past = evolve(past, entry)
        for event in visible_events(past, viewer):
            yield HistoryEvent(entry.at, event)
