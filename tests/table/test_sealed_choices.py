"""Everyone chooses in secret, may think again until the last choice is in, and all are turned up at once."""

from itertools import permutations

import pytest
from tests.table.play import (
    AT_DEADLINE,
    CLOCK,
    NO_CLOCK,
    asked_for_row,
    do,
    entries,
    highest,
    kinds,
    lowest,
    opened,
    seated,
)

from faceup.core import FORFEIT, NotLegal, NotYours
from faceup.core.record import Applied, Chosen, Terms
from faceup.table import Choose, Forfeit, Join, Mark, Stale, Table, Unchoose, fold, to_choose


def test_a_choice_alone_turns_nothing_up() -> None:
    table = seated()
    assert kinds(table, lowest(table, 0)) == ["Chosen"]
    after = do(table, lowest(table, 0))
    assert after.state == table.state
    assert to_choose(after) == (1, 2)


def test_the_last_choice_turns_all_up() -> None:
    table = seated()
    wanted = {seat: lowest(table, seat).action for seat in range(3)}
    for seat in (2, 0):
        table = do(table, lowest(table, seat))
    chosen, applied = entries(table, lowest(table, 1))
    assert isinstance(chosen, Chosen)
    assert isinstance(applied, Applied)
    assert applied.actions == tuple(table.rules.describe(wanted[seat]) for seat in range(3))


@pytest.mark.parametrize("terms", [NO_CLOCK, CLOCK, AT_DEADLINE])
def test_the_order_in_which_choices_are_sealed_does_not_matter(terms: Terms) -> None:
    table = seated(terms=terms)
    ends = set()
    for order in permutations(range(3)):
        after = table
        for seat in order:
            after = do(after, highest(table, seat))
        ends.add((after.state, after.choices, after.decision, after.due))
    assert len(ends) == 1


def test_a_mind_can_be_changed_until_the_last_choice_is_in() -> None:
    table = do(seated(), lowest(seated(), 0))
    table = do(table, highest(table, 0))
    assert table.choices[0] == highest(table, 0).action
    table = do(table, Unchoose(0))
    assert to_choose(table) == (0, 1, 2)
    table = do(table, lowest(table, 0))
    before = table.decision
    for seat in (1, 2):
        table = do(table, lowest(table, seat))
    with pytest.raises(Stale, match="decision 0 is over"):
        entries(table, Choose(0, 0, before))
    with pytest.raises(Stale, match="decision 0 is over"):
        entries(table, Unchoose(0, before))


def test_a_record_cut_between_the_last_choice_and_the_reveal_lets_nobody_think_again() -> None:
    table = seated()
    for seat in (0, 1):
        table = do(table, lowest(table, seat))
    cut = fold(table, entries(table, lowest(table, 2))[:1])
    for command in (Unchoose(0), highest(cut, 0), Mark(1, None)):
        with pytest.raises(Stale, match="all choices of decision 0 are in"):
            entries(cut, command)


def test_what_is_said_twice_is_refused_and_counts_once() -> None:
    table = seated()
    once = do(table, lowest(table, 0))
    with pytest.raises(Stale, match="seat 0 has chosen that already"):
        entries(once, lowest(once, 0))
    with pytest.raises(Stale, match="seat 1 has chosen nothing"):
        entries(once, Unchoose(1))
    marked = do(table, Mark(0, lowest(table, 0).action))
    with pytest.raises(Stale, match="has that mark already"):
        entries(marked, Mark(0, lowest(table, 0).action))
    with pytest.raises(Stale, match="has no mark already"):
        entries(table, Mark(0, None))


def test_a_command_for_a_decision_to_come_is_refused() -> None:
    table = seated()
    with pytest.raises(NotYours, match="decision 1 is yet to come"):
        entries(table, Choose(0, lowest(table, 0).action, 1))


@pytest.mark.parametrize("command", [Choose(0, 0), Mark(0, 0), Mark(0, None), Unchoose(0), Forfeit(0)])
def test_nobody_decides_at_a_pending_table(command: Choose | Mark | Unchoose | Forfeit) -> None:
    table = do(opened("nimmt:arena"), Join(0, "Ada"))
    with pytest.raises(NotYours, match="still waiting for players"):
        entries(table, command)


def test_only_the_seat_that_is_asked_for_a_row_decides_then() -> None:
    table, asked = asked_for_row()
    other = (asked + 1) % 3
    with pytest.raises(NotYours, match=f"seat {other} cannot decide now; it is for {asked}"):
        entries(table, Choose(other, lowest(table, asked).action))
    assert kinds(table, lowest(table, asked))[:2] == ["Chosen", "Applied"]


def held_by(table: Table, seat: int) -> set[int]:
    return set(table.rules.legal(table.state, seat))


@pytest.mark.parametrize("action", [-2, FORFEIT, 104, 10**9])
def test_an_action_that_is_none_is_not_legal(action: int) -> None:
    table = seated()
    for command in (Choose(0, action), Mark(0, action)):
        with pytest.raises(NotLegal, match="is not legal for seat 0 now; legal: play "):
            entries(table, command)


def test_a_card_of_another_hand_is_not_legal() -> None:
    table = seated()
    stolen = min(held_by(table, 1))
    with pytest.raises(NotLegal) as refused:
        entries(table, Choose(0, stolen))
    assert set(refused.value.legal) == {table.rules.describe(action) for action in held_by(table, 0)}


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_there_is_not_decides_nothing(seat: int) -> None:
    with pytest.raises(NotYours, match=f"no seat {seat}"):
        entries(seated(), Choose(seat, 0))


def test_a_referee_puts_a_forfeit_where_the_rules_know_one() -> None:
    table = seated("nimmt:arena deals=1 hand=2")
    assert entries(table, Forfeit(2)) == (Chosen(0, 2, "forfeit"),)
    table = do(table, Forfeit(2))
    for seat in (0, 1, 3):
        table = do(table, highest(table, seat))
    assert 2 not in table.deciders
    assert table.record.entries[-1].at == 0


def test_no_player_can_choose_or_mark_a_forfeit() -> None:
    table = seated("nimmt:arena deals=1 hand=2")
    for command in (Choose(0, FORFEIT), Mark(0, FORFEIT)):
        with pytest.raises(NotLegal, match="'forfeit' is not legal"):
            entries(table, command)


def test_where_the_rules_know_no_forfeit_there_is_none() -> None:
    with pytest.raises(NotLegal, match="nimmt:cowheadking knows no forfeit"):
        entries(seated(), Forfeit(0))
