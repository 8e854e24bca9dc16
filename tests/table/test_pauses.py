"""Pauses, seats with more time, and seats that are played for while they are away."""

import pytest
from tests.table.play import AT_DEADLINE, CLOCK, do, entries, highest, kinds, lowest, opened, seated

from faceup.core import Malformed, NotLegal, NotYours
from faceup.core.record import Paced, StoodIn, TimedOut, Unpaused, dumps, loads
from faceup.table import (
    Choose,
    Join,
    Leave,
    Mark,
    OnPause,
    Pace,
    Pause,
    Return,
    Stale,
    StandIn,
    Table,
    Tick,
    Unchoose,
    Unpause,
    due_of,
    events_for,
    evolve,
    last_due,
    table_from,
    view_for,
)


def kept(table: Table) -> Table:
    """The table after it was saved and read again."""
    return table_from(loads(dumps(table.record)), table.stand_in)


def test_a_pause_moves_the_deadline_by_its_length() -> None:
    table = do(seated(terms=CLOCK), Pause(), 10_000)
    assert (table.due, table.paused, view_for(table, 0).paused) == (None, 10_000, 10_000)
    assert kept(table) == table
    table = do(table, Unpause(), 70_000)
    assert (table.due, table.paused) == (90_000, None)
    assert kept(table) == table


def test_a_table_without_a_clock_pauses_as_well() -> None:
    table = do(do(seated(), Pause(), 5), Unpause(), 9)
    assert table.due is None


@pytest.mark.parametrize("command", [Choose(0, 45), Mark(0, 45), Unchoose(0), StandIn(0)])
def test_while_the_game_is_paused_nothing_can_be_chosen(command: Choose | Mark | Unchoose | StandIn) -> None:
    table = do(seated(terms=CLOCK), Leave(0)) if isinstance(command, StandIn) else seated(terms=CLOCK)
    table = do(table, Pause())
    with pytest.raises((OnPause, NotLegal)):
        entries(table, command)
    assert kinds(table, Tick(), 90_000) == []


def test_people_may_come_and_go_in_a_pause() -> None:
    table = do(do(do(seated(terms=CLOCK), Pause()), Leave(1)), Return(1))
    assert table.paused == 0


def test_a_pause_begins_once_and_ends_once_and_not_before_the_game() -> None:
    table = seated(terms=CLOCK)
    with pytest.raises(Stale, match="not paused"):
        entries(table, Unpause())
    with pytest.raises(Stale, match="paused already"):
        entries(do(table, Pause()), Pause())
    with pytest.raises(NotYours, match="nothing to pause"):
        entries(opened(terms=CLOCK), Pause())


def test_a_seat_with_twice_the_time_is_waited_for_twice_as_long() -> None:
    table = do(seated(terms=CLOCK), Pace(1, 2), 20_000)
    assert [due_of(table, seat) for seat in range(3)] == [30_000, 60_000, 30_000]
    assert (table.due, last_due(table)) == (30_000, 60_000)
    assert [view_for(table, viewer).due for viewer in (0, 1, None)] == [30_000, 60_000, 60_000]
    late = entries(table, Tick(), 30_000)
    assert [entry.seat for entry in late if isinstance(entry, TimedOut)] == [0, 2]
    table = do(table, Tick(), 30_000)
    assert (table.decision, table.due) == (0, 60_000)
    with pytest.raises(Stale, match="time is up"):
        entries(table, lowest(table, 0), 30_001)
    table = do(table, highest(table, 1), 59_999)
    assert table.decision == 1
    assert due_of(table, 1) == 59_999 + 60_000
    assert kept(table) == table


def test_a_seat_without_a_limit_is_waited_for_however_long() -> None:
    table = do(do(seated(terms=CLOCK), Pace(1, None)), Tick(), 30_000)
    assert (table.decision, table.due) == (0, None)
    assert kinds(table, Tick(), 10**9) == []
    assert do(table, lowest(table, 1), 10**9).decision == 1


def test_a_seat_that_gives_its_time_back_may_be_late_at_once() -> None:
    table = do(do(seated(terms=CLOCK), Pace(1, None)), Tick(), 30_000)
    table = do(table, Pace(1, 1), 40_000)
    assert table.due == 30_000
    assert "TimedOut" in kinds(table, Tick(), 40_000)


