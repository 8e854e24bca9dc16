"""Play the options of a decision to the end of the deal, with the set network in every seat.

This is far slower than `search_kernels`, which plays with a small policy, and far stronger: a turn of four seats takes
about half a millisecond.
"""

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from faceup.core.values import Action
from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import network, network_inputs
from faceup.games.nimmt.batch.network_inputs import CARD, CONTEXT, SEAT
from faceup.games.nimmt.batch.table_kernels import place_cards
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

_NOBODY: Final = np.zeros((0, 1, 1), np.float32)


@kernel
def choose_cards(
    weights: network.Weights, capacity: Word, deck: Word, first: Word, rows: Array, hands: Array, seen: Array,
    history: Array, heads: Array, turn: Word, positions: network_inputs.Positions, inputs: Array, outputs: Array,
    cards: Array,
) -> None:  # fmt: skip
    """Write the card that the network rates best to `cards`, for the seats from `first` on.

    Args:
        weights: the weights of the network.
        capacity: the most cards in a row.
        deck: the number of cards in play.
        first: the first seat that chooses.
        rows: as in `network_inputs.Positions`, for one position, and so are the next four and the last but four.
        hands: the hand of each seat, uint8 [seats, MOST_HAND].
        seen: see `rows`.
        history: see `rows`, from the view of seat 0.
        heads: see `history`.
        turn: see `rows`.
        positions: scratch space for `seats` positions, as are the next two arguments.
        inputs: see `positions`.
        outputs: see `positions`.
        cards: uint8 [seats].
    """
    seats = len(hands)
    for seat in range(first, seats):
        positions.rows[seat], positions.hands[seat], positions.seen[seat] = rows, hands[seat], seen
        positions.turns[seat] = turn
        for other in range(seats):
            source = (seat + other) % seats
            positions.history[seat, :, other] = history[:, source]
            positions.heads[seat, other] = heads[source]
    network_inputs.encode(
        capacity, deck, positions.rows[first:], positions.hands[first:], positions.seen[first:],
        positions.history[first:], positions.heads[first:], positions.turns[first:], inputs[0][first:],
        inputs[1][first:], inputs[2][first:],
    )  # fmt: skip
    network.evaluate_inputs(
        weights, positions.hands[first:], inputs[0][first:], inputs[1][first:], inputs[2][first:], outputs[0][first:],
        outputs[1][first:], outputs[2],
    )  # fmt: skip
    for seat in range(first, seats):
        best = 0
        for place in range(1, MOST_HAND):
            if hands[seat, place] and outputs[0][seat, place, 0] > outputs[0][seat, best, 0]:
                best = place
        cards[seat] = hands[seat, best]


