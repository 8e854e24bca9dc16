"""Which games the coach can judge choices in: the one place where it knows them by name."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from faceup.bots.search import Option, searches
from faceup.coach import nimmt
from faceup.core import AnyRules, Malformed, Seat, State, View, find_game


class Lesson(msgspec.Struct, frozen=True):
    """What must be known of a game beside its search.

    Attributes:
        turn_of: from a seat's view to the deal and the turn of its decision, both from 1.
        deals_over: from a state to how many deals are over.
        out: from a state to the seats that were put out of the game.
        why: from rules, a seat's view and an option to a sentence for or against it.
    """

    turn_of: Callable[[View], tuple[int, int]]
    deals_over: Callable[[State], int]
    out: Callable[[State], frozenset[Seat]]
    why: Callable[[Any, View, Option], str]  # Any: each game has its own rules


LESSONS: Final[Mapping[str, Lesson]] = {"nimmt": Lesson(nimmt.turn_of, nimmt.deals_over, nimmt.out, nimmt.why)}


def lesson_for(rules: AnyRules) -> Lesson:
    """What is known of the game.

    Raises:
        Malformed: its choices cannot be judged, since there are none, or since nobody has written a search for it.
    """
    if has_coach(rules.game):
        return LESSONS[rules.game]
    raise no_coach(rules)


def no_coach(rules: AnyRules) -> Malformed:
    """The error that says why there is none for this game."""
    title = find_game(rules.game).title
    if rules.bounds.actions == 1:
        return Malformed(f"{title} has no decisions to review: a seat can only do one thing", where="game")
    return Malformed(f"there is no coach for {title}: nothing is known that searches its options", where="game")


def has_coach(game: str) -> bool:
    """Whether there is one who can judge choices in the game of that name.

    >>> has_coach("nimmt"), has_coach("war")
    (True, False)
    """
    return game in LESSONS and bool(searches(game))
