"""Rewards of a step for all seats; the same as those of `faceup.envs`."""

from collections.abc import Callable, Mapping
from typing import Final

import jax.numpy as jnp
from jax import Array

from faceup.jax.stepping import StepChanges

_OUT: Final = 1 << 30
"""More than any heads: seats that are out rank below all others, and the earlier a seat went out, the lower."""


def _heads(played: StepChanges) -> Array:
    return -played.gains.astype(jnp.float32)


def _relative(played: StepChanges) -> Array:
    seats = played.gains.shape[0]
    return (jnp.sum(played.gains) - seats * played.gains).astype(jnp.float32) / (seats - 1)


def _keys(played: StepChanges) -> Array:
    """Return numbers that order the seats from the best to the worst."""
    return jnp.where(played.gone == 0, played.heads, _OUT - played.gone.astype(jnp.int32))


def _place(played: StepChanges) -> Array:
    keys = _keys(played)
    beats = jnp.sign(keys[None, :] - keys[:, None]).sum(axis=1).astype(jnp.float32)
    return jnp.where(played.ended, beats / (keys.shape[0] - 1), jnp.float32(0))


def _win(played: StepChanges) -> Array:
    keys = _keys(played)
    first = keys == jnp.min(keys)
    return jnp.where(played.ended & first, jnp.float32(1) / jnp.sum(first), jnp.float32(0))


REWARDS: Final[Mapping[str, Callable[[StepChanges], Array]]] = {
    "heads": _heads,
    "relative": _relative,
    "place": _place,
    "win": _win,
}
"""The rewards, float32 [seats], by the names that `faceup.envs.reward_names` returns."""
