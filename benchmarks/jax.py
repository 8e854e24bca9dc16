"""Measure the JAX environment of 6 nimmt!, compared with the batch engine and with games of Pgx, on one processor core.

On an accelerator that JAX finds, also measure large batches, and the share of the memory's bandwidth.

The games of Pgx run in an environment of their own, `benchmarks/peers/pgx_games.py`, which `uv` installs from its lock.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import jax.numpy as jnp
import numpy as np

import jax
from benchmarks.interleave import Row, interleaved
from faceup.games.nimmt import batch
from faceup.jax import State, make

PEER: Final = Path(__file__).with_name("peers") / "pgx_games.py"
LANES: Final = 4096
BATCHES: Final = (256, 4096, 32768)
LARGE: Final = tuple(1 << bits for bits in (12, 16, 20, 22))
STEPS: Final = 40
BANDWIDTH: Final = {"H100": 3.35e12, "H200": 4.8e12, "A100": 2.0e12}
"""Bytes a second that the memory of an accelerator can move, by a part of its name."""

ENV: Final = make("nimmt:cowheadking", seats=4)


def rows(times: int) -> list[Row]:
    """Measure steps with masks, with and without observations."""
    few = max(3, times // 3)
    return [*_processor(few), *(_accelerator(few) if jax.default_backend() != "cpu" else [])]


class _Loop:
    """Many games of the JAX environment."""

    def __init__(self, lanes: int, *, observe: bool = False, pool: bool = False, device: str | None = None) -> None:
        self._device = jax.devices(device)[0]
        with jax.default_device(self._device):
            self._decks = ENV.shuffle_pool(1 << 14, 3) if pool else None
            self._step = jax.jit(partial(_step, observe), donate_argnums=0)
            self._choose = jax.jit(_choose)
            start = jax.jit(jax.vmap(ENV.init, (None, 0, None)))
            self._state = start(7, jnp.arange(lanes), self._decks)
            self._mask = jax.jit(jax.vmap(ENV.legal))(self._state)
        self._number = 0
        self.bytes, self.step_seconds = 0, 0.0

    def rate(self, clock: Callable[[], float] = process_time) -> float:
        """Return decisions a second, without the time to choose them."""
        seconds, decisions = 0.0, 0
        with jax.default_device(self._device):
            for _ in range(STEPS):
                self._number += 1
                actions = jax.block_until_ready(self._choose(self._mask, self._number))
                decisions += int((actions >= 0).sum())
                read = sum(array.nbytes for array in (*self._state, actions))
                start = clock()
                self._state, result, self._mask, seen = jax.block_until_ready(
                    self._step(self._state, actions, self._decks)
                )
                seconds += clock() - start
                wrote = sum(array.nbytes for array in jax.tree.leaves((self._state, result, self._mask, seen)))
                self.bytes = read + wrote
        self.step_seconds = seconds / STEPS
        return decisions / seconds


def _step(observe: bool, state: State, actions: jax.Array, decks: jax.Array | None) -> tuple[Any, ...]:
    state, result = jax.vmap(ENV.step, (0, 0, None))(state, actions, decks)
    return state, result, jax.vmap(ENV.legal)(state), jax.vmap(ENV.observe)(state) if observe else None


def _choose(mask: jax.Array, number: int) -> jax.Array:
    """Return a random legal action for each seat to act, -1 for the others."""
    drawn = jax.random.bits(jax.random.key(number), mask.shape, jnp.uint8) | 1
    return jnp.where(mask.any(axis=2), jnp.where(mask, drawn, 0).argmax(axis=2), -1).astype(jnp.int16)


class _Numba:
    """Many games of the batch engine."""

    def __init__(self, lanes: int) -> None:
        self._engine = batch.reset(ENV.rules, lanes=lanes, seed=7, auto_reset=True)
        self._choose = jax.jit(_choose)
        self._number = 0

    def rate(self) -> float:
        """Return decisions a second, without the time to choose them."""
        engine, seconds, decisions = self._engine, 0.0, 0
        for _ in range(STEPS):
            self._number += 1
            actions = np.asarray(self._choose(engine.mask(), self._number))
            decisions += int((actions >= 0).sum())
            start = process_time()
            engine.step(actions)
            engine.mask()
            seconds += process_time() - start
        return decisions / seconds


@contextlib.contextmanager
def _pgx() -> Iterator[dict[str, Callable[[], float]]]:
    """Start the games of Pgx; yield a function for each game that measures its decisions a second."""
    command = [sys.executable, "-m", "uv", "run", "--quiet", "--script", str(PEER), str(LANES), str(STEPS)]
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

    yield {f"  Pgx {name}, masks and observations, batch {LANES}": partial(rate, name) for name in names}
    process.stdin.close()
    process.wait()


def _processor(times: int) -> list[Row]:
    steps, compiled = "6 nimmt! decisions by JAX on a processor, masks", "  by the batch engine, masks"
    runs = {f"{compiled}, batch {LANES}": _Numba(LANES).rate}
    for lanes in BATCHES:
        runs[f"{steps}, batch {lanes}"] = _Loop(lanes, device="cpu").rate
    runs[f"{steps}, decks from a pool, batch {LANES}"] = _Loop(LANES, pool=True, device="cpu").rate
    runs[f"{steps} and observations of all seats, batch {LANES}"] = _Loop(LANES, observe=True, device="cpu").rate
    with _pgx() as peers:
        figures = interleaved({**runs, **peers}, times)
    numba = median(figures[f"{compiled}, batch {LANES}"])
    found = [Row(name, "/s", values) for name, values in figures.items()]
    return [
        row._replace(peer=("the batch engine", numba), bar=("half of it", row.median >= numba / 2))
        if row.name == f"{steps}, batch {LANES}"
        else row
        for row in found
    ]


def _accelerator(times: int) -> list[Row]:
    device = jax.devices()[0].device_kind
    most = next((value for name, value in BANDWIDTH.items() if name in device), None)
    found = []
    for lanes in LARGE:
        loop = _Loop(lanes)
        name = f"6 nimmt! decisions by JAX on {device}, masks, batch {lanes}"
        row = Row(name, "/s", interleaved({name: partial(loop.rate, perf_counter)}, times)[name])
        if most:
            moved = loop.bytes / loop.step_seconds / most
            row = row._replace(name=f"{name} ({loop.bytes // lanes} bytes a step, {moved:.0%} of the bandwidth)")
        found.append(row)
    return found
