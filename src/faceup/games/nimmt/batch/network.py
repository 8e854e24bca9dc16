"""A network for 6 nimmt! that evaluates a position for any number of seats and every variant.

It is a set network: the cards of the hand go through the same layers, as do the other seats, and their sums and
maxima describe the whole hand and the table, so that their order and number do not matter. Its outputs are a policy,
the value of the position, and a belief about who holds which card. `network_inputs` has its inputs, and
`script/train` trains it.

Source: Zaheer et al., "Deep sets" (2017).
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from faceup.core import Malformed, Policy
from faceup.core.generator import Generator
from faceup.core.values import Action
from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch.network_inputs import CARD, CONTEXT, SEAT, Positions, inputs, positions
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.objectives import WIN_LATE, resolve_objective
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

WEIGHTS_FILE: Final = Path(__file__).with_name("network.npz")

HEADS_SCALE: Final = 10
"""The network's first value is in tens of heads."""

SOFTNESS: Final = 0.15
"""The policy's logits are values of cards in heads, divided by this temperature, plus an unknown constant."""
WIN_HEADS: Final = 20
"""The value of a win in heads, for the logits for winning."""

CARD_UNITS: Final = 64
SEAT_UNITS: Final = 32
WIDE: Final = 256
MIDDLE: Final = 128
LATE: Final = 96
VALUE_UNITS: Final = 64
KEY: Final = 16


class Weights(NamedTuple):
    """The weights of the network, float32. A layer is a matrix [inputs, outputs]; its bias [outputs] ends in `_bias`.

    Attributes:
        card_in: the first layer of the cards of the hand.
        number: [MOST_CARDS + 1, CARD_UNITS]: what each card adds to the outputs of this layer.
        card_mid: the second layer of the cards.
        seat_in: the first layer of the other seats.
        seat_mid: the second layer of the other seats.
        wide: the first layer of the position. Its inputs are the context, the mean and the maximum of the cards, and
            the mean and the maximum of the seats.
        middle: the second layer of the position.
        late_card: the third layer of the cards, applied to the cards.
        late_context: the third layer of the cards, applied to the position.
        last: the fourth layer of the cards.
        policy: for each card, a logit for few heads, and a logit for winning.
        value_in: the third layer of the position. Its inputs are the position and the mean of the cards.
        value: the outputs for the position: heads to come, relative to the other seats, and a logit for winning.
        query_seat: the belief's query of each other seat.
        query_context: what the position adds to all queries; its last output is the logit that nobody holds a card.
        keys: [KEY, MOST_CARDS]: the key of each card.
    """

    card_in: npt.NDArray[np.float32]
    card_in_bias: npt.NDArray[np.float32]
    number: npt.NDArray[np.float32]
    card_mid: npt.NDArray[np.float32]
    card_mid_bias: npt.NDArray[np.float32]
    seat_in: npt.NDArray[np.float32]
    seat_in_bias: npt.NDArray[np.float32]
    seat_mid: npt.NDArray[np.float32]
    seat_mid_bias: npt.NDArray[np.float32]
    wide: npt.NDArray[np.float32]
    wide_bias: npt.NDArray[np.float32]
    middle: npt.NDArray[np.float32]
    middle_bias: npt.NDArray[np.float32]
    late_card: npt.NDArray[np.float32]
    late_context: npt.NDArray[np.float32]
    late_context_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]
    policy: npt.NDArray[np.float32]
    policy_bias: npt.NDArray[np.float32]
    value_in: npt.NDArray[np.float32]
    value_in_bias: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    value_bias: npt.NDArray[np.float32]
    query_seat: npt.NDArray[np.float32]
    query_context: npt.NDArray[np.float32]
    query_context_bias: npt.NDArray[np.float32]
    keys: npt.NDArray[np.float32]


SHAPES: Final = dict(
    zip(
        Weights._fields,
        (
            (CARD, CARD_UNITS), (CARD_UNITS,), (MOST_CARDS + 1, CARD_UNITS), (CARD_UNITS, CARD_UNITS), (CARD_UNITS,),
            (SEAT, SEAT_UNITS), (SEAT_UNITS,), (SEAT_UNITS, SEAT_UNITS), (SEAT_UNITS,),
            (CONTEXT + 2 * CARD_UNITS + 2 * SEAT_UNITS, WIDE), (WIDE,), (WIDE, MIDDLE), (MIDDLE,),
            (CARD_UNITS, LATE), (MIDDLE, LATE), (LATE,), (LATE, CARD_UNITS), (CARD_UNITS,), (CARD_UNITS, 2), (2,),
            (MIDDLE + CARD_UNITS, VALUE_UNITS), (VALUE_UNITS,), (VALUE_UNITS, 2), (2,),
            (SEAT_UNITS, KEY), (MIDDLE, KEY + 1), (KEY + 1,), (KEY, MOST_CARDS),
        ),
        strict=True,
    )
)  # fmt: skip
"""The shape of each array of `Weights`."""


