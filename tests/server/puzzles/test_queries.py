"""Answers to puzzles in the database: ratings, the order of answers, and merged players."""

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.schema import players
from faceup.server.player_data import merge
from faceup.server.puzzles.queries import (
    SETTLED,
    PuzzleTotals,
    progress_of,
    puzzle_answers_of,
    store_answer,
    totals_of_puzzles,
)
from faceup.table.errors import StaleCommandError


def answer(people: Connection, player: str, puzzle: str, *, solved: bool, now: int = 0) -> float:
    """Answer a puzzle whose first rating is 1500, and return the points."""
    return store_answer(people, now, player, puzzle, "play 1", solved=solved, first=1500).points


def test_equal_ratings_change_by_half_of_a_step_in_opposite_directions(people: Connection) -> None:
    ann, bo = [create_guest(people, 0).id for _ in range(2)]
    assert answer(people, ann, "a", solved=True) == 20
    assert totals_of_puzzles(people) == {"a": PuzzleTotals(1, 1, -20.0)}
    assert answer(people, bo, "a", solved=False) == -21.15, "the puzzle has 1480 now"
    assert totals_of_puzzles(people)["a"].points == pytest.approx(1.15)
    assert totals_of_puzzles(people)["a"].tries == 2


def test_settled_ratings_change_in_smaller_steps(people: Connection) -> None:
    ann = create_guest(people, 0).id
    for number in range(SETTLED):
        answer(people, ann, f"{number}", solved=number % 2 == 0, now=number)
    progress = progress_of(puzzle_answers_of(people, ann))
    assert (progress.provisional, progress.tried, progress.solved) == (False, SETTLED, SETTLED // 2)
    assert abs(answer(people, ann, "last", solved=True)) < 11
    assert totals_of_puzzles(people)["last"].points < -15, "the rating of a new puzzle changes in larger steps"


def test_a_second_answer_changes_nothing(people: Connection) -> None:
    ann = create_guest(people, 0).id
    answer(people, ann, "a", solved=False)
    before = puzzle_answers_of(people, ann), totals_of_puzzles(people)
    with pytest.raises(StaleCommandError):
        answer(people, ann, "a", solved=True)
    assert (puzzle_answers_of(people, ann), totals_of_puzzles(people)) == before


def test_an_erased_player_cannot_answer_and_totals_remain(people: Connection) -> None:
    ann = create_guest(people, 0).id
    answer(people, ann, "a", solved=True)
    people.execute(sa.delete(players).where(players.c.id == ann))
    assert puzzle_answers_of(people, ann) == []
    with pytest.raises(NotFoundError):
        answer(people, ann, "b", solved=True)
    assert totals_of_puzzles(people)["a"] == PuzzleTotals(1, 1, -20.0)


def test_answers_stay_in_order_if_the_clock_goes_back(people: Connection) -> None:
    ann = create_guest(people, 0).id
    for puzzle, now in (("c", 10), ("b", 5), ("a", 5)):
        answer(people, ann, puzzle, solved=puzzle != "c", now=now)
    assert [answer.puzzle for answer in puzzle_answers_of(people, ann)] == ["c", "b", "a"]
    assert progress_of(puzzle_answers_of(people, ann)).streak == 2


@pytest.mark.parametrize("guest_first", [False, True])
def test_of_two_answers_of_merged_players_the_first_counts(people: Connection, guest_first: bool) -> None:
    guest, ann = [create_guest(people, 0).id for _ in range(2)]
    answer(people, guest, "a", solved=True, now=1 if guest_first else 9)
    answer(people, ann, "a", solved=False, now=5)
    answer(people, guest, "b", solved=True, now=20)
    merge(people, guest, ann)
    answers = puzzle_answers_of(people, ann)
    assert [(stored.puzzle, stored.solved) for stored in answers] == [("a", guest_first), ("b", True)]
    assert puzzle_answers_of(people, guest) == []
    totals = totals_of_puzzles(people)["a"]
    assert (totals.tries, totals.solved) == (1, int(guest_first))
