"""Compare a trained policy with random play in deals that were not used for training."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from faceup.envs import vector_env

Choose = Callable[[NDArray[Any], NDArray[np.int8]], NDArray[np.integer]]
"""A policy: a function from observations `[n, size]` and masks `[n, actions]` to actions `[n]`."""

HELD_OUT = 1_000_000
"""The seed of the deals, which no program trains on."""


class Results(NamedTuple):
    """The heads that seat 0 takes in each deal, and its share of the win."""

    heads: NDArray[np.float64]
    wins: NDArray[np.float64]


def play(choose: Choose, spec: str, deals: int, seed: int = HELD_OUT, encoding: str = "scalars") -> Results:
    """Play each deal once against players of the policy `greedy`."""
    envs = vector_env(spec, num_envs=deals, opponents="greedy", encoding=encoding)
    observations, infos = envs.reset(seed=seed)
    found, playing = Results(np.zeros(deals), np.zeros(deals)), np.ones(deals, bool)
    while playing.any():
        observations, _, ended, _, infos = envs.step(choose(observations, infos["action_mask"]))
        new = playing & ended
        if new.any():
            scores = infos["final_info"]["scores"][new]
            fewest = scores.min(axis=1)
            found.heads[new] = scores[:, 0]
            found.wins[new] = (scores[:, 0] == fewest) / (scores == fewest[:, None]).sum(axis=1)
        playing &= ~ended
    return found


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean, and half of its 95 % interval."""
    return float(values.mean()), float(1.96 * values.std(ddof=1) / len(values) ** 0.5)


def report(choose: Choose, spec: str, deals: int = 4000, encoding: str = "scalars") -> None:
    """Print the heads and wins of a policy, and how much fewer heads these are than random play takes."""
    rng = np.random.default_rng(1)
    random = play(lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1), spec, deals)
    trained = play(choose, spec, deals, encoding=encoding)
    saved = random.heads - trained.heads
    (heads, heads_half), (wins, wins_half) = interval(trained.heads), interval(trained.wins)
    print(f"{deals} deals: {heads:.2f} ±{heads_half:.2f} heads a deal, random play {random.heads.mean():.2f}")
    print(f"wins {100 * wins:.1f} ±{100 * wins_half:.1f} % of the deals, random play {100 * random.wins.mean():.1f} %")
    print(f"better than random play by {saved.mean() / saved.std(ddof=1) * deals**0.5:.1f} standard errors")
