"""6 nimmt! for the coach: deals, turns, rows taken, and reasons for options."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.bots.search import Option
from faceup.core import Event, Seat, View, plural
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.events import Took
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.plausible import cards_between
from faceup.games.nimmt.rules import Rules
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


class Reason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an option does, as data for the terminal and the page to word. Rows count from 0.

    Attributes:
        kind: "room" if the card follows a row with room, "safe" if too few cards can come between to fill that row,
            "full" if the row is full, "low" if the card is below all rows, "row" for the choice of a row.
        card: the card.
        row: the row that the card follows, the cheapest row for a low card, or the row to take.
        risk: the probability of taking a row this turn.
        after: the last card of the row that the card follows.
        room: the number of cards that still fit in that row.
        heads: the heads of the row that may or will be taken.
        followers: for the choice of a row, the number of cards of this turn that follow the card there.
    """

    kind: Literal["room", "safe", "full", "low", "row"]
    card: int
    row: int
    risk: float
    after: int = 0
    room: int = 0
    heads: int = 0
    followers: int = 0


def reason_for(rules: object, view: View, option: Option) -> Reason:
    """Return what an option does."""
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    assert isinstance(view, NimmtView)  # noqa: S101 -- for the type checker
    risk = round(option.risk, 4)
    if option.action >= TAKE:
        row, card, rest = option.action - TAKE, view.waiting[0][0], view.waiting[1:]
        rows = [(card,) if index == row else cards for index, cards in enumerate(view.rows)]
        followers = sum(1 for other, _ in rest if row_for(rows, other) == row)
        return Reason(kind="row", card=card, row=row, risk=risk, heads=total(view.rows[row]), followers=followers)
    card = option.action + 1
    index = row_for(view.rows, card)
    if index < 0:
        cheapest = cheapest_row(view.rows)
        return Reason(kind="low", card=card, row=cheapest, risk=risk, heads=total(view.rows[cheapest]))
    row_cards = view.rows[index]
    room = rules.capacity - len(row_cards)
    between = cards_between(view, row_cards[-1], card)
    return Reason(
        kind="full" if not room else "safe" if between < room else "room",
        card=card,
        row=index,
        risk=risk,
        after=row_cards[-1],
        room=room,
        heads=total(row_cards),
    )


Fault: TypeAlias = Literal["row", "taken", "dear", "kept", "risk", "high", "low"]
"""What was wrong with a costly choice.

- `row`: it took the wrong row for a card below all rows.
- `taken`: it played a card that takes a row, and the best card would not have.
- `dear`: it played a card that takes a row, and the best card takes one, too, at a better price or time.
- `kept`: it did not take a row now, which would have cost less than to take one later.
- `risk`: it played a card that takes a row more often in this turn than the best card.
- `high`: it played a higher card than the best one, without a greater risk in this turn: a lower one should go first.
- `low`: the same for a lower card.
"""

_RISKIER: Final = 0.05
"""The least difference in the probability of taking a row this turn for the fault `risk`."""


def fault_of(chosen: Reason, best: Reason) -> Fault:
    """Return what was wrong with a costly choice, from what the chosen and the best option do.

    >>> low, room = (Reason(kind=kind, card=9, row=0, risk=risk) for kind, risk in (("low", 1.0), ("room", 0.2)))
    >>> fault_of(low, room), fault_of(low, low), fault_of(room, low)
    ('taken', 'dear', 'kept')
    >>> others = (Reason(kind="room", card=card, row=0, risk=risk) for card, risk in ((8, 0.3), (30, 0.2), (8, 0.2)))
    >>> [fault_of(each, room) for each in others]
    ['risk', 'high', 'low']
    """
    if chosen.kind == "row":
        return "row"
    takes, should_take = (option.kind in {"low", "full"} for option in (chosen, best))
    if takes:
        return "dear" if should_take else "taken"
    if should_take:
        return "kept"
    if chosen.risk >= best.risk + _RISKIER:
        return "risk"
    return "high" if chosen.card > best.card else "low"


def reason_text(reason: Reason) -> str:
    """Return a reason in sentences that start with the card or the row. Rows count from 1.

    >>> from faceup.core import make
    >>> from faceup.bots.search import Estimate
    >>> rules = make("nimmt seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=3,45 rows=5/6,7/40/29")
    >>> nothing = Estimate(0.0, 0.0)
    >>> option = Option(44, 9, nothing, nothing, nothing, nothing, 0.02, ())
    >>> print(reason_text(reason_for(rules, view, option)))
    45 follows 40 in row 3, which has room for 4 cards. It takes a row this turn in 2% of the cases.
    """
    row, heads = reason.row + 1, plural(reason.heads, "head")
    match reason.kind:
        case "row":
            follow = {0: "no card of this turn follows", 1: "one card of this turn follows"}.get(
                reason.followers, f"{reason.followers} cards of this turn follow"
            )
            return f"Row {row} costs {heads} now, and {follow} your {reason.card} there."
        case "low":
            where = f"is below every row; the cheapest is row {row} with {heads}"
        case "full":
            where = f"does not fit in row {row}, which is full and costs {heads}"
        case "safe":
            where = f"follows {reason.after} in row {row}, and too few cards can come between to fill the row"
        case "room":
            where = f"follows {reason.after} in row {row}, which has room for {plural(reason.room, 'card')}"
    return f"{reason.card} {where}. {_how_often(reason.risk)}."


def _how_often(risk: float) -> str:
    if risk in {0.0, 1.0}:
        return "It takes no row this turn in any case" if risk == 0 else "It takes a row this turn in every case"
    percent = f"{risk:.0%}" if 0.01 <= risk <= 0.99 else "less than 1%" if risk < 0.5 else "more than 99%"
    return f"It takes a row this turn in {percent} of the cases"
