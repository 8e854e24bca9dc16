"""A small network learns more about a policy from `planes` than from `scalars`."""

from typing import Any

import numpy as np
import pytest

from faceup.core import find_game
from faceup.envs import vector_env
from faceup.games.batch_engines import load_batch_engine

LEARNT, TESTED = 24_000, 8_000
HIDDEN, EPOCHS, BATCH, RATE = 256, 12, 256, 1e-3


def positions(encoding: str) -> tuple[Any, Any, Any]:
    """Return observations, masks and greedy's actions in positions of random games, of seats that choose a card."""
    env: Any = vector_env("nimmt:cowheadking", num_envs=500, seats=4, agents="all", encoding=encoding)
    greedy = np.full((500, 4), load_batch_engine(find_game("nimmt")).POLICIES["greedy"], np.uint8)
    labels = np.empty((500, 4), np.int32)
    observations, infos = env.reset(seed=1)
    batches: list[tuple[Any, Any, Any]] = []
    while sum(len(actions) for _, _, actions in batches) < LEARNT + TESTED:
        env._adapter.choose(greedy, 0, labels)
        # One seat of each game is enough: the positions of seats of the same game are alike.
        card = infos["action_mask"][:, 0, :104].sum(axis=1) > 1
        batches.append((observations[card, 0], infos["action_mask"][card, 0], labels[card, 0]))
        observations, _, _, _, infos = env.step(env.sample_legal())
    seen, masks, actions = (np.concatenate(arrays)[: LEARNT + TESTED] for arrays in zip(*batches, strict=True))
    return seen, masks, actions


def agreement(encoding: str) -> float:
    """Train a network with one hidden layer by Adam, and return its agreement with greedy on other games' positions."""
    seen, masks, actions = positions(encoding)
    rng = np.random.default_rng(1)
    sizes = [(seen.shape[1], HIDDEN), (HIDDEN,), (HIDDEN, masks.shape[1]), (masks.shape[1],)]
    weights = [rng.normal(0, np.sqrt(2 / size[0]) if len(size) > 1 else 0, size).astype(np.float32) for size in sizes]
    means, squares = ([np.zeros_like(weight) for weight in weights] for _ in range(2))

    def forward(rows: Any) -> tuple[Any, Any]:
        hidden = np.maximum(seen[rows] @ weights[0] + weights[1], 0)
        return hidden, np.where(masks[rows] > 0, hidden @ weights[2] + weights[3], -1e9)

    steps = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(LEARNT)
        for start in range(0, LEARNT, BATCH):
            rows = order[start : start + BATCH]
            hidden, logits = forward(rows)
            odds = np.exp(logits - logits.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            odds[np.arange(len(rows)), actions[rows]] -= 1
            odds /= len(rows)
            back = (odds @ weights[2].T) * (hidden > 0)
            gradients = [seen[rows].T @ back, back.sum(axis=0), hidden.T @ odds, odds.sum(axis=0)]
            steps += 1
            rate = RATE * (1 - epoch / EPOCHS) * np.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
            for index, gradient in enumerate(gradients):
                means[index] += 0.1 * (gradient - means[index])
                squares[index] += 0.001 * (gradient**2 - squares[index])
                weights[index] -= (rate * means[index] / (np.sqrt(squares[index]) + 1e-8)).astype(np.float32)
    rows = np.arange(LEARNT, LEARNT + TESTED)
    chosen = np.concatenate([forward(part)[1].argmax(axis=1) for part in np.array_split(rows, 16)])
    return float((chosen == actions[rows]).mean())


@pytest.mark.long
def test_cloning_greedy_from_planes_reaches_an_agreement_of_55_percent() -> None:
    assert agreement("planes") >= 0.55 > agreement("scalars") + 0.05
