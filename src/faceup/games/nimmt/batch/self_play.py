"""Deals of 6 nimmt! in blocks, turn by turn, in which every seat can choose in its own way.

Seats choose by a kernel (`Games.choose`), or the caller chooses for them (`Games.positions`, `Games.put`). A seat that
must take a row takes the first of the cheapest.

`Games.label` measures what each card of a hand would have cost: it plays the card in the true deal, and then every seat
goes on by its kernel. A network that learns these costs from positions averages over what a position does not say, so
no worlds have to be sampled, and the mean is taken over the hands that the others really hold after such plays.

`faceup.games.nimmt.batch.kernels` explains blocks and the numbers of cards and rows.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel, lane_key
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    NO_ROW,
    RANDOM,
    card_words,
    got_for,
    make_keys,
    opening_for,
    reveal,
    shuffle,
)
from faceup.games.nimmt.batch.network import add_to_set, noise_for, scratch_for
from faceup.games.nimmt.batch.search_kernels import play_card, play_turn
from faceup.games.nimmt.batch.set_features import Positions
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.rules import Rules

_SIZE: Final[Word] = np.uint64(BLOCK)
_HEADS: Final[Word] = np.uint16(0xFF)


class Pool(NamedTuple):
    """The weights of several policies of the kind `fitted`: float32 [members, ...]; see `network.Weights`."""

    first: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]


def pool_of(members: Sequence[network.Weights]) -> Pool:
    """Collect weights in a pool."""
    return Pool(np.array([member[0] for member in members]), np.array([member[1] for member in members]))


class Labels(NamedTuple):
    """What each card of a hand would have brought, in the order of `Positions.hands`.

    Attributes:
        cost: float32 [n, MOST_HAND]: heads in the rest of the deal minus the mean of the others; 0 for missing cards.
        win: float32 [n, MOST_HAND]: share of the win of the deal; 0 for missing cards.
    """

    cost: npt.NDArray[np.float32]
    win: npt.NDArray[np.float32]


@kernel
def deal_blocks(
    fresh: Array, known: Array, seats: Word, hand: Word, lines: Word, seed: Word, firsts: Array, cards: Array,
    rows: Array, seen: Array, held: Array, keys: Array,
) -> None:  # fmt: skip
    """Deal in every block; block b has the lanes from `firsts[b]` on."""
    dealt = seats * hand + lines
    picks = np.empty((dealt + 3) * BLOCK, np.uint8)
    for block in range(len(cards)):
        make_keys(seed, firsts[block], keys[block])
        shuffle(np.uint64(0), fresh, np.uint64(dealt), cards[block], keys[block], picks)
        rows[block, :] = NO_ROW
        rows[block, : lines * BLOCK] = cards[block, seats * hand * BLOCK : dealt * BLOCK]
        seen[block, :BLOCK], seen[block, BLOCK:] = known[0], known[1]
        add_to_set(cards[block], np.uint64(seats * hand), np.uint64(lines), seen[block])
        held[block] = 0
        for seat in range(seats):
            add_to_set(cards[block], np.uint64(seat * hand), np.uint64(hand), held[block, seat])


@kernel
def play_model(
    opening: Word, model: Word, member: Word, capacity: Word, place: Word, count: Word, seats: Word, unseen: Word,
    rows: Array, cards: Array, seen: Array, held: Array, chances: Array, first: Array, last: Array, noise: Word,
    keys: Array, best: Array, scratch: Array,
) -> None:  # fmt: skip
    """Move the card that a model plays to place `place`; see `search_kernels.play_card`."""
    if model != RANDOM and count > np.uint64(1):
        play_card(
            opening, model, capacity, place, count, seats, unseen, rows, cards, seen, held, chances,
            (first[member], last[member]), noise, keys, best, scratch,
        )  # fmt: skip


@kernel
def exchange(cards: Array, lane: Word, one: Word, other: Word) -> None:
    """Exchange the cards at two places in a lane."""
    a, b = one * BLOCK + lane, other * BLOCK + lane
    card = cards[a]
    cards[a] = cards[b]
    cards[b] = card


@kernel
def choose_blocks(
    opening: Word, model: Word, member: Word, seat: Word, turn: Word, chances: Array, first: Array, last: Array,
    capacity: Word, seats: Word, hand: Word, unseen: Word, blocks: Array, cards: Array, rows: Array, seen: Array,
    held: Array, keys: Array,
) -> None:  # fmt: skip
    """Let a seat choose its card by a model in some blocks."""
    scratch, best = scratch_for(_SIZE), np.empty(BLOCK, np.uint32)
    for block in blocks:
        play_model(
            opening, model, member, np.uint64(capacity), np.uint64(seat * hand + turn), np.uint64(hand - turn),
            np.uint64(seats), np.uint64(unseen), rows[block], cards[block], seen[block], held[block, seat],
            chances[turn], first, last, noise_for(np.uint64(turn), np.uint64(seat)), keys[block], best, scratch,
        )  # fmt: skip


@kernel
def collect(
    seat: Word, turn: Word, seats: Word, hand: Word, blocks: Array, cards: Array, before: Array, seen: Array,
    taken: Array, history: Array, o_rows: Array, o_hands: Array, o_seen: Array, o_history: Array, o_heads: Array,
    o_turns: Array, o_others: Array,
) -> None:  # fmt: skip
    """Write the positions of a seat in some blocks, and the hands of the other seats."""
    n = 0
    for block in blocks:
        for lane in range(BLOCK):
            o_turns[n] = turn
            for earlier in range(turn + 1):
                for row in range(o_rows.shape[2]):
                    o_rows[n, earlier, row] = before[block, earlier, row, lane]
            for index in range(hand - turn):
                card = np.uint8(cards[block, (seat * hand + turn + index) * BLOCK + lane] >> 9)
                place = index
                while place > 0 and o_hands[n, place - 1] > card:
                    o_hands[n, place] = o_hands[n, place - 1]
                    place -= 1
                o_hands[n, place] = card
            o_seen[n, 0], o_seen[n, 1] = seen[block, lane], seen[block, BLOCK + lane]
            for step in range(seats):
                other = (seat + step) % seats
                o_heads[n, step] = taken[block, other * BLOCK + lane] & _HEADS
                for earlier in range(turn):
                    o_history[n, earlier, step] = history[block, earlier, other, lane]
                if step:
                    for place in range(turn, hand):
                        card = np.uint8(cards[block, (other * hand + place) * BLOCK + lane] >> 9)
                        o_others[n, step - 1, place - turn] = card
            n += 1


@kernel
def put_blocks(seat: Word, turn: Word, hand: Word, blocks: Array, chosen: Array, cards: Array) -> None:
    """Let a seat choose these cards in some blocks."""
    n = 0
    for block in blocks:
        for lane in range(BLOCK):
            for place in range(seat * hand + turn, (seat + 1) * hand):
                if cards[block, place * BLOCK + lane] >> 9 == chosen[n]:
                    exchange(cards[block], lane, place, seat * hand + turn)
            n += 1


@kernel
def explore_blocks(seat: Word, turn: Word, hand: Word, blocks: Array, seed: Word, cards: Array) -> None:
    """Let a seat choose a random card in some blocks."""
    for block in blocks:
        for lane in range(BLOCK):
            word = lane_key(seed, np.uint64(block * BLOCK + lane)) >> np.uint64(1)
            exchange(cards[block], lane, seat * hand + turn, seat * hand + turn + np.int64(word) % (hand - turn))


@kernel
def step_blocks(
    opening: Word, turn: Word, seats: Word, hand: Word, capacity: Word, cards: Array, rows: Array, seen: Array,
    taken: Array, history: Array,
) -> None:  # fmt: skip
    """Reveal and place the chosen cards in every block."""
    plays, wanted = np.empty(seats * BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    forced, got = np.empty(BLOCK, np.uint16), got_for(seats)
    for block in range(len(cards)):
        for seat in range(seats):
            for lane in range(BLOCK):
                history[block, turn, seat, lane] = cards[block, (seat * hand + turn) * BLOCK + lane] >> 9
        reveal(np.uint64(turn), np.uint64(hand), np.uint64(seats), cards[block], plays)
        add_to_set(plays, np.uint64(0), np.uint64(seats), seen[block])
        most = np.uint16((capacity - 1) * 51)
        play_turn(opening, most, np.uint64(seats), rows[block], plays, wanted, forced, got, taken[block])


@kernel
def count_label(seat: Word, seats: Word, before: Array, after: Array, share: Word, costs: Array, wins: Array) -> None:
    """Add the result of a rollout to the labels of a card, `costs` and `wins`, float32 [BLOCK]."""
    for lane in range(BLOCK):
        mine = np.int32(after[seat * BLOCK + lane] & _HEADS)
        others: Word = np.int32(0)
        better, equal = 0, 1
        for other in range(seats):
            if other != seat:
                heads: Word = np.int32(after[other * BLOCK + lane] & _HEADS)
                others += heads - np.int32(before[other * BLOCK + lane] & _HEADS)
                better += heads < mine
                equal += heads == mine
        own = np.float32(mine - np.int32(before[seat * BLOCK + lane] & _HEADS))
        costs[lane] += (own - np.float32(others) / np.float32(seats - 1)) * share
        if better == 0:
            wins[lane] += share / np.float32(equal)


@kernel
def label_blocks(
    opening: Word, chances: Array, first: Array, last: Array, models: Array, members: Array, seats: Word, hand: Word,
    capacity: Word, unseen: Word, turn: Word, labelled: Array, repeats: Word, salt: Word, all_cards: Array,
    all_rows: Array, all_seen: Array, all_held: Array, all_keys: Array, all_taken: Array, costs: Array, wins: Array,
) -> None:  # fmt: skip
    """Try each card of the labelled seats; the others play what they have chosen, and every seat goes on by its model.

    Args:
        opening: the same as for `kernels.play_deals`.
        chances: `network.chances` for each turn of the deal.
        first: the weights of the pool.
        last: see `first`.
        models: number of each seat's policy, uint8 [blocks, seats].
        members: number of each seat's weights in the pool, int64 [blocks, seats].
        seats: number of seats.
        hand: number of cards dealt to a seat.
        capacity: the most cards in a row.
        unseen: number of cards that a seat has not seen in its first turn.
        turn: number of finished turns.
        labelled: which seats to label, bool [blocks, seats].
        repeats: number of rollouts for each card; the n-th one has the same noise for all cards.
        salt: a number that changes the noise, numpy.uint64.
        all_cards: this and the next five arguments are the arrays of `Games`.
        all_rows: see `all_cards`.
        all_seen: see `all_cards`.
        all_held: see `all_cards`.
        all_keys: see `all_cards`.
        all_taken: see `all_cards`.
        costs: float32 [blocks, seats, hand, BLOCK], by place in the hand; added to.
        wins: float32 [blocks, seats, hand, BLOCK]; added to.
    """
    count, size = np.uint64(seats), np.uint64(hand)
    most, share = np.uint16((capacity - 1) * 51), np.float32(1) / np.float32(repeats)
    cards, rows, seen = np.empty_like(all_cards[0]), np.empty_like(all_rows[0]), np.empty_like(all_seen[0])
    keys, best, scratch = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32), scratch_for(_SIZE)
    plays, taken = np.empty(seats * BLOCK, np.uint16), np.empty(seats * BLOCK, np.uint16)
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), got_for(seats)
    for block in range(len(all_cards)):
        for seat in range(seats):
            for option in range(turn, hand if labelled[block, seat] else turn):
                for repeat in range(repeats):
                    for lane in range(BLOCK):
                        keys[lane] = lane_key(all_keys[block, lane], salt + np.uint64(repeat))
                    cards[:], rows[:] = all_cards[block], all_rows[block]
                    seen[:], taken[:] = all_seen[block], all_taken[block]
                    for lane in range(BLOCK):
                        exchange(cards, lane, seat * hand + turn, seat * hand + option)
                    for later in range(turn, hand):
                        if later > turn:
                            left = np.uint64(unseen - later * (seats - 1))
                            for other in range(seats):
                                play_model(
                                    opening, models[block, other], members[block, other], np.uint64(capacity),
                                    np.uint64(other * hand + later), np.uint64(hand - later), count, left, rows, cards,
                                    seen, all_held[block, other], chances[later], first, last,
                                    noise_for(np.uint64(later), np.uint64(other)), keys, best, scratch,
                                )  # fmt: skip
                        reveal(np.uint64(later), size, count, cards, plays)
                        add_to_set(plays, np.uint64(0), count, seen)
                        play_turn(opening, most, count, rows, plays, wanted, forced, got, taken)
                    count_label(
                        seat, seats, all_taken[block], taken, share, costs[block, seat, option],
                        wins[block, seat, option],
                    )  # fmt: skip


@kernel
def sort_labels(
    seat: Word, turn: Word, hand: Word, blocks: Array, cards: Array, hands: Array, costs: Array, wins: Array,
    o_cost: Array, o_win: Array,
) -> None:  # fmt: skip
    """Write the labels of a seat in some blocks in the order of its sorted hands."""
    n = 0
    for block in blocks:
        for lane in range(BLOCK):
            for place in range(turn, hand):
                card = cards[block, (seat * hand + place) * BLOCK + lane] >> 9
                for index in range(hand - turn):
                    if hands[n, index] == card:
                        o_cost[n, index] = costs[block, seat, place, lane]
                        o_win[n, index] = wins[block, seat, place, lane]
            n += 1


class Games:
    """Deals in blocks of lanes. All lanes are in the same turn.

    Args:
        rules: the rules; one deal is played, with all seats.
        firsts: for each block, the number of its first lane. The seed and a lane's number determine its cards, and the
            noise of the models.
        seed: 0 to 2**64 - 1.
        pool: weights for the seats that play model `FITTED`.

    Attributes:
        turn: number of finished turns.
        size: number of blocks.
    """

    def __init__(self, rules: Rules, firsts: Sequence[int], *, seed: int, pool: Pool | None = None) -> None:
        seats, hand, size = rules.seats, rules.hand, len(firsts)
        self.rules, self.turn, self.size = rules, 0, size
        self._pool = pool or pool_of([network.WEIGHTS])
        self._opening = opening_for(rules.rows)
        self._unseen = rules.cards - rules.rows - hand
        self._chances = network.chances(
            seats, [self._unseen - turn * (seats - 1) for turn in range(hand)], rules.capacity
        )
        self._cards = np.zeros((size, (rules.dealt + 3) * BLOCK), np.uint16)
        self._rows = np.zeros((size, len(self._opening) * BLOCK), np.uint16)
        self._seen, self._held = np.zeros((size, 2 * BLOCK), np.uint64), np.zeros((size, seats, 2 * BLOCK), np.uint64)
        self._keys, self._taken = np.zeros((size, BLOCK), np.uint64), np.zeros((size, seats * BLOCK), np.uint16)
        self._history = np.zeros((size, hand, seats, BLOCK), np.uint8)
        self._before = np.zeros((size, hand + 1, rules.rows, BLOCK), np.uint16)
        deal_blocks(
            card_words(range(1, rules.cards + 1)),
            network.as_set({*range(128)} - {*range(1, rules.cards + 1)}),
            seats,
            hand,
            rules.rows,
            np.uint64(seed),
            np.array(firsts, np.uint64),
            self._cards,
            self._rows,
            self._seen,
            self._held,
            self._keys,
        )
        self._keep_rows()

    def _keep_rows(self) -> None:
        lines = self.rules.rows
        self._before[:, self.turn] = self._rows[:, : lines * BLOCK].reshape(self.size, lines, BLOCK)

    def choose(self, seat: int, model: int, blocks: Sequence[int], member: int = 0) -> None:
        """Let a seat choose by a model in some blocks.

        Args:
            seat: the seat.
            model: one of `search.MODELS`, or another policy of `kernels`.
            blocks: numbers of the blocks.
            member: the weights' number in the pool, for model `FITTED`.
        """
        rules = self.rules
        choose_blocks(
            self._opening, model, member, seat, self.turn, self._chances, *self._pool, rules.capacity, rules.seats,
            rules.hand, self._unseen - self.turn * (rules.seats - 1), np.array(blocks, np.int64), self._cards,
            self._rows, self._seen, self._held, self._keys,
        )  # fmt: skip

    def positions(self, seat: int, blocks: Sequence[int]) -> tuple[Positions, npt.NDArray[np.uint8]]:
        """Return a seat's positions in some blocks, and the hands of the others: uint8 [n, seats - 1, MOST_HAND].

        The others' hands are what a belief is trained with; they are no part of what the seat knows.
        """
        rules, count = self.rules, len(blocks) * BLOCK
        found = Positions(
            np.zeros((count, MOST_HAND, rules.rows), np.uint16),
            np.zeros((count, MOST_HAND), np.uint8),
            np.zeros((count, 2), np.uint64),
            np.zeros((count, MOST_HAND, rules.seats), np.uint8),
            np.zeros((count, rules.seats), np.int16),
            np.zeros(count, np.uint8),
        )
        others = np.zeros((count, rules.seats - 1, MOST_HAND), np.uint8)
        collect(
            seat, self.turn, rules.seats, rules.hand, np.array(blocks, np.int64), self._cards, self._before,
            self._seen, self._taken, self._history, *found, others,
        )  # fmt: skip
        return found, others

    def put(self, seat: int, blocks: Sequence[int], chosen: npt.NDArray[np.uint8]) -> None:
        """Let a seat choose these cards of its hand in some blocks: uint8 [n], in the order of `positions`."""
        put_blocks(seat, self.turn, self.rules.hand, np.array(blocks, np.int64), chosen, self._cards)

    def explore(self, seat: int, blocks: Sequence[int], seed: int) -> None:
        """Let a seat choose random cards in some blocks."""
        explore_blocks(seat, self.turn, self.rules.hand, np.array(blocks, np.int64), np.uint64(seed), self._cards)

    def label(
        self,
        labelled: npt.NDArray[np.bool_],
        models: npt.NDArray[np.uint8],
        members: npt.NDArray[np.int64],
        *,
        repeats: int,
        salt: int,
    ) -> dict[int, Labels]:
        """Measure every card of the labelled seats, after all seats have chosen; see `label_blocks`.

        Returns:
            The labels of each seat that is labelled in any block, in the order of `positions` of those blocks.
        """
        rules = self.rules
        costs = np.zeros((self.size, rules.seats, rules.hand, BLOCK), np.float32)
        wins = costs.copy()
        label_blocks(
            self._opening, self._chances, *self._pool, models, members, rules.seats, rules.hand, rules.capacity,
            self._unseen, self.turn, labelled, repeats, np.uint64(salt), self._cards, self._rows, self._seen,
            self._held, self._keys, self._taken, costs, wins,
        )  # fmt: skip
        found = {}
        for seat in np.flatnonzero(labelled.any(axis=0)).tolist():
            blocks = np.flatnonzero(labelled[:, seat])
            hands = self.positions(seat, blocks.tolist())[0].hands
            labels = Labels(np.zeros(hands.shape, np.float32), np.zeros(hands.shape, np.float32))
            sort_labels(seat, self.turn, rules.hand, blocks, self._cards, hands, costs, wins, *labels)
            found[seat] = labels
        return found

    def step(self) -> None:
        """Reveal and place the chosen cards; in the last turn, every seat's last card is chosen."""
        rules = self.rules
        step_blocks(
            self._opening, self.turn, rules.seats, rules.hand, rules.capacity, self._cards, self._rows, self._seen,
            self._taken, self._history,
        )  # fmt: skip
        self.turn += 1
        self._keep_rows()

    def heads(self) -> npt.NDArray[np.int64]:
        """Return the heads of each lane and seat so far: int64 [blocks * BLOCK, seats]."""
        taken = (self._taken & _HEADS).reshape(self.size, self.rules.seats, BLOCK)
        heads: npt.NDArray[np.int64] = taken.transpose(0, 2, 1).reshape(-1, self.rules.seats).astype(np.int64)
        return heads
