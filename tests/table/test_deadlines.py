"""Deadlines with a fake clock: marks, autoplay, and reveals at the deadline."""

import msgspec
import pytest
from tests.table.helpers import AT_DEADLINE, CLOCK, do, entries, highest, kinds, lowest, opened, row_choice, seated

from faceup.core import AnyRules, Generator, Malformed, View, WrongSeatError, generator
from faceup.core.record import Applied, Extended, Terms, TimedOut, dumps, loads
from faceup.table import Choose, ExpireDeadline, Join, decide, evolve, fold, visible_events
from faceup.table.commands import Leave, Mark, RestartClock, Unchoose
from faceup.table.errors import StaleCommandError
from faceup.table.events import TimeUp
from faceup.table.evolve import table_from


def test_the_clock_starts_when_a_decision_opens_and_not_before() -> None:
    assert seated(terms=CLOCK).due == 30_000
    assert seated().due is None


def test_a_game_without_a_deal_starts_its_clock_when_the_last_seat_is_taken() -> None:
    table = opened("niuniu seats=2", Terms(clock=30_000))
    table = do(table, Join(None, "Ada"), 100)
    assert table.due is None
    assert kinds(table, Join(None, "Bo"), 700) == ["Joined"]
    assert do(table, Join(None, "Bo"), 700).due == 30_700


def test_before_the_deadline_a_tick_does_nothing() -> None:
    assert kinds(seated(terms=CLOCK), ExpireDeadline(), 29_999) == []


def test_the_deadline_triggers_autoplay_and_the_reveal() -> None:
    table = do(seated(terms=CLOCK), highest(seated(), 1))
    zero, two, applied = entries(table, ExpireDeadline(), 30_000)
    low = table.rules.describe(lowest(table, 0).action)
    assert zero == TimedOut(30_000, 0, low, "autoplay")
    assert isinstance(two, TimedOut)
    assert two.seat == 2
    assert isinstance(applied, Applied)
    assert applied.actions[0] == low
    assert applied.actions[1] == table.rules.describe(highest(table, 1).action)


def test_autoplay_prefers_the_mark() -> None:
    table = seated(terms=CLOCK)
    action = highest(table, 0).action
    table = do(table, Mark(0, action), 500)
    assert table.waiting == (0, 1, 2)
    first = entries(table, ExpireDeadline(), 30_000)[0]
    assert first == TimedOut(30_000, 0, table.rules.describe(action), "mark")


def test_a_removed_mark_is_not_played() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, Mark(0, highest(table, 0).action)), Mark(0, None))
    first = entries(table, ExpireDeadline(), 30_000)[0]
    assert isinstance(first, TimedOut)
    assert first.source == "autoplay"


def test_a_choice_overrides_a_mark_until_it_is_withdrawn() -> None:
    table = seated(terms=CLOCK)
    table = do(table, Mark(0, highest(table, 0).action))
    table = do(table, lowest(table, 0))
    assert all(not isinstance(e, TimedOut) or e.seat != 0 for e in entries(table, ExpireDeadline(), 30_000))
    back = entries(do(table, Unchoose(0)), ExpireDeadline(), 30_000)[0]
    assert isinstance(back, TimedOut)
    assert back.source == "mark"


def test_marks_and_choices_are_cleared_after_their_decision() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, Mark(0, highest(table, 0).action)), ExpireDeadline(), 30_000)
    assert table.marks == table.choices == (None, None, None)


def test_a_choice_at_the_deadline_is_late_even_before_the_tick() -> None:
    table = seated(terms=CLOCK)
    for command in (lowest(table, 0), Mark(0, lowest(table, 0).action), Unchoose(0)):
        with pytest.raises(StaleCommandError, match="time is up for decision 0"):
            entries(table, command, 30_000)
    assert kinds(table, lowest(table, 0), 29_999) == ["Chosen"]


def test_choosing_a_row_has_the_full_clock() -> None:
    table, asked = row_choice(CLOCK)
    assert table.at == 1000
    assert table.due == 31_000
    assert kinds(table, ExpireDeadline(), 30_999) == []
    timed_out, applied = entries(table, ExpireDeadline(), 31_000)[:2]
    assert isinstance(timed_out, TimedOut)
    assert timed_out.seat == asked
    assert isinstance(applied, Applied)


def test_a_late_tick_does_not_shorten_the_next_decision() -> None:
    table = do(seated(terms=CLOCK), ExpireDeadline(), 90_000)
    assert table.due == 120_000
    assert kinds(table, ExpireDeadline(), 119_999) == []


def test_autoplay_chooses_for_an_absent_seat_at_the_deadline() -> None:
    table = do(seated(terms=CLOCK), Leave(1))
    assert 1 in {entry.seat for entry in entries(table, ExpireDeadline(), 30_000) if isinstance(entry, TimedOut)}


