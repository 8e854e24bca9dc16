"""Kernels that write the encodings of `faceup.games.nimmt.observation` for many lanes, straight from the engine.

`seats`, `lanes` and `slots` select what is written: the observation of seat `seats[k]` in lane `lanes[i]` goes to
`out[slots[i], k]`. All of them, and all indices, are unsigned, because numba generates extra code for negative ones.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel, pick
from faceup.games.nimmt.batch.layout import (
    ASIDE,
    HEADS,
    ROW,
    TAKEN,
    WAITING,
)
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.observation import ABSENT, IN_ROW, MINE, REVEALED, SET_ASIDE, TAKEN_BY

_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)
_CARDS: Final[Word] = np.uint64(MOST_CARDS)
_SHIFT: Final[Word] = np.uint8(4)
_LOW: Final[Word] = np.uint8(15)
_KIND_ROW: Final[Word] = np.uint8(ROW >> 4)
_KIND_WAITING: Final[Word] = np.uint8(WAITING >> 4)
_KIND_TAKEN: Final[Word] = np.uint8(TAKEN >> 4)
_NOWHERE: Final[Word] = np.uint8(0)
_HEADS: Final = HEADS.astype(np.uint8)


@kernel
def heads_of(lane: Word, row: Word, rows: Array) -> Word:
    """Return the heads of a row."""
    heads = _ZERO
    for index in range(np.uint64(rows.shape[2])):
        heads += np.uint64(_HEADS[rows[lane, row, index]])
    return heads


@kernel
def turned(step: Word, seat: Word, count: Word) -> Word:
    """Return the seat that is `step` places after `seat`."""
    other = step + seat
    return pick(other >= count, other - count, other)


@kernel
def write_scalars(
    scales: Array, cards: Word, seats: Array, lanes: Array, slots: Array, hands: Array, places: Array, rows: Array,
    heads: Array, waiting: Array, acts: Array, finished: Array, plays: Array, chosen: Array, opening: Array, out: Array,
) -> None:  # fmt: skip
    """Write the encoding `scalars`.

    `scales` has, as float32, 1 divided by the greatest card, row heads, heads, row number and number of deals.
    """
    flat = out.reshape(-1)
    count, lines, capacity, turns = (
        np.uint64(acts.shape[1]), np.uint64(rows.shape[1]), np.uint64(rows.shape[2]), np.uint64(plays.shape[2]),
    )  # fmt: skip
    watching, size = np.uint64(out.shape[1]), np.uint64(out.shape[2])
    by_card = scales[0]
    for item in range(np.uint64(len(lanes))):
        lane = np.uint64(lanes[item])
        at = np.uint64(slots[item]) * watching * size
        for index in range(watching):
            seat = np.uint64(seats[index])
            for card in range(cards):
                flat[at + card] = np.float32(hands[lane, seat, card])
            at += cards
            for step in range(count):
                flat[at + step] = np.float32(acts[lane, turned(step, seat, count)])
            at += count
            for card in range(cards):
                flat[at + card] = np.float32(places[lane, card] != 0)
            at += cards
            for row in range(lines):
                for place in range(capacity):
                    flat[at + place] = np.float32(rows[lane, row, place]) * by_card
                at += capacity
            for row in range(lines):
                flat[at + row] = np.float32(heads_of(lane, row, rows)) * scales[1]
            at += lines
            for step in range(count):
                other = turned(step, seat, count)
                flat[at + step] = np.float32(waiting[lane, other]) * by_card
                flat[at + count + step] = np.float32(heads[lane, other]) * scales[2]
            at += count + count
            for turn in range(turns):
                for step in range(count):
                    flat[at + step] = np.float32(plays[lane, turned(step, seat, count), turn]) * by_card
                at += count
            for turn in range(turns):
                flat[at + turn] = np.float32(chosen[lane, turn]) * scales[3]
            at += turns
            for row in range(lines):
                flat[at + row] = np.float32(opening[lane, row]) * by_card
            at += lines
            flat[at] = np.float32(finished[lane]) * scales[4]
            at += _ONE


@kernel
def copy_bytes(source: Array, start: Word, flat: Array, at: Word, size: Word) -> None:
    """Copy `size` numbers from place `start` of one flat array to place `at` of another."""
    for index in range(size):
        flat[at + index] = source[start + index]


@kernel
def fill_bytes(number: Word, flat: Array, at: Word, size: Word) -> None:
    """Write a number `size` times, from place `at` on."""
    for index in range(size):
        flat[at + index] = number


@kernel
def fill_shared(
    lane: Word, sizes: Array, rows: Array, phase: Array, finished: Array, chosen: Array, opening: Array, shared: Array
) -> None:
    """Write the pieces `rows` to `deals`, which are the same for all seats; what pads them stays as it is."""
    lines, length, turns = sizes[1], sizes[2], sizes[3]
    count, capacity = np.uint64(rows.shape[1]), np.uint64(rows.shape[2])
    table = rows.reshape(-1)
    if capacity == length:
        copy_bytes(table, lane * count * capacity, shared, _ZERO, count * capacity)
    else:
        for row in range(count):
            copy_bytes(table, (lane * count + row) * capacity, shared, row * length, capacity)
    at = lines * length
    for turn in range(np.uint64(chosen.shape[1])):
        shared[at + turn] = chosen[lane, turn]
    at += turns
    for row in range(count):
        shared[at + row] = opening[lane, row]
    at += lines
    shared[at] = phase[lane]
    shared[at + _ONE] = np.uint8(min(finished[lane], 255))


@kernel
def fill_ring(
    lane: Word, heads: Array, left: Array, waiting: Array, gone: Array, acts: Array, plays: Array, ring: Array
) -> None:
    """Write the pieces `revealed` to `plays` twice in a row each, so that every rotation is one part of the ring."""
    count, turns = np.uint64(acts.shape[1]), np.uint64(plays.shape[2])
    double = count + count
    for place in range(double):
        seat = pick(place >= count, place - count, place)
        total = min(np.uint64(heads[lane, seat]), np.uint64(65535))
        ring[place] = waiting[lane, seat]
        ring[double + place + place] = np.uint8(total >> np.uint64(8))
        ring[double + place + place + _ONE] = np.uint8(total & np.uint64(255))
        ring[np.uint64(3) * double + place] = left[lane, seat]
        ring[np.uint64(4) * double + place] = np.uint8(acts[lane, seat])
        ring[np.uint64(5) * double + place] = gone[lane, seat]
    at = np.uint64(6) * double
    copies = plays.reshape(-1)
    size = count * turns
    copy_bytes(copies, lane * size, ring, at, size)
    copy_bytes(copies, lane * size, ring, at + size, size)


@kernel
def write_places(
    lane: Word, seat: Word, count: Word, cards: Word, flags: Array, places: Array, flat: Array, at: Word
) -> None:
    """Write the piece `place`; `flags` and `places` are the engine's arrays `hands` and `cards`, flattened."""
    mine, known = (lane * count + seat) * _CARDS, lane * _CARDS
    before, after = np.uint8(seat), np.uint8(count - seat)
    for card in range(_CARDS):
        code = places[known + card]
        kind, low = np.uint8(code >> _SHIFT), np.uint8(code & _LOW)
        apart = np.uint8(pick(low < before, np.uint8(low + after), np.uint8(low - before)))
        place = pick(kind == _KIND_ROW, np.uint8(low + np.uint8(IN_ROW)), _NOWHERE)
        place = pick(kind == _KIND_WAITING, np.uint8(apart + np.uint8(REVEALED)), place)
        place = pick(kind == _KIND_TAKEN, np.uint8(apart + np.uint8(TAKEN_BY)), place)
        place = pick(code == np.uint8(ASIDE), np.uint8(SET_ASIDE), place)
        flat[at + card] = pick(flags[mine + card], np.uint8(MINE), place)
    for card in range(cards, _CARDS):
        flat[at + card] = np.uint8(ABSENT)