def test_a_reveal_that_waits_for_the_clock_waits_for_the_last_one() -> None:
    table = do(seated(terms=AT_DEADLINE), Pace(2, 2))
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert table.due == 60_000
    assert kinds(table, Tick(), 59_999) == []
    assert kinds(table, Tick(), 60_000)[0] == "Applied"


def test_more_time_needs_a_clock_a_player_and_news() -> None:
    with pytest.raises(NotYours, match="no clock"):
        entries(seated(), Pace(0, 2))
    with pytest.raises(NotYours, match="nobody has taken"):
        entries(opened(terms=CLOCK), Pace(0, 2))
    with pytest.raises(Stale, match="already"):
        entries(seated(terms=CLOCK), Pace(0, 1))


def test_whoever_takes_a_seat_over_before_the_game_has_the_usual_time() -> None:
    table = do(do(opened(terms=CLOCK), Join(1, "Ada")), Pace(1, None))
    table = do(do(table, Leave(1)), Join(1, "Bo"))
    assert table.paces == (1, 1, 1)


def test_a_stand_in_plays_the_mark_else_what_is_asked_else_its_own() -> None:
    table = do(seated(terms=CLOCK), Mark(0, highest(seated(), 0).action))
    for seat in range(3):
        table = do(table, Leave(seat))
    described = table.rules.describe
    own, asked = lowest(table, 1).action, highest(table, 2).action
    assert entries(table, StandIn(0)) == (StoodIn(0, 0, described(highest(table, 0).action), "mark"),)
    assert entries(table, StandIn(1)) == (StoodIn(0, 1, described(own), "stand-in"),)
    assert entries(table, StandIn(2, asked)) == (StoodIn(0, 2, described(asked), "stand-in"),)


def test_whoever_comes_back_may_think_again() -> None:
    table = do(do(seated(terms=CLOCK), Leave(1)), StandIn(1))
    assert view_for(table, 0).seats[1].chosen  # type: ignore[union-attr]  # somebody sits there
    table = do(do(table, Return(1)), highest(table, 1))
    assert table.choices[1] == highest(table, 1).action
    assert kept(table) == table


def test_a_stand_in_plays_for_nobody_who_is_here_or_has_chosen_and_nothing_that_is_not_legal() -> None:
    table = seated(terms=CLOCK)
    with pytest.raises(Stale, match="is here, and chooses for itself"):
        entries(table, StandIn(1))
    away = do(do(table, lowest(table, 1)), Leave(1))
    with pytest.raises(Stale, match="has chosen already"):
        entries(away, StandIn(1))
    with pytest.raises(NotLegal):
        entries(do(table, Leave(1)), StandIn(1, 105))
    with pytest.raises(Stale, match="decision -1 is over"):
        entries(do(table, Leave(1)), StandIn(1, decision=-1))


def test_what_is_told_of_pauses_and_stand_ins_is_told_to_all() -> None:
    table = seated(terms=CLOCK)
    told = []
    for command in (Pause(), Unpause(), Pace(1, 2), Pace(1, None), Leave(1), StandIn(1)):
        table = do(table, command)
        assert events_for(table, None) == events_for(table, 0) == events_for(table, 1)
        told += [event.words(table.names) for event in events_for(table, None)]
    assert told == [
        "The game is paused.",
        "The game goes on.",
        "Bo has twice the time from now on.",
        "Bo has all the time it needs from now on.",
        "Bo leaves.",
        "Bo is away: the table chooses.",
    ]


def test_a_record_that_cheats_with_the_new_entries_is_refused() -> None:
    table = do(seated(terms=CLOCK), Leave(1))
    words = table.rules.describe(lowest(table, 1).action)
    with pytest.raises(NotYours, match="only without a mark"):
        evolve(table, StoodIn(0, 1, words, "mark"))
    with pytest.raises(Malformed, match="outcome of chance"):
        evolve(table, StoodIn(0, 1, "deal 1 2 3 4 5 6 7 8 9 10 11 12 13", "stand-in"))
    with pytest.raises(Stale):
        evolve(table, Unpaused(0))
    with pytest.raises(NotYours, match="there is no seat 7"):
        evolve(table, Paced(0, 7, 2))
