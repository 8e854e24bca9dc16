"""What follows from a command, or from the clock."""

from typing import Final, Literal, NamedTuple

from faceup.core import CHANCE, FORFEIT, Action, Event, Generator, NotLegal, NotYours, Seat, draw
from faceup.core.record import (
    AnyEntry,
    Applied,
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
    StoodIn,
    TimedOut,
    Unchosen,
    Unpaused,
    applied,
)
from faceup.table.commands import (
    Choose,
    Command,
    Forfeit,
    Join,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    Resume,
    Return,
    StandIn,
    Tick,
    Unchoose,
    Unpause,
)
from faceup.table.evolve import evolve
from faceup.table.fair import PATIENCE, chance_of, due_entries, next_entry
from faceup.table.refusals import Stale, refuse, require_decider, require_legal
from faceup.table.table import Table, due_of, to_choose, waits_for_clock

_MOVING: Final = (Join, Choose, Forfeit, StandIn, Unpause, Tick, Resume)
"""The commands after which the rules may be due to move on."""


class Step(NamedTuple):
    """What follows from a command: the entries, the table after them, and the events of all of them, in order."""

    entries: tuple[AnyEntry, ...]
    table: Table
    events: tuple[Event, ...]


def decide(table: Table, command: Command, now: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """The entries that follow from the command, to be appended all or none, and then given to `evolve` one by one.

    The last seat that is taken and the first deal are in one answer; so are the last choice, what it turns up, and the
    chance that comes next.

    Args:
        table: as it stands.
        command: what is asked of it.
        now: milliseconds since the table was opened. A clock that was set back counts as the time of the last entry.
        rng: deals, and plays for the stand-in.

    Raises:
        Malformed, NotLegal, NotYours, Stale: the command is refused, and the table is as it was.
    """
    return step(table, command, now, rng).entries


def step(table: Table, command: Command, now: int, rng: Generator) -> Step:
    """As `decide`, with what `evolve` makes of the entries: a command is not decided without it, so it is there."""
    at = max(now, table.at)
    moves = isinstance(command, _MOVING) or table.sealing
    entries, events = list(_first(table, command, at, rng)), list[Event]()
    for entry in entries:
        table = evolve(table, entry)
        events += table.events
    if moves:
        # What follows without anybody's doing: the reveal when it is due, and chance.
        while (follows := _next(table, at, rng)) is not None:
            entries.append(follows)
            table = evolve(table, follows)
            events += table.events
    return Step(tuple(entries), table, tuple(events))


def _first(table: Table, command: Command, at: int, rng: Generator) -> tuple[AnyEntry, ...]:  # noqa: C901, PLR0912 -- a list of cases
    match command:
        case Join(seat=seat, name=name, kind=kind):
            return (Joined(at, _empty_seat(table) if seat is None else seat, name, kind),)
        case Mark(seat=seat, action=action):
            _require_current(table, seat, command.decision)
            return (Marked(at, seat, None if action is None else _words(table, seat, action)),)
        case Choose(seat=seat, action=action):
            _require_current(table, seat, command.decision)
            return (Chosen(at, seat, _words(table, seat, action)),)
        case Forfeit(seat=seat):
            _require_current(table, seat, command.decision)
            if not table.rules.forfeits:
                raise NotLegal(f"{table.rules.game}:{table.rules.variant} knows no forfeit", seat=seat)
            return (Chosen(at, seat, table.rules.describe(FORFEIT)),)
        case Unchoose(seat=seat):
            _require_current(table, seat, command.decision)
            return (Unchosen(at, seat),)
        case Leave(seat=seat):
            return (Left(at, seat),)
        case Return(seat=seat):
            return (Returned(at, seat),)
        case StandIn(seat=seat):
            _require_current(table, seat, command.decision)
            return (StoodIn(at, seat, *_instead(table, seat, rng, command.action)),)
        case Pause():
            return (Paused(at),)
        case Unpause():
            return (Unpaused(at),)
        case Pace(seat=seat, times=times):
            return (Paced(at, seat, times),)
        case Pledge(seat=seat):
            _require_round(table, seat, command.round)
            return (Pledged(at, seat, command.pledge),)
        case OpenPledge(seat=seat):
            _require_round(table, seat, command.round)
            return (PledgeOpened(at, seat, command.contribution),)
        case Tick():
            return due_entries(table, at) if table.sealing else _timed_out(table, at, rng)
        case Resume():
            return _extended(table, at)


def _empty_seat(table: Table) -> Seat:
    if None not in table.players:
        raise NotYours("every seat is taken")
    return table.players.index(None)


def _require_current(table: Table, seat: Seat, decision: int | None) -> None:
    if decision is not None and decision < table.decision:
        refuse(table, seat, f"decision {decision} is over", Stale)
    if decision is not None and decision > table.decision:
        refuse(table, seat, f"decision {decision} is yet to come")


def _require_round(table: Table, seat: Seat, number: int) -> None:
    if not table.sealing or table.round is None or number < table.round.number:
        refuse(table, seat, f"round {number} of a fair deal is not open here", Stale)
    if number > table.round.number:
        refuse(table, seat, f"round {number} of the fair deal is yet to come")


def _words(table: Table, seat: Seat, action: Action) -> str:
    require_decider(table, seat)
    require_legal(table, seat, action)
    return table.rules.describe(action)


def _timed_out(table: Table, at: int, rng: Generator) -> tuple[AnyEntry, ...]:
    """The clock's choices, if time is up."""
    if table.due is None or at < table.due:
        return ()
    late = [seat for seat in to_choose(table) if (due := due_of(table, seat)) is not None and at >= due]
    return tuple(TimedOut(at, seat, *_instead(table, seat, rng)) for seat in late)


def _instead(
    table: Table, seat: Seat, rng: Generator, action: Action | None = None
) -> tuple[str, Literal["mark", "stand-in"]]:
    """What is chosen for a seat: its mark, else the action, else the stand-in's; and which of them it is."""
    mark = table.marks[seat] if 0 <= seat < table.rules.seats else None
    if mark is not None:
        return _words(table, seat, mark), "mark"
    require_decider(table, seat)
    if action is None:
        action = table.stand_in(table.rules, table.rules.view(table.state, seat), rng)
    return _words(table, seat, action), "stand-in"


def _extended(table: Table, at: int) -> tuple[AnyEntry, ...]:
    if table.paused is not None:
        return ()
    if table.sealing and table.round is not None:
        more = at + PATIENCE - table.round.due
    elif table.deadline is not None and table.terms.clock is not None:
        more = at + table.terms.clock - table.deadline
    else:
        return ()
    return (Extended(at, more),) if more > 0 else ()


def _next(table: Table, at: int, rng: Generator) -> Applied | FairEntry | None:
    rules, state = table.rules, table.state
    if table.status != "active" or table.paused is not None:
        return None
    if table.sealing:
        return next_entry(table, at, rng)
    if rules.to_act(state) == (CHANCE,):
        return applied(rules, at, draw(rules, state, chance_of(table) if table.terms.fair else rng))
    if table.waiting or waits_for_clock(table, at):
        return None
    return applied(rules, at, {seat: action for seat in table.deciders if (action := table.choices[seat]) is not None})
