"""6 nimmt! for the learners of JaxMARL: `pip install jaxmarl`, and copy this file.

All agents act in every step. The last action is to wait while another seat takes a row.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxmarl.environments import MultiAgentEnv, spaces

from faceup.jax import State, make


class JaxMarlEnv(MultiAgentEnv):  # type: ignore[misc]  # its functions have no types for ours
    """6 nimmt! with the rules and the reward of `faceup.jax.make`."""

    def __init__(self, spec: str = "nimmt", **options: Any) -> None:
        self.env = make(spec, auto_reset=False, **options)
        super().__init__(num_agents=self.env.rules.seats)
        state = jax.eval_shape(self.env.init, jnp.zeros(2, jnp.uint32))
        (size,), (_, actions) = (jax.eval_shape(see, state).shape for see in (self._first, self.env.legal))
        self.observation_spaces = dict.fromkeys(self.agents, spaces.Box(0, 255, (size,), jnp.uint8))
        self.action_spaces = dict.fromkeys(self.agents, spaces.Discrete(actions + 1))

    def _first(self, state: State) -> jax.Array:
        return self.env.observe(state, 0)

    def _by_agent(self, array: jax.Array) -> dict[str, jax.Array]:
        return dict(zip(self.agents, array, strict=True))

    def reset(self, key: jax.Array) -> tuple[dict[str, jax.Array], State]:
        state = self.env.init(jax.random.bits(key, 2, "uint32"))
        return self.get_obs(state), state

    def step_env(self, key: jax.Array, state: State, actions: dict[str, jax.Array]) -> tuple[Any, ...]:
        state, result = self.env.step(state, jnp.stack([actions[agent] for agent in self.agents]).astype(jnp.int32))
        over = jnp.broadcast_to(result.ended, self.num_agents)
        ends = {**self._by_agent(over), "__all__": result.ended}
        return self.get_obs(state), state, self._by_agent(result.rewards), ends, {"heads": result.heads}

    def get_obs(self, state: State) -> dict[str, jax.Array]:
        return self._by_agent(self.env.observe(state))

    def get_avail_actions(self, state: State) -> dict[str, jax.Array]:
        return self._by_agent(jnp.concatenate([self.env.legal(state), ~state.acts[:, None]], axis=1))
