"""A saved table is its record: it can be taken up anywhere, and nothing false is believed."""

import msgspec
import pytest
from tests.table.helpers import AT_DEADLINE, CLOCK, NO_CLOCK, do, highest, lowest, played_out, seated

from faceup.bots import policy
from faceup.core import Malformed
from faceup.core.record import (
    AnyEntry,
    Applied,
    Chosen,
    Extended,
    Joined,
    Marked,
    Record,
    Returned,
    Terms,
    TimedOut,
    dumps,
    loads,
)
from faceup.core.record import replay as replay_lines
from faceup.table import ExpireDeadline, Table, fold, open_table
from faceup.table.commands import Mark, Unchoose
from faceup.table.evolve import table_from

LOWEST = policy("nimmt", "lowest")


def eventful() -> Table:
    """Return a game with withdrawn choices, marks and timeouts."""
    table = seated(terms=CLOCK)
    table = do(do(table, lowest(table, 0), 100), Unchoose(0), 200)
    table = do(do(table, Mark(0, highest(table, 0).action), 300), lowest(table, 2), 400)
    return played_out(do(table, ExpireDeadline(), 30_000))


@pytest.mark.parametrize("table", [eventful(), played_out(seated()), seated(terms=AT_DEADLINE)])
def test_a_table_is_the_fold_of_its_entries(table: Table) -> None:
    assert fold(open_table(table.rules, table.autoplay, table.terms), table.entries) == table


def test_a_game_resumes_from_any_prefix_of_its_record() -> None:
    table = eventful()
    for length in range(len(table.entries) + 1):
        cut = msgspec.structs.replace(table.record, entries=table.entries[:length], result=None)
        again = table_from(loads(dumps(cut)), LOWEST)
        assert again.record.entries == cut.entries
        assert fold(again, table.entries[length:]) == table
        if again.status == "active":
            assert played_out(do(again, ExpireDeadline(), again.at)).status == "finished"


def test_secret_choices_and_marks_are_saved() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, lowest(table, 0)), Mark(1, highest(table, 1).action))
    again = table_from(loads(dumps(table.record)), LOWEST)
    assert (again.choices, again.marks) == (table.choices, table.marks)


def test_a_table_and_a_replay_agree_on_every_state() -> None:
    table = eventful()
    *_, last = replay_lines(table.record)
    assert last.state == table.state


def edited(record: Record, number: int, entry: AnyEntry) -> Record:
    entries = (*record.entries[:number], entry, *record.entries[number + 1 :])
    return msgspec.structs.replace(record, entries=entries, result=None)


def base(terms: Terms = NO_CLOCK) -> Table:
    """Return a table of three seats after the deal (entry 3) and the choice of seat 0 (entry 4)."""
    table = seated(terms=terms)
    return do(table, lowest(table, 0), 50)


def words(seat: int) -> str:
    table = seated()
    return table.rules.describe(lowest(table, seat).action)


