# /// script
# requires-python = ">=3.11"
# dependencies = ["pgx==2.6.0", "jax==0.10.2; python_version < '3.12'", "jax>=0.10.2; python_version >= '3.12'"]
# ///
"""Games of Pgx: prints their names, and then, for each name that it reads, decisions a second of random legal play.

A run is one compiled scan. A decision includes the mask and the observation, which Pgx always computes, and the choice.
"""

import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import Any

import jax
import pgx
from pgx.experimental import auto_reset
from random_choice import choose

GAMES = ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "2048")
LANES, STEPS = int(sys.argv[1]), int(sys.argv[2])
CLOCK = process_time if jax.default_backend() == "cpu" else perf_counter


State = Any  # Pgx is not among the packages that are type-checked


def run(step: Callable[..., State], state: State, number: int) -> State:
    def turn(state: State, key: jax.Array) -> tuple[State, None]:
        choosing, dealing = jax.random.split(key)
        actions = choose(state.legal_action_mask, choosing)
        return jax.vmap(step)(state, actions, jax.random.split(dealing, LANES)), None

    return jax.lax.scan(turn, state, jax.random.split(jax.random.key(number), STEPS))[0]


def prepared(name: str) -> tuple[Callable[..., State], State]:
    env = pgx.make(name)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), LANES))
    return jax.jit(partial(run, auto_reset(env.step, env.init)), donate_argnums=0), state


def main() -> None:
    games = {name: prepared(name) for name in GAMES}
    print(*games, flush=True)
    for number, line in enumerate(sys.stdin):
        play, state = games[line.strip()]
        started = CLOCK()
        state = jax.block_until_ready(play(state, number))
        seconds = CLOCK() - started
        games[line.strip()] = play, state
        print(STEPS * LANES / seconds, flush=True)


main()
