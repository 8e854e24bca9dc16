"""What leaves a table: for each viewer, made from what that viewer may know.

Entries never leave while a game is on, since a deal stands in one and a sealed choice in another. A viewer gets events,
for showing, and a `Sight`, which is all there is to see. Nothing here starts from the truth and takes secrets away: a
`Sight` has no field for another seat's choice or mark, and an event names its own audience.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from faceup.core import Action, Event, Seat, View
from faceup.core.record import Result, Terms, Times
from faceup.table.evolve import evolve
from faceup.table.table import Status, Table, due_of, last_due, open_table, to_choose


class SeatSight(msgspec.Struct, frozen=True):
    """A seat that is taken, as anybody sees it: who is there, whether it has sealed a choice, and its pace.

    `times` is how many times the clock it has; None is no limit.
    """

    name: str
    kind: str
    here: bool
    chosen: bool
    times: Times


class FairSight(msgspec.Struct, frozen=True, kw_only=True):
    """The round of a fair deal, as anybody sees it: all of it but the secret, which is None until nothing is hidden.

    The other fields are those of `faceup.table.Round`.
    """

    number: int
    commitment: str
    pledges: tuple[str | None, ...]
    listed: tuple[Seat, ...] | None = None
    contributions: tuple[str | None, ...]
    left_out: tuple[Seat, ...]
    due: int
    secret: str | None = None


class Sight(msgspec.Struct, frozen=True):
    """The table as one viewer sees it.

    Attributes:
        seat: whose sight it is; None is a spectator.
        status: pending, active or finished.
        terms: what was agreed on beside the rules.
        seats: by seat; None is an empty one.
        decision: the number of the open decision, which a command names.
        due: when this viewer's time is up, or for a spectator the last seat's, in milliseconds since the table was
            opened; None without a clock, or without a limit.
        paused: since when the game is paused, likewise; deadlines move back by the pause when it ends.
        choice: what this viewer has sealed.
        mark: what this viewer's clock plays first.
        view: the game, as this viewer sees it; `view.legal` are its choices.
        result: scores and places, once they are known.
        fair: the round that a fair deal is drawn from; None at other tables.
    """

    seat: Seat | None
    status: Status
    terms: Terms
    seats: tuple[SeatSight | None, ...]
    decision: int
    due: int | None
    paused: int | None
    choice: Action | None
    mark: Action | None
    view: View
    result: Result | None
    fair: FairSight | None = None


class Told(NamedTuple):
    """An event, and when the viewer was told of it."""

    at: int
    event: Event


def view_for(table: Table, viewer: Seat | None) -> Sight:
    """The table as the seat, or a spectator (None), may see it. Two equal ones mean that there is nothing to send."""
    rules, state = table.rules, table.state
    deciders, waiting = table.deciders, to_choose(table)
    finished = table.status == "finished"
    return Sight(
        seat=viewer,
        status=table.status,
        terms=table.terms,
        seats=tuple(
            None
            if player is None
            else SeatSight(player.name, player.kind, player.here, seat in deciders and seat not in waiting, times)
            for seat, (player, times) in enumerate(zip(table.players, table.paces, strict=True))
        ),
        decision=table.decision,
        due=last_due(table) if viewer is None else due_of(table, viewer),
        paused=table.paused,
        choice=None if viewer is None else table.choices[viewer],
        mark=None if viewer is None else table.marks[viewer],
        view=rules.view(state, viewer),
        result=Result(rules.scores(state), rules.ranks(state)) if finished else None,
        fair=fair_for(table),
    )


def fair_for(table: Table, *, given_up: bool = False) -> FairSight | None:
    """The round of a fair deal, as anybody may see it.

    Args:
        table: as it stands.
        given_up: nothing can happen at it any more, though its game is not over.
    """
    round_ = table.round
    if round_ is None:
        return None
    return FairSight(
        number=round_.number,
        commitment=round_.commitment,
        pledges=round_.pledges,
        listed=round_.listed,
        contributions=round_.contributions,
        left_out=round_.left_out,
        due=round_.due,
        secret=round_.secret if round_.void or given_up or table.status == "finished" else None,
    )


def events_for(table: Table, viewer: Seat | None) -> tuple[Event, ...]:
    """What the seat, or a spectator (None), is told of the table's last entry; often nothing."""
    return tuple(event for event in table.events if event.heard_by(viewer))


def history_for(table: Table, viewer: Seat | None) -> Iterator[Told]:
    """Everything that the viewer has been told since the table was opened: for a log, after a resume."""
    past = open_table(table.rules, table.stand_in, table.terms)
    for entry in table.entries:
        past = evolve(past, entry)
        for event in events_for(past, viewer):
            yield Told(entry.at, event)
