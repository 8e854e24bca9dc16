"""The laws that every game must satisfy, as property-based tests, which `check(rules)` runs.

`CATALOG` lists the laws by number. Each law is a function `law(rules, play, rng)`. If a game breaks the law, it raises
an `AssertionError` that starts with the law's number and name, such as `law 6, non-interference`, and quotes the
position. `check` runs all laws on random plays that Hypothesis draws and shrinks. The laws
`uniformity` and `termination` check a game as a whole. `check_policy(rules, policy)` checks a bot.
"""

from faceup.core.laws.catalog import CATALOG, LawEntry, label
from faceup.core.laws.determinization import Places, uniformity
from faceup.core.laws.legality import Relabel, bounds, legality, symmetry
from faceup.core.laws.non_interference import determinization, non_interference
from faceup.core.laws.notation_round_trip import drawings, notation, words
from faceup.core.laws.plays import Law, Play, PlayStep, random_play, termination
from faceup.core.laws.policies import policy_legality
from faceup.core.laws.purity import position, purity, replayability
from faceup.core.laws.runner import LAWS, check, check_policy

__all__ = [
    "CATALOG",
    "LAWS",
    "Law",
    "LawEntry",
    "Places",
    "Play",
    "PlayStep",
    "Relabel",
    "bounds",
    "check",
    "check_policy",
    "determinization",
    "drawings",
    "label",
    "legality",
    "non_interference",
    "notation",
    "policy_legality",
    "position",
    "purity",
    "random_play",
    "replayability",
    "symmetry",
    "termination",
    "uniformity",
    "words",
]
