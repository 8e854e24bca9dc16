"""Kernels of War.

A side (the seat's played cards, then its draw pile) is a ring buffer of 64 bytes. The card at place p is at index
`(top + p) & 63`. To collect a round's cards, both tops move past the played cards, which are written below the bottom
of the winner's pile; no other card moves. Both rings are in one array, `cards`, uint8 [128]; seat 1's ring starts at
index 64. The rest of the state is in `game`, int64 [COLUMNS].

Each random choice uses one random word, in the order of `War.chance`.

`flip` plays one flip. `plain_rounds` is a fast path through consecutive rounds of one card each; whole games use it and
leave the rest to `flip`.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import FRACTION_BITS, Array, Word, fraction, kernel, lane_key, pick
from faceup.games.war.transitions import REDEALS

# Columns of a game. The first three are pairs by seat.
TOP: Final = 0  # first place of the side in the ring
SIZE: Final = 2  # number of the side's cards, including those on the table
PLAYED: Final = 4  # number of the side's cards on the table
ROUNDS: Final = 6
WARS: Final = 7
REDEALS_MADE: Final = 8
DUE: Final = 9  # the next step, as a number in `DUES`
BY: Final = 10  # how the game ended, as a number in `ENDINGS`
DRAWN: Final = 11  # random words used
COLLECTED: Final = 12  # number of collected cards that chance has ordered since the last flip
ARRANGED: Final = 13  # DEAL or RESHUFFLE if it happened since the last flip, else 0
COLUMNS: Final = 14

FLIP, DEAL, COLLECT, RESHUFFLE, OVER = range(5)
ALL_CARDS, CAP, SUDDEN_DEATH, DRAW = range(1, 5)
WINNER_FIRST, LOSER_FIRST, SHUFFLED = range(3)

# Places in the settings, a tuple of eight numbers.
ORDER: Final = 0
INTERVAL: Final = 1
LAST: Final = 2
SUDDEN: Final = 3
REDEAL: Final = 4
DOWN: Final = 5
PER_SUIT: Final = 6
SUITS: Final = 7

RING: Final = 64
_WRAP: Final = RING - 1
_ONE: Final[Word] = np.uint64(1)
_EDGE: Final[Word] = np.uint64(_WRAP)


@kernel
def arrange(
    cards: Array, ring: Word, top: Word, size: Word, key: Word, drawn: Word, order: Array | None, skip: Word
) -> Word:
    """Put `size` cards of a ring in the order of a Fisher-Yates shuffle, or in the order of `given` from `skip` on.

    Return the number of random words used so far.
    """
    if order is not None:
        for place in range(size):
            cards[ring + ((top + place) & _WRAP)] = order[skip + place]
        return drawn
    for place in range(size - 1):
        drawn += 1
        choice = np.int64((fraction(key, np.uint64(drawn)) * np.uint64(size - place)) >> FRACTION_BITS)
        slot = np.uint64(ring + ((top + place) & _WRAP))
        there = np.uint64(ring + ((top + place + choice) & _WRAP))
        cards[slot], cards[there] = cards[there], cards[slot]
    return drawn


@kernel
def deal(cards: Array, game: Array, known_cards: Array | None, settings: Word, key: Word, order: Array | None) -> None:
    """Shuffle the deck and give each seat half of it."""
    count = 0
    for rank in range(settings[PER_SUIT]):
        for suit in range(settings[SUITS]):
            cards[count] = rank * 4 + suit
            count += 1
    game[DRAWN] = arrange(cards, 0, 0, count, key, game[DRAWN], order, 0)
    half = count // 2
    for place in range(half):
        cards[RING + place] = cards[half + place]
    for seat in range(2):
        game[TOP + seat] = game[PLAYED + seat] = 0
        game[SIZE + seat] = half
    if known_cards is not None:
        known_cards[:] = 0
    game[DUE] = FLIP
    game[ARRANGED] = DEAL


@kernel
def reshuffle(cards: Array, game: Array, known_cards: Array | None, key: Word, order: Array | None) -> None:
    """Shuffle both draw piles in place."""
    drawn, skip = game[DRAWN], np.int64(0)
    for seat in range(2):
        top, size = game[TOP + seat], game[SIZE + seat]
        if known_cards is not None:
            known_cards[2 + seat] |= set_of(cards, seat * RING, top, known_cards[seat])
            known_cards[seat] = 0
        drawn = arrange(cards, seat * RING, top, size, key, drawn, order, skip)
        skip = size
    game[DRAWN] = drawn
    game[DUE] = FLIP
    game[ARRANGED] = RESHUFFLE


@kernel
def set_of(cards: Array, ring: Word, top: Word, places: Word) -> Word:
    """Return the cards at the places of a mask, as a set."""
    cards_set = np.uint64(0)
    for place in range(52):
        if (places >> np.uint64(place)) & _ONE:
            cards_set |= _ONE << np.uint64(cards[ring + ((top + place) & _WRAP)])
    return cards_set


@kernel
def learn(cards: Array, game: Array, known_cards: Array, order: Word, winner: Word) -> None:
    """Update the public knowledge just before the round's cards are collected, as `transitions.collect` does."""
    loser = 1 - winner
    took, lost = np.uint64(game[PLAYED + winner]), np.uint64(game[PLAYED + loser])
    every = (_ONE << lost) - _ONE
    winner_knows, loser_knows = known_cards[winner] & ((_ONE << took) - _ONE), known_cards[loser] & every
    under = np.uint64(0)
    if order == WINNER_FIRST:
        under = winner_knows | loser_knows << took
    elif order == LOSER_FIRST:
        under = loser_knows | winner_knows << lost
    else:
        known_cards[2 + winner] |= set_of(cards, winner * RING, game[TOP + winner], winner_knows)
        known_cards[2 + winner] |= set_of(cards, loser * RING, game[TOP + loser], loser_knows)
    if known_cards[2 + loser] and loser_knows != every:
        known_cards[2 + loser] = 0
    known_cards[winner] = known_cards[winner] >> took | under << (np.uint64(game[SIZE + winner]) - took)
    known_cards[loser] >>= lost


