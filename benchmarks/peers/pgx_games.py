# /// script
# requires-python = ">=3.11"
# dependencies = ["pgx==2.6.0", "jax==0.10.2; python_version < '3.12'", "jax>=0.10.2; python_version >= '3.12'"]
# ///
"""Games of Pgx: prints their names, and then, for each name that it reads, decisions a second of random legal play.

A decision includes the mask and the observation, which Pgx always computes. The time to choose is not counted.
"""

import sys
from time import process_time
from typing import Any

import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

import jax

GAMES = ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "2048")
LANES, STEPS = int(sys.argv[1]), int(sys.argv[2])


@jax.jit
def choose(mask: jax.Array, number: int) -> jax.Array:
    drawn = jax.random.uniform(jax.random.key(number), mask.shape) + 1
    return jnp.where(mask, drawn, 0).argmax(axis=1)


def prepared(name: str) -> tuple[Any, Any]:  # Any: Pgx is not among the packages that are type-checked
    env = pgx.make(name)
    stepped = auto_reset(env.step, env.init)
    start = jax.jit(jax.vmap(env.init))
    keys = jax.random.split(jax.random.key(1), LANES)
    return jax.jit(jax.vmap(stepped), donate_argnums=0), start(keys)


def main() -> None:
    games = {name: prepared(name) for name in GAMES}
    print(*games, flush=True)
    number = 0
    for line in sys.stdin:
        step, state = games[line.strip()]
        seconds = 0.0
        for _ in range(STEPS):
            number += 1
            actions = jax.block_until_ready(choose(state.legal_action_mask, number))
            keys = jax.random.split(jax.random.key(number), LANES)
            jax.block_until_ready(keys)
            start = process_time()
            state = jax.block_until_ready(step(state, actions, keys))
            seconds += process_time() - start
        games[line.strip()] = step, state
        print(STEPS * LANES / seconds, flush=True)


main()
