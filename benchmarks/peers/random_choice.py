"""Random legal play for the benchmarks of JAX. The games of Pgx, which have an environment of their own, use it too."""

import jax
import jax.numpy as jnp


def choose(mask: jax.Array, key: jax.Array) -> jax.Array:
    """Return a legal action for each mask, bool [..., actions], or -1 for a mask without one: int16 [...].

    An action's rank is a byte that depends on the action and on one random number for each mask. This is less random
    than a number for each action, and takes little time, which is part of what is measured.
    """
    actions = jnp.arange(mask.shape[-1], dtype=jnp.uint16)
    drawn = jax.random.bits(key, mask.shape[:-1], jnp.uint8)[..., None]
    rank = (actions.astype(jnp.uint8) * jnp.uint8(151) ^ drawn).astype(jnp.uint16)
    best = jnp.max(jnp.where(mask, rank << 8 | actions, jnp.uint16(0)), axis=-1)
    return jnp.where(mask.any(axis=-1), (best & 255).astype(jnp.int16), jnp.int16(-1))
