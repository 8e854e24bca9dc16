"""When a table refuses, and with which of the typed errors.

An error goes to the player who caused it. So it quotes the position as that seat sees it, never the whole state.
"""

from typing import NoReturn

from faceup.core import Action, Malformed, NotLegal, NotYours, Seat, not_legal, write
from faceup.table.table import Player, Table, due_of

LONGEST_NAME = 40
"""Characters: what still fits beside a drawing."""


class Stale(NotYours):
    """Too late, or said already: the decision is over, its time is up, or the table is as the command wants it."""

    kind = "stale"


class Already(Stale):
    """The choice or mark is what is sealed or marked, and might still be changed: there is nothing to do."""


class OnPause(NotYours):
    """Nothing can be chosen while the game is paused."""

    kind = "paused"


def refuse(table: Table, seat: Seat, message: str, error: type[NotYours] = NotYours) -> NoReturn:
    """Raise the error with the position as the seat sees it; to somebody without a seat, as a spectator does."""
    viewer = seat if 0 <= seat < table.rules.seats else None
    view = table.rules.view(table.state, viewer)
    raise error(message, seats=(seat,), to_act=table.deciders, position=write(table.rules, view))


def require_player(table: Table, seat: Seat) -> Player:
    """The player in a seat that exists and is taken."""
    require_seat(table, seat)
    player = table.players[seat]
    return player or refuse(table, seat, f"nobody has taken seat {seat}")


def require_seat(table: Table, seat: Seat) -> None:
    """The table has a seat of this number."""
    if not 0 <= seat < table.rules.seats:
        refuse(table, seat, f"there is no seat {seat}: the seats are 0 to {table.rules.seats - 1}")


def require_decider(table: Table, seat: Seat) -> None:
    """A decision is open, and the seat is among those who make it."""
    require_player(table, seat)
    deciders = table.deciders
    if seat in deciders:
        return
    if table.status == "pending":
        refuse(table, seat, "the table is still waiting for players")
    if table.status == "finished":
        refuse(table, seat, "the game is over: nobody decides any more")
    refuse(table, seat, f"seat {seat} cannot decide now; it is for {', '.join(map(str, deciders)) or 'chance'}")


def require_running(table: Table, seat: Seat) -> None:
    """The game is not paused."""
    if table.paused is not None:
        refuse(table, seat, "the game is paused", OnPause)


def require_open(table: Table, seat: Seat, at: int) -> None:
    """The seat may still say what it wants for the open decision."""
    require_decider(table, seat)
    require_running(table, seat)
    if not require_player(table, seat).here:
        refuse(table, seat, f"seat {seat} is away, and has to return first")
    due = due_of(table, seat)
    if due is not None and at >= due:
        refuse(table, seat, f"time is up for decision {table.decision}", Stale)
    if table.terms.reveal == "when_all_in" and not table.waiting:
        refuse(table, seat, f"all choices of decision {table.decision} are in", Stale)


def require_legal(table: Table, seat: Seat, action: Action) -> None:
    """The rules allow the action to the seat."""
    if action not in table.rules.legal(table.state, seat):
        error = not_legal(table.rules, table.state, seat, action)
        view = table.rules.view(table.state, seat)
        raise NotLegal(error.message, seat=seat, action=action, legal=error.legal, position=write(table.rules, view))


def require_name(name: str) -> None:
    """A name that can be shown on one line."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise Malformed(f"a name is 1 to {LONGEST_NAME} printable characters, not {name!r}", what=name, where="name")
