"""Numeric observations of 6 nimmt! for learning environments: the encodings `scalars`, `planes` and `ids`.

`faceup.games.nimmt.batch.observation_kernels` writes the same numbers for many games.
"""

from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from faceup.core.observation import Encoding, ObservationPiece, ObservationSpec, ScoreSpec
from faceup.core.values import CHANCE
from faceup.games.nimmt.cards import HEADS, MOST_CARDS, total
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS, MOST_SEATS, Parameters
from faceup.games.nimmt.placing import cheapest_row, row_for
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


def planes(rules: Parameters) -> tuple[ObservationPiece, ...]:
    """List the pieces of the encoding `planes`, of which most are one-hot by card, with card c at index c - 1."""
    seats, rows, hand, cards = rules.seats, rules.rows, rules.hand, rules.cards
    most = _most_in_a_row(rules)
    by_row = "for each card of the hand, 1 in the plane of the row that catches it if no other card is played"
    return (
        ObservationPiece("hand", (cards,), 1, "1 for each card of the hand"),
        ObservationPiece("unseen", (cards,), 1, "1 for each card that the seat has not seen in this deal"),
        ObservationPiece("rows", (rows, cards), 1, "1 for each card that lies in the row"),
        ObservationPiece("tails", (rows, cards), 1, "1 for the last card of the row"),
        ObservationPiece("revealed", (cards,), 1, "1 for each card that is face up and not yet placed"),
        ObservationPiece("taken", (cards,), 1, "1 for each card that a seat has taken in this deal"),
        ObservationPiece("aside", (cards,), 1, "1 for each card that was set aside"),
        ObservationPiece("played", (seats, cards), 1, "1 for each card that the seat has played in this deal", 0),
        ObservationPiece("turn", (cards,), hand, "the turn, from 1, in which the card was played, or 0"),
        ObservationPiece("catching", (rows, cards), 1, by_row),
        ObservationPiece("below", (cards,), 1, "1 for each card of the hand that is below all tails"),
        ObservationPiece("full", (cards,), 1, "1 for each card of the hand that a full row catches"),
        ObservationPiece(
            "stake", (cards,), most, "the heads of the row that catches the card of the hand; below all, the cheapest's"
        ),
        ObservationPiece("gap", (cards,), cards, "the card of the hand minus the tail below it, or minus 0"),
        ObservationPiece("choosing", (seats,), 1, "1 for each seat that must choose", 0),
        ObservationPiece("out", (seats,), 1, "1 for each seat that is out of the match", 0),
        ObservationPiece("heads", (seats,), rules.most_heads, "each seat's heads in this match", 0),
        ObservationPiece("left", (1,), hand, "the number of turns that are not yet played in this deal"),
        ObservationPiece("lengths", (rows,), rules.capacity, "the number of cards in each row"),
        ObservationPiece("row_heads", (rows,), most, "the heads of each row"),
        ObservationPiece(
            "chosen_rows", (hand,), rows, "for each turn, 1 + the row that a seat chose to take, 0 if no seat chose"
        ),
        ObservationPiece("opening", (rows,), cards, "the first card of each row"),
        ObservationPiece("deals", (1,), rules.most_deals, "the number of finished deals"),
    )


def write_planes(rules: Parameters, view: View) -> "array[float]":
    """Encode the pieces that `planes` lists."""
    seats, rows, cards = rules.seats, rules.rows, rules.cards
    numbers = array("f", bytes(4 * cards * (10 + 3 * rows + seats)))
    before = -1  # the index before the first card of the plane
    for card in view.hand:
        numbers[before + card] = 1
    before += cards
    for card in {*range(1, cards + 1)}.difference(view.hand, seen_cards(view)):
        numbers[before + card] = 1
    for row, placed in enumerate(view.rows):
        for card in placed:
            numbers[before + (1 + row) * cards + card] = 1
        numbers[before + (1 + rows + row) * cards + placed[-1]] = 1
    before += (1 + 2 * rows) * cards
    for card, _ in view.waiting:
        numbers[before + card] = 1
    for taken in view.taken:
        for card in taken:
            numbers[before + cards + card] = 1
    for card in view.aside:
        numbers[before + 2 * cards + card] = 1
    _write_plays(rules, view, numbers, before + 3 * cards)
    _write_catches(rules, view, numbers, before + (4 + seats) * cards)
    numbers.fromlist(_vectors(rules, view))
    return numbers