class Outputs(NamedTuple):
    """What the network says about n positions at tables of one size.

    Attributes:
        policy: float32 [n, MOST_HAND, 2]: logits of each card of the hand, ascending, for few heads relative to the
            others, and for winning the deal; undefined for missing cards.
        value: float32 [n, 2]: the heads to come in this deal minus the mean of the other seats, and a logit for
            winning.
        belief: float32 [n, seats, MOST_CARDS]: for each unseen card, a logit that nobody holds it, and logits that the
            next seat holds it, the one after that, and so on; undefined for other cards.
    """

    policy: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    belief: npt.NDArray[np.float32]


@cache
def load(path: Path = WEIGHTS_FILE) -> Weights:
    """Read weights from a file that `save` wrote.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file does not hold weights of this network.
    """
    return Weights(**read_weights(path, SHAPES))


def read_weights(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, npt.NDArray[np.float32]]:
    """Read arrays of these names and shapes from a file of `write_weights`; see `load`."""
    with np.load(path, allow_pickle=False) as arrays:
        if {name: arrays[name].shape for name in arrays} != shapes:
            raise ValueError(f"{path} does not hold the weights of this network")
        return {name: np.ascontiguousarray(arrays[name], np.float32) for name in shapes}


def save(path: Path, weights: Weights) -> None:
    """Write weights to a file, with 16 bits each."""
    write_weights(path, weights._asdict())


def write_weights(path: Path, weights: Mapping[str, npt.NDArray[np.float32]]) -> None:
    """Write arrays to a file, with 16 bits for each number."""
    arrays: dict[str, npt.NDArray[np.float16]] = {name: array.astype(np.float16) for name, array in weights.items()}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


@kernel
def add_layer(values: Array, matrix: Array, first: Word, outputs: Array) -> None:
    """Add a vector's product with the rows of a matrix from `first` on; zeros take no time.

    Four rows are added together, because outputs are then read and written less often.
    """
    places, count = np.empty(len(values), np.int64), 0
    for index in range(len(values)):
        places[count] = index
        count += values[index] != np.float32(0)
    fours = count - count % 4
    for start in range(0, fours, 4):
        a, b, c, d = places[start], places[start + 1], places[start + 2], places[start + 3]
        value_a, value_b, value_c, value_d = values[a], values[b], values[c], values[d]
        row_a, row_b, row_c, row_d = matrix[first + a], matrix[first + b], matrix[first + c], matrix[first + d]
        for unit in range(len(outputs)):
            outputs[unit] += (
                value_a * row_a[unit] + value_b * row_b[unit] + value_c * row_c[unit] + value_d * row_d[unit]
            )
    for index in places[fours:count]:
        value, row = values[index], matrix[first + index]
        for unit in range(len(outputs)):
            outputs[unit] += value * row[unit]


@kernel
def rectify(values: Array) -> None:
    """Replace negative values by 0."""
    for index in range(len(values)):
        values[index] = max(values[index], np.float32(0))


