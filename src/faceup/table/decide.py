"""The decide function of a table: it returns the entries that follow from a command or from the clock."""

from typing import Final, Literal, NamedTuple

from faceup.core import (
    CHANCE,
    FORFEIT,
    Action,
    Event,
    Generator,
    IllegalActionError,
    Outcome,
    Seat,
    WrongSeatError,
    draw,
)
from faceup.core.record import (
    LARGEST_TIME,
    AnyEntry,
    Applied,
    Autoplayed,
    Chosen,
    Extended,
    FairEntry,
    Joined,
    Left,
    Marked,
    Paced,
    Paused,
    Pledged,
    PledgeOpened,
    Returned,
    TimedOut,
    Unchosen,
    Unpaused,
    applied,
)
from faceup.core.whole_numbers import whole_number
from faceup.table.commands import (
    Autoplay,
    Choose,
    Command,
    ExpireDeadline,
    Forfeit,
    Join,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    RestartClock,
    Resume,
    Return,
    Unchoose,
)
from faceup.table.errors import StaleCommandError, raise_error, require_decider, require_legal
from faceup.table.evolve import evolve, parse_action
from faceup.table.fair_round import FAIR_ROUND_TIMEOUT, due_entries, fair_generator, next_entry
from faceup.table.table import Table, deadline_of, must_wait_for_clock

_MOVING: Final = (Join, Choose, Forfeit, Autoplay, Resume, ExpireDeadline, RestartClock)
"""The commands after which a reveal or an outcome of chance may be due."""


class Decided(NamedTuple):
    """The result of a command: its entries, the table after these entries, and their events, in order."""

    entries: tuple[AnyEntry, ...]
    table: Table
    events: tuple[Event, ...]