def test_choices_are_not_revealed_before_the_deadline() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert not table.waiting
    assert table.decision == 0
    assert kinds(table, ExpireDeadline(), 29_999) == []
    assert kinds(table, ExpireDeadline(), 30_000)[0] == "Applied"


def test_choices_can_be_changed_until_the_deadline() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    table = do(do(table, Unchoose(0), 29_998), highest(table, 0), 29_999)
    assert table.choices[0] == highest(table, 0).action
    with pytest.raises(StaleCommandError, match="time is up"):
        entries(table, lowest(table, 0), 30_000)


def test_a_reveal_at_the_deadline_needs_a_tick() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    assert kinds(table, Leave(0), 40_000) == ["Left"]


def test_a_clock_set_back_is_raised_to_the_last_entry() -> None:
    table = do(seated(terms=CLOCK), lowest(seated(), 0), 5000)
    assert entries(table, lowest(table, 1), 20)[0].at == 5000


def test_restarting_the_clock_gives_the_open_decision_its_full_time() -> None:
    table = do(seated(terms=CLOCK), lowest(seated(), 0), 20_000)
    again = table_from(loads(dumps(table.record)), table.autoplay)
    assert again == table
    assert entries(again, RestartClock(), again.at) == (Extended(20_000, 20_000),)
    again = do(again, RestartClock(), again.at)
    assert again.due == 50_000
    assert [event.words(again.names) for event in visible_events(again, None)] == ["The deadline is extended by 20 s."]
    assert table_from(again.record, again.autoplay) == again


def test_restarting_the_clock_changes_nothing_without_elapsed_time_or_a_clock() -> None:
    assert kinds(seated(terms=CLOCK), RestartClock(), 0) == []
    assert kinds(seated(), RestartClock(), 99_000) == []


def test_restarting_the_clock_never_shortens_a_deadline() -> None:
    table = evolve(seated(terms=CLOCK), Extended(0, 90_000))
    assert kinds(table, RestartClock(), 10_000) == []
    assert table.due == 120_000


def test_restarting_the_clock_or_a_tick_applies_moves_that_are_due() -> None:
    table = seated(terms=CLOCK)
    for seat in (0, 1):
        table = do(table, lowest(table, seat))
    cut = fold(table, entries(table, lowest(table, 2))[:1])
    assert kinds(cut, ExpireDeadline(), 1)[0] == "Applied"
    assert "Applied" in kinds(cut, RestartClock(), 1)


def test_a_timeout_shows_the_seat_and_not_the_choice() -> None:
    table = seated(terms=CLOCK)
    after = evolve(table, entries(table, ExpireDeadline(), 30_000)[0])
    for viewer in (0, 1, None):
        assert visible_events(after, viewer) == (TimeUp(0),)


def test_a_game_of_pure_chance_has_no_timeout_events() -> None:
    table = seated("niuniu seats=2 throws=2", Terms(clock=30_000))
    kinds = []
    for entry in entries(table, ExpireDeadline(), 30_000):
        table = evolve(table, entry)
        kinds += [type(event).__name__ for event in visible_events(table, None)]
    assert kinds[:2] == ["DiceThrown", "DiceThrown"]


def test_autoplay_uses_the_given_generator() -> None:
    table = seated("nimmt seats=4", terms=Terms(clock=10, autoplay="random"))
    assert entries(table, ExpireDeadline(), 10, seed=3) == entries(table, ExpireDeadline(), 10, seed=3)
    assert len({entries(table, ExpireDeadline(), 10, seed=seed) for seed in range(5)}) > 1


def test_autoplay_sees_only_the_view_of_its_seat() -> None:
    table = seated(terms=CLOCK)
    views: list[object] = []

    def spy(rules: AnyRules, view: View, rng: Generator) -> int:  # noqa: ARG001 -- as a policy is called
        views.append(view)
        return view.legal[0]

    watched = evolve(table, entries(table, Mark(0, lowest(table, 0).action))[0])
    watched = msgspec.structs.replace(watched, autoplay=spy)
    decide(watched, ExpireDeadline(), 30_000, generator(0))
    assert views == [table.rules.view(table.state, 1), table.rules.view(table.state, 2)]


@pytest.mark.parametrize(
    ("clock", "reveal", "message"),
    [
        (0, "when_all_in", "1 to 31622400000 milliseconds"),
        (-5, "when_all_in", "1 to 31622400000"),
        (None, "at_deadline", "must have a clock"),
    ],
)
def test_terms_that_never_end_a_decision_are_rejected(clock: int | None, reveal: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        Terms(clock=clock, reveal=reveal)  # type: ignore[arg-type]  # the parameters of a test are plain strings


def test_a_table_without_a_clock_has_no_deadlines() -> None:
    table = seated()
    assert kinds(table, ExpireDeadline(), 10**12) == []
    with pytest.raises(WrongSeatError, match="only while a clock is running"):
        evolve(table, Extended(0, 5))
    assert kinds(table, Choose(0, lowest(table, 0).action), 10**12) == ["Chosen"]
