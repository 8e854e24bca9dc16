"""Deadlines against a clock that is given: marks, the stand-in, and the reveal that waits for the clock."""

import msgspec
import pytest
from tests.table.play import (
    AT_DEADLINE,
    CLOCK,
    asked_for_row,
    do,
    entries,
    highest,
    kinds,
    lowest,
    opened,
    seated,
)

from faceup.core import AnyRules, Generator, Malformed, NotYours, View, generator
from faceup.core.record import Applied, Extended, Terms, TimedOut, dumps, loads
from faceup.table import (
    Choose,
    Join,
    Leave,
    Mark,
    Resume,
    Stale,
    Tick,
    TimeUp,
    Unchoose,
    decide,
    events_for,
    evolve,
    fold,
    table_from,
    to_choose,
)


def test_the_clock_starts_when_a_decision_opens_and_not_before() -> None:
    assert seated(terms=CLOCK).due == 30_000
    assert seated().due is None


def test_in_a_game_that_begins_with_a_decision_the_clock_starts_with_the_last_seat() -> None:
    table = opened("niuniu seats=2", Terms(clock=30_000))
    table = do(table, Join(None, "Ada"), 100)
    assert table.due is None
    assert kinds(table, Join(None, "Bo"), 700) == ["Joined"]
    assert do(table, Join(None, "Bo"), 700).due == 30_700


def test_before_the_deadline_a_tick_does_nothing() -> None:
    assert kinds(seated(terms=CLOCK), Tick(), 29_999) == []


def test_at_the_deadline_the_clock_chooses_for_those_who_have_not_and_all_is_turned_up() -> None:
    table = do(seated(terms=CLOCK), highest(seated(), 1))
    zero, two, applied = entries(table, Tick(), 30_000)
    low = table.rules.describe(lowest(table, 0).action)
    assert zero == TimedOut(30_000, 0, low, "stand-in")
    assert isinstance(two, TimedOut)
    assert two.seat == 2
    assert isinstance(applied, Applied)
    assert applied.actions[0] == low
    assert applied.actions[1] == table.rules.describe(highest(table, 1).action)


def test_what_a_seat_marked_is_played_before_the_stand_in() -> None:
    table = seated(terms=CLOCK)
    wanted = highest(table, 0).action
    table = do(table, Mark(0, wanted), 500)
    assert to_choose(table) == (0, 1, 2)
    first = entries(table, Tick(), 30_000)[0]
    assert first == TimedOut(30_000, 0, table.rules.describe(wanted), "mark")


def test_a_mark_taken_away_is_not_played() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, Mark(0, highest(table, 0).action)), Mark(0, None))
    first = entries(table, Tick(), 30_000)[0]
    assert isinstance(first, TimedOut)
    assert first.source == "stand-in"


def test_a_choice_comes_before_a_mark_and_a_mark_outlives_a_choice_taken_back() -> None:
    table = seated(terms=CLOCK)
    table = do(table, Mark(0, highest(table, 0).action))
    table = do(table, lowest(table, 0))
    assert all(not isinstance(e, TimedOut) or e.seat != 0 for e in entries(table, Tick(), 30_000))
    back = entries(do(table, Unchoose(0)), Tick(), 30_000)[0]
    assert isinstance(back, TimedOut)
    assert back.source == "mark"


def test_marks_and_choices_end_with_their_decision() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, Mark(0, highest(table, 0).action)), Tick(), 30_000)
    assert table.marks == table.choices == (None, None, None)


def test_a_choice_at_the_deadline_is_late_whether_or_not_the_clock_was_swept() -> None:
    table = seated(terms=CLOCK)
    for command in (lowest(table, 0), Mark(0, lowest(table, 0).action), Unchoose(0)):
        with pytest.raises(Stale, match="time is up for decision 0"):
            entries(table, command, 30_000)
    assert kinds(table, lowest(table, 0), 29_999) == ["Chosen"]


def test_choosing_a_row_has_a_clock_of_its_own_of_the_same_length() -> None:
    table, asked = asked_for_row(CLOCK)
    assert table.at == 1000
    assert table.due == 31_000
    assert kinds(table, Tick(), 30_999) == []
    timed_out, applied = entries(table, Tick(), 31_000)[:2]
    assert isinstance(timed_out, TimedOut)
    assert timed_out.seat == asked
    assert isinstance(applied, Applied)


def test_each_decision_has_its_whole_time_however_late_the_one_before_was_swept() -> None:
    table = do(seated(terms=CLOCK), Tick(), 90_000)
    assert table.due == 120_000
    assert kinds(table, Tick(), 119_999) == []


def test_a_seat_that_is_away_is_played_for_at_the_deadline() -> None:
    table = do(seated(terms=CLOCK), Leave(1))
    assert 1 in {entry.seat for entry in entries(table, Tick(), 30_000) if isinstance(entry, TimedOut)}