@kernel
def evaluate_inputs(
    weights: Weights, hands: Array, context: Array, card: Array, seat: Array, policy: Array, value: Array, belief: Array
) -> None:
    """Evaluate the network.

    Args:
        weights: the weights.
        hands: the hands of `Positions`.
        context: this and the next two arguments are the results of `network_inputs.inputs`.
        card: see `context`.
        seat: see `context`.
        policy: this and the next two arguments are the arrays of `Outputs`, overwritten.
        value: see `policy`.
        belief: see `policy`; with a length of 0, beliefs are left out.
    """
    w = weights
    others = seat.shape[1]
    first, cards = np.empty(CARD_UNITS, np.float32), np.empty((MOST_HAND, CARD_UNITS), np.float32)
    seat_first, seats = np.empty(SEAT_UNITS, np.float32), np.empty((others, SEAT_UNITS), np.float32)
    pooled = np.empty(2 * CARD_UNITS + 2 * SEAT_UNITS, np.float32)
    wide, middle = np.empty(WIDE, np.float32), np.empty(MIDDLE, np.float32)
    shared, late = np.empty(LATE, np.float32), np.empty(LATE, np.float32)
    last, mean = np.empty(CARD_UNITS, np.float32), np.empty(CARD_UNITS, np.float32)
    value_units, query, queries = (
        np.empty(VALUE_UNITS, np.float32),
        np.empty(KEY, np.float32),
        np.empty(KEY + 1, np.float32),
    )
    for n in range(len(hands)):
        pooled[:] = 0
        count = 0
        while count < MOST_HAND and hands[n, count] > 0:
            first[:] = w.card_in_bias
            first += w.number[hands[n, count]]
            add_layer(card[n, count], w.card_in, 0, first)
            rectify(first)
            cards[count] = w.card_mid_bias
            add_layer(first, w.card_mid, 0, cards[count])
            rectify(cards[count])
            for unit in range(CARD_UNITS):
                pooled[unit] += cards[count, unit]
                pooled[CARD_UNITS + unit] = max(pooled[CARD_UNITS + unit], cards[count, unit])
            count += 1
        share = np.float32(1) / np.float32(count)
        pooled[:CARD_UNITS] *= share
        for other in range(others):
            seat_first[:] = w.seat_in_bias
            add_layer(seat[n, other], w.seat_in, 0, seat_first)
            rectify(seat_first)
            seats[other] = w.seat_mid_bias
            add_layer(seat_first, w.seat_mid, 0, seats[other])
            rectify(seats[other])
            for unit in range(SEAT_UNITS):
                pooled[2 * CARD_UNITS + unit] += seats[other, unit] / np.float32(others)
                at = 2 * CARD_UNITS + SEAT_UNITS + unit
                pooled[at] = max(pooled[at], seats[other, unit])
        wide[:] = w.wide_bias
        add_layer(context[n], w.wide, 0, wide)
        add_layer(pooled, w.wide, CONTEXT, wide)
        rectify(wide)
        middle[:] = w.middle_bias
        add_layer(wide, w.middle, 0, middle)
        rectify(middle)
        shared[:] = w.late_context_bias
        add_layer(middle, w.late_context, 0, shared)
        mean[:] = 0
        for place in range(count):
            late[:] = shared
            add_layer(cards[place], w.late_card, 0, late)
            rectify(late)
            last[:] = w.last_bias
            add_layer(late, w.last, 0, last)
            rectify(last)
            policy[n, place] = w.policy_bias
            add_layer(last, w.policy, 0, policy[n, place])
            mean += last * share
        value_units[:] = w.value_in_bias
        add_layer(middle, w.value_in, 0, value_units)
        add_layer(mean, w.value_in, MIDDLE, value_units)
        rectify(value_units)
        value[n] = w.value_bias
        add_layer(value_units, w.value, 0, value[n])
        value[n, 0] *= np.float32(HEADS_SCALE)
        if len(belief) == 0:
            continue
        queries[:] = w.query_context_bias
        add_layer(middle, w.query_context, 0, queries)
        belief[n, 0] = queries[KEY]
        for other in range(others):
            query[:] = queries[:KEY]
            add_layer(seats[other], w.query_seat, 0, query)
            belief[n, other + 1] = 0
            add_layer(query, w.keys, 0, belief[n, other + 1])


def evaluate_positions(
    rules: Rules, observed: Positions, weights: Weights | None = None, *, beliefs: bool = True
) -> Outputs:
    """Evaluate positions. Without `beliefs`, array `belief` is empty."""
    count, seats = observed.heads.shape
    outputs = Outputs(
        np.zeros((count, MOST_HAND, 2), np.float32),
        np.zeros((count, 2), np.float32),
        np.zeros((count if beliefs else 0, seats, MOST_CARDS), np.float32),
    )
    evaluate_inputs(weights or load(), observed.hands, *inputs(rules, observed), *outputs)
    return outputs


def evaluate(rules: Rules, views: Sequence[View], weights: Weights | None = None) -> Outputs:
    """Evaluate views of seats that are to choose a card, all at tables with equally many seats in the match.

    >>> from faceup.core import make
    >>> rules = make("nimmt:cowheadking seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> found = evaluate(rules, [view])
    >>> found.policy.shape, found.value.shape, found.belief.shape
    ((1, 10, 2), (1, 2), (1, 2, 104))
    """
    return evaluate_positions(rules, positions(rules, views), weights)


def rate_cards(
    rules: Rules, view: View, weights: Weights | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Estimate what each card of the hand costs in heads relative to the others, and adds to the chance of winning.

    Both arrays, float64 [cards], are differences to their mean over the hand.
    """
    logits = evaluate(rules, [view], weights).policy[0, : len(view.hand)].astype(float) * SOFTNESS
    logits -= logits.mean(axis=0)
    return -logits[:, 0], logits[:, 1] / WIN_HEADS


def network(rules: Rules, view: View, rng: Generator, weights: Weights | None = None) -> Action:
    """Play the card that a trained network rates best, without search.

    With the last cards of a match, the rating is the chance of winning; before that, it is few heads relative to the
    others. A row that must be taken is the cheapest.
    """
    del rng
    if view.waiting:
        return take(cheapest_row(view.rows))
    winning = resolve_objective(rules, view, WIN_LATE) == "win"
    ratings = evaluate(rules, [view], weights).policy[0, : len(view.hand), int(winning)]
    return play(view.hand[int(ratings.argmax())])


def load_network(path: Path) -> Policy:
    """Return the policy `network` with the weights of a file.

    Raises:
        Malformed: the file cannot be read, or does not hold weights of this network.
    """
    try:
        weights = Weights(**read_weights(path, SHAPES))  # not from the cache: a run overwrites its file
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror or error}", what=str(path), where="bot") from error
    except (EOFError, ValueError, BadZipFile) as error:
        raise Malformed(
            f"{path} does not hold the weights of a network: {error}", what=str(path), where="bot"
        ) from error
    return partial(network, weights=weights)
