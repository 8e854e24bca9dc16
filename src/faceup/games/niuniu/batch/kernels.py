"""Kernels of Niu Niu.

The value of a hand is looked up in a table. A hand's points depend only on the units digit of each die, because the two
dice that remain beside any triple that makes a ten have the same units digit as the total. With up to ten faces, equal
digits also mean equal dice. The table has one entry for each of the base ** 5 hands of digits, where the base is the
number of faces, or 10 if there are more faces. An entry has the points in bits 0 to 3 and the statistics points in bits
4 to 6. With more than ten faces, the kernel counts the pairs of equal dice to find the statistics points.

Each die uses one random word; the dice are thrown in the order of the seats.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import FRACTION_BITS, Array, Word, fraction, kernel, lane_key
from faceup.games.niuniu.hand import DICE

POINTS: Final = 15
STATISTICS: Final = 4
"""Bit position of the statistics points in an entry; the points are below it."""

BAOZI_SCORE: Final = 5
_ONE: Final[Word] = np.uint64(1)


@kernel
def fill_table(base: Word, baozi: Word, table: Array) -> None:
    """Fill the table, uint8 [base ** 5]. In an index, digit d is a die of d + 1, the first die first."""
    dice = np.empty(DICE, np.int64)
    for entry in range(len(table)):
        rest, total = entry, 0
        for place in range(DICE):
            dice[DICE - 1 - place] = rest % base + 1
            rest //= base
            total += dice[DICE - 1 - place]
        niu, equal = False, 0
        for a in range(DICE):
            for b in range(a):
                equal += dice[a] == dice[b]
                for c in range(b):
                    niu |= (dice[a] + dice[b] + dice[c]) % 10 == 0
        points = ((total + 9) % 10 + 1) * niu
        table[entry] = points | statistics(points, equal, baozi) << STATISTICS


@kernel
def statistics(points: Word, equal: Word, baozi: Word) -> Word:
    """Return the statistics points of a hand with these points and `equal` pairs of equal dice (3 for three alike)."""
    if equal >= baozi * (baozi - 1) // 2:
        return BAOZI_SCORE
    if points == 10:
        return 3
    if points >= 7:
        return 2
    return 1 if points else 0


@kernel
def worth(dice: Array, offset: Word, table: Array, faces: Word, baozi: Word) -> Word:
    """Return the value of the five dice from `offset` on, encoded as in the table."""
    entry = 0
    if faces <= 10:
        for place in range(offset, offset + DICE):
            entry = entry * faces + dice[place] - 1
        return np.int64(table[entry])
    for place in range(offset, offset + DICE):
        entry = entry * 10 + (dice[place] - 1) % 10
    equal = 0
    for a in range(offset, offset + DICE):
        for b in range(offset, a):
            equal += dice[a] == dice[b]
    points = np.int64(table[entry]) & POINTS
    return points | statistics(points, equal, baozi) << STATISTICS


@kernel
def throw(faces: Word, key: Word, words: Word, dice: Array) -> None:
    """Throw all seats' dice with the lane's random words that follow the first `words`."""
    for place in range(np.uint64(len(dice))):
        product = fraction(key, words + place + _ONE) * np.uint64(faces)
        dice[place] = np.uint8(product >> FRACTION_BITS) + np.uint8(1)


@kernel
def decide(points: Array, lane: Word, won: Array, drawn: Array) -> bool:
    """Count a throw as won by the one seat with the most points, or as drawn by several; return whether it is drawn."""
    most, best, first = -1, 0, 0
    for seat in range(len(points)):
        if points[seat] > most:
            most, best, first = points[seat], 1, seat
        elif points[seat] == most:
            best += 1
    if best == 1:
        won[lane, first] += 1
        return False
    for seat in range(first, len(points)):
        drawn[lane, seat] += points[seat] == most
    return True


@kernel
def play_matches(
    throws: Word, faces: Word, baozi: Word, table: Array, seed: Word, first: Word,
    won: Array, drawn: Array, sums: Array, draws: Array, ranks: Array,
) -> None:  # fmt: skip
    """Play the lanes from `first` on, one for each row of the results.

    Args:
        throws: number of throws in each match.
        faces: number of faces of a die.
        baozi: number of equal dice that make a baozi.
        table: the table of `fill_table`.
        seed: the seed, a numpy.uint64.
        first: the number of the first lane, a numpy.uint64.
        won: int32 [lanes, seats]: throws won.
        drawn: int32 [lanes, seats]: throws drawn.
        sums: int32 [lanes, seats]: sums of the statistics points.
        draws: int32 [lanes]: throws without a winner.
        ranks: int64 [seats, 11], updated in place: number of hands by points.
    """
    lanes, seats = won.shape
    dice, points = np.empty(seats * DICE, np.uint8), np.empty(seats, np.int64)
    for lane in range(lanes):
        key = lane_key(seed, first + np.uint64(lane))
        won[lane, :] = 0
        drawn[lane, :] = 0
        sums[lane, :] = 0
        draws[lane] = 0
        words = np.uint64(0)
        for _ in range(throws):
            throw(faces, key, words, dice)
            words += np.uint64(len(dice))
            for seat in range(seats):
                result = worth(dice, seat * DICE, table, faces, baozi)
                points[seat] = result & POINTS
                sums[lane, seat] += result >> STATISTICS
                ranks[seat, points[seat]] += 1
            draws[lane] += decide(points, lane, won, drawn)


@kernel
def land_lanes(
    throws: Word, faces: Word, baozi: Word, table: Array, seed: Word, first: Word, orders: Array | None, restart: Word,
    in_air: Array, words: Array, dice: Array, played: Array, won: Array, drawn: Array, sums: Array,
    ended: Array, final: Array,
) -> None:  # fmt: skip
    """Let the dice in the air land and score them; if `given` is None, the lane's random words throw them."""
    seats = won.shape[1]
    shown, points = np.empty(seats * DICE, np.uint8), np.empty(seats, np.int64)
    for lane in range(len(played)):
        ended[lane] = False
        if not in_air[lane]:
            continue
        if orders is None:
            throw(faces, lane_key(seed, first + np.uint64(lane)), words[lane], shown)
            words[lane] += np.uint64(len(shown))
        else:
            for seat in range(seats):
                shown[seat * DICE : seat * DICE + DICE] = orders[lane, seat]
        for seat in range(seats):
            result = worth(shown, seat * DICE, table, faces, baozi)
            points[seat] = result & POINTS
            sums[lane, seat] += result >> STATISTICS
            dice[lane, seat, :] = shown[seat * DICE : seat * DICE + DICE]
        decide(points, lane, won, drawn)
        played[lane] += 1
        in_air[lane] = False
        if played[lane] == throws:
            ended[lane] = True
            final[lane, :] = won[lane, :]
            if restart:
                played[lane] = 0
                won[lane, :] = 0
                drawn[lane, :] = 0
                sums[lane, :] = 0
