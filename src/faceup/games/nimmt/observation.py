"""Numeric observations of 6 nimmt! for learning environments."""

from array import array
from functools import lru_cache
from typing import Final

from faceup.core.observation import ObservationPiece, ObservationSpec, ScoreSpec
from faceup.core.values import CHANCE
from faceup.games.nimmt.cards import HEADS, total
from faceup.games.nimmt.parameters import MOST_HAND, Parameters
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import seen_cards

_NOTHING: Final = (0,) * MOST_HAND

_heads: Final = lru_cache(maxsize=1024)(total)
"""The heads of a row, cached because most rows are unchanged since the last turn."""


def own(rules: Parameters) -> tuple[ObservationPiece, ...]:
    """List the observation pieces that only the observing seat knows."""
    return (ObservationPiece("hand", (rules.cards,), 1, "1 for each card of the hand; card c at index c - 1"),)


def public(rules: Parameters) -> tuple[ObservationPiece, ...]:
    """List the observation pieces that everyone knows."""
    seats, rows, hand, cards = rules.seats, rules.rows, rules.hand, rules.cards
    return (
        ObservationPiece("choosing", (seats,), 1, "1 for each seat that must choose", seat_axis=0),
        ObservationPiece("seen", (cards,), 1, "1 for each card that has been face up in this deal"),
        ObservationPiece("rows", (rows, rules.capacity), cards, "the cards of each row in order, then 0"),
        ObservationPiece("row_heads", (rows,), _most_in_a_row(rules), "the heads of each row"),
        ObservationPiece(
            "revealed", (seats,), cards, "each seat's card that is face up and not yet placed, or 0", seat_axis=0
        ),
        ObservationPiece("heads", (seats,), rules.most_heads, "each seat's heads in this match", seat_axis=0),
        ObservationPiece(
            "plays", (hand, seats), cards, "each seat's card in each turn of this deal, 0 in later turns", seat_axis=1
        ),
        ObservationPiece(
            "chosen_rows", (hand,), rows, "for each turn, 1 + the row that a seat chose to take, 0 if no seat chose"
        ),
        ObservationPiece("opening", (rows,), cards, "the first card of each row"),
        ObservationPiece("deals", (1,), rules.most_deals, "the number of finished deals"),
    )


def _most_in_a_row(rules: Parameters) -> int:
    return sum(sorted(HEADS[: rules.cards + 1])[-rules.capacity :])


def write_own(rules: Parameters, view: View) -> "array[float]":
    """Encode the observation pieces that `own` lists."""
    numbers = array("f", bytes(4 * rules.cards))
    for card in view.hand:
        numbers[card - 1] = 1
    return numbers


def write_public(rules: Parameters, view: View) -> "array[float]":
    """Encode the observation pieces that `public` lists."""
    seats, cards, capacity, log = rules.seats, rules.cards, rules.capacity, view.log
    numbers = array("f", bytes(4 * (seats + cards)))
    if view.to_act and view.to_act[0] != CHANCE:
        for seat in view.to_act:
            numbers[seat] = 1
    below = seats - 1
    for card in seen_cards(view):
        numbers[below + card] = 1
    # The other pieces have few zeros, so collecting their numbers is faster; only future turns are added as zero bytes.
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


OBSERVATION = ObservationSpec(
    history="the complete public history of the deal, and the heads of the match",
    own=own,
    public=public,
    write_own=write_own,
    write_public=write_public,
    # A step costs a seat the heads of one row at most, because a seat takes at most one row per turn.
    points=ScoreSpec(
        "heads", -1, step=lambda rules: (0, _most_in_a_row(rules)), total=lambda rules: (0, rules.most_heads)
    ),
    small={
        "small": "nimmt:cowheadking seats=2 cards=12 rows=2 capacity=3 hand=3",
        "tiny": "nimmt:cowheadking seats=2 cards=6 rows=2 capacity=2 hand=2",
    },
)
"""The observation that the game registers."""