@pytest.mark.parametrize(
    ("number", "entry", "rule"),
    [
        (0, Joined(0, 7, "Ada", "person"), "there is no seat 7"),
        (1, Joined(0, 0, "Bo", "person"), "seat 0 is taken"),
        (1, Joined(0, 1, "", "person"), "a name must have 1 to 40"),
        (2, Chosen(0, 0, "play 1"), "still waiting for players"),
        (2, Applied(0, outcome="deal 1 2 3 4 5 6 7 8 9 10 11 12 13"), "still waiting for players"),
        (3, Applied(0, outcome="deal 1 2"), "a deal must have 13 cards; got 2"),
        (3, Applied(0, outcome="play 3"), "not an outcome of chance"),
        (3, Applied(0, outcome="deal 1 1 3 4 5 6 7 8 9 10 11 12 13"), "1"),
        (3, Applied(0, actions=("play 1", "play 2", "play 3")), "chosen|chance|choices"),
        (4, Applied(50, actions=(words(0), words(1), words(2))), "the choice of seat 0, 1, 2 is missing"),
        (4, Applied(50, outcome="deal 1 2 3 4 5 6 7 8 9 10 11 12 13"), "no deal is due"),
        (4, Chosen(50, 0, words(1)), "is not legal for seat 0 now"),
        (4, Chosen(50, 0, "eat 3"), "eat 3"),
        (4, Chosen(50, 0, "deal 1 2 3 4 5 6 7 8 9 10 11 12 13"), "an outcome of chance, not a decision"),
        (4, Chosen(50, 0, "forfeit"), "forfeit"),
        (4, Chosen(-1, 0, words(0)), "must not be earlier than the previous entry"),
        (4, Marked(50, 0, words(1)), "is not legal for seat 0 now"),
        (4, TimedOut(50, 0, words(0), "autoplay"), "time for decision 0 is not up yet"),
        (4, Extended(50, 10), "only while a clock is running"),
        (4, Returned(50, 0), "seat 0 cannot return, because it is not away"),
    ],
)
def test_the_error_of_an_edited_record_names_the_entry_and_its_rule(number: int, entry: AnyEntry, rule: str) -> None:
    with pytest.raises(Malformed, match=rf"(?s)entry {number}: .*({rule})") as refused:
        table_from(edited(base().record, number, entry), LOWEST)
    assert refused.value.where == f"entry {number}"


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (TimedOut(29_999, 1, words(1), "autoplay"), "time for decision 0 is not up yet"),
        (TimedOut(30_000, 0, words(0), "autoplay"), "because it has chosen in time"),
        (TimedOut(30_000, 1, words(1), "mark"), "only if there is none"),
        (TimedOut(30_000, 1, words(2), "autoplay"), "is not legal for seat 1"),
        (TimedOut(30_000, 8, words(1), "autoplay"), "there is no seat 8"),
        (Chosen(30_000, 1, words(1)), "time is up for decision 0"),
        (Extended(60, 0), "must be extended by 1 or more"),
    ],
)
def test_a_record_that_contradicts_the_clock_is_rejected(entry: AnyEntry, rule: str) -> None:
    record = base(CLOCK).record
    with pytest.raises(Malformed, match=f"entry 5: .*{rule}"):
        table_from(msgspec.structs.replace(record, entries=(*record.entries, entry)), LOWEST)


def test_a_record_of_a_timeout_that_ignores_a_mark_is_rejected() -> None:
    table = base(CLOCK)
    table = do(table, Mark(1, highest(table, 1).action), 60)
    for entry in (TimedOut(30_000, 1, words(1), "autoplay"), TimedOut(30_000, 1, words(1), "mark")):
        with pytest.raises(Malformed, match=r"entry 6: .*only if there is none"):
            table_from(msgspec.structs.replace(table.record, entries=(*table.entries, entry)), LOWEST)


def test_a_record_that_reveals_another_card_than_chosen_is_rejected() -> None:
    table = seated("nimmt:cowheadking seats=2 hand=2")
    high = table.rules.describe(highest(table, 1).action)
    low = table.rules.describe(lowest(table, 1).action)
    for seat in (0, 1):
        table = do(table, lowest(table, seat))
    number = next(n for n, entry in enumerate(table.entries) if isinstance(entry, Applied) and entry.actions)
    entry = table.entries[number]
    assert isinstance(entry, Applied)
    assert entry.actions[1] == low
    false = Applied(entry.at, actions=(entry.actions[0], high))
    with pytest.raises(Malformed, match=f"entry {number}: the move does not match the choices of the seats"):
        table_from(edited(table.record, number, false), LOWEST)


def test_a_record_with_an_early_reveal_is_rejected() -> None:
    table = seated(terms=AT_DEADLINE)
    for seat in range(3):
        table = do(table, lowest(table, seat), 100)
    early = Applied(29_999, actions=(words(0), words(1), words(2)))
    with pytest.raises(Malformed, match="entry 7: choices must not be revealed before the deadline, at 30000 ms"):
        table_from(msgspec.structs.replace(table.record, entries=(*table.entries, early)), LOWEST)


def test_a_record_with_entries_after_the_end_is_rejected() -> None:
    record = played_out(seated()).record
    longer = msgspec.structs.replace(record, entries=(*record.entries, record.entries[-1]))
    with pytest.raises(Malformed, match=f"entry {len(record.entries)}: the game is over"):
        table_from(longer, LOWEST)


def test_a_record_with_a_wrong_result_is_rejected() -> None:
    record = played_out(seated()).record
    assert record.result is not None
    false = msgspec.structs.replace(record.result, ranks=(1, 1, 1))
    with pytest.raises(Malformed, match="to match the entries; got"):
        table_from(msgspec.structs.replace(record, result=false), LOWEST)
    with pytest.raises(Malformed, match="end before the game is over"):
        table_from(msgspec.structs.replace(record, entries=record.entries[:-1]), LOWEST)


def test_a_table_resumes_with_its_secret_choices() -> None:
    table = table_from(base().record, LOWEST)
    assert table.waiting == (1, 2)
