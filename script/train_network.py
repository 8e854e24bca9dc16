"""Train the networks of 6 nimmt!. See `script/train`.

The network plays deals against itself, against earlier rollout policies and against simple bots, at tables of every
size. Each card of each decision is played in the true deal, and the deal is then played out by compiled policies (see
`faceup.games.nimmt.batch.self_play`). The network learns to play the cards that cost little, to win, what a position
costs, and who holds which card. The policy that plays the rollouts, of the kind `fitted`, learns from the same costs
and is renewed again and again: this is policy iteration.

One thread computes everything in a fixed order, so that a seed determines the curve on a given machine. Checkpoints
hold the whole state; a run that was killed resumes from the last one with the same curve.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from network_model import FittedNetwork, SetNetwork, belief_loss, choice_loss, tensors
from start_weights import FIRST, LAST
from torch import Tensor
from torch.nn import functional

from faceup.core import make
from faceup.games.lanes import AnyArray
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import network, set_network
from faceup.games.nimmt.batch.kernels import BLOCK, GREEDY, HIGHEST, LOWEST, RANDOM
from faceup.games.nimmt.batch.network import FITTED
from faceup.games.nimmt.batch.self_play import Games, Labels, pool_of
from faceup.games.nimmt.batch.set_features import Positions
from faceup.games.nimmt.batch.set_network import HEADS_SCALE, SOFTNESS, WIN_HEADS
from faceup.games.nimmt.python_search import LATE

SPECS: Final = (
    *(f"nimmt:cowheadking seats={seats}" for seats in (2, 2, 3, 4, 4, 4, 4, 5, 6, 8, 10)),
    *(f"nimmt:tactical deals=1 target=0 seats={seats}" for seats in (2, 3, 4, 4, 5, 6)),
)
"""The rules of the deals, drawn at random."""

START: Final[network.Weights] = (np.array(FIRST, np.float32), np.array(LAST, np.float32))
"""The weights of the first rollout policy."""

SIMPLE: Final = (GREEDY, GREEDY, GREEDY, LOWEST, HIGHEST, RANDOM)
BATCH: Final = 1024
"""Decisions of one table size; a step uses `GROUPS` of them."""
GROUPS: Final = 2
REPEATS: Final = 2
"""Rollouts for each card."""
LABELLED: Final = 3
"""The most seats of a deal to learn from."""
EXPLORE: Final = 0.08
"""Probability that a seat plays a random card in a turn, in all deals of a block."""
IMITATE: Final = 500
"""Steps in which the rollout policy plays in place of the network."""
RENEW: Final = 500
"""Steps between two rollout policies."""
KEEP: Final = 2000
"""Steps between two rollout policies that stay in the pool of opponents."""
POOL: Final = 8
RANDOM_ROLLOUTS: Final = {2: 1.0, 3: 0.5}
"""By number of seats, the share of blocks in whose rollouts all seats but the simple bots play at random.

