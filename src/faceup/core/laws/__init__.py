"""The laws that every game keeps, so that anyone's game can be held to them: `check(rules)`.

Each law is a function `law(rules, play, rng)` that raises an `AssertionError`, naming the law and quoting the position;
`check` runs them all on random plays that Hypothesis draws and shrinks. `uniformity` and `ending` are about a game
as a whole and stand beside them. `check_policy(rules, policy)` holds a player to the law of players.
"""

from faceup.core.laws.check import LAWS, check, check_policy
from faceup.core.laws.choosing import choosing
from faceup.core.laws.deciding import Relabel, bounds, legality, relabelling
from faceup.core.laws.hiding import guessing, non_interference
from faceup.core.laws.keeping import position, purity, replaying
from faceup.core.laws.likelihood import Places, uniformity
from faceup.core.laws.plays import Law, Play, Taken, ending, random_play
from faceup.core.laws.wording import faces, notation, words

__all__ = [
    "LAWS",
    "Law",
    "Places",
    "Play",
    "Relabel",
    "Taken",
    "bounds",
    "check",
    "check_policy",
    "choosing",
    "ending",
    "faces",
    "guessing",
    "legality",
    "non_interference",
    "notation",
    "position",
    "purity",
    "random_play",
    "relabelling",
    "replaying",
    "uniformity",
    "words",
]