def test_a_table_that_waits_for_the_clock_turns_nothing_up_before() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert not to_choose(table)
    assert table.decision == 0
    assert kinds(table, Tick(), 29_999) == []
    assert kinds(table, Tick(), 30_000)[0] == "Applied"


def test_a_table_that_waits_for_the_clock_lets_everyone_think_again_until_then() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    table = do(do(table, Unchoose(0), 29_998), highest(table, 0), 29_999)
    assert table.choices[0] == highest(table, 0).action
    with pytest.raises(Stale, match="time is up"):
        entries(table, lowest(table, 0), 30_000)


def test_only_a_tick_turns_up_what_waits_for_the_clock() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert kinds(table, Leave(0), 40_000) == ["Left"]


def test_a_clock_that_was_set_back_counts_as_the_time_of_the_last_entry() -> None:
    table = do(seated(terms=CLOCK), lowest(seated(), 0), 5000)
    assert entries(table, lowest(table, 1), 20)[0].at == 5000


def test_after_a_save_the_open_decision_gets_its_whole_time_again() -> None:
    table = do(seated(terms=CLOCK), lowest(seated(), 0), 20_000)
    again = table_from(loads(dumps(table.record)), table.stand_in)
    assert again == table
    assert entries(again, Resume(), again.at) == (Extended(20_000, 20_000),)
    again = do(again, Resume(), again.at)
    assert again.due == 50_000
    assert [event.words(again.names) for event in events_for(again, None)] == ["The clock has 20 s more."]
    assert table_from(again.record, again.stand_in) == again


def test_a_resume_changes_nothing_where_no_time_has_passed_or_no_clock_runs() -> None:
    assert kinds(seated(terms=CLOCK), Resume(), 0) == []
    assert kinds(seated(), Resume(), 99_000) == []


def test_a_resume_takes_no_time_away() -> None:
    table = evolve(seated(terms=CLOCK), Extended(0, 90_000))
    assert kinds(table, Resume(), 10_000) == []
    assert table.due == 120_000


def test_a_resume_or_a_tick_does_what_was_due_when_a_record_was_cut_short() -> None:
    table = seated(terms=CLOCK)
    for seat in (0, 1):
        table = do(table, lowest(table, seat))
    cut = fold(table, entries(table, lowest(table, 2))[:1])
    assert kinds(cut, Tick(), 1)[0] == "Applied"
    assert "Applied" in kinds(cut, Resume(), 1)


def test_the_clock_shows_everybody_for_whom_it_chose_and_not_what() -> None:
    table = seated(terms=CLOCK)
    after = evolve(table, entries(table, Tick(), 30_000)[0])
    for viewer in (0, 1, None):
        assert events_for(after, viewer) == (TimeUp(0),)


def test_where_nobody_has_a_choice_the_clock_is_a_pace_and_says_nothing() -> None:
    table = seated("niuniu seats=2 throws=2", Terms(clock=30_000))
    told = []
    for entry in entries(table, Tick(), 30_000):
        table = evolve(table, entry)
        told += [type(event).__name__ for event in events_for(table, None)]
    assert told[:2] == ["Threw", "Threw"]


def test_a_stand_in_that_draws_uses_the_generator_that_is_given() -> None:
    table = seated("nimmt seats=4", terms=Terms(clock=10, stand_in="random"))
    assert entries(table, Tick(), 10, seed=3) == entries(table, Tick(), 10, seed=3)
    assert len({entries(table, Tick(), 10, seed=seed) for seed in range(5)}) > 1


def test_a_stand_in_sees_no_more_than_the_seat_it_plays_for() -> None:
    table = seated(terms=CLOCK)
    given: list[object] = []

    def spy(rules: AnyRules, view: View, rng: Generator) -> int:  # noqa: ARG001 -- as a policy is called
        given.append(view)
        return view.legal[0]

    watched = evolve(table, entries(table, Mark(0, lowest(table, 0).action))[0])
    watched = msgspec.structs.replace(watched, stand_in=spy)
    decide(watched, Tick(), 30_000, generator(0))
    assert given == [table.rules.view(table.state, 1), table.rules.view(table.state, 2)]


@pytest.mark.parametrize(
    ("clock", "reveal", "message"),
    [
        (0, "when_all_in", "1 to 31622400000 milliseconds"),
        (-5, "when_all_in", "1 to 31622400000"),
        (None, "at_deadline", "needs a clock"),
    ],
)
def test_terms_under_which_no_decision_could_end_are_refused(clock: int | None, reveal: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        Terms(clock=clock, reveal=reveal)  # type: ignore[arg-type]  # the parameters of a test are plain strings


def test_the_clock_is_no_concern_of_a_table_without_one() -> None:
    table = seated()
    assert kinds(table, Tick(), 10**12) == []
    with pytest.raises(NotYours, match="no clock is running"):
        evolve(table, Extended(0, 5))
    assert kinds(table, Choose(0, lowest(table, 0).action), 10**12) == ["Chosen"]
