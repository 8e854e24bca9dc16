"""Pauses, seats with more time, and seats that are played for while they are away."""

import pytest
from tests.table.helpers import AT_DEADLINE, CLOCK, do, entries, highest, kinds, lowest, opened, seated

from faceup.core import IllegalActionError, Malformed, WrongSeatError
from faceup.core.record import Autoplayed, Paced, TimedOut, Unpaused, dumps, loads
from faceup.table import Choose, ExpireDeadline, Join, Table, evolve, view_for, visible_events
from faceup.table.commands import Autoplay, Leave, Mark, Pace, Pause, Resume, Return, Unchoose
from faceup.table.errors import GamePausedError, StaleCommandError
from faceup.table.evolve import table_from
from faceup.table.table import deadline_of, last_deadline


def reloaded(table: Table) -> Table:
    """Save the table and read it again."""
    return table_from(loads(dumps(table.record)), table.autoplay)


def test_a_pause_moves_the_deadline_by_its_length() -> None:
    table = do(seated(terms=CLOCK), Pause(), 10_000)
    assert (table.due, table.paused, view_for(table, 0).paused) == (None, 10_000, 10_000)
    assert reloaded(table) == table
    table = do(table, Resume(), 70_000)
    assert (table.due, table.paused) == (90_000, None)
    assert reloaded(table) == table


def test_a_table_without_a_clock_can_be_paused() -> None:
    table = do(do(seated(), Pause(), 5), Resume(), 9)
    assert table.due is None


@pytest.mark.parametrize("command", [Choose(0, 45), Mark(0, 45), Unchoose(0), Autoplay(0)])
def test_a_paused_game_rejects_choices(command: Choose | Mark | Unchoose | Autoplay) -> None:
    table = do(seated(terms=CLOCK), Leave(0)) if isinstance(command, Autoplay) else seated(terms=CLOCK)
    table = do(table, Pause())
    with pytest.raises((GamePausedError, IllegalActionError)):
        entries(table, command)
    assert kinds(table, ExpireDeadline(), 90_000) == []


def test_players_can_leave_and_return_during_a_pause() -> None:
    table = do(do(do(seated(terms=CLOCK), Pause()), Leave(1)), Return(1))
    assert table.paused == 0


def test_invalid_pauses_are_rejected() -> None:
    table = seated(terms=CLOCK)
    with pytest.raises(StaleCommandError, match="not paused"):
        entries(table, Resume())
    with pytest.raises(StaleCommandError, match="already paused"):
        entries(do(table, Pause()), Pause())
    with pytest.raises(WrongSeatError, match="cannot be paused while the table is still waiting"):
        entries(opened(terms=CLOCK), Pause())


def test_a_seat_with_twice_the_time_has_a_later_deadline() -> None:
    table = do(seated(terms=CLOCK), Pace(1, 2), 20_000)
    assert [deadline_of(table, seat) for seat in range(3)] == [30_000, 60_000, 30_000]
    assert (table.due, last_deadline(table)) == (30_000, 60_000)
    assert [view_for(table, viewer).due for viewer in (0, 1, None)] == [30_000, 60_000, 60_000]
    late = entries(table, ExpireDeadline(), 30_000)
    assert [entry.seat for entry in late if isinstance(entry, TimedOut)] == [0, 2]
    table = do(table, ExpireDeadline(), 30_000)
    assert (table.decision, table.due) == (0, 60_000)
    with pytest.raises(StaleCommandError, match="time is up"):
        entries(table, lowest(table, 0), 30_001)
    table = do(table, highest(table, 1), 59_999)
    assert table.decision == 1
    assert deadline_of(table, 1) == 59_999 + 60_000
    assert reloaded(table) == table


def test_a_seat_without_a_limit_has_no_deadline() -> None:
    table = do(do(seated(terms=CLOCK), Pace(1, None)), ExpireDeadline(), 30_000)
    assert (table.decision, table.due) == (0, None)
    assert kinds(table, ExpireDeadline(), 10**9) == []
    assert do(table, lowest(table, 1), 10**9).decision == 1


def test_a_reset_time_limit_can_expire_immediately() -> None:
    table = do(do(seated(terms=CLOCK), Pace(1, None)), ExpireDeadline(), 30_000)
    table = do(table, Pace(1, 1), 40_000)
    assert table.due == 30_000
    assert "TimedOut" in kinds(table, ExpireDeadline(), 40_000)


