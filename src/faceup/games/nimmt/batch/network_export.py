"""The weights of `network` as text, and its policy without compiled code, for an exported bot.

`pack` writes the layers of the policy as text of a limited length. Each weight becomes a small integer, which is a
multiple of a step; each input of a layer has its own step. An input that varies little gets a coarse step, because its
error matters little, and an input that is constant in CodinGame's arena costs nothing: it is added to the bias. The
inputs are rounded one after the other, and the weights of the remaining inputs correct the error so far. The finest
steps with which the text fits are found by trial.

Source: Frantar et al., "GPTQ: Accurate post-training quantization for generative pre-trained transformers" (2023).
"""

import math
from base64 import b85decode, b85encode
from collections.abc import Iterator, Mapping
from typing import Any, Final
from zlib import Z_RLE, compressobj, decompress

import numpy as np
import numpy.typing as npt

from faceup.core.generator import Generator, SeededGenerator
from faceup.core.rules import draw
from faceup.core.values import CHANCE, FORFEIT, Action
from faceup.games.lanes import AnyArray
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.batch.network_inputs import CARD, CONTEXT, SEAT, inputs, positions
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.objectives import WIN_LATE, resolve_objective
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.policies import greedy
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

LAYERS: Final = {
    "card_in": (CARD + MOST_CARDS + 1, 64),
    "card_mid": (64, 64),
    "seat_in": (SEAT, 32),
    "seat_mid": (32, 32),
    "wide": (CONTEXT + 2 * 64 + 2 * 32, 256),
    "middle": (256, 128),
    "late": (64 + 128, 96),
    "last": (96, 64),
    "policy": (64, 2),
}
"""Inputs and outputs of each layer. The number of a card is an input of `card_in`, one of `MOST_CARDS + 1` that is 1.
Layer `late` joins `late_card` and `late_context`."""

OCTAVE: Final = 4
"""A step is a power of the root of this degree of 2."""

