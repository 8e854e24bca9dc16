"""The fold: what each entry does to a table, and the rules that an entry must keep."""

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar

import msgspec

from faceup.core import CHANCE, FORFEIT, Action, Event, Malformed, NotYours, Outcome, Policy, RulesError, Seat
from faceup.core.record import (
    AnyEntry,
    Applied,
    Chosen,
    Extended,
    FairEntry,
    Joined,
    Left,
    LeftOut,
    Listed,
    Marked,
    Paced,
    Paused,
    Pledged,
    PledgeOpened,
    Record,
    Returned,
    Sealed,
    StoodIn,
    TimedOut,
    Unchosen,
    Unpaused,
    applied_move,
    check_result,
)
from faceup.table.events import (
    CameBack,
    Chose,
    ClockRuns,
    ClockStopped,
    MoreTime,
    NewPace,
    SatDown,
    SecretShown,
    StandInChose,
    TimeUp,
    TookBack,
    WentAway,
)
from faceup.table.fair import advance
from faceup.table.refusals import (
    Already,
    OnPause,
    Stale,
    refuse,
    require_decider,
    require_legal,
    require_name,
    require_open,
    require_player,
    require_running,
    require_seat,
)
from faceup.table.table import Player, Table, due_of, open_table, to_choose, waits_for_clock

T = TypeVar("T")


def evolve(table: Table, entry: AnyEntry) -> Table:  # noqa: C901, PLR0912 -- a list of cases
    """The table after the entry.

    Raises:
        Malformed, NotLegal, NotYours: the entry breaks a rule; which of them, the message says.
    """
    if entry.at < table.at:
        raise Malformed(f"it is from {entry.at} ms, before the one that precedes it ({table.at} ms)", where="at")
    if table.status == "finished":
        raise NotYours("the game is over: nothing can happen at the table any more")
    match entry:
        case Joined():
            return _joined(table, entry)
        case Marked():
            return _marked(table, entry)
        case Chosen():
            return _chosen(table, entry)
        case Unchosen():
            return _unchosen(table, entry)
        case TimedOut():
            return _timed_out(table, entry)
        case StoodIn():
            return _stood_in(table, entry)
        case Applied():
            return _applied(table, entry)
        case Extended():
            return _extended(table, entry)
        case Paused():
            return _paused(table, entry)
        case Unpaused():
            return _unpaused(table, entry)
        case Paced():
            return _paced(table, entry)
        case Left():
            return _left(table, entry)
        case Returned():
            return _returned(table, entry)
        case Sealed() | Pledged() | Listed() | PledgeOpened() | LeftOut():
            return _round(table, entry)


def fold(table: Table, entries: Iterable[AnyEntry]) -> Table:
    """The table after all of the entries, in order. Raises as `evolve` does."""
    return reduce(evolve, entries, table)


def table_from(record: Record, stand_in: Policy) -> Table:
    """The table that a record is the story of, sealed choices included.

    Its time is that of the last entry. Whoever takes up a saved table counts on from there, and sends a `Resume`
    first: then the open decision gets its whole time again.

    Raises:
        Malformed: an entry breaks a rule, or the result is not what the entries lead to; says which entry and what.
    """
    table = open_table(record.rules(), stand_in, record.terms)
    for number, entry in enumerate(record.entries):
        try:
            table = evolve(table, entry)
        except RulesError as error:
            raise Malformed(f"entry {number}: {error}", what=entry, where=f"entry {number}") from error
    check_result(record, table.rules, table.state)
    return table


def _joined(table: Table, entry: Joined) -> Table:
    seat = entry.seat
    require_seat(table, seat)
    if table.players[seat]:
        refuse(table, seat, f"seat {seat} is taken")
    require_name(entry.name)
    require_name(entry.kind)
    players = _put(table.players, seat, Player(entry.name, entry.kind))
    # Taking the last seat opens the first decision, in a game that begins with one and not with chance.
    opens = None not in players and table.rules.to_act(table.state) != (CHANCE,) and not table.terms.fair
    deadline = _deadline(table, entry.at) if opens else None
    return _after(table, entry, SatDown(seat, entry.name, entry.kind), players=players, deadline=deadline)