@kernel
def play_worlds(
    weights: network.Weights, capacity: Word, deck: Word, size: Word, options: Array, waiting: Array,
    hands: Array, rows: Array, seen: Array, history: Array, heads: Array, turn: Word,
    positions: network_inputs.Positions, inputs: Array, outputs: Array, results: Array,
) -> None:  # fmt: skip
    """Play the options in each world.

    Args:
        weights: the weights of the network.
        capacity: the most cards in a row.
        deck: the number of cards in play.
        size: the number of cards in each hand.
        options: the cards of the options, or the rows if cards are waiting, int64 [options].
        waiting: the card of each seat that waits to be placed, or 0, uint8 [seats].
        hands: the hand of each seat in each world, ascending, then 0, uint8 [worlds, seats, MOST_HAND].
        rows: this and the next three arguments are as in `network_inputs.Positions`, for one position.
        seen: see `rows`.
        history: see `rows`.
        heads: see `rows`.
        turn: the number of the next turn, from 0.
        positions: scratch space for `seats` positions, as are the next two arguments.
        inputs: see `positions`.
        outputs: see `positions`.
        results: int32 [options, worlds]: the heads that seat 0 takes in the rest of the deal, overwritten.
    """
    seats = hands.shape[1]
    others, cards = np.zeros(seats, np.uint8), np.zeros(seats, np.uint8)
    choosing = waiting.max() == 0
    for world in range(len(hands)):
        if choosing and seats > 1:
            choose_cards(
                weights, capacity, deck, 1, rows, hands[world], seen, history, heads, turn, positions, inputs, outputs,
                others,
            )  # fmt: skip
        for option in range(len(options)):
            now_rows, now_seen, now_history, now_heads = rows.copy(), seen.copy(), history.copy(), heads.copy()
            held, now = hands[world].copy(), turn
            table = now_rows[now].copy()
            if not choosing:
                place_cards(capacity, waiting, options[option], table, now_heads)
                now_rows[now] = table
            for step in range(size):
                if step == 0 and choosing:
                    cards[:] = others
                    cards[0] = options[option]
                elif step == size - 1:
                    cards[:] = held[:, 0]
                else:
                    choose_cards(
                        weights, capacity, deck, 0, now_rows, held, now_seen, now_history, now_heads, now, positions,
                        inputs, outputs, cards,
                    )  # fmt: skip
                for seat in range(seats):
                    card = np.int64(cards[seat])
                    now_seen[card >> 6] |= np.uint64(1) << np.uint64(card & 63)
                    now_history[now, seat] = card
                    kept = 0
                    for place in range(MOST_HAND):
                        if held[seat, place] != card:
                            held[seat, kept] = held[seat, place]
                            kept += 1
                    held[seat, kept:] = 0
                place_cards(capacity, cards, -1, table, now_heads)
                now += 1
                if now < MOST_HAND:
                    now_rows[now] = table
            results[option, world] = now_heads[0] - heads[0]


def network_playouts(
    rules: Rules, view: View, actions: tuple[Action, ...], *, worlds: int, seed: int
) -> npt.NDArray[np.int32]:
    """Return the heads that the seat takes in the rest of the deal: int32 [actions, worlds].

    In each world, the hands of the others are dealt from the unseen cards at random, and after the action, every seat
    plays the card that the network rates best for few heads. All actions are tried in the same worlds.

    Args:
        rules: the rules of the match.
        view: the view of a seat that is to act.
        actions: legal actions.
        worlds: the number of worlds.
        seed: the seed of the worlds.
    """
    seats = rules.seats_in(view.out)
    first = seats.index(view.seat or 0)
    order = [*seats[first:], *seats[:first]]
    count, size = len(order), len(view.hand)
    # While a row is to be chosen, this is the position of the next turn, but with the rows as they are now. After the
    # last turn, there is none, and only the rows matter.
    log = view.log if size else view.log[:-1]
    observed = network_inputs.positions(rules, [msgspec.structs.replace(view, to_act=tuple(seats), log=log)])
    hands = np.zeros((worlds, count, MOST_HAND), np.uint8)
    unseen = np.array(unseen_cards(rules, view), np.uint8)
    dealt = np.random.Generator(np.random.SFC64(seed)).permuted(np.tile(unseen, (worlds, 1)), axis=1)
    hands[:, 0, :size] = view.hand
    hands[:, 1:, :size] = np.sort(dealt[:, : size * (count - 1)].reshape(worlds, count - 1, size), axis=2)
    waiting = np.zeros(count, np.uint8)
    for card, seat in view.waiting:
        waiting[order.index(seat)] = card
    results = np.zeros((len(actions), worlds), np.int32)
    play_worlds(
        network.load(), rules.capacity, rules.cards, size,
        np.array([action - TAKE if action >= TAKE else action + 1 for action in actions], np.int64), waiting, hands,
        observed.rows[0], observed.seen[0], observed.history[0], observed.heads[0], int(observed.turns[0]),
        network_inputs.Positions._make(np.repeat(array, count, axis=0) for array in observed),
        (np.zeros((count, CONTEXT), np.float32), np.zeros((count, MOST_HAND, CARD), np.float32),
         np.zeros((count, count - 1, SEAT), np.float32)),
        (np.zeros((count, MOST_HAND, 2), np.float32), np.zeros((count, 2), np.float32), _NOBODY), results,
    )  # fmt: skip
    return results
