"""Compare a trained policy with random play in deals that were not used for training."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from faceup.envs import vector_env

Choose = Callable[[NDArray[np.float32], NDArray[np.int8]], NDArray[np.integer]]
"""A policy: a function from observations `[n, size]` and masks `[n, actions]` to actions `[n]`."""


def heads(choose: Choose, spec: str, deals: int, seed: int) -> NDArray[np.float64]:
    """Play each deal once against players of the policy `greedy`, and return the heads taken in each."""
    envs = vector_env(spec, num_envs=deals, opponents="greedy")
    observations, infos = envs.reset(seed=seed)
    taken, playing = np.zeros(deals), np.ones(deals, bool)
    while playing.any():
        observations, rewards, ended, _, infos = envs.step(choose(observations, infos["action_mask"]))
        taken -= np.where(playing, rewards, 0)
        playing &= ~ended
    return taken


def report(choose: Choose, spec: str, deals: int = 4000, seed: int = 1_000_000) -> None:
    """Print the heads of a policy and of random play in the same deals, and the standard errors between them."""
    rng = np.random.default_rng(1)
    random = heads(lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1), spec, deals, seed)
    trained = heads(choose, spec, deals, seed)
    saved = random - trained
    print(f"{deals} deals: {trained.mean():.2f} heads a deal, random play {random.mean():.2f}")
    print(f"better than random play by {saved.mean() / saved.std(ddof=1) * deals**0.5:.1f} standard errors")