With two seats, a network learns to play better from such rollouts than from those of policy `fitted`.
"""
FIRST_SOFTNESS: Final = 0.5
"""Temperature in heads at the start; it falls to `SOFTNESS`. See `choice_loss`."""
FITTED_SOFTNESS: Final = 0.25
"""The least temperature of the rollout policy."""
RATE: Final = 1.5e-3
SAVE: Final = 250
EVALUATE: Final = 1000


Arrays = TypeVar("Arrays", bound=tuple[Any, ...])  # Any: arrays of several types


def tuple_of(kind: Callable[..., Arrays], arrays: Iterable[AnyArray]) -> Arrays:
    """Return a tuple with these arrays in its fields."""
    return kind(*arrays)


def joined(kind: Callable[..., Arrays], parts: Sequence[Arrays]) -> Arrays:
    """Concatenate the arrays of tuples of arrays, one by one."""
    return tuple_of(kind, (np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class Decisions(NamedTuple):
    """Labelled decisions of one table size.

    Attributes:
        known: the positions.
        others: uint8 [n, seats - 1, MOST_HAND]: the hands of the other seats.
        labels: the labels.
    """

    known: Positions
    others: npt.NDArray[np.uint8]
    labels: Labels

    def take(self, places: npt.NDArray[np.intp]) -> "Decisions":
        """Return the decisions at these places."""
        return Decisions(
            tuple_of(Positions, (array[places] for array in self.known)),
            self.others[places],
            tuple_of(Labels, (array[places] for array in self.labels)),
        )


def join(parts: Sequence[Decisions]) -> Decisions:
    """Concatenate decisions."""
    return Decisions(
        joined(Positions, [part.known for part in parts]),
        np.concatenate([part.others for part in parts]),
        joined(Labels, [part.labels for part in parts]),
    )


class Table(NamedTuple):
    """Who plays in each block and seat, arrays [blocks, seats].

    Attributes:
        models: uint8: number of the policy that plays where the network does not.
        rollouts: uint8: number of the policy in rollouts.
        members: int64: number of its weights in the pool.
        networks: bool: whether the network plays.
        labelled: bool: whether to learn from the seat.
    """

    models: npt.NDArray[np.uint8]
    rollouts: npt.NDArray[np.uint8]
    members: npt.NDArray[np.int64]
    networks: npt.NDArray[np.bool_]
    labelled: npt.NDArray[np.bool_]


class Training:
    """The state of a training run.

    Args:
        folder: the folder of the checkpoint and of the log.
        seed: the seed of the run.
        steps: the steps after which the learning rate and the softness end.
    """

    def __init__(self, folder: Path, *, seed: int, steps: int) -> None:
        self.folder, self.seed, self.steps = folder, seed, steps
        self.step, self.number = 0, 0
        torch.manual_seed(seed)
        self.rules = [_rules(spec) for spec in SPECS]
        self.net, self.mean = SetNetwork(), SetNetwork()
        self.mean.load_state_dict(self.net.state_dict())
        self.fitted = FittedNetwork(START)
        self.pool = [START]
        self.optimizer = torch.optim.AdamW(self.net.parameters(), RATE, betas=(0.9, 0.99), weight_decay=0.01)
        self.fitted_optimizer = torch.optim.Adam(self.fitted.parameters(), 2e-3)
        self.rng = np.random.default_rng(seed)
        self.waiting: dict[int, tuple[Decisions, list[npt.NDArray[np.intp]]]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if self._checkpoint.exists():
            self._load()

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def _parts(self) -> dict[str, Any]:  # Any: modules and optimizers
        return {
            "net": self.net, "ema": self.mean, "small": self.fitted, "opt": self.optimizer,
            "opt2": self.fitted_optimizer,
        }  # fmt: skip

    def _load(self) -> None:
        saved = torch.load(self._checkpoint, weights_only=False)
        for name, part in self._parts().items():
            part.load_state_dict(saved[name])
        self.pool, self.step, self.number = saved["pool"], saved["step"], saved["number"]
        self.rng.bit_generator.state = saved["rng"]

    def save(self) -> None:
        """Write a checkpoint, and drop the decisions at hand, because a checkpoint does not hold them."""
        self.waiting.clear()
        new = self._checkpoint.with_suffix(".new")
        state = {name: part.state_dict() for name, part in self._parts().items()}
        state |= {"pool": self.pool, "step": self.step, "number": self.number, "rng": self.rng.bit_generator.state}
        torch.save(state, new)
        new.replace(self._checkpoint)

    def advance(self) -> dict[str, float]:
        """Take a step; return the losses."""
        progress = self.step / self.steps
        rate = RATE * min(1, (self.step + 1) / 300) * (0.02 + 0.49 * (1 + math.cos(math.pi * min(1, progress))))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        softness = FIRST_SOFTNESS * (SOFTNESS / FIRST_SOFTNESS) ** min(1, 1.5 * progress)
        losses: dict[str, list[float]] = {}
        for _ in range(GROUPS):
            index = int(self.rng.integers(len(self.rules)))
            total, parts = self._losses(self.rules[index], self._draw(index), softness)
            (total / GROUPS).backward()
            for name, loss in parts.items():
                losses.setdefault(name, []).append(float(loss.detach()))
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        for optimizer in (self.optimizer, self.fitted_optimizer):
            optimizer.step()
            optimizer.zero_grad()
        self.step += 1
        keep = min(0.999, 1 - 1 / (self.step + 1))
        with torch.no_grad():
            for mean, weight in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(weight, 1 - keep)
        if self.step % RENEW == 0:
            if self.step % KEEP == 0 or len(self.pool) == 1:
                self.pool.insert(1, self.pool[0])
                del self.pool[POOL:]
            self.pool[0] = self.fitted.weights()
        return {"rate": rate, "softness": softness} | {name: sum(of) / len(of) for name, of in losses.items()}

    def _losses(self, rules: Rules, decisions: Decisions, softness: float) -> tuple[Tensor, dict[str, Tensor]]:
        context, card, seat, hands = tensors(rules, decisions.known)
        cost, win = (torch.from_numpy(label) for label in decisions.labels)
        there = hands > 0
        count = there.sum(1, keepdim=True)
        fewer = torch.where(there, cost - cost.sum(1, keepdim=True) / count, 0)
        loses = torch.where(there, win.sum(1, keepdim=True) / count - win, 0) * WIN_HEADS
        learns_belief = self.rng.random() < 0.25
        with torch.autocast("cpu", torch.bfloat16):
            policy, value, belief = self.net(context, card, seat, hands, belief=learns_belief)
        losses: dict[str, Tensor] = {}
        losses["heads"], chances = choice_loss(policy[:, :, 0], fewer, there, softness)
        losses["win"], winning = choice_loss(policy[:, :, 1], loses, there, softness)
        losses["value"] = functional.mse_loss(value[:, 0], (chances.detach() * cost).sum(1) / HEADS_SCALE)
        losses["winning"] = 0.5 * functional.binary_cross_entropy_with_logits(
            value[:, 1], (winning.detach() * win).sum(1).clamp(0, 1)
        )
        if belief is not None:
            losses["belief"] = 0.2 * belief_loss(belief, context, decisions.others)
        logits = self.fitted(context, card, hands)
        losses["fitted"], _ = choice_loss(logits, fewer, there, max(FITTED_SOFTNESS, softness))
        return torch.stack([*losses.values()]).sum(), losses

    def _draw(self, index: int) -> Decisions:
        """Return a batch of decisions under the rules of this number."""
        decisions, batches = self.waiting.get(index, (None, []))
        if decisions is None or not batches:
            decisions = self._play(self.rules[index])
            order = self.rng.permutation(len(decisions.others))
            batches = [order[first : first + BATCH] for first in range(0, len(order) - BATCH + 1, BATCH)]
            self.waiting[index] = decisions, batches
        return decisions.take(batches.pop())

    def _seat(self, rules: Rules, size: int) -> Table:
        """Decide who plays in which seat."""
        shape = (size, rules.seats)
        table = Table(
            np.full(shape, FITTED, np.uint8),
            np.full(shape, FITTED, np.uint8),
            np.zeros(shape, np.int64),
            np.zeros(shape, bool),
            np.zeros(shape, bool),
        )
        for block in range(size):
            simple_table = self.rng.random() < 0.1
            for number, seat in enumerate(self.rng.permutation(rules.seats)):
                kind, member = self.rng.random(), self.rng.integers(len(self.pool))
                simple = self.rng.choice(SIMPLE)
                if number == 0 or kind < 0.5:
                    table.networks[block, seat] = self.step >= IMITATE
                    table.labelled[block, seat] = table.labelled[block].sum() < LABELLED
                elif kind < 0.85 and not simple_table:
                    table.members[block, seat] = member
                else:
                    table.models[block, seat] = table.rollouts[block, seat] = simple
            if self.rng.random() < RANDOM_ROLLOUTS.get(rules.seats, 0):
                table.rollouts[block][table.rollouts[block] == FITTED] = RANDOM
        return table

    def _play(self, rules: Rules) -> Decisions:
        """Play some blocks of deals, and label the decisions with more than one option."""
        size = 2 if rules.seats < 6 else 1
        self.number += 1
        firsts = [self.number * 10_000_000 + block * BLOCK for block in range(size)]
        games = Games(rules, firsts, seed=self.seed, pool=pool_of(self.pool))
        table = self._seat(rules, size)
        salt = int(self.rng.integers(2**40))
        parts = []
        for _ in range(rules.hand - 1):
            self._choose(games, table)
            labels = games.label(table.labelled, table.rollouts, table.members, repeats=REPEATS, salt=salt)
            for seat, found in labels.items():
                blocks = np.flatnonzero(table.labelled[:, seat]).tolist()
                parts.append(Decisions(*games.positions(seat, blocks), found))
            for seat in range(rules.seats):
                explores = np.flatnonzero(self.rng.random(size) < EXPLORE).tolist()
                games.explore(seat, explores, int(self.rng.integers(2**62)))
            games.step()
        return join(parts)

    def _choose(self, games: Games, table: Table) -> None:
        """Let every seat choose a card; the network draws from its policy for few heads."""
        asked = []
        for seat in range(games.rules.seats):
            blocks = np.flatnonzero(table.networks[:, seat]).tolist()
            if blocks:
                asked.append((seat, blocks, games.positions(seat, blocks)[0]))
            for block in np.flatnonzero(~table.networks[:, seat]).tolist():
                games.choose(seat, int(table.models[block, seat]), [block], int(table.members[block, seat]))
        if not asked:
            return
        known = joined(Positions, [part for _, _, part in asked])
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            policy = self.net(*tensors(games.rules, known))[0][:, :, 0].numpy()
        noise = self.rng.gumbel(size=policy.shape).astype(np.float32)
        chosen = known.hands[np.arange(len(policy)), (policy + noise).argmax(1)]
        for seat, blocks, part in asked:
            games.put(seat, blocks, chosen[: len(part.hands)])
            chosen = chosen[len(part.hands) :]


def _rules(spec: str) -> Rules:
    rules = make(spec)
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    return rules


def evaluate(
    weights: set_network.Weights, spec: str, model: int, members: Sequence[network.Weights], *, blocks: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Play the network without search at a table of equal opponents; every deal is played with it in each seat.

    It plays for few heads, and with the last `LATE` cards to win.

    Args:
        weights: the weights of the network.
        spec: the rules, of which one deal is played.
        model: the opponents' policy.
        members: the weights of the opponents, one for all of them.
        blocks: number of blocks of `BLOCK` deals.
        seed: seed of the deals.

    Returns:
        By measure, the mean and the half width of its 95 % interval: heads a deal, the same relative to the mean of the
        others, and the share of wins.
    """
    rules, every = _rules(spec), range(blocks)
    found: dict[str, list[npt.NDArray[np.float64]]] = {"heads": [], "relative": [], "win": []}
    for me in range(rules.seats):
        games = Games(rules, [block * BLOCK for block in every], seed=seed, pool=pool_of(members))
        while games.turn < rules.hand:
            for seat in range(rules.seats):
                if seat != me:
                    games.choose(seat, model, every)
            known, _ = games.positions(me, every)
            policy = set_network.evaluate_positions(rules, known, weights).policy
            late = rules.hand - games.turn <= LATE
            best = np.where(known.hands > 0, policy[:, :, int(late)], -np.inf).argmax(1)
            games.put(me, every, known.hands[np.arange(len(best)), best])
            games.step()
        heads = games.heads()
        winners = heads == heads.min(axis=1, keepdims=True)
        found["heads"].append(heads[:, me].astype(float))
        found["relative"].append(heads[:, me] - (heads.sum(axis=1) - heads[:, me]) / (rules.seats - 1))
        found["win"].append(winners[:, me] / winners.sum(axis=1))
    means = {name: np.mean(seats, axis=0) for name, seats in found.items()}
    return {
        name: (round(float(mean.mean()), 4), round(float(1.96 * mean.std() / math.sqrt(len(mean))), 4))
        for name, mean in means.items()
    }