@kernel
def collect(cards: Array, game: Array, known_cards: Array | None, settings: Word) -> tuple[Word, Word, Word]:
    """Put the round's cards under the winner's pile.

    Returns:
        The ring that holds these cards, the place of the first one, and how many there are.
    """
    up0 = cards[(game[TOP] + game[PLAYED] - 1) & _WRAP]
    up1 = cards[RING + ((game[TOP + 1] + game[PLAYED + 1] - 1) & _WRAP)]
    winner = 0 if up0 > up1 else 1
    if known_cards is not None:
        learn(cards, game, known_cards, settings[ORDER], winner)
    bottom, count = game[TOP + winner] + game[SIZE + winner], 0
    for turn in range(2):
        # The winner's top and its new bottom may be more than 64 places apart. Then the collected cards overwrite only
        # the winner's own played cards, which have been copied by then.
        seat = 1 - winner if (turn == 0) == (settings[ORDER] == LOSER_FIRST) else winner
        for place in range(game[PLAYED + seat]):
            card = cards[seat * RING + ((game[TOP + seat] + place) & _WRAP)]
            cards[winner * RING + ((bottom + count) & _WRAP)] = card
            count += 1
    for seat in range(2):
        game[TOP + seat] += game[PLAYED + seat]
        game[SIZE + seat] -= game[PLAYED + seat]
        game[PLAYED + seat] = 0
    game[SIZE + winner] += count
    game[ROUNDS] += 1
    end_round(game, settings, game[SIZE + winner], game[SIZE + 1 - winner])
    return winner * RING, bottom, count


@kernel
def end_round(game: Array, settings: Word, winners: Word, losers: Word) -> None:
    """End a round; the winner now has `winners` cards and the loser `losers`. The rules fix the order of the checks."""
    rounds = game[ROUNDS]
    by = 0
    if not losers:
        by = ALL_CARDS
    elif rounds > settings[LAST]:
        by = SUDDEN_DEATH
    elif rounds == settings[LAST]:
        if winners != losers:
            by = CAP
        elif not settings[SUDDEN]:
            by = DRAW
    game[BY] = by
    if by:
        game[DUE] = OVER
    elif rounds < settings[LAST] and settings[INTERVAL] and rounds % settings[INTERVAL] == 0:
        game[DUE] = RESHUFFLE
    else:
        game[DUE] = FLIP


