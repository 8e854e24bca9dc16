"""Table games in which everyone chooses in secret and everything is turned face up at once.

>>> import faceup
>>> rules = faceup.make("nimmt:cowheadking", seats=3)
>>> state = rules.start()
>>> rules.to_act(state) == (faceup.CHANCE,)
True
"""

from faceup.core import CHANCE, FORFEIT, Malformed, NotLegal, NotYours, RulesError, draw, generator, make, read, write

__all__ = [
    "CHANCE",
    "FORFEIT",
    "Malformed",
    "NotLegal",
    "NotYours",
    "RulesError",
    "draw",
    "generator",
    "make",
    "read",
    "write",
]
