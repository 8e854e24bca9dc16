"""6 nimmt! in numbers: the observation of a seat, for environments."""

from array import array

from faceup.core.numbers import Numbers, Piece, Points
from faceup.core.values import CHANCE
from faceup.games.nimmt.cards import HEADS, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.position import seen
from faceup.games.nimmt.state import View


def own(rules: Parameters) -> tuple[Piece, ...]:
    """What the seat alone knows."""
    return (Piece("hand", (rules.cards,), 1, "1 for each card of the hand; card c at index c - 1"),)


def public(rules: Parameters) -> tuple[Piece, ...]:
    """What all know."""
    seats, rows, hand, cards = rules.seats, rules.rows, rules.hand, rules.cards
    return (
        Piece("choosing", (seats,), 1, "1 for each seat whose decision is awaited", by_seat=True),
        Piece("seen", (cards,), 1, "1 for each card that has been face up in this deal"),
        Piece("rows", (rows, rules.capacity), cards, "the cards of each row in order, 0 where there is none yet"),
        Piece("row_heads", (rows,), _most_in_a_row(rules), "the heads of each row"),
        Piece("revealed", (seats,), cards, "each seat's card that is face up and not yet placed, or 0", by_seat=True),
        Piece("heads", (seats,), rules.most_heads, "each seat's heads in this match", by_seat=True),
        Piece(
            "plays", (seats, hand), cards, "each seat's cards, turn by turn of this deal, 0 if to come", by_seat=True
        ),
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
    seats, cards, capacity = rules.seats, rules.cards, rules.capacity
    upto_rows = seats + cards
    table = [0] * (rules.rows * (capacity + 1) + seats)
    at = 0
    for row in view.rows:
        table[at : at + len(row)] = row
        at += capacity
    for row in view.rows:
        table[at] = total(row)
        at += 1
    for card, seat in view.waiting:
        table[seat - seats] = card
    table += view.heads
    plays = upto_rows + len(table)
    numbers = array("f", bytes(4 * (plays + (seats + 1) * rules.hand + rules.rows + 1)))
    numbers[upto_rows:plays] = array("f", table)
    if view.to_act and view.to_act[0] != CHANCE:
        for seat in view.to_act:
            numbers[seat] = 1
    below = seats - 1
    for card in seen(view):
        numbers[below + card] = 1
    _write_log(rules, view, numbers, plays)
    return numbers


def _write_log(rules: Parameters, view: View, numbers: "array[float]", plays: int) -> None:
    """The pieces that tell the history, from `plays` on."""
    hand = rules.hand
    chosen = plays + rules.seats * hand
    for number, turn in enumerate(view.log):
        numbers[plays + number : chosen : hand] = array("f", turn.plays)
        numbers[chosen + number] = turn.row + 1
    opening = chosen + hand
    numbers[opening : opening + len(view.opening)] = array("f", view.opening)
    numbers[-1] = len(view.earlier)


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
        "tiny": "nimmt:cowheadking seats=2 cards=7 rows=2 capacity=2 hand=2",
    },
)
"""What the game registers."""
