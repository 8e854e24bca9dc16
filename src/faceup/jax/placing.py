"""Place the cards of a turn.

The number of a card or of a row has 16 bits, as in `faceup.games.nimmt.batch.kernels`:

    bits 9..15  the card, or the row's tail
    bits 0..8   the heads of all cards of the row, plus 51 for each card after the first

A card goes to the row with the greatest number below its own. While cards wait to be placed, each has its seat
in bits 3..6.

Numbers of seats, rows and parts of rows are in lists of arrays, not in axes of arrays, so that an operation works on
whole lanes side by side.
"""

from functools import partial, reduce
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from faceup.games.nimmt.observation import IN_ROW, REVEALED, SET_ASIDE
from faceup.games.nimmt.rules import Rules
from faceup.jax.state import CARDS_PER_PART

_LONGER: Final = 51
_LOW: Final = 0x1FF
_CARD: Final = 0xFE07
_NO_CARD: Final = 0xFFFF

NONE: Final = 255
"""Placeholder for no card, and for no place of a card."""


class TurnArrays(NamedTuple):
    """The table while the cards of a turn are placed.

    Attributes:
        queue: for each seat, its card that is still to be placed, as a number with the seat.
        chosen: int8: the row that the seat of the lowest card takes; -1 if it did not choose.
        rows: for each row and part, as `State.rows`.
        lines: for each row, as `State.lines`.
        heads: for each seat, as `State.heads`.
        waits: whether the seat of the lowest card must choose a row.
        ended: whether the match ends with this turn.
        acts: for each seat, whether a decision of the seat is due, if the match does not end.
    """

    queue: list[Array]
    chosen: Array
    rows: list[list[Array]]
    lines: list[Array]
    heads: list[Array]
    waits: Array
    ended: Array
    acts: list[Array]


class TurnTerms(NamedTuple):
    """The facts that are known before the cards are placed.

    Attributes:
        aside: whether the match has ended, because fewer than two seats are left, and the cards are set aside.
        last: whether this is the last turn of a deal.
        final: whether the match ends with this deal, however many heads there are.
        stays: for each seat, whether it is in the match.
    """

    aside: Array
    last: Array
    final: Array
    stays: list[Array]


class PlacedCards(NamedTuple):
    """The cards of a turn, ascending; each array is uint8 [seats].

    Attributes:
        card: the card; 255 for none.
        seat: its seat.
        place: where the card is now, as in `State.cards`.
        took: the place from which the seat has taken cards, as in `State.cards`; 255 for none.
    """

    card: Array
    seat: Array
    place: Array
    took: Array


def heads_of(card: Array) -> Array:
    """Return the heads of each card, uint16, and 0 for no card; `faceup.games.nimmt.cards.HEADS` as comparisons."""
    heads = jnp.where(card % 5 == 0, jnp.uint16(2), jnp.uint16(1))
    heads = jnp.where(card % 10 == 0, jnp.uint16(3), heads)
    heads = jnp.where(card % 11 == 0, jnp.uint16(5), heads)
    return jnp.where(card == 0, jnp.uint16(0), jnp.where(card == 55, jnp.uint16(7), heads))


def line_of(card: Array) -> Array:
    """Return the number of a row that has only this card."""
    return card.astype(jnp.uint16) << 9 | heads_of(card)


def queued(card: Array, seat: int) -> Array:
    """Return the number of a card that waits to be placed; 0 is no card."""
    return jnp.where(card == 0, jnp.uint16(_NO_CARD), line_of(card) | jnp.uint16(seat << 3))


def place_cards(rules: Rules, terms: TurnTerms, turn: TurnArrays) -> tuple[TurnArrays, PlacedCards]:
    """Place all cards of the queue, or none if the seat of the lowest card must choose a row first.

    The cards are placed by `jax.lax.scan`. Where the compiler fuses operations, it repeats an operation for
    each use of its result; a scan computes its results once.
    """
    return jax.lax.scan(partial(_place, rules, terms), turn, length=rules.seats)


def _place(rules: Rules, terms: TurnTerms, turn: TurnArrays, _: None) -> tuple[TurnArrays, PlacedCards]:
    """Place the lowest card of the queue."""
    lowest = reduce(jnp.minimum, turn.queue)
    card, seat = (lowest >> 9).astype(jnp.uint8), (lowest >> 3 & 15).astype(jnp.uint8)
    number, none = lowest & jnp.uint16(_CARD), lowest == _NO_CARD
    chose = turn.chosen >= 0
    below = reduce(jnp.maximum, [jnp.where(line < number, line, jnp.uint16(0)) for line in turn.lines])
    waits = turn.waits | ~(none | terms.aside | chose | (below != 0))
    placing = ~(none | terms.aside | waits)
    rows: list[list[Array]] = []
    lines, places, costs = [], [], []
    for row, line in enumerate(turn.lines):
        joins = placing & jnp.where(chose, turn.chosen == row, line == below)
        low = line & jnp.uint16(_LOW)
        takes = joins & (chose | (low >= _LONGER * (rules.capacity - 1)))
        places.append(jnp.where(joins, jnp.uint8(IN_ROW + row), jnp.uint8(0)))
        costs.append(jnp.where(takes, low % jnp.uint16(_LONGER) + jnp.uint16(IN_ROW + row << 8), jnp.uint16(0)))
        lines.append(jnp.where(joins, jnp.where(takes, number, number + low + jnp.uint16(_LONGER)), line))
        index = jnp.where(takes, jnp.uint16(0), low // jnp.uint16(_LONGER) + jnp.uint16(1))
        added = jnp.where(joins, card.astype(jnp.uint32) << (index % CARDS_PER_PART * 8).astype(jnp.uint32), 0)
        rows.append(
            [
                jnp.where(takes, jnp.uint32(0), cards) | jnp.where(index // CARDS_PER_PART == part, added, 0)
                for part, cards in enumerate(turn.rows[row])
            ]
        )
    cost = reduce(jnp.add, costs)  # the heads taken, and in the high byte the place from which
    took = (cost >> 8).astype(jnp.uint8)
    heads = [
        own + jnp.where(seat == seat_number, cost & 0xFF, 0).astype(jnp.int32)
        for seat_number, own in enumerate(turn.heads)
    ]
    reached = reduce(jnp.maximum, heads) >= rules.target if rules.target else jnp.bool_(False)
    place = jnp.where(terms.aside, jnp.uint8(SET_ASIDE), reduce(jnp.add, places))
    after = TurnArrays(
        queue=[jnp.where(card == lowest, jnp.uint16(_NO_CARD), card) for card in turn.queue],
        chosen=jnp.minimum(turn.chosen, jnp.int8(-1)),
        rows=rows,
        lines=lines,
        heads=heads,
        waits=waits,
        ended=terms.aside | (terms.last & ~waits & (terms.final | reached)),
        acts=[
            jnp.where(waits, jnp.where(turn.waits, acts, seat == seat_number), terms.stays[seat_number])
            for seat_number, acts in enumerate(turn.acts)
        ],
    )
    placed = PlacedCards(
        card=jnp.where(none, jnp.uint8(NONE), card),
        seat=seat,
        place=jnp.where(waits, seat + jnp.uint8(REVEALED), place),
        took=jnp.where(took == 0, jnp.uint8(NONE), took),
    )
    return after, placed
