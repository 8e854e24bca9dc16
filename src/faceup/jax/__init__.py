"""6 nimmt! for JAX: pure functions that `jax.vmap` and `jax.jit` run on processors and accelerators."""

from faceup.extras import needs

with needs("jax", __name__):
    from faceup.jax.env import Env, EnvStep, make
    from faceup.jax.rewards import REWARDS
    from faceup.jax.state import State

__all__ = ["REWARDS", "Env", "EnvStep", "State", "make"]
