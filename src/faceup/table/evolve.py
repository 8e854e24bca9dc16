"""The evolve function of a table: it validates an entry and applies it to the table."""

from collections.abc import Iterable
from functools import reduce

import msgspec

from faceup.core import CHANCE, FORFEIT, Action, Event, Malformed, Outcome, Policy, RulesError, WrongSeatError
from faceup.core.record import (
    AnyEntry,
    Applied,
    Autoplayed,
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
    SecretCommitted,
    TimedOut,
    Unchosen,
    Unpaused,
    applied_move,
    check_result,
)
from faceup.table.errors import (
    AlreadyDoneError,
    GamePausedError,
    StaleCommandError,
    raise_error,
    require_decider,
    require_legal,
    require_name,
    require_open,
    require_player,
    require_running,
    require_seat,
)
from faceup.table.events import (
    AutoplayChose,
    ChoiceWithdrawn,
    Chose,
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    PaceChanged,
    PlayerLeft,
    PlayerReturned,
    SeatTaken,
    SecretRevealed,
    TimeUp,
)
from faceup.table.fair_round import advance
from faceup.table.table import Player, Table, deadline_of, must_wait_for_clock, open_table, with_item


def evolve(table: Table, entry: AnyEntry) -> Table:  # noqa: C901, PLR0912 -- a list of cases
    """Return the table after the entry.

    Raises:
        Malformed: the entry's content is invalid.
        IllegalActionError: the action is not legal.
        WrongSeatError: the entry is not possible now, or not for this seat.
    """
    if entry.at < table.at:
        raise Malformed(
            f"an entry must not be earlier than the previous entry, at {table.at} ms; got {entry.at} ms", where="at"
        )
    if table.status == "finished":
        raise WrongSeatError("the game is over: the table accepts no further entries")
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
        case Autoplayed():
            return _autoplayed(table, entry)
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
        case SecretCommitted() | Pledged() | Listed() | PledgeOpened() | LeftOut():
            return _round(table, entry)


def fold(table: Table, entries: Iterable[AnyEntry]) -> Table:
    """Return the table after all entries, in order. Raises as `evolve` does."""
    return reduce(evolve, entries, table)


def table_from(record: Record, autoplay: Policy) -> Table:
    """Rebuild the table of a record, including secret choices.

    To resume a saved table, first send it `RestartClock`, and count the time of all commands from the table's last
    entry (`Table.at`).

    Raises:
        Malformed: an entry breaks a rule (the message names the entry), or the result does not match the entries.
    """
    table = open_table(record.rules(), autoplay, record.terms)
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
        raise_error(table, seat, f"seat {seat} is taken")
    require_name(entry.name)
    require_name(entry.kind)
    players = with_item(table.players, seat, Player(entry.name, entry.kind))
    # In a game that starts with a decision instead of chance, taking the last seat opens the first decision.
    opens = None not in players and table.rules.to_act(table.state) != (CHANCE,) and not table.terms.fair
    deadline = _deadline(table, entry.at) if opens else None
    return _after(table, entry, SeatTaken(seat, entry.name, entry.kind), players=players, deadline=deadline)


def _marked(table: Table, entry: Marked) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = None if entry.action is None else parse_action(table, entry.action)
    if action is not None:
        require_legal(table, seat, action)
    if action == table.marks[seat]:
        done = "has no mark to remove" if action is None else "has already marked this action"
        raise_error(table, seat, f"seat {seat} {done}", AlreadyDoneError)
    return _after(table, entry, marks=with_item(table.marks, seat, action))


