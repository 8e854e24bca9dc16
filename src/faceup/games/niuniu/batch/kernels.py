"""Throws of Niu Niu on machine words.

A hand's worth is looked up. All triples that work leave the same units digit, the total's, since what they take away is
tens; so a hand's points follow from each die's units digit alone, and with up to ten faces that digit is the die, so
that its dice alike follow too. The table has an entry for each of the base ** 5 hands of digits, where the base is the
number of faces, ten at the most: points in bits 0..3, statistics score in bits 4..6. With more faces dice alike are
counted apart: as many pairs of equal dice as there are in five.

Chance takes one random word for each die, seat by seat.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import FRACTION_BITS, Array, Word, fraction, kernel, lane_key
from faceup.games.niuniu.hand import DICE

POINTS: Final = 15
STATISTICS: Final = 4
"""The bits of an entry: points below, statistics above."""

BAOZI_SCORE: Final = 5
_ONE: Final[Word] = np.uint64(1)


@kernel
def fill_table(base: Word, baozi: Word, table: Array) -> None:
    """Fill the table, uint8 [base ** 5]; digit d stands for a die of d + 1, the last digit for the last die."""
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
    """The statistics score of a hand with so many points and pairs of equal dice; three alike are three pairs."""
    if equal >= baozi * (baozi - 1) // 2:
        return BAOZI_SCORE
    if points == 10:
        return 3
    if points >= 7:
        return 2
    return 1 if points else 0


@kernel
def worth(dice: Array, begin: Word, table: Array, faces: Word, baozi: Word) -> Word:
    """The entry for the five dice from `begin` on."""
    entry = 0
    if faces <= 10:
        for place in range(begin, begin + DICE):
            entry = entry * faces + dice[place] - 1
        return np.int64(table[entry])
    for place in range(begin, begin + DICE):
        entry = entry * 10 + (dice[place] - 1) % 10
    equal = 0
    for a in range(begin, begin + DICE):
        for b in range(begin, a):
            equal += dice[a] == dice[b]
    points = np.int64(table[entry]) & POINTS
    return points | statistics(points, equal, baozi) << STATISTICS


@kernel
def throw(faces: Word, key: Word, drawn: Word, dice: Array) -> None:
    """All seats' dice, on the words after the first `drawn`."""
    for place in range(np.uint64(len(dice))):
        product = fraction(key, drawn + place + _ONE) * np.uint64(faces)
        dice[place] = np.uint8(product >> FRACTION_BITS) + np.uint8(1)


@kernel
def play_matches(
    throws: Word, faces: Word, baozi: Word, table: Array, seed: Word, first: Word,
    won: Array, sums: Array, draws: Array, ranks: Array,
) -> None:  # fmt: skip
    """Play the lanes from `first` on, as many as the results have.

    Args:
        throws: in each match.
        faces: of a die.
        baozi: dice alike that make one.
        table: of `fill_table`.
        seed: numpy.uint64.
        first: numpy.uint64.
        won: int32 [lanes, seats]: throws won.
        sums: int32 [lanes, seats]: sums of the statistics scores.
        draws: int32 [lanes]: throws that nobody won.
        ranks: int64 [seats, 11], not emptied: how many hands had so many points.
    """
    lanes, seats = won.shape
    dice = np.empty(seats * DICE, np.uint8)
    for lane in range(lanes):
        key = lane_key(seed, first + np.uint64(lane))
        won[lane, :] = 0
        sums[lane, :] = 0
        draws[lane] = 0
        drawn = np.uint64(0)
        for _ in range(throws):
            best, most, shared = 0, -1, False
            throw(faces, key, drawn, dice)
            drawn += np.uint64(len(dice))
            for seat in range(seats):
                found = worth(dice, seat * DICE, table, faces, baozi)
                points = found & POINTS
                sums[lane, seat] += found >> STATISTICS
                ranks[seat, points] += 1
                shared = points == most or (shared and points < most)
                if points > most:
                    best, most = seat, points
            won[lane, best] += not shared
            draws[lane] += shared


@kernel
def land_lanes(
    throws: Word, faces: Word, baozi: Word, table: Array, seed: Word, first: Word, given: Array | None, restart: Word,
    in_air: Array, drawn: Array, dice: Array, played: Array, won: Array, sums: Array, ended: Array, final: Array,
) -> None:  # fmt: skip
    """Let the dice that are in the air come to rest, as given or on the lane's words, and score them."""
    seats = won.shape[1]
    shown = np.empty(seats * DICE, np.uint8)
    for lane in range(len(played)):
        ended[lane] = False
        if not in_air[lane]:
            continue
        if given is None:
            throw(faces, lane_key(seed, first + np.uint64(lane)), drawn[lane], shown)
            drawn[lane] += np.uint64(len(shown))
        else:
            for seat in range(seats):
                shown[seat * DICE : seat * DICE + DICE] = given[lane, seat]
        best, most, shared = 0, -1, False
        for seat in range(seats):
            found = worth(shown, seat * DICE, table, faces, baozi)
            points = found & POINTS
            sums[lane, seat] += found >> STATISTICS
            shared = points == most or (shared and points < most)
            if points > most:
                best, most = seat, points
            dice[lane, seat, :] = shown[seat * DICE : seat * DICE + DICE]
        won[lane, best] += not shared
        played[lane] += 1
        in_air[lane] = False
        if played[lane] == throws:
            ended[lane] = True
            final[lane, :] = won[lane, :]
            if restart:
                played[lane] = 0
                won[lane, :] = 0
                sums[lane, :] = 0
