"""6 nimmt! for the coach: deals, turns, and explanations of options."""

from collections.abc import Iterable

import msgspec

from faceup.bots.search import Option
from faceup.core import Event, Seat, View, plural
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.events import Took
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State
from faceup.games.nimmt.state import View as NimmtView
from faceup.games.nimmt.validation import seen_cards


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


def explain_option(rules: object, view: View, option: Option) -> str:
    """Explain an option in sentences that start with the card or the row. Rows count from 1.

    >>> from faceup.core import make
    >>> from faceup.bots.search import Estimate
    >>> rules = make("nimmt seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=3,45 rows=5/6,7/40/29")
    >>> nothing = Estimate(0.0, 0.0)
    >>> print(explain_option(rules, view, Option(44, 9, nothing, nothing, nothing, nothing, 0.02, ())))
    45 follows 40 in row 3, which has room for 4 cards. It takes a row this turn in 2% of the cases.
    """
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    assert isinstance(view, NimmtView)  # noqa: S101 -- for the type checker
    if option.action >= TAKE:
        return _why_row(view, option.action - TAKE)
    card = option.action + 1
    return f"{card} {_where(rules, view, card)}. {_how_often(option.risk)}."


def _why_row(view: NimmtView, row: int) -> str:
    heads = total(view.rows[row])
    card, rest = view.waiting[0][0], view.waiting[1:]
    behind = sum(1 for other, _ in rest if row_for(_with(view.rows, row, card), other) == row)
    follow = {0: "no card of this turn follows", 1: "one card of this turn follows"}.get(
        behind, f"{behind} cards of this turn follow"
    )
    return f"Row {row + 1} costs {plural(heads, 'head')} now, and {follow} your {card} there."


def _with(rows: tuple[tuple[int, ...], ...], row: int, card: int) -> list[tuple[int, ...]]:
    return [(card,) if index == row else cards for index, cards in enumerate(rows)]


def _where(rules: Rules, view: NimmtView, card: int) -> str:
    index = row_for(view.rows, card)
    if index < 0:
        cheapest = cheapest_row(view.rows)
        cost = plural(total(view.rows[cheapest]), "head")
        return f"is below every row; the cheapest is row {cheapest + 1} with {cost}"
    row = view.rows[index]
    room = rules.capacity - len(row)
    if not room:
        return f"does not fit in row {index + 1}, which is full and costs {plural(total(row), 'head')}"
    known = {*seen_cards(view), *view.hand}
    between = sum(1 for other in range(row[-1] + 1, card) if other not in known)
    if between < room:
        return f"follows {row[-1]} in row {index + 1}, and too few cards can come between to fill the row"
    return f"follows {row[-1]} in row {index + 1}, which has room for {plural(room, 'card')}"


def _how_often(risk: float) -> str:
    if risk in {0.0, 1.0}:
        return "It takes no row this turn in any case" if risk == 0 else "It takes a row this turn in every case"
    percent = f"{risk:.0%}" if 0.01 <= risk <= 0.99 else "less than 1%" if risk < 0.5 else "more than 99%"
    return f"It takes a row this turn in {percent} of the cases"
