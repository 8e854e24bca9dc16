"""Levels for people: searches that look far or near, and one that errs.

None of them sees more than a person in its seat would. A level is a fixed amount of work and not of time, so that it
plays as well on a slow machine as on a fast one.
"""

from typing import Any, Final

import msgspec

from faceup.bots.search import searches
from faceup.bots.thinking import Thinker
from faceup.core import Action, Generator


class Level(msgspec.Struct, frozen=True):
    """A player for people to play against.

    Attributes:
        name: by which it is called.
        plays: the search that it is; its work is counted in worlds.
        does: how it chooses, in a sentence.
        thinks: how long, in a sentence; measured on one core of a small server.
    """

    name: str
    plays: Thinker
    does: str
    thinks: str

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- as `faceup.core.Policy`
        """The choice of this level."""
        return self.plays(rules, view, rng)


LEVELS: Final = (
    Level(
        "gentle",
        Thinker("mc", worlds=100, objective="relative", softness=1.0),
        "Looks into 100 possible deals, and errs: the worse, the more rarely.",
        "Thinks for about a millisecond.",
    ),
    Level(
        "steady",
        Thinker("mc", worlds=100),
        "Plays what is best on average in 100 possible deals.",
        "Thinks for about a millisecond.",
    ),
    Level(
        "sharp",
        Thinker("deep", worlds=250, objective="relative", softness=0.5),
        "Looks into 250 deals in which all play well, and errs a little.",
        "Thinks for about ten milliseconds.",
    ),
    Level(
        "champion",
        Thinker("deep", worlds=1000),
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
    return {level.name: level for level in LEVELS if level.plays.player in known}