@kernel
def settle(
    cards: Array, game: Array, known_cards: Array | None, collected: Array | None, settings: Word, key: Word,
    order: Array | None,
) -> None:  # fmt: skip
    """Apply the chance outcomes that are due or, if an order is given, only the first of them.

    Args:
        cards: uint8 [128].
        game: int64 [COLUMNS].
        known_cards: as in `flip`.
        collected: uint8 [52]: receives the order in which cards are collected; or None.
        settings: eight numbers, from `ORDER` to `SUITS`.
        key: the lane's random key.
        order: uint8 [52]: the cards in their new order; None draws a random order.
    """
    due = game[DUE]
    if due == COLLECT:
        ring, bottom, count = collect(cards, game, known_cards, settings)
        game[DRAWN] = arrange(cards, ring, bottom, count, key, game[DRAWN], order, 0)
        game[COLLECTED] = count
        if collected is not None:
            for place in range(count):
                collected[place] = cards[ring + ((bottom + place) & _WRAP)]
    if due == RESHUFFLE or (order is None and game[DUE] == RESHUFFLE):
        reshuffle(cards, game, known_cards, key, order)
    if due == DEAL:
        deal(cards, game, known_cards, settings, key, order)


@kernel
def flip(cards: Array, game: Array, known_cards: Array | None, settings: Word) -> None:
    """Turn up the next card of both seats; `settle` then applies the chance outcomes due.

    Args:
        cards: uint8 [128].
        game: int64 [COLUMNS], due to flip.
        known_cards: uint64 [4]: each side's known places as a mask, then its known members as a set; None if not
            needed.
        settings: eight numbers, from `ORDER` to `SUITS`.
    """
    for seat in range(2):
        add = settings[DOWN] + 1 if game[PLAYED + seat] else 1
        game[PLAYED + seat] = min(game[PLAYED + seat] + add, game[SIZE + seat])
    place0, place1 = game[PLAYED] - 1, game[PLAYED + 1] - 1
    card0, card1 = cards[(game[TOP] + place0) & _WRAP], cards[RING + ((game[TOP + 1] + place1) & _WRAP)]
    if known_cards is not None:
        known_cards[0] |= _ONE << np.uint64(place0)
        known_cards[1] |= _ONE << np.uint64(place1)
        known_cards[2] &= ~(_ONE << np.uint64(card0))
        known_cards[3] &= ~(_ONE << np.uint64(card1))
    if card0 >> 2 == card1 >> 2:
        game[WARS] += 1
        if game[PLAYED] == game[SIZE] and game[PLAYED + 1] == game[SIZE + 1]:
            game[ROUNDS] += 1
            if (
                settings[REDEAL]
                and game[REDEALS_MADE] < REDEALS
                and (game[ROUNDS] < settings[LAST] or settings[SUDDEN])
            ):
                game[REDEALS_MADE] += 1
                game[DUE] = DEAL
            else:
                game[DUE], game[BY] = OVER, DRAW
    elif settings[ORDER] == SHUFFLED:
        game[DUE] = COLLECT
    else:
        collect(cards, game, known_cards, settings)


@kernel
def plain_rounds(cards: Array, game: Array, settings: Word, key: Word) -> None:
    """Play rounds of one card each.

    Stop before a round that is a war, could take a seat's last card, or could be followed by a step other than a flip.
    """
    done = game[ROUNDS]
    stop = np.int64(settings[LAST])
    if settings[INTERVAL]:
        stop = min(stop, done - done % settings[INTERVAL] + settings[INTERVAL])
    most = stop - 1 - done
    order = settings[ORDER]
    drawn = np.uint64(game[DRAWN])
    top = np.uint64(game[TOP])
    over = np.uint64(game[TOP + 1])
    size0, size1 = np.uint64(game[SIZE]), np.uint64(game[SIZE + 1])
    bottom0, bottom1 = top + size0, over + size1
    rounds = 0
    while rounds < most and bottom0 - top > _ONE and bottom1 - over > _ONE:
        card0, card1 = cards[top & _EDGE], cards[np.uint64(RING) + (over & _EDGE)]
        if card0 >> 2 == card1 >> 2:
            break
        wins = card0 > card1
        first, second = max(card0, card1), min(card0, card1)
        if order == SHUFFLED:
            drawn += _ONE
            swap = fraction(key, drawn) >> (FRACTION_BITS - _ONE) != np.uint64(0)
            first, second = pick(swap, second, first), pick(swap, first, second)
        elif order == LOSER_FIRST:
            first, second = second, first
        bottom = pick(wins, bottom0, bottom1)
        ring = pick(wins, np.uint64(0), np.uint64(RING))
        cards[ring + (bottom & _EDGE)] = first
        cards[ring + ((bottom + _ONE) & _EDGE)] = second
        won = np.uint64(wins)
        bottom0 += won + won
        bottom1 += np.uint64(2) - won - won
        top += _ONE
        over += _ONE
        rounds += 1
    game[ROUNDS] = done + rounds
    game[DRAWN] = drawn
    game[TOP], game[TOP + 1] = top, over
    game[SIZE], game[SIZE + 1] = bottom0 - top, bottom1 - over


