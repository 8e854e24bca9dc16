"""What the coach knows of 6 nimmt! beside its search: deals and turns, and why an option is good or bad."""

from faceup.bots.search import Option
from faceup.core import Seat, View
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.position import seen
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State
from faceup.games.nimmt.state import View as NimmtView


def turn_of(view: View) -> tuple[int, int]:
    """The deal and the turn that a decision belongs to, both from 1."""
    assert isinstance(view, NimmtView)  # noqa: S101 -- for the type checker: the registry pairs coach and game
    return len(view.earlier) + 1, len(view.log) + (not view.waiting)


def deals_over(state: object) -> int:
    """How many deals are over."""
    assert isinstance(state, State)  # noqa: S101 -- as above
    return len(state.earlier)


def out(state: object) -> frozenset[Seat]:
    """The seats that were put out of the match."""
    assert isinstance(state, State)  # noqa: S101 -- as above
    return frozenset(seat for group in state.out for seat in group)


def why(rules: object, view: View, option: Option) -> str:
    """What there is to say for an option, or against it, in a sentence that begins with the card or the row.

    >>> from faceup.core import make
    >>> from faceup.bots.search import Estimate
    >>> rules = make("nimmt seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=3,45 rows=5/6,7/40/29")
    >>> nothing = Estimate(0.0, 0.0)
    >>> print(why(rules, view, Option(44, 9, nothing, nothing, nothing, nothing, 0.02, ())))
    45 follows 40 in row 2, which has room for 4 cards. It takes a row this turn in 2% of the cases.
    """
    assert isinstance(rules, Rules)  # noqa: S101 -- as above
    assert isinstance(view, NimmtView)  # noqa: S101 -- as above
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
    return f"Row {row} costs {_heads(heads)} now, and {follow} your {card} there."


def _with(rows: tuple[tuple[int, ...], ...], row: int, card: int) -> list[tuple[int, ...]]:
    return [(card,) if index == row else cards for index, cards in enumerate(rows)]


def _where(rules: Rules, view: NimmtView, card: int) -> str:
    index = row_for(view.rows, card)
    if index < 0:
        cheapest = cheapest_row(view.rows)
        return f"is below every row, of which row {cheapest} is the cheapest with {_heads(total(view.rows[cheapest]))}"
    row = view.rows[index]
    room = rules.capacity - len(row)
    if not room:
        return f"would be one too many in row {index} with its {_heads(total(row))}"
    known = {*seen(view), *view.hand}
    between = sum(1 for other in range(row[-1] + 1, card) if other not in known)
    if between < room:
        return f"follows {row[-1]} in row {index}, and too few cards can come between to make it one too many"
    return f"follows {row[-1]} in row {index}, which has room for {room} {'card' if room == 1 else 'cards'}"


def _how_often(risk: float) -> str:
    if risk in {0.0, 1.0}:
        return f"It takes {'no row' if risk == 0 else 'a row'} this turn in all the cases tried"
    percent = f"{risk:.0%}" if 0.01 <= risk <= 0.99 else "less than 1%" if risk < 0.5 else "more than 99%"
    return f"It takes a row this turn in {percent} of the cases"


def _heads(count: int) -> str:
    return "1 head" if count == 1 else f"{count} heads"
