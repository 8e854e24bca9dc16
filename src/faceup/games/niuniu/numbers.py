"""Niu Niu in numbers: the observation of a seat, for environments. Nothing is secret, nothing is to decide."""

from array import array

from faceup.core.numbers import Numbers, Piece, Points
from faceup.games.niuniu.hand import DICE
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuView


def public(rules: NiuNiu) -> tuple[Piece, ...]:
    """What all know."""
    seats, throws = rules.seats, rules.throws
    return (
        Piece("choosing", (seats,), 1, "1 for each seat whose throw is awaited", seat_axis=0),
        Piece(
            "dice", (seats, DICE), rules.faces, "each seat's dice in the last throw, 0 before the first", seat_axis=0
        ),
        Piece("won", (seats,), throws, "the throws that each seat has won", seat_axis=0),
        Piece("statistics", (seats,), 5 * throws, "the sum of each seat's statistics scores", seat_axis=0),
        Piece("played", (1,), throws, "the number of throws made"),
    )


def write_public(rules: NiuNiu, view: NiuNiuView) -> "array[float]":
    """The numbers of `public`."""
    seats = rules.seats
    choosing = [float(seat in view.to_act) for seat in range(seats)]
    dice = [die for hand in view.log[-1] for die in hand] if view.log else [0] * (seats * DICE)
    return array("f", [*choosing, *dice, *view.won, *view.statistics, view.played])


NUMBERS = Numbers(
    history="the last throw and the sums of all, which is all that matters, since no throw depends on another",
    own=lambda _: (),
    public=public,
    write_own=lambda _rules, _view: array("f"),
    write_public=write_public,
    points=Points("throws", 1, step=lambda _: (0, 1), total=lambda rules: (0, rules.throws)),
    small={"small": "niuniu:battle seats=2 throws=1 faces=2"},
)
"""What the game registers."""