def _write_plays(rules: Parameters, view: View, numbers: "array[float]", before: int) -> None:
    """Write the planes `played` and `turn`, whose first card is at the index after `before`."""
    seats, cards, me = rules.seats, rules.cards, view.seat or 0
    for number, turn in enumerate(view.log):
        for seat, card in enumerate(turn.plays):
            if card:
                numbers[before + (seat - me) % seats * cards + card] = 1
                numbers[before + seats * cards + card] = number + 1


def _write_catches(rules: Parameters, view: View, numbers: "array[float]", before: int) -> None:
    """Write the planes `catching` to `gap`, whose first card is at the index after `before`."""
    rows, cards = rules.rows, rules.cards
    for card in view.hand:
        row = row_for(view.rows, card)
        caught = view.rows[row] if row >= 0 else ()
        numbers[before + (row if caught else rows) * cards + card] = 1
        numbers[before + (rows + 1) * cards + card] = len(caught) >= rules.capacity
        numbers[before + (rows + 2) * cards + card] = _heads(caught or view.rows[cheapest_row(view.rows)])
        numbers[before + (rows + 3) * cards + card] = card - (caught[-1] if caught else 0)


def _vectors(rules: Parameters, view: View) -> list[float]:
    """Return the pieces of `planes` that are not by card."""
    me, rows = view.seat or 0, rules.rows
    turned = [*range(me, rules.seats), *range(me)]
    acting, out = set(view.to_act), {seat for group in view.out for seat in group}
    numbers: list[float] = [seat in acting for seat in turned]
    numbers += [seat in out for seat in turned]
    numbers += [view.heads[seat] for seat in turned]
    numbers.append(_turns_left(view))
    numbers += [*map(len, view.rows), *_NOTHING[len(view.rows) : rows]]
    numbers += [*map(_heads, view.rows), *_NOTHING[len(view.rows) : rows]]
    numbers += [turn.row + 1 for turn in view.log]
    numbers += _NOTHING[: rules.hand - len(view.log)]
    numbers += view.opening or _NOTHING[:rows]
    numbers.append(len(view.earlier))
    return numbers


def _turns_left(view: View) -> int:
    """Return the size of the hands of the seats that are in the match."""
    out = {seat for group in view.out for seat in group}
    return next((size for seat, size in enumerate(view.sizes) if seat not in out), 0)


UNSEEN: Final = 0
MINE: Final = 1
ABSENT: Final = 2
SET_ASIDE: Final = 3
IN_ROW: Final = 4
REVEALED: Final = IN_ROW + MOST_ROWS
TAKEN_BY: Final = REVEALED + MOST_SEATS
PLACES: Final = TAKEN_BY + MOST_SEATS
"""The places of a card in the encoding `ids`; they are the same for all rules, and `PLACES` is their number."""

CHANCE_DUE: Final = 0
CHOOSE: Final = 1
TAKE_ROW: Final = 2
OVER: Final = 3
"""The phases in the encoding `ids` and in the engines for many games.

A deal is due, a card from every seat is due, a row from one seat is due, or the match is over.
"""

PADDED: Final = (MOST_SEATS, MOST_ROWS, 10, MOST_HAND)
"""The numbers of seats, rows, cards in a row and cards in a hand in the encoding `ids-padded`."""


def _ids(seats: int, rows: int, capacity: int, hand: int) -> tuple[ObservationPiece, ...]:
    places = (
        f"where each card is: {UNSEEN} unseen, {MINE} in the hand, {ABSENT} not in this game, {SET_ASIDE} set aside, "
        f"{IN_ROW} + row, {REVEALED} + seat if it is face up and not yet placed, {TAKEN_BY} + seat that has taken it; "
        "the seat is counted from the observer"
    )
    return (
        ObservationPiece("place", (MOST_CARDS,), PLACES - 1, places),
        ObservationPiece("hand", (hand,), MOST_CARDS, "the cards of the hand, ascending, then 0"),
        ObservationPiece(
            "revealed", (seats,), MOST_CARDS, "each seat's card that is face up and not yet placed, or 0", 0
        ),
        ObservationPiece(
            "heads", (seats, 2), 255, "each seat's heads in this match: heads // 256 and heads % 256, at most 65535", 0
        ),
        ObservationPiece("sizes", (seats,), MOST_HAND, "the number of cards in each hand", 0),
        ObservationPiece("choosing", (seats,), 1, "1 for each seat that must choose", 0),
        ObservationPiece(
            "out", (seats,), MOST_SEATS, "0 for a seat in the match, 1 for those that went out first, and so on", 0
        ),
        ObservationPiece(
            "plays", (seats, hand), MOST_CARDS, "each seat's card in each turn of this deal, 0 in later turns", 0
        ),
        ObservationPiece("rows", (rows, capacity), MOST_CARDS, "the cards of each row in order, then 0"),
        ObservationPiece(
            "chosen_rows",
            (hand,),
            MOST_ROWS,
            "for each turn, 1 + the row that a seat chose to take, 0 if no seat chose",
        ),
        ObservationPiece("opening", (rows,), MOST_CARDS, "the first card of each row"),
        ObservationPiece("phase", (1,), 3, "0 if a deal is due, 1 cards, 2 a row, 3 nothing, as the match is over"),
        ObservationPiece("deals", (1,), 255, "the number of finished deals, at most 255"),
        ObservationPiece(
            "rules", (7,), 255, "seats, rows, capacity, hand, cards, deals and target of the rules, each at most 255"
        ),
    )


