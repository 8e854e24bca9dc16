"""A bot for 6 nimmt! that plays weights which `cleanrl_ppo.py` or `minari_cloning.py` saved: python agent.py FILE.

It needs NumPy but not PyTorch, so that it starts quickly. It speaks the JSON-lines protocol.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
from msgspec import convert

from faceup.core import Action, AnyRules, make, spec
from faceup.envs import observe
from faceup.games.nimmt.state import View

Weights = dict[str, np.ndarray]


def load(path: str | Path) -> Weights:
    """Read the weights."""
    with np.load(path) as arrays:
        return {name: arrays[name].astype(np.float32) for name in arrays}


def layer(weights: Weights, name: str, inputs: np.ndarray) -> np.ndarray:
    """Return the outputs of one linear layer."""
    return inputs @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def relu(values: np.ndarray) -> np.ndarray:
    return np.maximum(values, 0)


def agent(weights: Weights, rules: AnyRules, view: View, rng: object = None) -> Action:
    """Choose the action with the greatest logit, as a policy of faceup. This is `network.Network` without PyTorch."""
    del rng  # it plays without chance
    seen = observe(rules, view, "planes")
    if len(seen) != weights["first.weight"].shape[1]:
        raise SystemExit(f"the weights are for another variant or number of seats than {spec(rules)}")
    position = relu(layer(weights, "second", relu(layer(weights, "first", seen))))
    number = weights["number"]
    planes = seen[: weights["card.weight"].shape[1] * len(number)].reshape(-1, len(number))
    units = layer(weights, "card", planes.T) + layer(weights, "position", position) + number
    plays, others = layer(weights, "play", relu(units))[:, 0], layer(weights, "other", position)
    return max(view.legal, key=lambda action: plays[action] if action < 104 else others[action - 104])


if __name__ == "__main__":
    policy = partial(agent, load(sys.argv[1]))
    for line in sys.stdin:
        ask = json.loads(line)
        if "answers" in ask:
            rules, view = make(ask["position"].partition(" | ")[0]), convert(ask["view"], View)
            print(ask["answers"][view.legal.index(policy(rules, view))], flush=True)
