"""Secret choices can be changed until the last one is made, and are then revealed together."""

from itertools import permutations
from math import inf, nan
from typing import Any

import pytest
from tests.table.helpers import (
    AT_DEADLINE,
    CLOCK,
    NO_CLOCK,
    do,
    entries,
    highest,
    kinds,
    lowest,
    opened,
    row_choice,
    seated,
)

from faceup.core import FORFEIT, IllegalActionError, Malformed, WrongSeatError
from faceup.core.record import Applied, Chosen, Terms
from faceup.table import Choose, Join, Table, fold
from faceup.table.commands import Forfeit, Mark, Pace, Unchoose
from faceup.table.errors import StaleCommandError


def test_one_choice_does_not_trigger_the_reveal() -> None:
    table = seated()
    assert kinds(table, lowest(table, 0)) == ["Chosen"]
    after = do(table, lowest(table, 0))
    assert after.state == table.state
    assert after.waiting == (1, 2)


def test_the_last_choice_triggers_the_reveal() -> None:
    table = seated()
    actions = {seat: lowest(table, seat).action for seat in range(3)}
    for seat in (2, 0):
        table = do(table, lowest(table, seat))
    chosen, applied = entries(table, lowest(table, 1))
    assert isinstance(chosen, Chosen)
    assert isinstance(applied, Applied)
    assert applied.actions == tuple(table.rules.describe(actions[seat]) for seat in range(3))


@pytest.mark.parametrize("terms", [NO_CLOCK, CLOCK, AT_DEADLINE])
def test_the_order_of_choices_does_not_matter(terms: Terms) -> None:
    table = seated(terms=terms)
    ends = set()
    for order in permutations(range(3)):
        after = table
        for seat in order:
            after = do(after, highest(table, seat))
        ends.add((after.state, after.choices, after.decision, after.due))
    assert len(ends) == 1


def test_a_choice_can_be_changed_until_the_last_one_is_made() -> None:
    table = do(seated(), lowest(seated(), 0))
    table = do(table, highest(table, 0))
    assert table.choices[0] == highest(table, 0).action
    table = do(table, Unchoose(0))
    assert table.waiting == (0, 1, 2)
    table = do(table, lowest(table, 0))
    before = table.decision
    for seat in (1, 2):
        table = do(table, lowest(table, seat))
    with pytest.raises(StaleCommandError, match="decision 0 is over"):
        entries(table, Choose(0, 0, before))
    with pytest.raises(StaleCommandError, match="decision 0 is over"):
        entries(table, Unchoose(0, before))


def test_a_complete_decision_accepts_no_changes_before_its_reveal() -> None:
    table = seated()
    for seat in (0, 1):
        table = do(table, lowest(table, seat))
    cut = fold(table, entries(table, lowest(table, 2))[:1])
    for command in (Unchoose(0), highest(cut, 0), Mark(1, None)):
        with pytest.raises(StaleCommandError, match="all choices of decision 0 are in"):
            entries(cut, command)


def test_a_repeated_command_is_rejected_and_counts_once() -> None:
    table = seated()
    once = do(table, lowest(table, 0))
    with pytest.raises(StaleCommandError, match="seat 0 has already chosen this action"):
        entries(once, lowest(once, 0))
    with pytest.raises(StaleCommandError, match="seat 1 has no choice to take back"):
        entries(once, Unchoose(1))
    marked = do(table, Mark(0, lowest(table, 0).action))
    with pytest.raises(StaleCommandError, match="has already marked this action"):
        entries(marked, Mark(0, lowest(table, 0).action))
    with pytest.raises(StaleCommandError, match="has no mark to remove"):
        entries(table, Mark(0, None))


def test_a_command_for_a_later_decision_is_rejected() -> None:
    table = seated()
    with pytest.raises(WrongSeatError, match="decision 1 is not open yet"):
        entries(table, Choose(0, lowest(table, 0).action, 1))


@pytest.mark.parametrize("command", [Choose(0, 0), Mark(0, 0), Mark(0, None), Unchoose(0), Forfeit(0)])
def test_a_pending_table_rejects_choices(command: Choose | Mark | Unchoose | Forfeit) -> None:
    table = do(opened("nimmt:arena"), Join(0, "Ada"))
    with pytest.raises(WrongSeatError, match="still waiting for players"):
        entries(table, command)


def test_only_the_seat_with_the_low_card_chooses_a_row() -> None:
    table, asked = row_choice()
    other = (asked + 1) % 3
    with pytest.raises(WrongSeatError, match=f"seat {other} cannot decide now: it is the turn of seat {asked} "):
        entries(table, Choose(other, lowest(table, asked).action))
    assert kinds(table, lowest(table, asked))[:2] == ["Chosen", "Applied"]


def held_by(table: Table, seat: int) -> set[int]:
    return set(table.rules.legal(table.state, seat))


@pytest.mark.parametrize("action", [-2, FORFEIT, 104, 10**9])
def test_an_unknown_action_is_not_legal(action: int) -> None:
    table = seated()
    for command in (Choose(0, action), Mark(0, action)):
        with pytest.raises(IllegalActionError, match="is not legal for seat 0 now; legal: play "):
            entries(table, command)


def test_a_card_of_another_hand_is_not_legal() -> None:
    table = seated()
    stolen = min(held_by(table, 1))
    with pytest.raises(IllegalActionError) as refused:
        entries(table, Choose(0, stolen))
    assert set(refused.value.legal) == {table.rules.describe(action) for action in held_by(table, 0)}


@pytest.mark.parametrize("seat", [-1, 3])
def test_an_unknown_seat_cannot_choose(seat: int) -> None:
    with pytest.raises(WrongSeatError, match=f"no seat {seat}"):
        entries(seated(), Choose(seat, 0))


def test_a_referee_can_forfeit_for_a_seat() -> None:
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
        with pytest.raises(IllegalActionError, match="'forfeit' is not legal"):
            entries(table, command)


def test_rules_without_forfeits_reject_a_forfeit() -> None:
    with pytest.raises(IllegalActionError, match="nimmt:cowheadking has no forfeits"):
        entries(seated(), Forfeit(0))


@pytest.mark.parametrize("now", [nan, inf, 1.5, "0", None, True, 2**53 + 1])
def test_a_time_that_no_record_can_hold_is_refused(now: Any) -> None:
    table = seated()
    with pytest.raises(Malformed, match="now must be "):
        entries(table, lowest(table, 0), now)


@pytest.mark.parametrize("times", [0, 3, -1, 1.5])
def test_a_time_limit_that_no_record_can_hold_is_refused(times: Any) -> None:
    with pytest.raises(Malformed, match=f"a time limit must be 1 or 2 times the clock, or null; got {times}"):
        do(seated(terms=CLOCK), Pace(0, times))
