"""Measure the JAX environment of 6 nimmt!, compared with the batch engine and with games of Pgx.

A run is one compiled `jax.lax.scan` of steps, each with random choices by the masks, which count. On a processor it
takes one core and processor time. The share of the memory's bandwidth is that of a copy on the same device, measured in
the same run; states that fit in a processor's cache can exceed it.

The games of Pgx run in an environment of their own, `benchmarks/peers/pgx_games.py`, which `uv` installs from its lock;
on an accelerator, in this environment, if it has Pgx.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.interleave import Row, interleaved
from benchmarks.peers.random_choice import choose
from faceup.games.nimmt import batch
from faceup.jax import State, make

PEER: Final = Path(__file__).with_name("peers") / "pgx_games.py"
LANES: Final = 4096
BATCHES: Final = tuple(1 << bits for bits in (12, 14, 16, 18, 20))
LANE_STEPS: Final = 1 << 20
"""The number of steps of a run, times the number of lanes."""
FEWEST_STEPS: Final = 3
COPIED: Final = 1 << 27

ENV: Final = make("nimmt:cowheadking", seats=4)
ON_PROCESSOR: Final = jax.default_backend() == "cpu"
CLOCK: Final = process_time if ON_PROCESSOR else perf_counter


def rows(times: int) -> list[Row]:
    """Measure steps with masks, with and without observations, and from a pool of decks."""
    few = max(3, times // 3)
    name = "6 nimmt! decisions by JAX, masks"
    peer = f"  by the batch engine, masks, batch {LANES}"
    games = {f"{name}, batch {lanes}": _Games(lanes) for lanes in BATCHES}
    games[f"{name}, decks from a pool, batch {LANES}"] = _Games(LANES, pool=True)
    for lanes in (BATCHES[0], BATCHES[2]):
        games[f"{name} and observations of all seats, batch {lanes}"] = _Games(lanes, observe=True)
    runs: dict[str, Callable[[], float]] = {title: game.rate for title, game in games.items()}
    copied = "  bytes read and written by a copy"
    with _pgx() as peers:
        figures = interleaved({peer: _Numba(LANES).rate, copied: _copy_rate, **runs, **peers}, few)
    bandwidth, numba = median(figures[copied]), median(figures[peer])
    table = []
    for title, values in figures.items():
        row = Row(title, "/s", values)
        if title in games:
            share = games[title].bytes * row.median / games[title].decisions / bandwidth
            row = row._replace(name=f"{title} ({games[title].lane_bytes} bytes a lane and step, {share:.0%} of a copy)")
        if title == f"{name}, batch {LANES}" and ON_PROCESSOR:
            row = row._replace(peer=("the batch engine", numba), bar=("half of it", row.median >= numba / 2))
        table.append(row)
    return table


class _Games:
    """Many games of the JAX environment.

    Attributes:
        bytes: the bytes that a run reads and writes at least: the state, the masks and the observations of each step.
        lane_bytes: the same for one lane and step.
        decisions: the number of decisions of the last run.
    """

    def __init__(self, lanes: int, *, observe: bool = False, pool: bool = False) -> None:
        self._decks = ENV.shuffle_pool(1 << 14, 3) if pool else None
        self._steps = max(FEWEST_STEPS, LANE_STEPS // lanes)
        start = jax.jit(partial(_start, observe))
        self._carry = start(jnp.arange(lanes), self._decks)
        self._run = jax.jit(partial(_run, observe, self._steps), donate_argnums=0)
        self.lane_bytes = 2 * sum(array.nbytes for array in jax.tree.leaves(self._carry)) // lanes
        self.bytes, self.decisions, self._number = self.lane_bytes * lanes * self._steps, 0, 0

    def rate(self) -> float:
        """Return decisions a second."""
        self._number += 1
        started = CLOCK()
        self._carry, decisions = jax.block_until_ready(self._run(self._carry, self._number, self._decks))
        seconds = CLOCK() - started
        self.decisions = int(np.asarray(decisions).sum(dtype=np.int64))
        return self.decisions / seconds


_Carry = tuple[State, jax.Array, jax.Array | None]


def _seen(observe: bool, state: State) -> _Carry:
    return state, jax.vmap(ENV.legal)(state), jax.vmap(ENV.observe)(state) if observe else None


def _start(observe: bool, lanes: jax.Array, decks: jax.Array | None) -> _Carry:
    return _seen(observe, jax.vmap(ENV.init, (None, 0, None))(7, lanes, decks))


def _run(observe: bool, steps: int, carry: _Carry, number: int, decks: jax.Array | None) -> tuple[_Carry, jax.Array]:
    def step(carry: _Carry, key: jax.Array) -> tuple[_Carry, jax.Array]:
        state, mask, _ = carry
        actions = choose(mask, key)
        state, _ = jax.vmap(ENV.step, (0, 0, None))(state, actions, decks)
        return _seen(observe, state), (actions >= 0).sum()

    return jax.lax.scan(step, carry, jax.random.split(jax.random.key(number), steps))


class _Numba:
    """Many games of the batch engine; the choices do not count."""

    def __init__(self, lanes: int) -> None:
        self._engine = batch.reset(ENV.rules, lanes=lanes, seed=7, auto_reset=True)
        self._choose = jax.jit(choose)
        self._steps, self._number = LANE_STEPS // lanes // 4, 0

    def rate(self) -> float:
        """Return decisions a second."""
        engine, seconds, decisions = self._engine, 0.0, 0
        for _ in range(self._steps):
            self._number += 1
            actions = np.asarray(self._choose(engine.mask(), jax.random.key(self._number)))
            decisions += int((actions >= 0).sum())
            started = process_time()
            engine.step(actions)
            engine.mask()
            seconds += process_time() - started
        return decisions / seconds


def _copy_rate() -> float:
    """Return the bytes a second that a copy of a large array reads and writes."""
    array = jnp.zeros(COPIED, jnp.uint8)
    copy = jax.jit(lambda array: array + jnp.uint8(1))
    jax.block_until_ready(copy(array))
    started = CLOCK()
    jax.block_until_ready(copy(array))
    return 2 * COPIED / (CLOCK() - started)


@contextlib.contextmanager
def _pgx() -> Iterator[Mapping[str, Callable[[], float]]]:
    """Start the games of Pgx; yield a function for each game that measures its decisions a second."""
    if not ON_PROCESSOR and not find_spec("pgx"):
        yield {}
        return
    lanes, steps = LANES if ON_PROCESSOR else BATCHES[-1], 40
    python = ["-m", "uv", "run", "--quiet", "--script"] if ON_PROCESSOR else []
    command = [sys.executable, *python, str(PEER), str(lanes), str(steps)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    names = process.stdout.readline().split()

    def rate(name: str) -> float:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    yield {f"  Pgx {name}, masks and observations, batch {lanes}": partial(rate, name) for name in names}
    process.stdin.close()
    process.wait()
