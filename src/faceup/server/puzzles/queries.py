"""Answers to puzzles, and the ratings of puzzles and players that follow from them.

Only the first answer of a player to a puzzle counts. Ratings follow Elo: an answer is a game between the player and the
puzzle, which the player wins by finding the best option. Source: Elo, "The Rating of Chessplayers, Past and Present"
(1978), with the step sizes of FIDE for new and for established players.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from math import exp, log, log10
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.player_ids import lock_players, move_rows
from faceup.server.puzzles.schema import puzzle_answers, puzzle_totals
from faceup.server.results.ratings import POINTS_AT_START
from faceup.server.store.queries import insert_new
from faceup.table.errors import StaleCommandError

SETTLED: Final = 30
"""The number of answers from which a rating changes in smaller steps. Until then, it is provisional."""

_STEPS: Final = (40.0, 20.0)
"""The greatest change of a rating by one answer, before and after `SETTLED` answers."""

_EXTREMES: Final = (0.1, 0.9)
"""The least and the greatest share of found answers from which a puzzle gets its first rating."""


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a player that counts.

    Attributes:
        puzzle: the id of the puzzle.
        action: the chosen action in notation.
        solved: whether it is the best option.
        points: by how much the answer changed the rating of the player.
        at: when it was stored, in milliseconds since 1970.
    """

    puzzle: str
    action: str
    solved: bool
    points: float
    at: int


class PuzzleTotals(msgspec.Struct, frozen=True):
    """All answers to a puzzle that count.

    Attributes:
        tries: the number of answers.
        solved: how many of them were the best option.
        points: by how much they changed the rating of the puzzle.
    """

    tries: int = 0
    solved: int = 0
    points: float = 0.0


class PuzzleProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a player.

    Attributes:
        rating: the rating, which starts at 1500.
        provisional: whether there are too few answers for a reliable rating.
        tried: the number of puzzles that the player has answered.
        solved: how many of them the player has solved.
        streak: how many of the last puzzles the player has solved in a row.
        best_streak: the longest such streak.
    """

    rating: int
    provisional: bool
    tried: int
    solved: int
    streak: int
    best_streak: int


def puzzle_answers_of(connection: Connection, player: str) -> list[PuzzleAnswer]:
    """Return the answers of a player in order."""
    query = sa.select(puzzle_answers).where(puzzle_answers.c.player == player)
    rows = connection.execute(query.order_by(puzzle_answers.c.at, puzzle_answers.c.puzzle))
    return [
        PuzzleAnswer(puzzle=row.puzzle, action=row.action, solved=row.solved, points=row.points, at=row.at)
        for row in rows
    ]


def totals_of_puzzles(connection: Connection) -> dict[str, PuzzleTotals]:
    """Return the totals of all puzzles with answers, by id."""
    rows = connection.execute(sa.select(puzzle_totals))
    return {row.puzzle: PuzzleTotals(row.tries, row.solved, row.points) for row in rows}


def progress_of(answers: Sequence[PuzzleAnswer]) -> PuzzleProgress:
    """Return the results of a player, given the player's answers in order.

    >>> answers = [PuzzleAnswer(puzzle=str(at), action="", solved=at != 2, points=5, at=at) for at in range(4)]
    >>> found = progress_of(answers)
    >>> found.rating, found.streak, found.best_streak
    (1520, 1, 2)
    """
    runs = [(solved, len(list(group))) for solved, group in groupby(answers, key=lambda answer: answer.solved)]
    return PuzzleProgress(
        rating=round(_rating(answers)),
        provisional=len(answers) < SETTLED,
        tried=len(answers),
        solved=sum(answer.solved for answer in answers),
        streak=runs[-1][1] if runs and runs[-1][0] else 0,
        best_streak=max((length for solved, length in runs if solved), default=0),
    )


def first_rating(share_solved: float) -> float:
    """Return the rating of a puzzle without answers, given the share of choices of easy bots that were right.

    >>> round(first_rating(0.5)), round(first_rating(0.2)), round(first_rating(0.0))
    (1500, 1741, 1882)
    """
    least, most = _EXTREMES
    share = min(max(share_solved, least), most)
    return POINTS_AT_START + 400 * log10((1 - share) / share)


def expected_share(player: float, puzzle: float) -> float:
    """Return the expected share of solved puzzles, given the two ratings, in Elo's model.

    >>> expected_share(1500, 1500), round(expected_share(1900, 1500), 2)
    (0.5, 0.91)
    """
    return 1 / (1 + exp((puzzle - player) / 400 * log(10)))


def store_answer(
    connection: Connection,
    now: int,
    player: str,
    puzzle: str,
    action: str,
    *,
    solved: bool,
    first: float,
    is_retry: bool = False,
) -> PuzzleAnswer:
    """Store a player's first answer to a puzzle, and update the rating of the puzzle. Return the stored answer.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        player: the current id of the player.
        puzzle: the id of the puzzle.
        action: the chosen action in notation.
        solved: whether it is the best option.
        first: the rating of the puzzle without answers.
        is_retry: whether this may be a retry, which returns the earlier answer if it is the same.

    Raises:
        StaleCommandError: the player has already answered it.
        NotFoundError: there is no such player.
    """
    (player,) = lock_players(connection, player)
    answers = puzzle_answers_of(connection, player)
    if (earlier := next((answer for answer in answers if answer.puzzle == puzzle), None)) is not None:
        if is_retry and earlier.action == action:
            return earlier
        raise StaleCommandError("you have already answered this puzzle, and only the first answer counts")
    insert_new(connection, puzzle_totals, puzzle=puzzle, tries=0, solved=0, points=0.0)
    totals = _totals(connection, puzzle)
    surprise = solved - expected_share(_rating(answers), first + totals.points)
    now = max(now, *(answer.at + 1 for answer in answers[-1:]), 0)  # keeps the order of answers if the clock goes back
    answer = PuzzleAnswer(
        puzzle=puzzle, action=action, solved=solved, points=round(_step(len(answers)) * surprise, 2), at=now
    )
    change = -round(_step(totals.tries) * surprise, 2)
    values = msgspec.structs.asdict(answer) | {"player": player, "puzzle_points": change}
    if not insert_new(connection, puzzle_answers, **values):  # another process has erased the player
        raise NotFoundError("there is no such player")
    row = puzzle_totals.c
    connection.execute(
        puzzle_totals.update()
        .where(row.puzzle == puzzle)
        .values(
            tries=row.tries + 1,
            solved=row.solved + int(solved),
            points=row.points + change,
        )
    )
    return answer


def merge_puzzle_answers(connection: Connection, source: str, target: str) -> None:
    """Give the answers of the player `source` to the player `target`. Of two answers to a puzzle, the first counts."""
    row, total, earlier = puzzle_answers.c, puzzle_totals.c, puzzle_answers.alias().c
    first = sa.or_(earlier.at < row.at, sa.and_(earlier.at == row.at, earlier.player == target))
    both = sa.exists().where(earlier.puzzle == row.puzzle, earlier.player != row.player, first)
    pair = row.player.in_((source, target)), both.where(earlier.player.in_((source, target)))
    for later in connection.execute(sa.select(puzzle_answers).where(*pair).order_by(row.puzzle)).all():
        connection.execute(puzzle_answers.delete().where(row.player == later.player, row.puzzle == later.puzzle))
        connection.execute(
            puzzle_totals.update()
            .where(total.puzzle == later.puzzle)
            .values(
                tries=total.tries - 1,
                solved=total.solved - int(later.solved),
                points=total.points - later.puzzle_points,
            )
        )
    move_rows(connection, row.player, source, target)


def rating_of_puzzle(first: float, totals: PuzzleTotals) -> int:
    """Return the rating of a puzzle, given its rating without answers and its totals."""
    return round(first + totals.points)


def next_puzzle(
    ratings: Mapping[str, float], answered: Sequence[PuzzleAnswer], *, basic: Collection[str] = (), key: str
) -> str | None:
    """Return the id of the next puzzle for a player; None if the player has answered all.

    It is one of the five puzzles with ratings nearest to the player's that the player has not answered. The
    first `BEGINNING` puzzles are the easiest ones of `basic`.

    Args:
        ratings: the ratings of all puzzles, by id.
        answered: the player's answers in order.
        basic: the ids of the puzzles for beginners.
        key: a text that decides between the nearest puzzles. The same key gives the same puzzle.

    >>> next_puzzle({"a": 1200, "b": 1500}, [], key="") in {"a", "b"}, next_puzzle({}, [], key="")
    (True, None)
    >>> next_puzzle({"a": 1600, "b": 1500}, [], basic={"a"}, key="")
    'a'
    """
    seen, own = {answer.puzzle for answer in answered}, _rating(answered)
    left = {puzzle: rating for puzzle, rating in ratings.items() if puzzle not in seen}
    easy = [puzzle for puzzle in left if puzzle in basic] if len(answered) < BEGINNING else []
    nearest = sorted(easy, key=lambda puzzle: (left[puzzle], puzzle)) or sorted(
        left, key=lambda puzzle: (abs(left[puzzle] - own), puzzle)
    )
    return min(nearest[:_NEAREST], key=lambda puzzle: _hash(puzzle, key), default=None)


BEGINNING: Final = 10
"""The number of puzzles for beginners that a player gets first."""

_NEAREST: Final = 5


def _hash(puzzle: str, key: str) -> bytes:
    return hashlib.sha256(f"{puzzle} {key}".encode()).digest()


def _rating(answers: Sequence[PuzzleAnswer]) -> float:
    return POINTS_AT_START + sum(answer.points for answer in answers)


def _step(answers: int) -> float:
    return _STEPS[answers >= SETTLED]


def _totals(connection: Connection, puzzle: str) -> PuzzleTotals:
    query = sa.select(puzzle_totals).where(puzzle_totals.c.puzzle == puzzle).with_for_update()
    row = connection.execute(query).one()
    return PuzzleTotals(row.tries, row.solved, row.points)
