"""A word for a choice, by what it cost and how sure that is."""

from typing import Final, Literal, TypeAlias

from faceup.bots.search import Estimate, Option

Word: TypeAlias = Literal["only", "best", "fine", "doubtful", "costly"]

ERRORS: Final = 2.0
"""Standard errors that are taken off a cost before it is held against anybody: about 95 % confidence."""

DOUBTFUL: Final = 0.25
COSTLY: Final = 1.0
"""Heads that a choice must cost, for certain, to be called so."""


def verdict(chosen: Option, options: int) -> Word:
    """The word for a choice.

    What it costs for certain is its cost less two standard errors. A choice is *best* if no other was found better,
    *costly* if it costs a head for certain, *doubtful* if it costs a quarter of a head for certain, else *fine*; and it
    is the *only* one where there was nothing to choose.

    Args:
        chosen: with its cost, `behind`, in heads.
        options: how many there were.

    >>> from faceup.bots.search import Estimate, Option
    >>> nothing, costs = Estimate(0.0, 0.0), (0, 0.6, 0.7, 1.5)
    >>> [verdict(Option(0, 9, nothing, nothing, nothing, Estimate(cost, 0.2), 0.0, ()), 5) for cost in costs]
    ['best', 'fine', 'doubtful', 'costly']
    """
    if options == 1:
        return "only"
    if chosen.behind.value <= 0:
        return "best"
    sure = certain(chosen.behind)
    return "costly" if sure >= COSTLY else "doubtful" if sure >= DOUBTFUL else "fine"


def certain(cost: Estimate) -> float:
    """What a cost comes to at the least, as far as its error allows to say; 0 or more."""
    return max(0.0, cost.value - ERRORS * cost.error)
