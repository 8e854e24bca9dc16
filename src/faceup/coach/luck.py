"""Luck apart from skill: what made a seat's heads in one deal, in parts that add up to them.

    heads = par + hand + choices + others

*Par* is what a seat takes on average where everybody plays as the coach does (`faceup.coach.par`). *Hand* is the value
of the seat's first decision, its best option that is, less what that is on average: how good the cards were, as far as
the seat could tell. *Choices* is the sum of what its choices cost. *Others* is the rest: what the others happened to
hold and to play, and how well they do it.
"""

from collections.abc import Sequence
from math import sqrt

import msgspec

from faceup.bots.search import Estimate
from faceup.coach.decisions import Decision
from faceup.coach.par import Par
from faceup.core import Seat


class Luck(msgspec.Struct, frozen=True):
    """The parts, in heads, to the hundredth; more is worse.

    Attributes:
        seat: whose.
        deal: which, from 1; None for all that are over, together.
        par: the average.
        hand: what the cards were worth.
        choices: what was given away.
        others: what is left.
        heads: all of it: exactly the sum of the four as they stand here.
    """

    seat: Seat
    deal: int | None
    par: Estimate
    hand: Estimate
    choices: Estimate
    others: float
    heads: int


def luck_of(decisions: Sequence[Decision], heads: int, par: Par) -> Luck:
    """The parts of what one seat took in one deal.

    Args:
        decisions: all of the seat's in that deal, in order.
        heads: what it took.
        par: for this game.
    """
    first = decisions[0].best.heads
    hand = Estimate(first.value - par.value.value, _together(first.error, par.value.error))
    choices = [decision.cost for decision in decisions]
    given = Estimate(sum(cost.value for cost in choices), _together(*(cost.error for cost in choices)))
    return _rounded(decisions[0].seat, decisions[0].deal, (par.heads, hand, given), heads)


def together(parts: Sequence[Luck]) -> Luck:
    """The parts of several deals of a seat, added up."""
    par, hand, choices = (
        Estimate(
            sum(getattr(part, name).value for part in parts), _together(*(getattr(part, name).error for part in parts))
        )
        for name in ("par", "hand", "choices")
    )
    # The error of par is the same in every deal, and so are the errors that stand beside it.
    par = Estimate(par.value, len(parts) * parts[0].par.error)
    return _rounded(parts[0].seat, None, (par, hand, choices), sum(part.heads for part in parts))


def _rounded(seat: Seat, deal: int | None, parts: tuple[Estimate, Estimate, Estimate], heads: int) -> Luck:
    par, hand, choices = (Estimate(round(part.value, 2), part.error) for part in parts)
    others = round(heads - par.value - hand.value - choices.value, 2)
    return Luck(seat, deal, par, hand, choices, others, heads)


def _together(*errors: float) -> float:
    return sqrt(sum(error * error for error in errors))
