"""What simulations count in a game besides scores and places.

A game registers its `Measures` in `Game.formats` under the name "measures"; a game that does not is counted by its
scores and places alone.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from faceup.core import AnyRules, Event, Game, find_game, make

Numbers: TypeAlias = int | tuple[int, ...]
"""A seat's number in one game, or its numbers where a measure has several a game."""

Count: TypeAlias = Callable[[Any, Sequence[Event]], tuple[tuple[Numbers, ...], ...]]  # Any: each game's own states
Single: TypeAlias = Callable[[Any], Any]


class Measure(msgspec.Struct, frozen=True):
    """A number that every game ends with: 0 or more.

    Attributes:
        name: as it stands in JSON.
        title: as it stands above a column or a picture.
        by_seat: whether each seat has its own; else there is one for the game.
        several: whether a game has several of them, as many as the rules say.
        kinds: what the numbers stand for, where they are no amounts: 0 is the first of these.
    """

    name: str
    title: str
    by_seat: bool = True
    several: bool = False
    kinds: tuple[str, ...] = ()


def _nothing(_state: object, _events: object) -> tuple[tuple[Numbers, ...], ...]:
    return ()


def _same(rules: object) -> object:
    return rules


class Measures(msgspec.Struct, frozen=True):
    """What a game registers.

    Attributes:
        score: what `Rules.scores` counts, in a word or two.
        fewer: whether fewer of these are better.
        extra: what else is counted, in order.
        count: from a finished game's state and all of its events to those numbers, one tuple for each measure.
        single: from rules to the same rules with a match of one deal.

    A game's batch engine, if it has one, then has `measured(rules, policies, lanes=, seed=, first=)`, which plays whole
    games and gives "score", "place" and every measure by name: whole numbers, [lanes, seats], or [lanes, 1] if not by
    seat; of a measure that has several a game, how often each came up, [seats, numbers].
    """

    score: str = "score"
    fewer: bool = False
    extra: tuple[Measure, ...] = ()
    count: Count = _nothing
    single: Single = _same


PLAIN: Final = Measures()
"""For games that register none."""


def measures_of(game: Game) -> Measures:
    """What is counted in the game."""
    found = game.formats.get("measures", PLAIN)
    return found if isinstance(found, Measures) else PLAIN


def counted(spec: str, *, matches: bool) -> AnyRules:
    """The rules of a spec as they are counted: of a single deal unless whole matches are played.

    >>> counted("nimmt:classic", matches=False).deals
    1
    """
    rules = make(spec)
    return rules if matches else of_one_deal(rules)


def of_one_deal(rules: AnyRules) -> AnyRules:
    """The same rules with a match of one deal; of a game whose matches are no deals, as they are."""
    single: AnyRules = measures_of(find_game(rules.game)).single(rules)
    return single
