"""Train the weights of policy `fitted` with which `script/train` starts. See `script/fit`.

Search plays against itself at tables of every size. The network learns from the value that search assigns to each
card, so that the cards it plays cost little on average, with an entropy bonus of `SOFTNESS` heads. Search assumes that
all seats play at random in later turns.
"""

import argparse
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.core import CHANCE, SeededGenerator, draw, make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import BatchSearchTrials
from faceup.games.nimmt.batch.fitted_policy import (
    HIDDEN,
    INPUTS,
    Weights,
    as_set,
    chances,
    scratch_for,
    survey_card,
    survey_hand,
)
from faceup.games.nimmt.batch.kernels import BLOCK, NO_ROW, card_words, opening_for, row_word
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import seen_cards

SOFTNESS: Final = 0.5
"""Temperature in heads: a card this much worse is played 1/e times as often."""

EXPLORE: Final = 10
"""One card in this many is chosen at random, to explore worse positions."""

SPECS: Final = (
    *(f"nimmt:cowheadking seats={seats}" for seats in (2, 3, 4, 4, 4, 5, 6, 8, 10)),
    "nimmt:tactical deals=1 target=0 seats=4",
)
"""The rules of the games played, in turn."""


class TrainingSet(NamedTuple):
    """Decisions to learn from.

    Attributes:
        features: float32 [n, MOST_HAND, INPUTS].
        costs: float32 [n, MOST_HAND]: expected heads for each card relative to the best; infinite for missing cards.
    """

    features: npt.NDArray[np.float32]
    costs: npt.NDArray[np.float32]


def training_set(games: range, *, seed: int, worlds: int) -> TrainingSet:
    """Play the given games and record the value of each card of each decision.

    Args:
        games: their numbers; each game depends only on its number.
        seed: the seed of all games.
        worlds: the number of samples for each card.
    """
    features, costs = [], []
    for number in games:
        rules = make(SPECS[number % len(SPECS)])
        assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
        rng = SeededGenerator(seed, number)
        state = rules.start()
        state = rules.apply(state, draw(rules, state, rng)).state
        while seats := rules.to_act(state):
            move = {}
            for seat in seats:
                view = rules.view(state, seat)
                if len(view.legal) == 1:
                    move[seat] = view.legal[0]
                    continue
                trials = BatchSearchTrials(rules, view, model="random", objective="relative", seed=rng.below(2**63))
                trials.run(range(len(view.legal)), worlds)
                means = trials.means("relative")[0]
                best = int(means.argmin())
                move[seat] = view.legal[best if rng.below(EXPLORE) else rng.below(len(view.legal))]
                if not view.waiting:
                    cost = np.full(MOST_HAND, np.inf, np.float32)
                    cost[: len(means)] = means
                    features.append(features_of(rules, view))
                    costs.append(cost)
            state = rules.apply(state, move).state
            if rules.to_act(state) == (CHANCE,):
                break
    return TrainingSet(np.array(features, np.float32), np.array(costs, np.float32))


def features_of(rules: Rules, view: View) -> npt.NDArray[np.float32]:
    """Return the features of each card of the hand: float32 [MOST_HAND, INPUTS], with zeros for missing cards."""
    seats = np.uint64(len(rules.seats_in(view.out)))
    unseen = {*range(1, rules.cards + 1)} - {*seen_cards(view), *view.hand}
    opening = opening_for(rules.rows)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    for index, row in enumerate(view.rows):
        rows[index * BLOCK : (index + 1) * BLOCK] = row_word(row)
    cards = np.repeat(card_words(view.hand), BLOCK)
    seen_flags, held = (
        np.repeat(as_set(numbers), BLOCK) for numbers in ({*range(128)} - unseen - {*view.hand}, {*view.hand})
    )
    unknown, pieces, _, _, tails, _, _ = scratch_for(BLOCK)
    count = np.uint64(len(view.hand))
    likely = chances(int(seats), [len(unseen)], rules.capacity)[0]
    most = np.uint16((rules.capacity - 1) * 51)
    nothing = np.uint64(0)
    survey_hand(
        opening, most, nothing, count, seats, rows, cards, seen_flags, held, len(unseen), unknown, tails, pieces
    )
    inputs = np.zeros((MOST_HAND, INPUTS), np.float32)
    for place in range(count):
        survey_card(
            opening, rules.capacity, np.uint64(place), nothing, count, seats, rows, cards, len(unseen), unknown,
            likely, pieces,
        )  # fmt: skip
        inputs[place] = pieces[::BLOCK]
    return inputs


