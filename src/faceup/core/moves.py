"""The validation of moves, which every game's `apply` uses, and its errors."""

from collections.abc import Mapping

from faceup.core.arguments import check_rules, check_type
from faceup.core.errors import IllegalActionError, Malformed, WrongSeatError
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Action, Move, Seat, State
from faceup.core.whole_numbers import to_int


def check_move(rules: AnyRules, state: State, move: Move) -> None:
    """Check that a move holds one legal action for each seat in `to_act`, and no other seats.

    Raises:
        WrongSeatError: a seat is missing or is not to act.
        IllegalActionError: an action is not legal now.

    >>> from faceup.core import read
    >>> rules, state = read("nimmt seats=2 hand=1 | hands=7/44 rows=5/6/88/29")
    >>> check_move(rules, state, {0: 6, 1: 43})
    >>> try:
    ...     check_move(rules, state, {0: 6})
    ... except WrongSeatError as error:
    ...     print(error.message)
    the decision of seat 1 is missing: seats 0, 1 must decide together
    """
    check_rules(rules)
    if move.__class__ is not dict:
        check_type("a move", move, Mapping, "a dict of an action for each seat to act")
    to_act = rules.to_act(state)
    if not to_act or to_act == (CHANCE,) or len(move) != len(to_act) or any(seat not in move for seat in to_act):
        raise _wrong_seat_error(rules, state, move, to_act)
    for seat in to_act:
        action = move[seat]
        is_legal = _is_whole(action) and (action in rules.legal(state, seat) or (rules.forfeits and action == FORFEIT))
        if not is_legal:
            raise illegal_action_error(rules, state, seat, action)


def check_seat(rules: AnyRules, seat: Seat) -> None:
    """Raise `WrongSeatError` unless the rules have this seat.

    A negative number would index the seats from the end, and show a hand to no one in particular.

    >>> from faceup.core import make
    >>> check_seat(make("war"), 1)
    >>> check_seat(make("war"), -1)
    Traceback (most recent call last):
    faceup.core.errors.WrongSeatError: there is no seat -1: the seats are 0 to 1
    """
    if seat.__class__ is not int:
        seat = to_int("a seat", seat)
    try:
        seats = rules.seats
    except AttributeError:
        check_rules(rules)
        raise
    if not 0 <= seat < seats:
        raise WrongSeatError(f"there is no seat {seat}: the seats are 0 to {seats - 1}", seats=(seat,))


def _is_whole(action: object) -> bool:
    """Return whether an action is an integer of any library; a fraction or a boolean can be equal to one."""
    if action.__class__ is int:
        return True
    try:
        to_int("an action", action)
    except Malformed:
        return False
    return True


def _wrong_seat_error(rules: AnyRules, state: State, move: Move, to_act: tuple[Seat, ...]) -> WrongSeatError:
    missing = [seat for seat in to_act if seat not in move and seat != CHANCE]
    extra = [seat for seat in move if seat not in to_act]
    if not to_act:
        message = "the game is over: no seat can decide"
    elif to_act == (CHANCE,):
        message = "an outcome of chance must be applied next, not decisions"
    elif extra:
        message = f"{_seats(extra)} cannot decide now: it is the turn of {_seats(to_act)}"
    else:
        message = f"the decision of {_seats(missing)} is missing: {_seats(to_act)} must decide together"
    return WrongSeatError(message, seats=extra or missing, to_act=to_act, position=write(rules, state))


def _seats(seats: "list[int] | tuple[int, ...]") -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else "seats " + ", ".join(map(str, seats))


def illegal_action_error(rules: AnyRules, state: State, seat: Seat, action: Action) -> IllegalActionError:
    """Return the error for an action that is not legal for the seat now. The error lists the legal actions.

    >>> from faceup.core import read
    >>> rules, state = read("nimmt seats=2 hand=1 | hands=7/44 rows=5/6/88/29")
    >>> illegal_action_error(rules, state, 0, 43).legal
    ('play 7',)
    """
    check_rules(rules)
    legal = [rules.describe(option) for option in rules.legal(state, seat)]
    try:
        words = repr(rules.describe(action))
    except (ValueError, TypeError):
        words = f"{action!r}, which is not an action,"
    return IllegalActionError(
        f"{words} is not legal for seat {seat} now; legal: {', '.join(legal)}",
        seat=seat,
        action=action,
        legal=legal,
        position=write(rules, state),
    )
