"""Numeric observations of Niu Niu for learning environments. The game has no secrets and no choices."""

from array import array

from faceup.core.observation import ObservationPiece, ObservationSpec, ScoreSpec
from faceup.games.niuniu.hand import DICE
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuView


def public(rules: NiuNiu) -> tuple[ObservationPiece, ...]:
    """List the observation pieces that everyone knows."""
    seats, throws = rules.seats, rules.throws
    return (
        ObservationPiece("choosing", (seats,), 1, "1 for each seat that must throw", seat_axis=0),
        ObservationPiece(
            "dice", (seats, DICE), rules.faces, "each seat's dice in the last throw, 0 before the first", seat_axis=0
        ),
        ObservationPiece("won", (seats,), throws, "the throws that each seat has won", seat_axis=0),
        ObservationPiece("drawn", (seats,), throws, "the throws that each seat has drawn", seat_axis=0),
        ObservationPiece("statistics", (seats,), 5 * throws, "the sum of each seat's statistics points", seat_axis=0),
        ObservationPiece("played", (1,), throws, "the number of throws made"),
    )


def write_public(rules: NiuNiu, view: NiuNiuView) -> "array[float]":
    """Return the numbers of all pieces that `public` lists, in that order."""
    seats = rules.seats
    choosing = [float(seat in view.to_act) for seat in range(seats)]
    dice = [die for hand in view.log[-1] for die in hand] if view.log else [0] * (seats * DICE)
    return array("f", [*choosing, *dice, *view.won, *view.drawn, *view.statistics, view.played])


OBSERVATION = ObservationSpec(
    history="the last throw and the sums of all throws; throws are independent, so earlier ones do not matter",
    own=lambda _: (),
    public=public,
    write_own=lambda _rules, _view: array("f"),
    write_public=write_public,
    points=ScoreSpec("throws", 1, step=lambda _: (0, 1), total=lambda rules: (0, rules.throws)),
    small={"small": "niuniu:battle seats=2 throws=1 faces=2"},
)
"""The observation that the game registers."""
