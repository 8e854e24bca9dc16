"""Levels for people: searches that look far or near, and one that errs.

None of them sees more than a person in its seat would. A level is a fixed amount of work and not of time, so that it
plays as well on a slow machine as on a fast one.
"""

from collections.abc import Sequence
from math import exp
from typing import Any, Final

import msgspec

from faceup.bots.search import Option, judge, searches
from faceup.core import Action, Generator


class Level(msgspec.Struct, frozen=True):
    """A player for people to play against.

    Attributes:
        name: by which it is called.
        player: which search, one of `searches(game)`.
        worlds: the work for each decision, as `faceup.bots.judge` counts it.
        does: how it chooses, in a sentence.
        thinks: how long, in a sentence; measured on one core of a small server.
        objective: what it plays for.
        softness: 0 plays the best that it finds. Else it chooses an option that looks n points worse than the best
            exp(n / softness) times less often: the larger, the more it errs, and never much if little is at stake.
    """

    name: str
    player: str
    worlds: int
    does: str
    thinks: str
    objective: str = "relative"
    softness: float = 0.0

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- as `faceup.core.Policy`
        """The choice of this level; where there is only one, at once."""
        if len(view.legal) == 1:
            only: Action = view.legal[0]
            return only
        found = judge(
            rules,
            view,
            player=self.player,
            worlds=self.worlds,
            seed=rng.below(2**63),
            objective=self.objective,
            every=self.softness > 0,
        )
        return _softly(found.options, self.softness, rng) if self.softness else found.options[0].action


LEVELS: Final = (
    Level(
        "gentle",
        "mc",
        100,
        "Looks into 100 possible deals, and errs: the worse, the more rarely.",
        "Thinks for about a millisecond.",
        softness=1.0,
    ),
    Level(
        "steady",
        "mc",
        100,
        "Plays what is best on average in 100 possible deals.",
        "Thinks for about a millisecond.",
    ),
    Level(
        "sharp",
        "deep",
        250,
        "Looks into 250 deals in which all play well, and errs a little.",
        "Thinks for about ten milliseconds.",
        softness=0.5,
    ),
    Level(
        "champion",
        "deep",
        1000,
        "Plays what is best in 1,000 possible deals in which all play well.",
        "Thinks for some tens of milliseconds.",
    ),
)
"""From the one that is easiest to beat to the one that is hardest."""


def levels(game: str) -> dict[str, Level]:
    """The levels at which the game is played, by name, the easiest first; none where there is no search for it.

    Raises:
        Malformed: no such game, with the nearest name.

    >>> list(levels("nimmt")), levels("war")
    (['gentle', 'steady', 'sharp', 'champion'], {})
    """
    known = searches(game)
    return {level.name: level for level in LEVELS if level.player in known}


def _softly(options: Sequence[Option], softness: float, rng: Generator) -> Action:
    """One of the options, the best first, each as likely as its weight says."""
    weights = [round(2**32 * exp(-option.behind.value / softness)) for option in options]
    drawn = rng.below(sum(weights))
    for option, weight in zip(options, weights, strict=True):
        if drawn < weight:
            return option.action
        drawn -= weight
    raise AssertionError("a number below the sum of the weights is within one of them")