def decide(table: Table, command: Command, now: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """Return the entries that follow from the command. Store all or none of them, then apply each with `evolve`.

    The entries include everything that follows immediately from the command. For example, they include the first deal
    if the command takes the last seat, and the reveal and the next outcome of chance if it makes the last choice.

    Args:
        table: the current table.
        command: the command.
        now: milliseconds since the table was created, at most 2**53. If this is before the last entry, that entry's
            time is used.
        rng: random number generator for dealing and for the autoplay policy.

    Raises:
        Malformed: the command's content or the time is invalid.
        IllegalActionError: the action is not legal.
        WrongSeatError: the seat cannot do this now.
        StaleCommandError: the command is too late or has no effect.
    """
    return step(table, command, now, rng).entries


def step(table: Table, command: Command, now: int, rng: Generator) -> Decided:
    """Return the entries of `decide` together with the resulting table and events."""
    at = max(whole_number("now", now, -LARGEST_TIME, LARGEST_TIME), table.at)
    moves = isinstance(command, _MOVING) or table.committing
    entries, events = list(_first(table, command, at, rng)), list[Event]()
    for entry in entries:
        table = evolve(table, entry)
        events += table.events
    if moves:
        while (automatic := _automatic_entry(table, at, rng)) is not None:
            entries.append(automatic)
            table = evolve(table, automatic)
            events += table.events
    return Decided(tuple(entries), table, tuple(events))


def _first(table: Table, command: Command, at: int, rng: Generator) -> tuple[AnyEntry, ...]:  # noqa: C901, PLR0912 -- a list of cases
    match command:
        case Join(seat=seat, name=name, kind=kind):
            return (Joined(at, _empty_seat(table) if seat is None else seat, name, kind),)
        case Mark(seat=seat, action=action):
            _require_current(table, seat, command.decision)
            return (Marked(at, seat, None if action is None else _notation(table, seat, action)),)
        case Choose(seat=seat, action=action):
            _require_current(table, seat, command.decision)
            return (Chosen(at, seat, _notation(table, seat, action)),)
        case Forfeit(seat=seat):
            _require_current(table, seat, command.decision)
            if not table.rules.forfeits:
                raise IllegalActionError(f"{table.rules.game}:{table.rules.variant} has no forfeits", seat=seat)
            return (Chosen(at, seat, table.rules.describe(FORFEIT)),)
        case Unchoose(seat=seat):
            _require_current(table, seat, command.decision)
            return (Unchosen(at, seat),)
        case Leave(seat=seat):
            return (Left(at, seat),)
        case Return(seat=seat):
            return (Returned(at, seat),)
        case Autoplay(seat=seat):
            _require_current(table, seat, command.decision)
            return (Autoplayed(at, seat, *_autoplay_choice(table, seat, rng, command.action)),)
        case Pause():
            return (Paused(at),)
        case Resume():
            return (Unpaused(at),)
        case Pace(seat=seat, times=times):
            return (Paced(at, seat, times),)
        case Pledge(seat=seat):
            _require_round(table, seat, command.round)
            return (Pledged(at, seat, command.pledge),)
        case OpenPledge(seat=seat):
            _require_round(table, seat, command.round)
            return (PledgeOpened(at, seat, command.contribution),)
        case ExpireDeadline():
            return due_entries(table, at) if table.committing else _timed_out(table, at, rng)
        case RestartClock():
            return _extended(table, at)


def _empty_seat(table: Table) -> Seat:
    if None not in table.players:
        raise WrongSeatError("every seat is taken")
    return table.players.index(None)


def _require_current(table: Table, seat: Seat, decision: int | None) -> None:
    if decision is not None and decision < table.decision:
        raise_error(table, seat, f"decision {decision} is over", StaleCommandError)
    if decision is not None and decision > table.decision:
        raise_error(table, seat, f"decision {decision} is not open yet")


def _require_round(table: Table, seat: Seat, number: int) -> None:
    if not table.committing or table.round is None or number < table.round.number:
        raise_error(table, seat, f"round {number} of the fair deal is not open", StaleCommandError)
    if number > table.round.number:
        raise_error(table, seat, f"round {number} of the fair deal is not open yet")


def _notation(table: Table, seat: Seat, action: Action | str) -> str:
    """Return the action in notation, as entries hold it. Raises an error if the seat may not play the action now."""
    require_decider(table, seat)
    if isinstance(action, str):
        action = parse_action(table, action)
    require_legal(table, seat, action)
    return table.rules.describe(action)


def _timed_out(table: Table, at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """Return an entry for each seat with an expired deadline."""
    if table.due is None or at < table.due:
        return ()
    late = [seat for seat in table.waiting if (due := deadline_of(table, seat)) is not None and at >= due]
    return tuple(TimedOut(at, seat, *_autoplay_choice(table, seat, rng)) for seat in late)


def _autoplay_choice(
    table: Table, seat: Seat, rng: Generator, action: Action | str | None = None
) -> tuple[str, Literal["mark", "autoplay"]]:
    """Return the action to play for a seat, and its source: the mark, else `action`, else the choice of autoplay."""
    mark = table.marks[seat] if 0 <= seat < table.rules.seats else None
    if mark is not None:
        return _notation(table, seat, mark), "mark"
    require_decider(table, seat)
    if action is None:
        action = table.autoplay(table.rules, table.rules.view(table.state, seat), rng)
    return _notation(table, seat, action), "autoplay"


def _extended(table: Table, at: int) -> tuple[AnyEntry, ...]:
    if table.paused is not None:
        return ()
    if table.committing and table.round is not None:
        more = at + FAIR_ROUND_TIMEOUT - table.round.due
    elif table.deadline is not None and table.terms.clock is not None:
        more = at + table.terms.clock - table.deadline
    else:
        return ()
    return (Extended(at, more),) if more > 0 else ()


def _automatic_entry(table: Table, at: int, rng: Generator) -> Applied | FairEntry | None:
    """Return the reveal, the outcome of chance or the step of the fair deal that is due; None if nothing is."""
    rules, state = table.rules, table.state
    if table.status != "active" or table.paused is not None:
        return None
    if table.committing:
        return next_entry(table, at, rng)
    if rules.to_act(state) == (CHANCE,):
        return _applied(table, at, draw(rules, state, fair_generator(table) if table.terms.fair else rng))
    return None if table.waiting or must_wait_for_clock(table, at) else _reveal(table, at)


def _reveal(table: Table, at: int) -> Applied:
    """Return the entry that reveals the choices of all deciding seats together."""
    choices = {seat: action for seat in table.deciders if (action := table.choices[seat]) is not None}
    return _applied(table, at, choices)


def _applied(table: Table, at: int, move: dict[Seat, Action] | Outcome) -> Applied:
    """Return the entry for a move, with the time that its reveal takes if the table has a clock."""
    rules = table.rules
    if table.terms.clock is None or table.reveal_time is None:
        return applied(rules, at, move)
    return applied(rules, at, move, table.reveal_time(rules.apply(table.state, move).events))