_CARDS: Final = 64
_SEATS: Final = 32

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""The weights of a layer, [inputs, outputs], and its bias."""


def unpack(text: str) -> dict[str, Layer]:
    """Return the layers from the text that `pack` wrote, with any white space in it."""
    content = decompress(b85decode("".join(text.split())), -15)
    sizes = [rows * (columns + 1) for rows, columns in LAYERS.values()]
    biases = np.frombuffer(content, np.float16, offset=sum(sizes))
    layers: dict[str, Layer] = {}
    start, first = 0, 0
    for name, (rows, columns) in LAYERS.items():
        numbers = np.frombuffer(content, np.int8, rows * (columns + 1), start)
        steps = np.exp2(numbers[:rows] / np.float32(OCTAVE))
        matrix = np.empty((rows, columns), np.float32)
        matrix[steps.argsort(kind="stable")] = numbers[rows:].reshape(rows, columns)
        layers[name] = (matrix * steps[:, None], biases[first : first + columns].astype(np.float32))
        start, first = start + len(numbers), first + columns
    return layers


def rate_cards(
    layers: Mapping[str, Layer],
    hands: npt.NDArray[np.uint8],
    context: npt.NDArray[np.float32],
    card: npt.NDArray[np.float32],
    seat: npt.NDArray[np.float32],
    inputs_of: dict[str, npt.NDArray[np.float32]] | None = None,
) -> npt.NDArray[np.float32]:
    """Return the policy of `network.Outputs`, with minus infinity for missing cards.

    Args:
        layers: the result of `unpack`.
        hands: the hands of the positions.
        context: this and the next two arguments are the results of `network_inputs.inputs`.
        card: see `context`.
        seat: see `context`.
        inputs_of: filled with the inputs of each layer, [n, inputs], without those of missing cards.
    """

    def layer(name: str, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        if inputs_of is not None:
            of_cards = values.shape[:2] == hands.shape
            inputs_of[name] = values[hands > 0] if of_cards else values.reshape(-1, values.shape[-1])
        matrix, bias = layers[name]
        return values @ matrix + bias

    there = (hands > 0)[:, :, None]
    count = there.sum(axis=1)
    numbers = np.eye(MOST_CARDS + 1, dtype=np.float32)[hands]
    cards = np.maximum(layer("card_in", np.concatenate([card, numbers], axis=2)), 0)
    cards = np.maximum(layer("card_mid", cards), 0) * there
    seats = np.maximum(layer("seat_mid", np.maximum(layer("seat_in", seat), 0)), 0)
    sums = [cards.sum(axis=1) / count, cards.max(axis=1), seats.mean(axis=1), seats.max(axis=1)]
    wide = np.maximum(layer("wide", np.concatenate([context, *sums], axis=1, dtype=np.float32)), 0)
    middle = np.maximum(layer("middle", wide), 0)
    shared = np.repeat(middle[:, None], hands.shape[1], axis=1)
    late = np.maximum(layer("late", np.concatenate([cards, shared], axis=2)), 0)
    return np.where(there, layer("policy", np.maximum(layer("last", late), 0)), -np.inf)


class PackedNetwork:
    """The policy `network.network`, with packed weights.

    Args:
        text: the result of `pack`.
    """

    def __init__(self, text: str) -> None:
        self.layers = unpack(text)

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- or those of the protocol
        """Choose an action."""
        del rng
        if view.waiting:
            return take(cheapest_row(view.rows))
        observed = positions(rules, [view])
        winning = resolve_objective(rules, view, WIN_LATE) == "win"
        ratings = rate_cards(self.layers, observed.hands, *inputs(rules, observed))[0, :, int(winning)]
        return play(view.hand[int(ratings.argmax())])


MATCHES: Final = 24
"""Number of matches from which the variation of each input is measured."""

RELATIVE: Final = dict(zip(LAYERS, (17, 5, 2, 2, 1, 2, 10, 7, 25), strict=True))
"""How fine the steps of each layer are, relative to those of `wide`, which has most of the weights."""

PRECISIONS: Final = (1.0, 8.0)
TRIALS: Final = 6
"""The first and the last precision that are considered, and the number of trials of a bisection."""

MOST_NUMBER: Final = 100
"""The greatest number for a weight before errors are corrected, which can make it greater."""


def pack(characters: int, weights: network.Weights | None = None) -> str:
    """Write the policy's layers as ASCII text for `unpack`.

    Args:
        characters: the greatest length of the text.
        weights: the weights of the network.

    Raises:
        ValueError: the length is too small.
    """
    layers = _layers(weights or network.load())
    arrays: dict[str, list[npt.NDArray[np.float32]]] = {}
    for hands, context, card, seat in _sample_positions():
        inputs_of: dict[str, npt.NDArray[np.float32]] = {}
        rate_cards(layers, hands, context, card, seat, inputs_of)
        for name, values in inputs_of.items():
            arrays.setdefault(name, []).append(values)
    measured = {name: np.concatenate(parts).astype(np.float64) for name, parts in arrays.items()}
    rounders = {name: _Rounder(*layers[name], values) for name, values in measured.items()}
    coarse, fine, best = *PRECISIONS, ""
    for _ in range(TRIALS):
        precision = math.sqrt(coarse * fine)
        rounded = [rounder.round(precision * RELATIVE[name]) for name, rounder in rounders.items()]
        content = b"".join([numbers for numbers, _ in rounded] + [bias for _, bias in rounded])
        compressor = compressobj(9, wbits=-15, memLevel=7, strategy=Z_RLE)
        text = b85encode(compressor.compress(content) + compressor.flush()).decode("ascii")
        if len(text) <= characters:
            best, coarse = text, precision
        else:
            fine = precision
    if not best:
        raise ValueError(f"the network does not fit in {characters:,} characters")
    return best


def _layers(weights: network.Weights) -> dict[str, Layer]:
    w = weights
    return {
        "card_in": (np.concatenate([w.card_in, w.number]), w.card_in_bias),
        "card_mid": (w.card_mid, w.card_mid_bias),
        "seat_in": (w.seat_in, w.seat_in_bias),
        "seat_mid": (w.seat_mid, w.seat_mid_bias),
        "wide": (w.wide, w.wide_bias),
        "middle": (w.middle, w.middle_bias),
        "late": (np.concatenate([w.late_card, w.late_context]), w.late_context_bias),
        "last": (w.last, w.last_bias),
        "policy": (w.policy, w.policy_bias),
    }


class _Rounder:
    """A layer, and the covariance of its inputs."""

    def __init__(
        self, matrix: npt.NDArray[np.float32], bias: npt.NDArray[np.float32], values: npt.NDArray[np.float64]
    ) -> None:
        self.matrix, self.bias, self.mean = matrix.astype(np.float64), bias.astype(np.float64), values.mean(axis=0)
        centred = values - self.mean
        covariance = centred.T @ centred / len(values)
        self.spread = np.sqrt(covariance.diagonal())
        self.varies = self.spread > 1e-5
        self.coarsest = (values @ self.matrix).std() / np.sqrt(self.varies.sum())
        self.order = np.argsort(-self.spread)
        damped = covariance[np.ix_(self.order, self.order)]
        damped[np.diag_indices_from(damped)] += 0.01 * np.mean(self.spread**2) + 1e-9
        self.factor = np.linalg.cholesky(np.linalg.inv(damped)).T

    def round(self, precision: float) -> tuple[bytes, bytes]:
        """Return the steps and numbers of the weights, and the bias."""
        targets = self.coarsest / precision / np.maximum(self.spread, 0.02)
        least = np.abs(self.matrix).max(axis=1) / MOST_NUMBER
        powers = np.ceil(OCTAVE * np.log2(np.maximum(targets, least))).clip(-127, 127)
        steps = np.exp2(powers / OCTAVE)
        rest, numbers = self.matrix[self.order], np.zeros_like(self.matrix)
        for place, row in enumerate(self.order):
            if self.varies[row]:
                numbers[row] = np.rint(rest[place] / steps[row]).clip(-127, 127)
                error = (rest[place] - numbers[row] * steps[row]) / self.factor[place, place]
                rest[place + 1 :] -= np.outer(self.factor[place, place + 1 :], error)
        bias = self.bias + self.mean @ (self.matrix - numbers * steps[:, None])
        sorted_numbers = numbers[powers.argsort(kind="stable")]
        return (
            powers.astype(np.int8).tobytes() + sorted_numbers.astype(np.int8).tobytes(),
            bias.astype(np.float16).tobytes(),
        )


def _sample_positions() -> Iterator[tuple[AnyArray, AnyArray, AnyArray, AnyArray]]:
    """Yield the arguments of `rate_cards` for positions of matches in CodinGame's arena, by number of seats."""
    rules = Rules(seats=4, deals=5, forfeits=True)
    views: dict[int, list[View]] = {}
    for match in range(MATCHES):
        rng = SeededGenerator(match)
        state = rules.start()
        while seats := rules.to_act(state):
            if seats == (CHANCE,):
                state = rules.apply(state, draw(rules, state, rng)).state
                continue
            move = {}
            for seat in seats:
                view = rules.view(state, seat)
                simple = view.waiting or rng.below(8) == 0
                move[seat] = (greedy if simple else network.network)(rules, view, rng)
                if not view.waiting and len(view.hand) > 1:
                    views.setdefault(len(seats), []).append(view)
            if rng.below(200) == 0:
                move[seats[0]] = FORFEIT
            state = rules.apply(state, move).state
    for group in views.values():
        observed = positions(rules, group)
        yield observed.hands, *inputs(rules, observed)
