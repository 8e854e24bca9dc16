"""6 nimmt! for the coach: deals, turns, and rows taken."""

from collections.abc import Iterable

import msgspec

from faceup.core import Event, Seat, View
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.events import Took
from faceup.games.nimmt.state import State
from faceup.games.nimmt.state import View as NimmtView


def turn_of(view: View) -> tuple[int, int]:
    """Return the deal and the turn of a decision, both from 1."""
    assert isinstance(view, NimmtView)  # noqa: S101 -- the registry ensures it
    return len(view.earlier) + 1, len(view.log) + (not view.waiting)


def finished_deals(state: object) -> int:
    """Return the number of finished deals."""
    assert isinstance(state, State)  # noqa: S101 -- for the type checker
    return len(state.earlier)


def out(state: object) -> frozenset[Seat]:
    """Return the seats that are out of the match."""
    assert isinstance(state, State)  # noqa: S101 -- for the type checker
    return frozenset(seat for group in state.out for seat in group)


class TakenRow(msgspec.Struct, frozen=True):
    """A row that a seat took: the card that took it, the row, from 0, and the heads of its cards."""

    card: int
    row: int
    heads: int


def taken_row(events: Iterable[Event], seat: Seat) -> TakenRow | None:
    """Return the row that the seat took in these events of one turn; None if it took none."""
    for event in events:
        if isinstance(event, Took) and event.seat == seat:
            return TakenRow(event.card, event.row, total(event.cards))
    return None