def _chosen(table: Table, entry: Chosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    action = parse_action(table, entry.action)
    if not (table.rules.forfeits and action == FORFEIT):
        require_legal(table, seat, action)
    before = table.choices[seat]
    if action == before:
        raise_error(table, seat, f"seat {seat} has already chosen this action", AlreadyDoneError)
    events = (Chose(seat),) if before is None else ()  # a replaced choice is invisible to others
    return _after(table, entry, *events, choices=with_item(table.choices, seat, action))


def _unchosen(table: Table, entry: Unchosen) -> Table:
    seat = entry.seat
    require_open(table, seat, entry.at)
    if table.choices[seat] is None:
        raise_error(table, seat, f"seat {seat} has no choice to take back", AlreadyDoneError)
    return _after(table, entry, ChoiceWithdrawn(seat), choices=with_item(table.choices, seat, None))


def _timed_out(table: Table, entry: TimedOut) -> Table:
    seat = entry.seat
    require_decider(table, seat)
    due = deadline_of(table, seat)
    if due is None or table.paused is not None or entry.at < due:
        raise_error(table, seat, f"the time for decision {table.decision} is not up yet")
    if table.choices[seat] is not None:
        raise_error(table, seat, f"seat {seat} cannot time out, because it has chosen in time")
    action = _autoplay_choice(table, entry)
    # In a game without choices, the clock only sets the pace, so a timeout needs no event.
    events = () if table.rules.bounds.actions == 1 else (TimeUp(seat),)
    return _after(table, entry, *events, choices=with_item(table.choices, seat, action))


def _autoplayed(table: Table, entry: Autoplayed) -> Table:
    seat = entry.seat
    require_decider(table, seat)
    require_running(table, seat)
    if require_player(table, seat).here:
        raise_error(table, seat, f"autoplay cannot choose for seat {seat}, because it is not away", StaleCommandError)
    if table.choices[seat] is not None:
        raise_error(table, seat, f"seat {seat} has already chosen", StaleCommandError)
    action = _autoplay_choice(table, entry)
    return _after(table, entry, AutoplayChose(seat), choices=with_item(table.choices, seat, action))


def _autoplay_choice(table: Table, entry: TimedOut | Autoplayed) -> Action:
    """Return the action that the table chose for a seat. It must be the seat's mark if the seat has one."""
    action = parse_action(table, entry.action)
    require_legal(table, entry.seat, action)
    mark = table.marks[entry.seat]
    if (entry.source == "mark") != (mark is not None) or mark not in {None, action}:
        raise_error(table, entry.seat, "autoplay must play the seat's mark, and may choose only if there is none")
    return action


def _applied(table: Table, entry: Applied) -> Table:
    """Reveal the choices of all deciding seats and apply them to the game, or apply an outcome of chance."""
    if table.status == "pending":
        raise WrongSeatError("no move is possible while the table is still waiting for players")
    if table.committing:
        raise WrongSeatError("no move is possible before the fair deal's round is complete")
    rules = table.rules
    move = applied_move(rules, entry)
    decided = not isinstance(move, Outcome)
    if decided:
        _require_may_reveal(table, entry.at)
        if move != {seat: table.choices[seat] for seat in table.deciders}:
            raise Malformed("the move does not match the choices of the seats", what=entry.actions, where="actions")
    state, events = rules.apply(table.state, move)
    empty = (None,) * rules.seats
    opens = rules.to_act(state) not in {(CHANCE,), ()}
    # A player who chooses alone, such as a row, does so during the reveal, which continues for the others. A choice of
    # all who play ends it: what is left of it must not add up from turn to turn.
    is_joint = decided and (len(table.deciders) > 1 or rules.seats == 1)
    shown_at = (entry.at if is_joint else max(entry.at, table.shown_at)) + (entry.reveal_time or 0)
    round_ = table.round
    if round_ is not None and not decided:
        round_ = msgspec.structs.replace(round_, drawn=round_.drawn + 1)
    if round_ is not None and not rules.to_act(state):
        events = (*events, SecretRevealed(round_.number, round_.secret))
    return _after(
        table,
        entry,
        *events,
        state=state,
        round=round_,
        choices=empty,
        marks=empty,
        decision=table.decision + decided,
        deadline=_deadline(table, shown_at) if opens else None,
        shown_at=shown_at,
    )


def _require_may_reveal(table: Table, at: int) -> None:
    if table.paused is not None:
        raise GamePausedError("choices cannot be revealed while the game is paused", to_act=table.deciders)
    waiting = table.waiting
    if waiting:
        raise WrongSeatError(
            f"the choice of seat {', '.join(map(str, waiting))} is missing", seats=waiting, to_act=table.deciders
        )
    if must_wait_for_clock(table, at):
        raise WrongSeatError(
            f"choices must not be revealed before the deadline, at {table.due} ms", to_act=table.deciders
        )


def _extended(table: Table, entry: Extended) -> Table:
    if not table.running:
        raise WrongSeatError("a deadline can be extended only while a clock is running")
    if entry.by < 1:
        raise Malformed(
            f"a deadline must be extended by 1 or more milliseconds; got {entry.by}", what=entry.by, where="by"
        )
    return _after(table, entry, DeadlineExtended(entry.by), **_later(table, entry.by))


def _paused(table: Table, entry: Paused) -> Table:
    if table.status != "active":
        raise WrongSeatError("the game cannot be paused while the table is still waiting for players")
    if table.paused is not None:
        raise StaleCommandError("the game is already paused")
    return _after(table, entry, ClockPaused(), paused=entry.at)


def _unpaused(table: Table, entry: Unpaused) -> Table:
    if table.paused is None:
        raise StaleCommandError("the game is not paused")
    return _after(table, entry, ClockResumed(), paused=None, **_later(table, entry.at - table.paused))


def _paced(table: Table, entry: Paced) -> Table:
    seat = entry.seat
    require_player(table, seat)
    if table.terms.clock is None:
        raise_error(table, seat, "this table has no clock")
    if entry.times not in {1, 2, None}:
        raise Malformed(f"a time limit must be 1 or 2 times the clock, or null; got {entry.times}", where="times")
    if table.paces[seat] == entry.times:
        raise_error(table, seat, f"seat {seat} already has this time limit", StaleCommandError)
    return _after(table, entry, PaceChanged(seat, entry.times), paces=with_item(table.paces, seat, entry.times))


def _left(table: Table, entry: Left) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if not player.here:
        raise_error(table, seat, f"seat {seat} is already away", StaleCommandError)
    if table.status != "pending":
        away = msgspec.structs.replace(player, here=False)
        return _after(table, entry, PlayerLeft(seat, player.name), players=with_item(table.players, seat, away))
    # The next player who takes the seat has the normal time limit.
    return _after(
        table,
        entry,
        PlayerLeft(seat, player.name),
        players=with_item(table.players, seat, None),
        paces=with_item(table.paces, seat, 1),
    )


def _returned(table: Table, entry: Returned) -> Table:
    seat = entry.seat
    player = require_player(table, seat)
    if player.here:
        raise_error(table, seat, f"seat {seat} cannot return, because it is not away", StaleCommandError)
    returned = msgspec.structs.replace(player, here=True)
    return _after(table, entry, PlayerReturned(seat), players=with_item(table.players, seat, returned))


def _round(table: Table, entry: FairEntry) -> Table:
    round_, events = advance(table, entry)
    # In a game that starts with a decision instead of chance, completing the round opens the decision.
    opens = round_.complete and table.rules.to_act(table.state) != (CHANCE,)
    deadline = _deadline(table, entry.at if table.paused is None else table.paused) if opens else None
    return _after(table, entry, *events, round=round_, deadline=deadline)


def _later(table: Table, by: int) -> dict[str, object]:
    """Return the fields of the table that change if the running deadline is extended by `by` milliseconds."""
    if table.committing and table.round is not None:
        return {"round": msgspec.structs.replace(table.round, due=table.round.due + by)}
    return {} if table.deadline is None else {"deadline": table.deadline + by}


def _after(table: Table, entry: AnyEntry, *events: Event, **changes: object) -> Table:
    return msgspec.structs.replace(table, entries=table.entries.append(entry), events=events, **changes)


def _deadline(table: Table, at: int) -> int | None:
    return None if table.terms.clock is None else at + table.terms.clock


def parse_action(table: Table, text: str) -> Action:
    """Parse an action from notation. Raises `Malformed` if the text is invalid or is an outcome of chance."""
    action = table.rules.parse(text)
    if not isinstance(action, int):
        raise Malformed(f"{text!r} is an outcome of chance, not a decision", what=text, where="action")
    return action
