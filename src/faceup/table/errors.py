"""Errors of a table, and the checks that raise them.

An error is sent to the player who caused it. So its message quotes the position only as this player's seat sees it.
"""

from typing import Final, NoReturn

from faceup.characters import is_printable_line
from faceup.core import Action, IllegalActionError, Malformed, Seat, WrongSeatError, illegal_action_error, write
from faceup.table.table import Player, Table, deadline_of

MAX_NAME_LENGTH: Final = 40
"""The maximum length of a name in characters; a longer name would not fit next to a drawing of the table."""


class StaleCommandError(WrongSeatError):
    """A command that is too late or would change nothing, for example because the decision is already over."""

    kind = "stale"


class AlreadyDoneError(StaleCommandError):
    """A command that would not change the seat's choice or mark, while the decision is still open."""


class GamePausedError(WrongSeatError):
    """A command that is not possible while the game is paused."""

    kind = "paused"


def raise_error(table: Table, seat: Seat, message: str, error: type[WrongSeatError] = WrongSeatError) -> NoReturn:
    """Raise an error that quotes the position as the seat sees it, or as a spectator sees it if the seat is invalid."""
    viewer = seat if 0 <= seat < table.rules.seats else None
    view = table.rules.view(table.state, viewer)
    raise error(message, seats=(seat,), to_act=table.deciders, position=write(table.rules, view))


def require_player(table: Table, seat: Seat) -> Player:
    """Return the player in the seat. Raises `WrongSeatError` if the seat does not exist or is empty."""
    require_seat(table, seat)
    player = table.players[seat]
    return player or raise_error(table, seat, f"seat {seat} is empty")


def require_seat(table: Table, seat: Seat) -> None:
    """Raise `WrongSeatError` unless the seat exists."""
    if not 0 <= seat < table.rules.seats:
        raise_error(table, seat, f"there is no seat {seat}: the seats are 0 to {table.rules.seats - 1}")


def require_decider(table: Table, seat: Seat) -> None:
    """Raise `WrongSeatError` unless a decision is open and the seat is one of its deciders."""
    require_player(table, seat)
    deciders = table.deciders
    if seat in deciders:
        return
    if table.status == "pending":
        raise_error(table, seat, "the table is still waiting for players")
    if table.status == "finished":
        raise_error(table, seat, "the game is over: no seat can decide")
    awaited = f"it is the turn of seat {', '.join(map(str, deciders))}" if deciders else "chance comes next"
    raise_error(table, seat, f"seat {seat} cannot decide now: {awaited}")


def require_running(table: Table, seat: Seat) -> None:
    """Raise `GamePausedError` if the game is paused."""
    if table.paused is not None:
        raise_error(table, seat, "the game is paused", GamePausedError)


def require_open(table: Table, seat: Seat, at: int) -> None:
    """Raise a `WrongSeatError` unless the seat may still choose or mark an action for the open decision."""
    require_decider(table, seat)
    require_running(table, seat)
    if not require_player(table, seat).here:
        raise_error(table, seat, f"seat {seat} is away and has to return first")
    due = deadline_of(table, seat)
    if due is not None and at >= due:
        raise_error(table, seat, f"time is up for decision {table.decision}", StaleCommandError)
    if table.terms.reveal == "when_all_in" and not table.waiting:
        raise_error(table, seat, f"all choices of decision {table.decision} are in", StaleCommandError)


def require_legal(table: Table, seat: Seat, action: Action) -> None:
    """Raise `IllegalActionError` unless the action is legal for the seat."""
    if action not in table.rules.legal(table.state, seat):
        error = illegal_action_error(table.rules, table.state, seat, action)
        view = table.rules.view(table.state, seat)
        raise IllegalActionError(
            error.message, seat=seat, action=action, legal=error.legal, position=write(table.rules, view)
        )


def require_name(name: str) -> None:
    """Raise `Malformed` unless the name can be shown on one line."""
    if not name.strip() or not is_printable_line(name) or len(name) > MAX_NAME_LENGTH:
        raise Malformed(
            f"a name must have 1 to {MAX_NAME_LENGTH} printable characters; got {name!r}", what=name, where="name"
        )