@kernel
def write_ids(
    limits: Array, sizes: Array, seats: Array, lanes: Array, slots: Array, hands: Array, places: Array, rows: Array,
    heads: Array, left: Array, waiting: Array, gone: Array, acts: Array, phase: Array, finished: Array, ordered: Array,
    plays: Array, chosen: Array, opening: Array, out: Array,
) -> None:  # fmt: skip
    """Write the encoding `ids` or `ids-padded`.

    `limits` has the numbers of the piece `rules`, and `sizes` the numbers of seats, rows, cards in a row and turns that
    the encoding has room for, uint64 [4].
    """
    flat, flags, known, cards_held = out.reshape(-1), hands.reshape(-1), places.reshape(-1), ordered.reshape(-1)
    count, turns = np.uint64(acts.shape[1]), np.uint64(plays.shape[2])
    most_seats, most_turns = sizes[0], sizes[3]
    watching, size = np.uint64(out.shape[1]), np.uint64(out.shape[2])
    cards = np.uint64(limits[4])
    double = count + count
    ring = np.empty((np.uint64(6) + turns) * double, np.uint8)
    shared = np.zeros(sizes[1] * sizes[2] + most_turns + sizes[1] + np.uint64(2 + len(limits)), np.uint8)
    copy_bytes(limits, _ZERO, shared, np.uint64(len(shared) - len(limits)), np.uint64(len(limits)))
    for item in range(np.uint64(len(lanes))):
        lane = np.uint64(lanes[item])
        at = np.uint64(slots[item]) * watching * size
        fill_ring(lane, heads, left, waiting, gone, acts, plays, ring)
        fill_shared(lane, sizes, rows, phase, finished, chosen, opening, shared)
        for index in range(watching):
            seat = np.uint64(seats[index])
            write_places(lane, seat, count, cards, flags, known, flat, at)
            at += _CARDS
            held = pick(gone[lane, seat] == 0, turns, _ZERO)
            copy_bytes(cards_held, (lane * count + seat) * turns, flat, at, held)
            fill_bytes(np.uint8(0), flat, at + held, most_turns - held)
            at += most_turns
            for piece in range(np.uint64(6)):
                # The piece `heads`, which comes second, has two numbers for each seat.
                if piece == _ONE:
                    copy_bytes(ring, double + seat + seat, flat, at, double)
                    fill_bytes(np.uint8(0), flat, at + double, most_seats + most_seats - double)
                    at += most_seats + most_seats
                elif piece != np.uint64(2):
                    copy_bytes(ring, piece * double + seat, flat, at, count)
                    fill_bytes(np.uint8(0), flat, at + count, most_seats - count)
                    at += most_seats
            start = np.uint64(6) * double + seat * turns
            if turns == most_turns:
                copy_bytes(ring, start, flat, at, count * turns)
            else:
                for step in range(count):
                    copy_bytes(ring, start + step * turns, flat, at + step * most_turns, turns)
                    fill_bytes(np.uint8(0), flat, at + step * most_turns + turns, most_turns - turns)
            fill_bytes(np.uint8(0), flat, at + count * most_turns, (most_seats - count) * most_turns)
            at += most_seats * most_turns
            copy_bytes(shared, _ZERO, flat, at, np.uint64(len(shared)))
            at += np.uint64(len(shared))