@kernel
def play_games(
    settings: Word, seed: Word, first: Word, by: Array, rounds: Array, wars: Array, redeals: Array, scores: Array
) -> None:
    """Play the lanes from `first` on, one for each row of the results, to their ends.

    Args:
        settings: eight numbers, from `ORDER` to `SUITS`.
        seed: the seed, a numpy.uint64.
        first: the number of the first lane, a numpy.uint64.
        by: uint8 [lanes]: how each game ended.
        rounds: int32 [lanes]: number of rounds.
        wars: int32 [lanes]: number of wars.
        redeals: int32 [lanes]: number of redeals.
        scores: int32 [lanes, 2]: number of cards in each draw pile.
    """
    cards, game = np.empty(2 * RING, np.uint8), np.empty(COLUMNS, np.int64)
    for lane in range(len(scores)):
        key = lane_key(seed, first + np.uint64(lane))
        game[:] = 0
        deal(cards, game, None, settings, key, None)
        while game[DUE] != OVER:
            if not game[PLAYED]:
                plain_rounds(cards, game, settings, key)
            flip(cards, game, None, settings)
            if game[DUE] != FLIP and game[DUE] != OVER:
                settle(cards, game, None, None, settings, key, None)
        by[lane], rounds[lane], wars[lane], redeals[lane] = game[BY], game[ROUNDS], game[WARS], game[REDEALS_MADE]
        for seat in range(2):
            scores[lane, seat] = game[SIZE + seat] - game[PLAYED + seat]


@kernel
def flip_lanes(settings: Word, cards: Array, game: Array, known_cards: Array) -> None:
    """Flip in every lane in which a flip is due."""
    for lane in range(len(game)):
        game[lane, COLLECTED] = game[lane, ARRANGED] = 0
        if game[lane, DUE] == FLIP:
            flip(cards[lane], game[lane], known_cards[lane], settings)


@kernel
def settle_lanes(
    settings: Word, seed: Word, first: Word, orders: Array | None,
    cards: Array, game: Array, known_cards: Array, collected: Array,
) -> None:  # fmt: skip
    """Apply the chance outcomes due in every lane."""
    for lane in range(len(game)):
        game[lane, COLLECTED] = game[lane, ARRANGED] = 0
        if game[lane, DUE] == FLIP or game[lane, DUE] == OVER:
            continue
        order = None if orders is None else orders[lane]
        key = lane_key(seed, first + np.uint64(lane))
        settle(cards[lane], game[lane], known_cards[lane], collected[lane], settings, key, order)


@kernel
def close_lanes(
    settings: Word, seed: Word, first: Word, restart: Word, redeal: Word, before: Array,
    cards: Array, game: Array, known_cards: Array, ended: Array, final: Array,
) -> None:  # fmt: skip
    """Mark the games that have just ended. With `restart`, restart them; with `redeal`, also deal their cards."""
    for lane in range(len(game)):
        ended[lane] = game[lane, DUE] == OVER and not before[lane]
        for seat in range(2):
            final[lane, seat] = game[lane, SIZE + seat] - game[lane, PLAYED + seat]
        if ended[lane] and restart:
            game[lane, :DRAWN] = 0
            known_cards[lane, :] = 0
            game[lane, DUE] = DEAL
            if redeal:
                key = lane_key(seed, first + np.uint64(lane))
                deal(cards[lane], game[lane], known_cards[lane], settings, key, None)


@kernel
def show_lanes(cards: Array, game: Array, known_cards: Array, places: Array, members: Array) -> None:
    """Write the public knowledge of the cards into `places` and `members`."""
    for lane in range(len(game)):
        for seat in range(2):
            for place in range(places.shape[2]):
                sure = (known_cards[lane, seat] >> np.uint64(place)) & _ONE
                card = cards[lane, seat * RING + ((game[lane, TOP + seat] + place) & _WRAP)]
                places[lane, seat, place] = card + 1 if sure else 0
            for card in range(members.shape[2]):
                members[lane, seat, card] = (known_cards[lane, 2 + seat] >> np.uint64(card)) & _ONE
