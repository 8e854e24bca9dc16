"""Search policies, and levels of play for people to choose from.

No policy sees more than its seat may see. A level has a fixed amount of work instead of a time limit, so it plays
equally well on slow and fast machines.
"""

import re
from collections.abc import Sequence
from math import exp
from typing import Any, Final, NamedTuple

import msgspec

from faceup.bots.search import Option, evaluate, searches
from faceup.core import Action, AnyRules, Generator, Malformed, View, find_game

DEFAULT_BUDGET: Final = "100ms"
"""The default budget of a search policy."""

_BUDGET: Final = re.compile(r"(?P<amount>\d{1,9})(?P<unit>ms|)")


class SearchPolicy(NamedTuple):
    """A policy that searches each decision.

    Attributes:
        player: one of `searches(game)`.
        worlds: the number of worlds for each decision, as for `evaluate`; None if there is a time limit.
        seconds: the time limit for each decision; None if there is a number of worlds.
        objective: the objective, as for `evaluate`.
        softness: the temperature of a softmax choice. If it is 0, the policy plays the best option, or follows
            `Evaluation.strategy`. Otherwise, the policy draws one of the options that a person would consider: an
            option that looks n points worse than the best is chosen exp(n / softness) times less often. The objective
            must be "relative" or "heads". If the softness is negative, worse options are chosen more often.
    """

    player: str
    worlds: int | None = None
    seconds: float | None = None
    objective: str = "win late"
    softness: float = 0.0

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- as `faceup.core.Policy`
        """Return the choice that the search finds. If only one action is legal, return it immediately."""
        if len(view.legal) == 1:
            only: Action = view.legal[0]
            return only
        evaluation = evaluate(
            rules,
            view,
            player=self.player,
            worlds=self.worlds,
            seconds=self.seconds,
            seed=rng.below(2**63),
            objective=self.objective,
            every=self.softness != 0,
        )
        if self.softness:
            return sample_softmax(plausible_options(rules, view, evaluation.options), self.softness, rng)
        if evaluation.strategy:
            return _sample(evaluation.options, [round(2**32 * share) for share in evaluation.strategy], rng)
        return evaluation.options[0].action


def plausible_options(rules: AnyRules, view: View, options: Sequence[Option]) -> Sequence[Option]:
    """Return the options that a person would consider; all of them if the game does not say which."""
    plausible_actions: Any = find_game(rules.game).formats.get("plausible")  # Any: each game has its own rules
    if plausible_actions is None:
        return options
    actions = plausible_actions(rules, view, {option.action: option.risk for option in options})
    return [option for option in options if option.action in actions]


def sample_softmax(options: Sequence[Option], softness: float, rng: Generator) -> Action:
    """Sample one of the options with softmax probabilities at temperature `softness`."""
    least = min(option.behind.value for option in options)
    return _sample(options, [round(2**32 * exp((least - option.behind.value) / softness)) for option in options], rng)


def _sample(options: Sequence[Option], weights: Sequence[int], rng: Generator) -> Action:
    """Sample one of the options in proportion to their weights."""
    drawn = rng.below(sum(weights))
    for option, weight in zip(options, weights, strict=True):
        if drawn < weight:
            return option.action
        drawn -= weight
    raise AssertionError("unreachable: the drawn number is below the sum of the weights")


def parse_search_policy(name: str) -> SearchPolicy:
    """Parse the name of a search policy, such as `mc@1000` (number of worlds) or `mc@50ms` (time for each decision).

    A name without a budget has the default budget, so `mc` means `mc@100ms`.

    Raises:
        Malformed: the budget after the @ is invalid.

    >>> parse_search_policy("mc@50ms").seconds, parse_search_policy("mc@1000").worlds
    (0.05, 1000)
    """
    player, at, budget = name.partition("@")
    match = _BUDGET.fullmatch(budget if at else DEFAULT_BUDGET)
    amount = int(match["amount"]) if match else 0
    if not match or not amount:
        raise Malformed(
            f"{name!r} has an invalid budget: write {player}@1000 (worlds) or {player}@50ms",
            what=name,
            where="policy",
        )
    return SearchPolicy(player, seconds=amount / 1000) if match["unit"] else SearchPolicy(player, worlds=amount)


class Level(msgspec.Struct, frozen=True):
    """A bot for people to play against.

    Attributes:
        name: the name of the level.
        plays: the search policy of the level, with a budget in worlds.
        description: one sentence on how it chooses.
        think_time: one sentence on how long it thinks, on one core of a small server.
    """

    name: str
    plays: SearchPolicy
    description: str
    think_time: str

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- as `faceup.core.Policy`
        """Return the choice of this level."""
        return self.plays(rules, view, rng)


LEVELS: Final = (
    Level(
        "gentle",
        SearchPolicy("mc", worlds=100, objective="relative", softness=-2.8),
        "Searches 100 possible deals, counts heads, and makes many mistakes.",
        "Thinks for about a millisecond.",
    ),
    Level(
        "steady",
        SearchPolicy("mc", worlds=100, objective="relative", softness=12.0),
        "Searches 100 possible deals, counts heads, and makes mistakes.",
        "Thinks for about a millisecond.",
    ),
    Level(
        "sharp",
        SearchPolicy("deep", worlds=250, objective="relative", softness=2.5),
        "Searches 250 deals with strong opponents, and makes small mistakes.",
        "Thinks for about ten milliseconds.",
    ),
    Level(
        "champion",
        SearchPolicy("deep", worlds=1000),
        "Plays the best average over 1,000 deals with strong opponents.",
        "Thinks for tens of milliseconds.",
    ),
)
"""The levels, from the easiest to the hardest.

A level chooses its move with a search, such as `deep` of 6 nimmt! in `faceup.games.nimmt.batch.search`.
"""


def levels(game: str) -> dict[str, Level]:
    """Return the levels of a game by name, the easiest first; empty if the game has no search.

    Raises:
        Malformed: the game is unknown.

    >>> list(levels("nimmt")), levels("war")
    (['gentle', 'steady', 'sharp', 'champion'], {})
    """
    search_names = searches(game)
    return {level.name: level for level in LEVELS if level.plays.player in search_names}
