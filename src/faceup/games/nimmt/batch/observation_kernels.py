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
    flat, flags, flat_places, played = out.reshape(-1), hands.reshape(-1), places.reshape(-1), plays.reshape(-1)
    count, lines, capacity, turns = (
        np.uint64(acts.shape[1]), np.uint64(rows.shape[1]), np.uint64(rows.shape[2]), np.uint64(plays.shape[2]),
    )  # fmt: skip
    watching, size = np.uint64(out.shape[1]), np.uint64(out.shape[2])
    by_card = scales[0]
    # The pieces `seen` to `row_heads` and `chosen_rows` to `deals` are the same for all seats.
    start = cards + lines * capacity + lines
    shared = np.empty(start + turns + lines + _ONE, np.float32)
    for item in range(np.uint64(len(lanes))):
        lane = np.uint64(lanes[item])
        for card in range(cards):
            shared[card] = np.float32(flat_places[lane * _CARDS + card] != 0)
        for row in range(lines):
            for place in range(capacity):
                shared[cards + row * capacity + place] = np.float32(rows[lane, row, place]) * by_card
            shared[start - lines + row] = np.float32(heads_of(lane, row, rows)) * scales[1]
            shared[start + turns + row] = np.float32(opening[lane, row]) * by_card
        for turn in range(turns):
            shared[start + turn] = np.float32(chosen[lane, turn]) * scales[3]
        shared[start + turns + lines] = np.float32(finished[lane]) * scales[4]
        at = np.uint64(slots[item]) * watching * size
        for index in range(watching):
            seat = np.uint64(seats[index])
            own = (lane * count + seat) * _CARDS
            for card in range(cards):
                flat[at + card] = np.float32(flags[own + card])
            at += cards
            for part in range(start):
                flat[at + count + part] = shared[part]
            after = at + count + start
            for step in range(count):
                other = turned(step, seat, count)
                flat[at + step] = np.float32(acts[lane, other])
                flat[after + step] = np.float32(waiting[lane, other]) * by_card
                flat[after + count + step] = np.float32(heads[lane, other]) * scales[2]
                first = (lane * count + other) * turns
                for turn in range(turns):
                    flat[after + (turn + np.uint64(2)) * count + step] = np.float32(played[first + turn]) * by_card
            at = after + (turns + np.uint64(2)) * count
            for part in range(turns + lines + _ONE):
                flat[at + part] = shared[start + part]
            at += turns + lines + _ONE


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
def write_ids(
    limits: Array, sizes: Array, seats: Array, lanes: Array, slots: Array, hands: Array, places: Array, rows: Array,
    heads: Array, left: Array, waiting: Array, out_groups: Array, acts: Array, phase: Array, finished: Array,
    ordered: Array, plays: Array, chosen: Array, opening: Array, out: Array,
) -> None:  # fmt: skip
    """Write the encoding `ids` or `ids-padded`.

    `limits` has the numbers of the piece `rules`, and `sizes` the numbers of seats, rows, cards in a row and turns that
    the encoding has room for, uint64 [4].
    """
    # All of this is one function, because a call with many arrays costs as much as the work.
    flat, flags, flat_places, held = out.reshape(-1), hands.reshape(-1), places.reshape(-1), ordered.reshape(-1)
    table, played, sums, sizes_left = rows.reshape(-1), plays.reshape(-1), heads.reshape(-1), left.reshape(-1)
    waits, outs, acting = waiting.reshape(-1), out_groups.reshape(-1), acts.reshape(-1)
    count, lines, capacity, turns = (
        np.uint64(acts.shape[1]), np.uint64(rows.shape[1]), np.uint64(rows.shape[2]), np.uint64(plays.shape[2]),
    )  # fmt: skip
    most_seats, most_lines, most_length, most_turns = sizes[0], sizes[1], sizes[2], sizes[3]
    watching, size, cards = np.uint64(out.shape[1]), np.uint64(out.shape[2]), np.uint64(limits[4])
    padded = most_seats != count or most_turns != turns
    # The ring has the pieces `revealed` to `plays` twice in a row each, so that every rotation is one part of it.
    double, width = count + count, count * turns
    ring_plays = np.uint64(6) * double
    ring = np.empty(ring_plays + width + width, np.uint8)
    # The pieces `rows` to `rules` are the same for all seats; what pads them stays 0.
    after_rows = most_lines * most_length
    after_opening = after_rows + most_turns + most_lines
    shared = np.zeros(after_opening + np.uint64(2 + len(limits)), np.uint8)
    copy_bytes(limits, _ZERO, shared, after_opening + np.uint64(2), np.uint64(len(limits)))
    for item in range(np.uint64(len(lanes))):
        lane = np.uint64(lanes[item])
        at = np.uint64(slots[item]) * watching * size
        first = lane * count
        for seat_index in range(count):
            total = min(np.uint64(sums[first + seat_index]), np.uint64(65535))
            high, low = np.uint8(total >> np.uint64(8)), np.uint8(total)
            for again in (seat_index, seat_index + count):
                ring[again] = waits[first + seat_index]
                ring[double + again + again] = high
                ring[double + again + again + _ONE] = low
                ring[np.uint64(3) * double + again] = sizes_left[first + seat_index]
                ring[np.uint64(4) * double + again] = np.uint8(acting[first + seat_index])
                ring[np.uint64(5) * double + again] = outs[first + seat_index]
        for place in range(width):
            ring[ring_plays + place] = played[first * turns + place]
            ring[ring_plays + width + place] = played[first * turns + place]
        for row in range(lines):
            for place in range(capacity):
                shared[row * most_length + place] = table[(lane * lines + row) * capacity + place]
            shared[after_rows + most_turns + row] = opening[lane, row]
        for turn in range(turns):
            shared[after_rows + turn] = chosen[lane, turn]
        shared[after_opening] = phase[lane]
        shared[after_opening + _ONE] = np.uint8(min(finished[lane], 255))
        for index in range(watching):
            seat = np.uint64(seats[index])
            own = (first + seat) * _CARDS
            before, after = np.uint8(seat), np.uint8(count - seat)
            for card in range(_CARDS):
                code = flat_places[lane * _CARDS + card]
                kind, low_bits = np.uint8(code >> _SHIFT), np.uint8(code & _LOW)
                apart = np.uint8(pick(low_bits < before, np.uint8(low_bits + after), np.uint8(low_bits - before)))
                where = pick(kind == _KIND_ROW, np.uint8(low_bits + np.uint8(IN_ROW)), _NOWHERE)
                where = pick(kind == _KIND_WAITING, np.uint8(apart + np.uint8(REVEALED)), where)
                where = pick(kind == _KIND_TAKEN, np.uint8(apart + np.uint8(TAKEN_BY)), where)
                where = pick(code == np.uint8(ASIDE), np.uint8(SET_ASIDE), where)
                flat[at + card] = pick(flags[own + card], np.uint8(MINE), where)
            for card in range(cards, _CARDS):
                flat[at + card] = np.uint8(ABSENT)
            at += _CARDS
            if outs[first + seat] == 0:
                for turn in range(turns):
                    flat[at + turn] = held[(first + seat) * turns + turn]
            else:
                fill_bytes(np.uint8(0), flat, at, turns)
            if padded:
                fill_bytes(np.uint8(0), flat, at + turns, most_turns - turns)
            at += most_turns
            if padded:
                fill_bytes(np.uint8(0), flat, at, np.uint64(6) * most_seats)
            for step in range(count):
                source = seat + step
                flat[at + step] = ring[source]
                flat[at + most_seats + step + step] = ring[double + source + source]
                flat[at + most_seats + step + step + _ONE] = ring[double + source + source + _ONE]
                flat[at + np.uint64(3) * most_seats + step] = ring[np.uint64(3) * double + source]
                flat[at + np.uint64(4) * most_seats + step] = ring[np.uint64(4) * double + source]
                flat[at + np.uint64(5) * most_seats + step] = ring[np.uint64(5) * double + source]
            at += np.uint64(6) * most_seats
            start = ring_plays + seat * turns
            if padded:
                fill_bytes(np.uint8(0), flat, at, most_seats * most_turns)
                for step in range(count):
                    copy_bytes(ring, start + step * turns, flat, at + step * most_turns, turns)
            else:
                for place in range(width):
                    flat[at + place] = ring[start + place]
            at += most_seats * most_turns
            for place in range(np.uint64(len(shared))):
                flat[at + place] = shared[place]
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
        slot = at + card - _ONE
        flat[slot + caught * cards] = np.float32(1)
        caught_by_full = caught < lines and full[caught]
        flat[slot + (lines + _ONE) * cards] = np.float32(caught_by_full)
        stake = row_heads[caught] if caught < lines else cheapest
        flat[slot + (lines + np.uint64(2)) * cards] = np.float32(stake) * scales[1]
        flat[slot + (lines + np.uint64(3)) * cards] = np.float32(card - tail) * scales[0]


