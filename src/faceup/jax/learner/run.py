"""A training run: its tables, its checkpoint and its logs."""

import csv
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from tensorboardX import SummaryWriter

from faceup.games.nimmt.batch import network
from faceup.jax.env import Env, make
from faceup.jax.learner import ppo
from faceup.jax.learner.network import new_weights
from faceup.jax.state import State

CHECKPOINT: Final = "checkpoint.npz"
NETWORK: Final = "network.npz"
LOG: Final = "log.csv"

_HELD_OUT: Final = 1 << 31
"""Half of the seed of the deals of evaluations, on which no run trains."""


class Options(NamedTuple):
    """What a run trains on, and how; a run resumes only with the same options.

    Attributes:
        tables: the rules, of which the updates take turns.
        decisions: the number of decisions of an update.
        seed: the seed of the weights, the deals and the choices.
        settings: the settings of the updates.
    """

    tables: tuple[str, ...]
    decisions: int
    seed: int
    settings: ppo.PpoSettings

    def text(self) -> str:
        """Return the options as text, to compare them."""
        return repr(tuple(self))


class _Table(NamedTuple):
    """The games under the same rules, and the compiled functions for them."""

    name: str
    env: Env
    lanes: int
    start: Callable[..., Any]
    update: Callable[..., Any]
    wins: Callable[..., Any]


@cache
def _table(spec: str, decisions: int, settings: ppo.PpoSettings) -> _Table:
    """Return a table; the cache saves compiling for another run of the process."""
    env = make(spec, reward="relative")
    return _Table(
        spec,
        env,
        max(1, decisions // (env.rules.seats * env.rules.hand)),
        jax.jit(jax.vmap(env.init, (None, 0))),
        jax.jit(partial(ppo.update, env, settings)),
        jax.jit(partial(ppo.wins, env), static_argnums=2),
    )


class TrainingRun:
    """A training run in a folder, new or resumed.

    Args:
        folder: the folder of the checkpoint, of the network and of the logs.
        options: the options.

    Attributes:
        updates: the number of finished updates.
        decisions: the number of decisions.
        seconds: the time in seconds.

    Raises:
        ValueError: the folder has a checkpoint of a run with other options.
    """

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self.options = folder, options
        self._tables = [_table(spec, options.decisions, options.settings) for spec in options.tables]
        self._states: list[State] = [table.start(options.seed, jnp.arange(table.lanes)) for table in self._tables]
        self._learned = ppo.start(new_weights(options.seed))
        self.updates, self.decisions, self.seconds = 0, 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._load()
        self._cut_log()
        self._writer = SummaryWriter(str(folder), purge_step=self.updates + 1)

    def advance(self, rate: float = 1) -> dict[str, float]:
        """Update the network, and return the parts of the loss.

        Args:
            rate: the learning rate, as a share of that of the settings.
        """
        started = perf_counter()
        index = self.updates % len(self._tables)
        table = self._tables[index]
        key = jax.random.fold_in(jax.random.key(self.options.seed), self.updates)
        self._learned, self._states[index], parts = table.update(
            self._learned, self._states[index], key=key, rate=jnp.float32(rate)
        )
        result = {name: float(part) for name, part in parts.items()}
        self.updates += 1
        self.decisions += table.lanes * table.env.rules.seats * table.env.rules.hand
        self.seconds += perf_counter() - started
        return result

    def evaluate(self, deals: int) -> dict[str, float]:
        """Play deals against the bot `greedy`; return the share of wins and the heads a deal, with 95 % intervals."""
        figures: dict[str, float] = {}
        for table in self._tables:
            measures = table.wins(self._learned.mean, jnp.array([_HELD_OUT, 0], jnp.uint32), deals)
            for name, values in zip(("wins", "heads"), measures, strict=True):
                figures[f"{table.name}: {name}"] = round(float(values.mean()), 4)
                figures[f"{table.name}: {name} ±"] = round(float(1.96 * values.std() / deals**0.5), 4)
        return figures

    def log(self, figures: dict[str, float]) -> None:
        """Add a line to the logs."""
        line = {"update": self.updates, "decisions": self.decisions, "seconds": round(self.seconds, 1), **figures}
        new = not (self.folder / LOG).exists()
        with (self.folder / LOG).open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [*line])
            if new:
                writer.writeheader()
            writer.writerow(line)
        for name, figure in figures.items():
            self._writer.add_scalar(name.replace(": ", "/"), figure, self.updates)
        self._writer.flush()

    def save(self) -> None:
        """Write the checkpoint, and the mean weights as a network. A kill at any time leaves whole files."""
        arrays = {f"array {index}": leaf for index, leaf in enumerate(self._leaves())}
        _replace(
            self.folder / CHECKPOINT,
            lambda path: _write(
                path,
                {
                    **arrays,
                    "options": np.array(self.options.text()),
                    "done": np.array([self.updates, self.decisions, self.seconds]),
                },
            ),
        )
        weights = network.Weights(*map(np.asarray, self._learned.mean))
        _replace(self.folder / NETWORK, lambda path: network.save(path, weights))

    def _leaves(self) -> Sequence[jax.Array]:
        return jax.tree.leaves((self._learned, self._states))

    def _load(self) -> None:
        path = self.folder / CHECKPOINT
        with np.load(path, allow_pickle=False) as arrays:
            if str(arrays["options"]) != self.options.text():
                raise ValueError(f"{path} is of a run with other options: {arrays['options']}")
            leaves = [jnp.asarray(arrays[f"array {index}"]) for index in range(len(self._leaves()))]
            updates, decisions, self.seconds = arrays["done"].tolist()
        self.updates, self.decisions = int(updates), int(decisions)
        structure = jax.tree.structure((self._learned, self._states))
        self._learned, self._states = jax.tree.unflatten(structure, leaves)

    def _cut_log(self) -> None:
        """Remove lines of the log that a killed run wrote after its last checkpoint."""
        path = self.folder / LOG
        if path.exists():
            head, *lines = path.read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if line.endswith("\n") and int(line.partition(",")[0]) <= self.updates]
            _replace(path, lambda new: new.write_text(head + "".join(kept), "utf-8"))


def _write(path: Path, arrays: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    new = path.with_suffix(".new")
    write(new)
    new.replace(path)