@kernel
def write_hand_planes(
    at: Word, hand: Array, start: Word, size: Word, scales: Array, cards: Word, tails: Array, full: Array,
    row_heads: Array, flat: Array,
) -> None:  # fmt: skip
    """Write the planes `catching` to `gap` from place `at` on, which are zeros before.

    The cards of the hand are the `size` numbers of `hand` from place `start` on.
    """
    lines = np.uint64(len(tails))
    cheapest = row_heads.min()
    for index in range(size):
        card = np.uint64(hand[start + index])
        caught, tail = lines, np.uint64(0)
        for row in range(lines):
            if tail < tails[row] < card:
                caught, tail = np.uint64(row), tails[row]
        here = at + card - _ONE
        flat[here + caught * cards] = np.float32(1)
        caught_by_full = caught < lines and full[caught]
        flat[here + (lines + _ONE) * cards] = np.float32(caught_by_full)
        stake = row_heads[caught] if caught < lines else cheapest
        flat[here + (lines + np.uint64(2)) * cards] = np.float32(stake) * scales[1]
        flat[here + (lines + np.uint64(3)) * cards] = np.float32(card - tail) * scales[0]


@kernel
def write_planes(
    scales: Array, cards: Word, seats: Array, lanes: Array, slots: Array, hands: Array, places: Array, rows: Array,
    lengths: Array, heads: Array, left: Array, gone: Array, acts: Array, finished: Array, ordered: Array,
    plays: Array, chosen: Array, opening: Array, out: Array,
) -> None:  # fmt: skip
    """Write the encoding `planes`.

    `scales` has the numbers of `write_scalars`, then 1 divided by the number of turns and of cards in a row.
    """
    flat = out.reshape(-1)
    count, lines, capacity, turns = (
        np.uint64(acts.shape[1]), np.uint64(rows.shape[1]), np.uint64(rows.shape[2]), np.uint64(plays.shape[2]),
    )  # fmt: skip
    watching, size = np.uint64(out.shape[1]), np.uint64(out.shape[2])
    row_heads, tails, full = np.empty(lines, np.uint64), np.empty(lines, np.uint64), np.empty(lines, np.bool_)
    held = ordered.reshape(-1)
    one = np.float32(1)
    for item in range(np.uint64(len(lanes))):
        lane = np.uint64(lanes[item])
        at = np.uint64(slots[item]) * watching * size
        for row in range(lines):
            length = np.uint64(lengths[lane, row])
            row_heads[row] = heads_of(lane, row, rows)
            tails[row] = rows[lane, row, length - _ONE] if length else np.uint8(0)
            full[row] = length == capacity
        for index in range(watching):
            seat = np.uint64(seats[index])
            for card in range(cards):
                mine = hands[lane, seat, card]
                flat[at + card] = np.float32(mine)
                flat[at + cards + card] = np.float32((places[lane, card] == 0) & ~mine)
            at += cards + cards
            end = at + (np.uint64(8) + np.uint64(3) * lines + count) * cards
            for number in range(at, end):
                flat[number] = np.float32(0)
            for row in range(lines):
                length = np.uint64(lengths[lane, row])
                for index_in_row in range(length):
                    laid = np.uint64(rows[lane, row, index_in_row])
                    flat[at + row * cards + laid - _ONE] = one
                if length:
                    flat[at + (lines + row) * cards + tails[row] - _ONE] = one
            at += (lines + lines) * cards
            for card in range(cards):
                place = places[lane, card]
                kind = np.uint8(place >> _SHIFT)
                flat[at + card] = np.float32(kind == _KIND_WAITING)
                flat[at + cards + card] = np.float32(kind == _KIND_TAKEN)
                flat[at + cards + cards + card] = np.float32(place == np.uint8(ASIDE))
            at += np.uint64(3) * cards
            for turn in range(turns):
                for other in range(count):
                    played = np.uint64(plays[lane, other, turn])
                    if played:
                        apart = pick(other >= seat, other - seat, other + count - seat)
                        flat[at + apart * cards + played - _ONE] = one
                        flat[at + count * cards + played - _ONE] = np.float32(turn + _ONE) * scales[5]
            at += (count + _ONE) * cards
            size_of_hand = np.uint64(left[lane, seat]) if not gone[lane, seat] else _ZERO
            start = (lane * count + seat) * turns
            write_hand_planes(at, held, start, size_of_hand, scales, cards, tails, full, row_heads, flat)
            at = end
            remaining = np.uint64(0)
            for step in range(count):
                other = turned(step, seat, count)
                flat[at + step] = np.float32(acts[lane, other])
                flat[at + count + step] = np.float32(gone[lane, other] != 0)
                flat[at + count + count + step] = np.float32(heads[lane, other]) * scales[2]
                if not gone[lane, other]:
                    remaining = np.uint64(left[lane, other])
            at += np.uint64(3) * count
            flat[at] = np.float32(remaining) * scales[5]
            at += _ONE
            for row in range(lines):
                flat[at + row] = np.float32(lengths[lane, row]) * scales[6]
                flat[at + lines + row] = np.float32(row_heads[row]) * scales[1]
            at += lines + lines
            for turn in range(turns):
                flat[at + turn] = np.float32(chosen[lane, turn]) * scales[3]
            at += turns
            for row in range(lines):
                flat[at + row] = np.float32(opening[lane, row]) * scales[0]
            at += lines
            flat[at] = np.float32(finished[lane]) * scales[4]
            at += _ONE