@kernel
def write_planes(
    scales: Array, cards: Word, seats: Array, lanes: Array, slots: Array, hands: Array, places: Array, rows: Array,
    lengths: Array, heads: Array, left: Array, out_groups: Array, acts: Array, finished: Array, ordered: Array,
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
    unit = np.float32(1)
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
                own = hands[lane, seat, card]
                flat[at + card] = np.float32(own)
                flat[at + cards + card] = np.float32((places[lane, card] == 0) & ~own)
            at += cards + cards
            end = at + (np.uint64(8) + np.uint64(3) * lines + count) * cards
            for number in range(at, end):
                flat[number] = np.float32(0)
            for row in range(lines):
                length = np.uint64(lengths[lane, row])
                for index_in_row in range(length):
                    laid = np.uint64(rows[lane, row, index_in_row])
                    flat[at + row * cards + laid - _ONE] = unit
                if length:
                    flat[at + (lines + row) * cards + tails[row] - _ONE] = unit
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
                        flat[at + apart * cards + played - _ONE] = unit
                        flat[at + count * cards + played - _ONE] = np.float32(turn + _ONE) * scales[5]
            at += (count + _ONE) * cards
            size_of_hand = np.uint64(left[lane, seat]) if not out_groups[lane, seat] else _ZERO
            start = (lane * count + seat) * turns
            write_hand_planes(at, held, start, size_of_hand, scales, cards, tails, full, row_heads, flat)
            at = end
            remaining = np.uint64(0)
            for step in range(count):
                other = turned(step, seat, count)
                flat[at + step] = np.float32(acts[lane, other])
                flat[at + count + step] = np.float32(out_groups[lane, other] != 0)
                flat[at + count + count + step] = np.float32(heads[lane, other]) * scales[2]
                if not out_groups[lane, other]:
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
