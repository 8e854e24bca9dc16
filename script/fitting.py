"""How the weights of policy `fitted` come about: `./script/fit`.

Games are played by search against itself, at tables of every size. What search finds each card of a hand to be worth is
written down, and the network is fitted to it: so that the cards which it plays cost little on average, while it stays
as undecided as `SOFTNESS` heads make it. Search takes all seats to play at random in the turns to come.
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

from faceup.core import CHANCE, Seeded, draw, make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import Trials, fitted, weights
from faceup.games.nimmt.batch.fitted import HIDDEN, INPUTS, Weights
from faceup.games.nimmt.parameters import MOST_HAND

SOFTNESS: Final = 0.5
"""Heads: a card that costs so much more than another is to be played 1/e times as often."""

EXPLORE: Final = 10
"""One card in so many is chosen at random, so that there is something to learn of worse positions, too."""

SPECS: Final = (
    *(f"nimmt:cowheadking seats={seats}" for seats in (2, 3, 4, 4, 4, 5, 6, 8, 10)),
    "nimmt:tactical deals=1 target=0 seats=4",
)
"""The tables at which the games are played, in turn."""


class Lessons(NamedTuple):
    """Decisions from which to learn.

    Attributes:
        features: float32 [n, MOST_HAND, INPUTS].
        costs: float32 [n, MOST_HAND]: relative heads to come after each card; infinite where there is no card.
    """

    features: npt.NDArray[np.float32]
    costs: npt.NDArray[np.float32]


def lessons(games: range, *, seed: int, worlds: int) -> Lessons:
    """Play these games, by number, and write down what each card of each decision was found to be worth.

    Args:
        games: their numbers; each is the same whatever others are played.
        seed: of all games.
        worlds: tried for each card.
    """
    features, costs = [], []
    for number in games:
        rules = make(SPECS[number % len(SPECS)])
        assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
        rng = Seeded(seed, number)
        state = rules.start()
        state = rules.apply(state, draw(rules, state, rng)).state
        while seats := rules.to_act(state):
            move = {}
            for seat in seats:
                view = rules.view(state, seat)
                if len(view.legal) == 1:
                    move[seat] = view.legal[0]
                    continue
                trials = Trials(rules, view, model="random", objective="relative", seed=rng.below(2**63))
                trials.run(range(len(view.legal)), worlds)
                means = trials.means("relative")[0]
                best = int(means.argmin())
                move[seat] = view.legal[best if rng.below(EXPLORE) else rng.below(len(view.legal))]
                if not view.waiting:
                    cost = np.full(MOST_HAND, np.inf, np.float32)
                    cost[: len(means)] = means
                    features.append(fitted.features(rules, view))
                    costs.append(cost)
            state = rules.apply(state, move).state
            if rules.to_act(state) == (CHANCE,):
                break
    return Lessons(np.array(features, np.float32), np.array(costs, np.float32))


def fit(taught: Lessons, *, seed: int, softness: float = SOFTNESS, rounds: int = 40, batch: int = 512) -> Weights:
    """Fit the network: minimise the mean cost of the card played, less `softness` times the entropy of the choice.

    The optimum is a softmax of costs over softness. Costs enter linearly, so that their noise, which is that of
    so many worlds, does not bias it. By Adam, its rate falling to nothing along a cosine.

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
        for begin in range(0, len(costs) - batch + 1, batch):
            part = order[begin : begin + batch]
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


def regret(taught: Lessons, network: Weights) -> float:
    """What the network's cards cost more than the best, in heads a decision (and some of it is noise)."""
    there = np.isfinite(taught.costs)
    inputs = np.concatenate([taught.features, np.ones((*taught.costs.shape, 1), np.float32)], axis=2)
    logits = np.maximum(inputs @ network[0].T, 0) @ network[1]
    chances, _ = _softmax(logits.astype(np.float64), there)
    costs = np.where(there, taught.costs, 0)
    return float(((chances * costs).sum(1) - np.where(there, costs, np.inf).min(1)).mean())


def main() -> None:
    """Make the weights anew and write them where they are shipped."""
    parser = argparse.ArgumentParser(description="Fit the policy of the search's opponents, and ship its weights.")
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--worlds", type=int, default=1024, help="tried for each card")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(weights.__file__))
    options = parser.parse_args()
    start, parts = perf_counter(), []
    size = 50
    games = [range(begin, min(begin + size, options.games)) for begin in range(0, options.games, size)]
    with ProcessPoolExecutor(options.jobs) as pool:
        for part in pool.map(partial(lessons, seed=options.seed, worlds=options.worlds), games):
            parts.append(part)
            used = perf_counter() - start
            togo = used * (len(games) - len(parts)) / len(parts)
            print(f"\r{len(parts)} of {len(games)} parts, {togo:.0f} s to go ", end="", file=sys.stderr, flush=True)
    taught = Lessons(*(np.concatenate(pieces) for pieces in zip(*parts, strict=True)))
    apart = np.arange(len(taught.costs)) % 10 == 0
    found = fit(Lessons(*(piece[~apart] for piece in taught)), seed=options.seed)
    held_out = Lessons(*(piece[apart] for piece in taught))
    seconds = perf_counter() - start
    nothing: Weights = (np.zeros_like(found[0]), np.zeros_like(found[1]))
    notes = (
        f"Made by `./script/fit --games {options.games} --worlds {options.worlds} "
        f"--seed {options.seed}`\n"
        f"from {len(taught.costs):,} decisions in {seconds:.0f} s. On a tenth of them, kept apart, the network's cards "
        f"cost\n{regret(held_out, found):.2f} heads a decision more than the best; cards played at random cost "
        f"{regret(held_out, nothing):.2f} more."
    )
    options.out.write_text(_module(notes, found), "utf-8")
    print(f"\n{notes}\nWritten to {options.out}.", file=sys.stderr)


def _module(notes: str, network: Weights) -> str:
    lines = [
        '"""The weights of policy `fitted`, as `script/fitting.py` made them: not for editing.',
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