def fit(taught: TrainingSet, *, seed: int, softness: float = SOFTNESS, rounds: int = 40, batch: int = 512) -> Weights:
    """Fit the network: minimize the mean cost of the card played, minus `softness` times the entropy of the choice.

    The optimum is a softmax of the costs. Costs enter linearly, so sampling noise does not bias it. Uses Adam with a
    cosine schedule of the learning rate.

    Source: Kingma and Ba, "Adam: a method for stochastic optimization" (2015).
    """
    rng = np.random.default_rng(seed)
    there = np.isfinite(taught.costs)
    costs = np.where(
        there, taught.costs - np.where(there, taught.costs, 0).sum(1, keepdims=True) / there.sum(1)[:, None], 0
    )
    inputs = np.concatenate([taught.features, np.ones((*taught.costs.shape, 1), np.float32)], axis=2)
    values: list[npt.NDArray[np.float64]] = [
        rng.normal(0, 1 / math.sqrt(INPUTS), (HIDDEN, INPUTS + 1)), rng.normal(0, 0.1, HIDDEN)
    ]  # fmt: skip
    means, squares = ([np.zeros_like(value) for value in values] for _ in range(2))
    steps = rounds * (len(costs) // batch)
    step = 0
    for _ in range(rounds):
        order = rng.permutation(len(costs))
        for first in range(0, len(costs) - batch + 1, batch):
            part = order[first : first + batch]
            step += 1
            rate = 0.01 * 0.5 * (1 + math.cos(math.pi * step / steps))
            gradients = _gradients(values, inputs[part], costs[part], there[part], softness)
            for index, gradient in enumerate(gradients):
                means[index] += 0.1 * (gradient - means[index])
                squares[index] += 0.001 * (gradient**2 - squares[index])
                size = np.sqrt(squares[index] / (1 - 0.999**step)) + 1e-8
                values[index] -= rate * (means[index] / (1 - 0.9**step)) / size
    return values[0].astype(np.float32), values[1].astype(np.float32)


def _gradients(
    values: list[npt.NDArray[np.float64]],
    inputs: npt.NDArray[np.float32],
    costs: npt.NDArray[np.float32],
    there: npt.NDArray[np.bool_],
    softness: float,
) -> list[npt.NDArray[np.float64]]:
    hidden = inputs @ values[0].T
    shown = np.maximum(hidden, 0)
    chances, logs = _softmax(shown @ values[1], there)
    lost = np.where(there, costs / softness + logs, 0)
    slope = chances * (lost - (chances * lost).sum(1, keepdims=True)) / len(costs)
    back = slope[:, :, None] * values[1] * (hidden > 0)
    return [np.einsum("noh,noi->hi", back, inputs), np.einsum("no,noh->h", slope, shown)]


def _softmax(
    logits: npt.NDArray[np.float64], there: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    logits = np.where(there, logits, -np.inf)
    logits = logits - logits.max(1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    return np.exp(logs), np.where(there, logs, 0)


def regret(taught: TrainingSet, network: Weights) -> float:
    """Return the mean cost in heads of the network's cards above the best ones (including noise)."""
    there = np.isfinite(taught.costs)
    inputs = np.concatenate([taught.features, np.ones((*taught.costs.shape, 1), np.float32)], axis=2)
    logits = np.maximum(inputs @ network[0].T, 0) @ network[1]
    chances, _ = _softmax(logits.astype(np.float64), there)
    costs = np.where(there, taught.costs, 0)
    return float(((chances * costs).sum(1) - np.where(there, costs, np.inf).min(1)).mean())


def main() -> None:
    """Train the weights and write them to `script/start_weights.py`."""
    parser = argparse.ArgumentParser(
        description="Train the rollout policy with which the training of the networks starts."
    )
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--worlds", type=int, default=1024, help="samples for each card")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("start_weights.py"))
    options = parser.parse_args()
    start, parts = perf_counter(), []
    size = 50
    games = [range(first, min(first + size, options.games)) for first in range(0, options.games, size)]
    with ProcessPoolExecutor(options.jobs) as pool:
        for part in pool.map(partial(training_set, seed=options.seed, worlds=options.worlds), games):
            parts.append(part)
            used = perf_counter() - start
            togo = used * (len(games) - len(parts)) / len(parts)
            print(f"\r{len(parts)} of {len(games)} parts, {togo:.0f} s left ", end="", file=sys.stderr, flush=True)
    taught = TrainingSet(*(np.concatenate(pieces) for pieces in zip(*parts, strict=True)))
    apart = np.arange(len(taught.costs)) % 10 == 0
    weights = fit(TrainingSet(*(piece[~apart] for piece in taught)), seed=options.seed)
    held_out = TrainingSet(*(piece[apart] for piece in taught))
    seconds = perf_counter() - start
    nothing: Weights = (np.zeros_like(weights[0]), np.zeros_like(weights[1]))
    notes = (
        f"Made by `./script/fit --games {options.games} --worlds {options.worlds} "
        f"--seed {options.seed}`\n"
        f"from {len(taught.costs):,} decisions in {seconds:.0f} s. On a held-out tenth, the network's cards "
        f"cost\n{regret(held_out, weights):.2f} heads more per decision than the best; random cards cost "
        f"{regret(held_out, nothing):.2f} more."
    )
    options.out.write_text(_module(notes, weights), "utf-8")
    print(f"\n{notes}\nWritten to {options.out}.", file=sys.stderr)


def _module(notes: str, network: Weights) -> str:
    lines = [
        '"""The first weights of policy `fitted`, generated by `script/fit_weights.py`; do not edit.',
        "",
        notes,
        '"""',
        "",
    ]
    lines += ["# fmt: off", "# ruff: noqa: E501", "FIRST = ("]
    lines += [f"    ({', '.join(f'{number:.4f}' for number in unit)})," for unit in network[0].tolist()]
    lines += [")", '"""For each unit, a weight for each feature, and a bias."""', "", "LAST = ("]
    lines += [f"    {number:.4f}," for number in network[1].tolist()]
    lines += [")", '"""A weight for each unit."""', ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
