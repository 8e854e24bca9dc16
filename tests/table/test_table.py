"""The status of a table, and entries that are appended together."""

import pytest
from tests.table.helpers import do, entries, kinds, lowest, opened, played_out, seated

from faceup.core import CHANCE, Malformed, WrongSeatError, make
from faceup.core.record import Applied, Joined
from faceup.table import Choose, ExpireDeadline, Join, fold, view_for, visible_events
from faceup.table.commands import Leave, Mark, Return, Unchoose
from faceup.table.errors import StaleCommandError
from faceup.table.table import default_terms


def test_a_table_is_pending_until_the_last_seat_is_taken() -> None:
    table = opened()
    for name in ("Ada", "Bo"):
        assert table.status == "pending"
        assert table.rules.to_act(table.state) == (CHANCE,)
        assert not table.waiting
        table = do(table, Join(None, name))
    assert table.status == "pending"
    assert do(table, Join(None, "Cy")).status == "active"


def test_the_last_seat_and_the_deal_are_one_batch() -> None:
    table = do(do(opened(), Join(2, "Cy")), Join(0, "Ada"))
    joined, dealt = entries(table, Join(None, "Bo"), 700)
    assert joined == Joined(700, 1, "Bo", "person")
    assert isinstance(dealt, Applied)
    assert dealt.outcome.startswith("deal ")
    assert dealt.at == 700


def test_nothing_is_dealt_before_all_seats_are_taken() -> None:
    assert kinds(opened(), Join(None, "Ada")) == ["Joined"]
    assert kinds(opened(), ExpireDeadline(), 10**9) == []


def test_the_record_of_a_finished_table_has_the_result() -> None:
    table = played_out(seated())
    assert table.status == "finished"
    result = table.record.result
    assert result is not None
    assert result.scores == table.rules.scores(table.state)
    assert view_for(table, None).result == result


def test_the_record_of_an_unfinished_table_has_no_result() -> None:
    assert seated().record.result is None
    assert view_for(seated(), 0).result is None


def test_a_finished_table_rejects_all_commands() -> None:
    table = played_out(seated())
    for command in (Choose(0, 3), Mark(0, None), Unchoose(0), Leave(0), Return(0), Join(0, "Eve")):
        with pytest.raises(WrongSeatError, match="the game is over"):
            entries(table, command)
    assert not entries(table, ExpireDeadline(), 10**9)


def test_the_last_choice_the_reveal_and_the_next_deal_are_one_batch() -> None:
    table = seated("nimmt:cowheadking seats=2 hand=1 deals=2")
    table = do(table, lowest(table, 0))
    last = lowest(table, 1)
    appended = entries(table, last)
    if len(fold(table, appended).waiting) == 1:  # a row has to be taken first
        table = fold(table, appended)
        appended = entries(table, lowest(table, table.waiting[0]))
    assert [type(entry).__name__ for entry in appended] == ["Chosen", "Applied", "Applied"]
    assert isinstance(appended[1], Applied)
    assert isinstance(appended[2], Applied)
    assert not appended[1].outcome
    assert appended[2].outcome.startswith("deal ")


def test_a_seat_can_be_taken_by_number_or_the_first_empty_one() -> None:
    table = do(do(opened(), Join(1, "Bo")), Join(None, "Ada", "greedy"))
    assert table.names == ("Ada", "Bo", "Seat 3")
    assert table.players[0] is not None
    assert table.players[0].kind == "greedy"


@pytest.mark.parametrize("seat", [-1, 3, 10**9])
def test_an_unknown_seat_cannot_be_taken(seat: int) -> None:
    with pytest.raises(WrongSeatError, match=f"no seat {seat}: the seats are 0 to 2"):
        entries(opened(), Join(seat, "Ada"))


def test_a_taken_seat_cannot_be_taken_again() -> None:
    with pytest.raises(WrongSeatError, match="seat 1 is taken"):
        entries(do(opened(), Join(1, "Bo")), Join(1, "Ada"))
    with pytest.raises(WrongSeatError, match="every seat is taken"):
        entries(seated(), Join(None, "Eve"))


@pytest.mark.parametrize("name", ["", "   ", "two\nlines", "x" * 41])
def test_a_name_fits_on_one_line(name: str) -> None:
    with pytest.raises(Malformed, match="a name must have 1 to 40 printable characters"):
        entries(opened(), Join(0, name))


def test_leaving_before_the_deal_frees_the_seat() -> None:
    table = do(do(opened(), Join(0, "Ada")), Leave(0))
    assert table.players[0] is None
    assert [event.words(table.names) for event in visible_events(table, None)] == ["Ada leaves."]
    assert do(table, Join(None, "Bo")).names[0] == "Bo"


def test_leaving_after_the_deal_keeps_the_seat_for_its_player() -> None:
    table = do(seated(), Leave(0))
    assert table.players[0] is not None
    assert not table.players[0].here
    with pytest.raises(WrongSeatError, match="seat 0 is away"):
        entries(table, lowest(table, 0))
    with pytest.raises(StaleCommandError, match="already away"):
        entries(table, Leave(0))
    table = do(table, Return(0))
    assert kinds(table, lowest(table, 0)) == ["Chosen"]
    with pytest.raises(StaleCommandError, match="because it is not away"):
        entries(table, Return(0))


def test_a_choice_made_before_leaving_still_counts() -> None:
    table = seated()
    table = do(do(table, lowest(table, 0)), Leave(0))
    table = do(table, lowest(table, 1))
    assert kinds(table, lowest(table, 2)) == ["Chosen", "Applied"]


def test_default_terms_have_the_variants_clock_and_the_games_autoplay() -> None:
    assert default_terms(make("nimmt:cowheadking")).clock == 30_000
    assert default_terms(make("nimmt:onehundredandfour")).clock is None
    assert opened(terms=None).terms == default_terms(make("nimmt:cowheadking"))
