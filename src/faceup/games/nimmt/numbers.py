"""6 nimmt! in numbers: the observation of a seat, for environments."""

from array import array
from functools import lru_cache
from typing import Final

from faceup.core.numbers import Numbers, Piece, Points
from faceup.core.values import CHANCE
from faceup.games.nimmt.cards import HEADS, total
from faceup.games.nimmt.parameters import MOST_HAND, Parameters
from faceup.games.nimmt.position import seen
from faceup.games.nimmt.state import View

_NOTHING: Final = (0,) * MOST_HAND

_heads: Final = lru_cache(maxsize=1024)(total)
"""The heads of a row: most rows are as they were a turn ago."""


def own(rules: Parameters) -> tuple[Piece, ...]:
    """What the seat alone knows."""
    return (Piece("hand", (rules.cards,), 1, "1 for each card of the hand; card c at index c - 1"),)


def public(rules: Parameters) -> tuple[Piece, ...]:
    """What all know."""
    seats, rows, hand, cards = rules.seats, rules.rows, rules.hand, rules.cards
    return (
        Piece("choosing", (seats,), 1, "1 for each seat whose decision is awaited", seat_axis=0),
        Piece("seen", (cards,), 1, "1 for each card that has been face up in this deal"),
        Piece("rows", (rows, rules.capacity), cards, "the cards of each row in order, 0 where there is none yet"),
        Piece("row_heads", (rows,), _most_in_a_row(rules), "the heads of each row"),
        Piece("revealed", (seats,), cards, "each seat's card that is face up and not yet placed, or 0", seat_axis=0),
        Piece("heads", (seats,), rules.most_heads, "each seat's heads in this match", seat_axis=0),
        Piece("plays", (hand, seats), cards, "each seat's card, turn by turn of this deal, 0 if to come", seat_axis=1),
        Piece("chosen_rows", (hand,), rows, "for each turn, 1 + the row that a seat chose to take, 0 if none did"),
        Piece("opening", (rows,), cards, "the cards with which the rows opened"),
        Piece("deals", (1,), rules.most_deals, "the number of finished deals"),
    )


def _most_in_a_row(rules: Parameters) -> int:
    return sum(sorted(HEADS[: rules.cards + 1])[-rules.capacity :])


def write_own(rules: Parameters, view: View) -> "array[float]":
    """The numbers of `own`."""
    numbers = array("f", bytes(4 * rules.cards))
    for card in view.hand:
        numbers[card - 1] = 1
    return numbers


def write_public(rules: Parameters, view: View) -> "array[float]":
    """The numbers of `public`."""
    seats, cards, capacity, log = rules.seats, rules.cards, rules.capacity, view.log
    numbers = array("f", bytes(4 * (seats + cards)))
    if view.to_act and view.to_act[0] != CHANCE:
        for seat in view.to_act:
            numbers[seat] = 1
    below = seats - 1
    for card in seen(view):
        numbers[below + card] = 1
    # The other pieces hold few zeros, and are quicker to put together whole; but for the turns to come, many at first.
    rest: list[float] = []
    for row in view.rows:
        rest += row
        rest += _NOTHING[len(row) : capacity]
    rest += map(_heads, view.rows)
    rest += [0] * (rules.rows * (capacity + 1) - len(rest))
    revealed = [0] * seats
    for card, seat in view.waiting:
        revealed[seat] = card
    rest += revealed
    rest += view.heads
    for turn in log:
        rest += turn.plays
    numbers.fromlist(rest)
    to_come = rules.hand - len(log)
    numbers.frombytes(bytes(4 * to_come * seats))
    last: list[float] = [turn.row + 1 for turn in log]
    last += _NOTHING[:to_come]
    last += view.opening or _NOTHING[: rules.rows]
    last.append(len(view.earlier))
    numbers.fromlist(last)
    return numbers


NUMBERS = Numbers(
    history="the whole public history of the deal, and the heads of the match",
    own=own,
    public=public,
    write_own=write_own,
    write_public=write_public,
    # A turn gives a seat one row at most.
    points=Points(
        "heads", -1, step=lambda rules: (0, _most_in_a_row(rules)), total=lambda rules: (0, rules.most_heads)
    ),
    small={
        "small": "nimmt:cowheadking seats=2 cards=12 rows=2 capacity=3 hand=3",
        "tiny": "nimmt:cowheadking seats=2 cards=6 rows=2 capacity=2 hand=2",
    },
)
"""What the game registers."""
