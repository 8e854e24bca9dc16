"""6 nimmt! for libraries that take environments of Pgx: `pip install pgx`, and copy this file.

In Pgx one player acts at a time. Here the seats that are to act choose in turn, and no one sees a choice before all of
them have chosen.
"""

# ruff: noqa: SLF001 -- in Pgx, an environment's own attributes of a state begin with an underscore

from typing import Any

import jax
import jax.numpy as jnp
from pgx import core
from pgx._src.struct import dataclass

from faceup.jax import make


@dataclass
class State(core.State):  # type: ignore[misc]  # Pgx has no types
    """A state of Pgx, with the game and the actions that were chosen for the next step."""

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    _step_count: jax.Array
    _game: Any
    _actions: jax.Array

    @property
    def env_id(self) -> str:
        return "nimmt"


class PgxEnv(core.Env):  # type: ignore[misc]  # Pgx has no types
    """6 nimmt! with the rules and the reward of `faceup.jax.make`."""

    def __init__(self, spec: str = "nimmt", **options: Any) -> None:
        self.env = make(spec, auto_reset=False, **options)

    id, version = "nimmt", "v1"

    @property
    def num_players(self) -> int:
        return self.env.rules.seats

    def _init(self, key: jax.Array) -> State:
        seats = self.env.rules.seats
        game = self.env.init(jax.random.bits(key, 2, "uint32"))
        no = jnp.bool_(False)
        return self._to_choose(
            State(
                jnp.int32(0), self.env.observe(game, 0), jnp.zeros(seats), no, no, self.env.legal(game)[0],
                jnp.int32(0), game, jnp.full(seats, -1, jnp.int32),
            )
        )  # fmt: skip

    def _step(self, state: State, action: jax.Array, key: jax.Array | None) -> State:
        actions = state._actions.at[state.current_player].set(action)
        game, result = self.env.step(state._game, actions)
        due = ~(state._game.acts & (actions < 0)).any()  # all have chosen
        return self._to_choose(
            state.replace(
                _game=jax.tree.map(lambda new, old: jnp.where(due, new, old), game, state._game),
                _actions=jnp.where(due, -1, actions),
                rewards=jnp.where(due, result.rewards, 0),
                terminated=due & result.ended,
            )
        )

    def _to_choose(self, state: State) -> State:
        player = jnp.argmax(state._game.acts & (state._actions < 0)).astype(jnp.int32)
        return state.replace(current_player=player, legal_action_mask=self.env.legal(state._game)[player])

    def _observe(self, state: State, player_id: jax.Array) -> jax.Array:
        return self.env.observe(state._game)[player_id]
