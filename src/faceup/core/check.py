"""Whether a move may be made: the check that every game's `apply` begins with, and its errors."""

from faceup.core.errors import NotLegal, NotYours
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Action, Move, Seat, State


def check_move(rules: AnyRules, state: State, move: Move) -> None:
    """Refuse a move that is not one legal action for each seat in `to_act`, and for nobody else.

    Raises:
        NotYours: a seat is missing or is not to act.
        NotLegal: an action is not legal now.
    """
    to_act = rules.to_act(state)
    if not to_act or to_act == (CHANCE,) or len(move) != len(to_act) or any(seat not in move for seat in to_act):
        raise _not_yours(rules, state, move, to_act)
    for seat in to_act:
        if move[seat] not in rules.legal(state, seat) and not (rules.forfeits and move[seat] == FORFEIT):
            raise not_legal(rules, state, seat, move[seat])


def _not_yours(rules: AnyRules, state: State, move: Move, to_act: tuple[Seat, ...]) -> NotYours:
    missing = [seat for seat in to_act if seat not in move and seat != CHANCE]
    extra = [seat for seat in move if seat not in to_act]
    if not to_act:
        message = "the game is over: nobody decides any more"
    elif to_act == (CHANCE,):
        message = "chance comes next: apply an outcome, not decisions"
    elif extra:
        message = f"{_seats(extra)} cannot decide now; it is for {_seats(to_act)}"
    else:
        message = f"the decision of {_seats(missing)} is missing; all of {_seats(to_act)} decide together"
    return NotYours(message, seats=extra or missing, to_act=to_act, position=write(rules, state))


def _seats(seats: "list[int] | tuple[int, ...]") -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else "seats " + ", ".join(map(str, seats))


def not_legal(rules: AnyRules, state: State, seat: Seat, action: Action) -> NotLegal:
    """The error for an action that the seat may not take now, with those that it may."""
    legal = [rules.describe(option) for option in rules.legal(state, seat)]
    try:
        words = repr(rules.describe(action))
    except (ValueError, TypeError):
        words = f"{action!r}, which is no action,"
    return NotLegal(
        f"{words} is not legal for seat {seat} now; legal: {', '.join(legal)}",
        seat=seat,
        action=action,
        legal=legal,
        position=write(rules, state),
    )
