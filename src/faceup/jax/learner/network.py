"""The set network in JAX, with the weights of `faceup.games.nimmt.batch.network`.

Weights are a NamedTuple of arrays, which JAX and optax take without conversion. A library of layers, such as Flax,
would give the arrays other names, and every checkpoint would have to be converted for the bots.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from faceup.games.nimmt.batch.network import SHAPES, Weights
from faceup.jax.learner.features import Inputs

_BELIEF = ("query_seat", "query_context", "query_context_bias", "keys")


def new_weights(seed: int) -> Weights:
    """Return random weights, with which all cards are equally good. Beliefs are not trained: their weights are 0."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, shape in SHAPES.items():
        zero = name.endswith("bias") or name == "policy" or name in _BELIEF
        spread = 0.05 if name == "number" else (2 / shape[0]) ** 0.5
        arrays[name] = np.zeros(shape, np.float32) if zero else rng.normal(0, spread, shape).astype(np.float32)
    return Weights(**arrays)


def evaluate(weights: Weights, inputs: Inputs) -> tuple[Array, Array]:
    """Return the policy and the value of `network.Outputs` for one position; the heads divided by `HEADS_SCALE`.

    Logits of missing cards are minus infinity.
    """
    w = weights
    there = (inputs.hand > 0)[:, None]
    count = jnp.maximum(there.sum(), 1)
    cards = jax.nn.relu(inputs.card @ w.card_in + w.card_in_bias + jnp.asarray(w.number)[inputs.hand])
    cards = jax.nn.relu(cards @ w.card_mid + w.card_mid_bias) * there
    seats = jax.nn.relu(inputs.seat @ w.seat_in + w.seat_in_bias)
    seats = jax.nn.relu(seats @ w.seat_mid + w.seat_mid_bias)
    pooled = [inputs.context, cards.sum(axis=0) / count, cards.max(axis=0), seats.mean(axis=0), seats.max(axis=0)]
    middle = jax.nn.relu(jnp.concatenate(pooled) @ w.wide + w.wide_bias)
    middle = jax.nn.relu(middle @ w.middle + w.middle_bias)
    late = jax.nn.relu(cards @ w.late_card + middle @ w.late_context + w.late_context_bias)
    late = jax.nn.relu(late @ w.last + w.last_bias)
    policy = jnp.where(there, late @ w.policy + w.policy_bias, -jnp.inf)
    mean = (late * there).sum(axis=0) / count
    units = jax.nn.relu(jnp.concatenate([middle, mean]) @ w.value_in + w.value_in_bias)
    return policy, units @ w.value + w.value_bias