def _marked(table: Table, entry: Marked) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = None if entry.action is None else _decision(table, entry.action)
    if action is not None:
        require_legal(table, seat, action)
    if action == table.marks[seat]:
        refuse(table, seat, f"seat {seat} has {'no' if action is None else 'that'} mark already", Already)
    return _after(table, entry, marks=_put(table.marks, seat, action))


def _chosen(table: Table, entry: Chosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = _decision(table, entry.action)
    if not (table.rules.forfeits and action == FORFEIT):
        require_legal(table, seat, action)
    before = table.choices[seat]
    if action == before:
        refuse(table, seat, f"seat {seat} has chosen that already", Already)
    # To everybody else, another choice in place of one is nothing new.
    told = (Chose(seat),) if before is None else ()
    return _after(table, entry, *told, choices=_put(table.choices, seat, action))


def _unchosen(table: Table, entry: Unchosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    if table.choices[seat] is None:
        refuse(table, seat, f"seat {seat} has chosen nothing", Already)
    return _after(table, entry, TookBack(seat), choices=_put(table.choices, seat, None))


def _timed_out(table: Table, entry: TimedOut) -> Table:
    seat = entry.seat
    require_decider(table, seat)
    due = due_of(table, seat)
    if due is None or table.paused is not None or entry.at < due:
        refuse(table, seat, f"time is not up for decision {table.decision}")
    if table.choices[seat] is not None:
        refuse(table, seat, f"seat {seat} has chosen in time")
    action = _instead(table, entry)
    # Where nobody ever has a choice, the clock is only the pace at which the game goes on.
    told = () if table.rules.bounds.actions == 1 else (TimeUp(seat),)
    return _after(table, entry, *told, choices=_put(table.choices, seat, action))


def _stood_in(table: Table, entry: StoodIn) -> Table:
    seat = entry.seat
    require_decider(table, seat)
    require_running(table, seat)
    if require_player(table, seat).here:
        refuse(table, seat, f"seat {seat} is here, and chooses for itself", Stale)
    if table.choices[seat] is not None:
        refuse(table, seat, f"seat {seat} has chosen already", Stale)
    action = _instead(table, entry)
    return _after(table, entry, StandInChose(seat), choices=_put(table.choices, seat, action))


def _instead(table: Table, entry: TimedOut | StoodIn) -> Action:
    """What the table may choose for a seat: its mark if it has one."""
    action = _decision(table, entry.action)
    require_legal(table, entry.seat, action)
    mark = table.marks[entry.seat]
    if (entry.source == "mark") != (mark is not None) or mark not in {None, action}:
        refuse(table, entry.seat, "what a seat marked is played for it, and the stand-in's choice only without a mark")
    return action


def _applied(table: Table, entry: Applied) -> Table:
    if table.status == "pending":
        raise NotYours("nothing can be played while the table is still waiting for players")
    if table.sealing:
        raise NotYours("nothing can be played before the round of the fair deal is complete")
    rules = table.rules
    move = applied_move(rules, entry)
    decided = not isinstance(move, Outcome)
    if decided:
        _require_revealable(table, entry.at)
        if move != {seat: table.choices[seat] for seat in table.deciders}:
            raise Malformed("the move is not what the seats chose", what=entry.actions, where="actions")
    state, events = rules.apply(table.state, move)
    nobody = (None,) * rules.seats
    opens = rules.to_act(state) not in {(CHANCE,), ()}
    round_ = table.round
    if round_ is not None and not decided:
        round_ = msgspec.structs.replace(round_, drawn=round_.drawn + 1)
    if round_ is not None and not rules.to_act(state):
        events = (*events, SecretShown(round_.number, round_.secret))
    return _after(
        table,
        entry,
        *events,
        state=state,
        round=round_,
        choices=nobody,
        marks=nobody,
        decision=table.decision + decided,
        deadline=_deadline(table, entry.at) if opens else None,
    )


def _require_revealable(table: Table, at: int) -> None:
    if table.paused is not None:
        raise OnPause("the game is paused: nothing is turned up", to_act=table.deciders)
    waiting = to_choose(table)
    if waiting:
        raise NotYours(
            f"the choice of seat {', '.join(map(str, waiting))} is missing", seats=waiting, to_act=table.deciders
        )
    if waits_for_clock(table, at):
        raise NotYours(f"the choices are turned up when time is up, at {table.due} ms", to_act=table.deciders)


def _extended(table: Table, entry: Extended) -> Table:
    if not table.running:
        raise NotYours("no clock is running")
    if entry.by < 1:
        raise Malformed(f"a deadline moves back by 1 or more milliseconds, not {entry.by}", what=entry.by, where="by")
    return _after(table, entry, MoreTime(entry.by), **_later(table, entry.by))


def _paused(table: Table, entry: Paused) -> Table:
    if table.status != "active":
        raise NotYours("the table is still waiting for players: there is nothing to pause")
    if table.paused is not None:
        raise Stale("the game is paused already")
    return _after(table, entry, ClockStopped(), paused=entry.at)


def _unpaused(table: Table, entry: Unpaused) -> Table:
    if table.paused is None:
        raise Stale("the game is not paused")
    return _after(table, entry, ClockRuns(), paused=None, **_later(table, entry.at - table.paused))


def _paced(table: Table, entry: Paced) -> Table:
    seat = entry.seat
    require_player(table, seat)
    if table.terms.clock is None:
        refuse(table, seat, "no clock is running at this table")
    if table.paces[seat] == entry.times:
        refuse(table, seat, f"seat {seat} has that much time already", Stale)
    return _after(table, entry, NewPace(seat, entry.times), paces=_put(table.paces, seat, entry.times))


def _left(table: Table, entry: Left) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if not player.here:
        refuse(table, seat, f"seat {seat} is away already", Stale)
    if table.status != "pending":
        away = msgspec.structs.replace(player, here=False)
        return _after(table, entry, WentAway(seat, player.name), players=_put(table.players, seat, away))
    # Whoever sits there next has the usual time.
    return _after(
        table,
        entry,
        WentAway(seat, player.name),
        players=_put(table.players, seat, None),
        paces=_put(table.paces, seat, 1),
    )


def _returned(table: Table, entry: Returned) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if player.here:
        refuse(table, seat, f"seat {seat} is here already", Stale)
    here = msgspec.structs.replace(player, here=True)
    return _after(table, entry, CameBack(seat), players=_put(table.players, seat, here))


def _round(table: Table, entry: FairEntry) -> Table:
    round_, events = advance(table, entry)
    # If the game begins with a decision and not with chance, completing the round opens that.
    opens = round_.complete and table.rules.to_act(table.state) != (CHANCE,)
    deadline = _deadline(table, entry.at if table.paused is None else table.paused) if opens else None
    return _after(table, entry, *events, round=round_, deadline=deadline)


def _later(table: Table, by: int) -> dict[str, object]:
    """What changes when whatever time is running has so much more."""
    if table.sealing and table.round is not None:
        return {"round": msgspec.structs.replace(table.round, due=table.round.due + by)}
    return {} if table.deadline is None else {"deadline": table.deadline + by}


def _after(table: Table, entry: AnyEntry, *events: Event, **changes: object) -> Table:
    return msgspec.structs.replace(table, entries=table.entries.and_then(entry), events=events, **changes)


def _deadline(table: Table, at: int) -> int | None:
    return None if table.terms.clock is None else at + table.terms.clock


def _decision(table: Table, words: str) -> Action:
    action = table.rules.parse(words)
    if not isinstance(action, int):
        raise Malformed(f"{words!r} is an outcome of chance, not a decision", what=words, where="action")
    return action


def _put(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