def test_a_reveal_at_the_deadline_waits_for_the_last_seat() -> None:
    table = do(seated(terms=AT_DEADLINE), Pace(2, 2))
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert table.due == 60_000
    assert kinds(table, ExpireDeadline(), 59_999) == []
    assert kinds(table, ExpireDeadline(), 60_000)[0] == "Applied"


def test_invalid_time_limits_are_rejected() -> None:
    with pytest.raises(WrongSeatError, match="no clock"):
        entries(seated(), Pace(0, 2))
    with pytest.raises(WrongSeatError, match="is empty"):
        entries(opened(terms=CLOCK), Pace(0, 2))
    with pytest.raises(StaleCommandError, match="already"):
        entries(seated(terms=CLOCK), Pace(0, 1))


def test_the_next_player_of_a_seat_has_the_normal_time() -> None:
    table = do(do(opened(terms=CLOCK), Join(1, "Ada")), Pace(1, None))
    table = do(do(table, Leave(1)), Join(1, "Bo"))
    assert table.paces == (1, 1, 1)


def test_autoplay_plays_the_mark_else_the_given_action_else_the_policys() -> None:
    table = do(seated(terms=CLOCK), Mark(0, highest(seated(), 0).action))
    for seat in range(3):
        table = do(table, Leave(seat))
    described = table.rules.describe
    own, asked = lowest(table, 1).action, highest(table, 2).action
    assert entries(table, Autoplay(0)) == (Autoplayed(0, 0, described(highest(table, 0).action), "mark"),)
    assert entries(table, Autoplay(1)) == (Autoplayed(0, 1, described(own), "autoplay"),)
    assert entries(table, Autoplay(2, asked)) == (Autoplayed(0, 2, described(asked), "autoplay"),)


def test_a_returning_player_can_change_autoplays_choice() -> None:
    table = do(do(seated(terms=CLOCK), Leave(1)), Autoplay(1))
    assert view_for(table, 0).seats[1].chosen  # type: ignore[union-attr]  # the seat is taken
    table = do(do(table, Return(1)), highest(table, 1))
    assert table.choices[1] == highest(table, 1).action
    assert reloaded(table) == table


def test_invalid_autoplay_is_rejected() -> None:
    table = seated(terms=CLOCK)
    with pytest.raises(StaleCommandError, match="because it is not away"):
        entries(table, Autoplay(1))
    away = do(do(table, lowest(table, 1)), Leave(1))
    with pytest.raises(StaleCommandError, match="has already chosen"):
        entries(away, Autoplay(1))
    with pytest.raises(IllegalActionError):
        entries(do(table, Leave(1)), Autoplay(1, 105))
    with pytest.raises(StaleCommandError, match="decision -1 is over"):
        entries(do(table, Leave(1)), Autoplay(1, decision=-1))


def test_events_of_pauses_and_autoplay_are_public() -> None:
    table = seated(terms=CLOCK)
    sentences = []
    for command in (Pause(), Resume(), Pace(1, 2), Pace(1, None), Leave(1), Autoplay(1)):
        table = do(table, command)
        assert visible_events(table, None) == visible_events(table, 0) == visible_events(table, 1)
        sentences += [event.words(table.names) for event in visible_events(table, None)]
    assert sentences == [
        "The game is paused.",
        "The game is resumed.",
        "Bo has twice the time from now on.",
        "Bo has no time limit from now on.",
        "Bo leaves.",
        "Bo is away: the table chooses.",
    ]


def test_a_record_with_invalid_pause_entries_raises() -> None:
    table = do(seated(terms=CLOCK), Leave(1))
    words = table.rules.describe(lowest(table, 1).action)
    with pytest.raises(WrongSeatError, match="only if there is none"):
        evolve(table, Autoplayed(0, 1, words, "mark"))
    with pytest.raises(Malformed, match="outcome of chance"):
        evolve(table, Autoplayed(0, 1, "deal 1 2 3 4 5 6 7 8 9 10 11 12 13", "autoplay"))
    with pytest.raises(StaleCommandError):
        evolve(table, Unpaused(0))
    with pytest.raises(WrongSeatError, match="there is no seat 7"):
        evolve(table, Paced(0, 7, 2))