def ids(rules: Parameters) -> tuple[ObservationPiece, ...]:
    """List the pieces of the encoding `ids`."""
    return _ids(rules.seats, rules.rows, rules.capacity, rules.hand)


def padded_ids(rules: Parameters) -> tuple[ObservationPiece, ...]:
    """List the pieces of the encoding `ids-padded`, whose shapes are the same for all rules."""
    del rules
    return _ids(*PADDED)


def limits(rules: Parameters) -> tuple[int, ...]:
    """Return the numbers of the piece `rules` of the encoding `ids`."""
    numbers = (rules.seats, rules.rows, rules.capacity, rules.hand, rules.cards, rules.deals, rules.target)
    return tuple(min(number, 255) for number in numbers)


def write_ids(rules: Parameters, view: View) -> bytearray:
    """Encode the pieces that `ids` lists."""
    return _write_ids(rules, view, (rules.seats, rules.rows, rules.capacity, rules.hand))


def write_padded_ids(rules: Parameters, view: View) -> bytearray:
    """Encode the pieces that `padded_ids` lists."""
    return _write_ids(rules, view, PADDED)


def _write_ids(rules: Parameters, view: View, sizes: tuple[int, int, int, int]) -> bytearray:
    seats, rows, capacity, hand = sizes
    me = view.seat or 0
    turned = [*range(me, rules.seats), *range(me)]
    revealed = {seat: card for card, seat in view.waiting}
    out = {seat: group + 1 for group, out_seats in enumerate(view.out) for seat in out_seats}
    heads = [min(view.heads[seat], 65535) for seat in turned]
    turns = [turn.plays for turn in view.log]
    numbers = _places(rules, view)
    padded: list[tuple[Iterable[int], int]] = [
        (view.hand, hand),
        ([revealed.get(seat, 0) for seat in turned], seats),
        ([byte for count in heads for byte in divmod(count, 256)], 2 * seats),
        ([view.sizes[seat] for seat in turned], seats),
        ([seat in view.to_act for seat in turned], seats),
        ([out.get(seat, 0) for seat in turned], seats),
        *(([plays[seat] for plays in turns], hand) for seat in turned),
        ((), hand * (seats - rules.seats)),
        *((row, capacity) for row in (*view.rows, *((),) * (rows - len(view.rows)))),
        ([turn.row + 1 for turn in view.log], hand),
        (view.opening, rows),
        ([_phase(view), min(len(view.earlier), 255), *limits(rules)], 9),
    ]
    for values, size in padded:
        numbers += bytes(values).ljust(size, b"\0")
    return numbers


def _places(rules: Parameters, view: View) -> bytearray:
    """Return the piece `place` of the encoding `ids`."""
    place = bytearray(MOST_CARDS)
    place[rules.cards :] = bytes([ABSENT]) * (MOST_CARDS - rules.cards)
    groups: list[tuple[int, Iterable[int]]] = [(MINE, view.hand), (SET_ASIDE, view.aside)]
    groups += [(IN_ROW + row, cards) for row, cards in enumerate(view.rows)]
    for seat, taken in enumerate(view.taken):
        apart = (seat - (view.seat or 0)) % rules.seats
        groups.append((TAKEN_BY + apart, taken))
        groups.append((REVEALED + apart, [card for card, other in view.waiting if other == seat]))
    for code, cards in groups:
        for card in cards:
            place[card - 1] = code
    return place


def _phase(view: View) -> int:
    if not view.to_act:
        return OVER
    if view.to_act[0] == CHANCE:
        return CHANCE_DUE
    return TAKE_ROW if view.waiting else CHOOSE


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
    encodings={
        "planes": Encoding("float32", planes, write_planes),
        "ids": Encoding("uint8", ids, write_ids),
        "ids-padded": Encoding("uint8", padded_ids, write_padded_ids),
    },
)
"""The observation that the game registers."""