def evaluations(weights: set_network.Weights) -> dict[str, dict[str, tuple[float, float]]]:
    """Evaluate the network against `greedy`, and against the first rollout policy without its noise."""
    sure = (START[0], START[1] * 1000)
    cells = {
        "4 seats, fitted": ("nimmt:cowheadking seats=4", FITTED, 8),
        "4 seats, greedy": ("nimmt:cowheadking seats=4", GREEDY, 8),
        "2 seats, fitted": ("nimmt:cowheadking seats=2", FITTED, 8),
        "10 seats, fitted": ("nimmt:cowheadking seats=10", FITTED, 2),
    }
    return {
        name: evaluate(weights, spec, model, [sure], blocks=blocks, seed=987654321)
        for name, (spec, model, blocks) in cells.items()
    }


def main() -> None:
    """Train until the last step, or export the weights."""
    parser = argparse.ArgumentParser(description="Train the set network of 6 nimmt!, or resume its training.")
    parser.add_argument("folder", type=Path, help="folder of the checkpoint and of the log")
    parser.add_argument("--steps", type=int, default=12_000, help="steps of the whole run")
    parser.add_argument("--stop", type=int, help="stop after this step, as if the run was killed there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--save", type=int, default=SAVE, help="steps between checkpoints; part of what a seed determines"
    )
    parser.add_argument("--export", action="store_true", help="write the weights of the checkpoint to the package")
    options = parser.parse_args()
    torch.set_num_threads(1)
    training = Training(options.folder, seed=options.seed, steps=options.steps)
    if options.export:
        set_network.save(set_network.WEIGHTS_FILE, training.mean.weights())
        network.save(network.WEIGHTS_FILE, training.fitted.weights())
        print(f"Wrote the weights after {training.step:,} steps to {os.path.relpath(set_network.WEIGHTS_FILE)}.")
        return
    sums: dict[str, list[float]] = {}
    start = perf_counter()
    with (options.folder / "log.jsonl").open("a", buffering=1, encoding="utf-8") as log:
        while training.step < min(options.steps, options.stop or options.steps):
            for name, value in training.advance().items():
                sums.setdefault(name, []).append(value)
            if training.step % options.save == 0:
                training.save()
                speed = options.save * BATCH * GROUPS / (perf_counter() - start)
                line: dict[str, object] = {"step": training.step, "decisions_per_s": round(speed)}
                line |= {name: round(sum(values) / len(values), 5) for name, values in sums.items()}
                if training.step % EVALUATE == 0:
                    line["evaluation"] = evaluations(training.mean.weights())
                log.write(json.dumps(line) + "\n")
                print(json.dumps(line), file=sys.stderr)
                sums.clear()
                start = perf_counter()


if __name__ == "__main__":
    main()
