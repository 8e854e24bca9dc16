"""The numbers that environments give to a learner."""

from array import array
from itertools import chain

from faceup.core.observation import ObservationPiece, ObservationSpec, ScoreSpec
from goofspiel.rules import Goofspiel
from goofspiel.state import Seen


def own(rules: Goofspiel) -> tuple[ObservationPiece, ...]:
    """List the pieces that only the observing seat knows."""
    return (ObservationPiece("hand", (rules.cards,), 1, "1 for each card of the hand; card c at index c - 1"),)


def public(rules: Goofspiel) -> tuple[ObservationPiece, ...]:
    """List the pieces that everyone knows."""
    bids = (rules.hand, rules.seats)
    return (
        ObservationPiece("prizes", (rules.hand,), rules.hand, "the prize of each round up to this one, then 0"),
        ObservationPiece("bids", bids, rules.cards, "each seat's card in each finished round, then 0", seat_axis=1),
        ObservationPiece("points", (rules.seats,), total(rules)[1], "each seat's points", seat_axis=0),
    )


def write_own(rules: Goofspiel, view: Seen) -> "array[float]":
    """Return the numbers of `own`."""
    return array("f", [float(card in view.hand) for card in range(1, rules.cards + 1)])


def write_public(rules: Goofspiel, view: Seen) -> "array[float]":
    """Return the numbers of `public`."""
    prizes = [*(past.prize for past in view.log), *([view.prize] if view.prize else [])]
    bids = [*chain(*(past.bids for past in view.log))]
    pad = [0] * (rules.hand * rules.seats)
    return array("f", [*(prizes + pad)[: rules.hand], *(bids + pad)[: rules.hand * rules.seats], *view.points])


def total(rules: Goofspiel) -> tuple[int, int]:
    """Return the least and the greatest number of points of a seat in a game."""
    return 0, rules.hand * (rules.hand + 1) // 2


OBSERVATION = ObservationSpec(
    history="the complete public history",
    own=own,
    public=public,
    write_own=write_own,
    write_public=write_public,
    points=ScoreSpec("points", 1, step=lambda rules: (0, rules.hand), total=total),
    small={"small": "goofspiel:dealt seats=2 hand=2 cards=5"},
)
