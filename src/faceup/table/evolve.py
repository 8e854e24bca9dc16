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
    Joined,
    Left,
    Marked,
    Record,
    Returned,
    TimedOut,
    Unchosen,
    applied_move,
    check_result,
)
from faceup.table.events import CameBack, Chose, MoreTime, SatDown, TimeUp, TookBack, WentAway
from faceup.table.refusals import (
    Stale,
    refuse,
    require_decider,
    require_legal,
    require_name,
    require_open,
    require_player,
    require_seat,
)
from faceup.table.table import Player, Table, open_table, to_choose

T = TypeVar("T")


def evolve(table: Table, entry: AnyEntry) -> Table:  # noqa: C901 -- a list of cases
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
        case Applied():
            return _applied(table, entry)
        case Extended():
            return _extended(table, entry)
        case Left():
            return _left(table, entry)
        case Returned():
            return _returned(table, entry)


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
    opens = None not in players and table.rules.to_act(table.state) != (CHANCE,)
    due = _deadline(table, entry.at) if opens else None
    return _after(table, entry, SatDown(seat, entry.name, entry.kind), players=players, due=due)


def _marked(table: Table, entry: Marked) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = None if entry.action is None else _decision(table, entry.action)
    if action is not None:
        require_legal(table, seat, action)
    if action == table.marks[seat]:
        refuse(table, seat, f"seat {seat} has {'no' if action is None else 'that'} mark already", Stale)
    return _after(table, entry, marks=_put(table.marks, seat, action))


def _chosen(table: Table, entry: Chosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = _decision(table, entry.action)
    if not (table.rules.forfeits and action == FORFEIT):
        require_legal(table, seat, action)
    before = table.choices[seat]
    if action == before:
        refuse(table, seat, f"seat {seat} has chosen that already", Stale)
    # To everybody else, another choice in place of one is nothing new.
    told = (Chose(seat),) if before is None else ()
    return _after(table, entry, *told, choices=_put(table.choices, seat, action))


def _unchosen(table: Table, entry: Unchosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    if table.choices[seat] is None:
        refuse(table, seat, f"seat {seat} has chosen nothing", Stale)
    return _after(table, entry, TookBack(seat), choices=_put(table.choices, seat, None))


def _timed_out(table: Table, entry: TimedOut) -> Table:
    seat = entry.seat
    require_decider(table, seat)
    if table.due is None or entry.at < table.due:
        refuse(table, seat, f"time is not up for decision {table.decision}")
    if table.choices[seat] is not None:
        refuse(table, seat, f"seat {seat} has chosen in time")
    action = _decision(table, entry.action)
    require_legal(table, seat, action)
    mark = table.marks[seat]
    if (entry.source == "mark") != (mark is not None) or mark not in {None, action}:
        refuse(table, seat, "the clock plays what a seat marked, and the stand-in's choice only without a mark")
    return _after(table, entry, TimeUp(seat), choices=_put(table.choices, seat, action))


def _applied(table: Table, entry: Applied) -> Table:
    if table.status == "pending":
        raise NotYours("nothing can be played while the table is still waiting for players")
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
    return _after(
        table,
        entry,
        *events,
        state=state,
        choices=nobody,
        marks=nobody,
        decision=table.decision + decided,
        due=_deadline(table, entry.at) if opens else None,
    )


def _require_revealable(table: Table, at: int) -> None:
    waiting = to_choose(table)
    if waiting:
        raise NotYours(
            f"the choice of seat {', '.join(map(str, waiting))} is missing", seats=waiting, to_act=table.deciders
        )
    if table.terms.reveal == "at_deadline" and table.due is not None and at < table.due:
        raise NotYours(f"the choices are turned up when time is up, at {table.due} ms", to_act=table.deciders)


def _extended(table: Table, entry: Extended) -> Table:
    if table.due is None:
        raise NotYours("no clock is running")
    if entry.by < 1:
        raise Malformed(f"a deadline moves back by 1 or more milliseconds, not {entry.by}", what=entry.by, where="by")
    return _after(table, entry, MoreTime(entry.by), due=table.due + entry.by)


def _left(table: Table, entry: Left) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if not player.here:
        refuse(table, seat, f"seat {seat} is away already", Stale)
    kept = None if table.status == "pending" else msgspec.structs.replace(player, here=False)
    return _after(table, entry, WentAway(seat, player.name), players=_put(table.players, seat, kept))


def _returned(table: Table, entry: Returned) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if player.here:
        refuse(table, seat, f"seat {seat} is here already", Stale)
    here = msgspec.structs.replace(player, here=True)
    return _after(table, entry, CameBack(seat), players=_put(table.players, seat, here))


def _after(table: Table, entry: AnyEntry, *events: Event, **changes: object) -> Table:
    return msgspec.structs.replace(table, entries=(*table.entries, entry), events=events, **changes)


def _deadline(table: Table, at: int) -> int | None:
    return None if table.terms.clock is None else at + table.terms.clock


def _decision(table: Table, words: str) -> Action:
    action = table.rules.parse(words)
    if not isinstance(action, int):
        raise Malformed(f"{words!r} is an outcome of chance, not a decision", what=words, where="action")
    return action


def _put(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
