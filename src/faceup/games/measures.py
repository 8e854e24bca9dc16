"""The measures of a game that simulations record besides scores and places.

A game registers its `Measures` in `Game.formats` under the name "measures"; otherwise only its scores and places are
recorded.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from faceup.core import AnyRules, Event, Game, find_game, make

Numbers: TypeAlias = int | tuple[int, ...]
"""A seat's number in one game, or its numbers if the measure has several per game."""

Count: TypeAlias = Callable[[Any, Sequence[Event]], tuple[tuple[Numbers, ...], ...]]  # Any: the game's states
Single: TypeAlias = Callable[[Any], Any]


class Measure(msgspec.Struct, frozen=True):
    """A number of 0 or more that is recorded for every game.

    Attributes:
        name: the JSON key.
        title: the heading in tables and charts.
        by_seat: whether each seat has its own number; otherwise the game has one number.
        several: whether one game has several numbers; the rules determine how many.
        kinds: the names of categories if the number is the index of a category; empty if it is an amount.
    """

    name: str
    title: str
    by_seat: bool = True
    several: bool = False
    kinds: tuple[str, ...] = ()


class Measures(msgspec.Struct, frozen=True):
    """The measures of a game.

    Attributes:
        score: unit of `Rules.scores`, in a word or two.
        fewer: whether a lower score is better.
        extra: the other measures, in order.
        count: function from a finished game's state and events to the numbers of `extra`, one tuple for each measure.
        single: function from rules to the same rules with a match of one deal.

    If the game has a batch engine, its `play_measured(rules, policies, lanes=, seed=, first=)` plays whole games and
    returns "score", "place" and every measure by name: integers, [lanes, seats], or [lanes, 1] if not by seat. For a
    measure with several numbers per game it returns how often each occurred, [seats, numbers]. A faster engine has
    `count_games` instead, with the same arguments: its kernels count how often each number of every measure occurred,
    and of "share", the number of winners if the seat won, else 0.
    """

    score: str = "score"
    fewer: bool = False
    extra: tuple[Measure, ...] = ()
    count: Count = lambda _state, _events: ()
    single: Single = lambda rules: rules


DEFAULT_MEASURES: Final = Measures()
"""The measures of games that register none."""


def measures_of(game: Game) -> Measures:
    """Return the game's measures."""
    measures = game.formats.get("measures", DEFAULT_MEASURES)
    return measures if isinstance(measures, Measures) else DEFAULT_MEASURES


def counted_rules(spec: str, *, matches: bool) -> AnyRules:
    """Make the rules of a spec, with a single deal unless whole matches are to be counted.

    >>> counted_rules("nimmt:classic", matches=False).deals
    1
    """
    rules = make(spec)
    return rules if matches else single_deal(rules)


def single_deal(rules: AnyRules) -> AnyRules:
    """Return the same rules with a match of one deal, or unchanged if the game has no deals."""
    single: AnyRules = measures_of(find_game(rules.game)).single(rules)
    return single
