"""Train the networks of 6 nimmt! by self-play. See `script/train`.

All seats draw their cards from the present network, but for some that an earlier network or a simple bot plays. A
critic that sees all hands learns the heads to come and who wins. Each card of a decision is placed exactly against the
cards that the others chose, and the critic values the deal after it. The network learns to play the cards that cost
little and those that win; a pull towards its slow average keeps simultaneous choices from going in circles. The policy
`fitted`, which plays the rollouts of searches, learns from the same costs.

The lanes of one table are in ten cohorts, each a turn ahead of the one before, so that every step has decisions of all
turns, and one cohort ends its deals. From these the critic learns, by TD(lambda).

On a CPU, one thread computes everything in a fixed order, so that a seed determines the curve on a given machine, also
if the run is killed and resumes from its last checkpoint. With CUDA, the order of sums differs from run to run.

Sources: Sokota et al., "A unified approach to reinforcement learning, quantal response equilibria, and two-player
zero-sum games" (2023); Sutton, "Learning to predict by the methods of temporal differences" (1988).
"""

import argparse
import copy
import csv
import math
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from critic_model import Critic, critic_loss, relative_heads, win_shares
from deal_tensors import Inputs, Lanes, deal, encode, greedy_cards, holders, step
from network_model import FittedNetwork, SetNetwork, belief_loss, choice_loss
from start_weights import FIRST, LAST
from torch import Tensor, nn
from torch.nn import functional
from training_table import NETWORK, RIVAL, Table, label, returns

from faceup.core import make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import critic, fitted_policy, network
from faceup.games.nimmt.batch.network import HEADS_SCALE, SOFTNESS, WIN_HEADS
from faceup.games.nimmt.batch.network_inputs import GENERAL, PLANES
from faceup.games.nimmt.objectives import LATE

SPECS: Final = (
    *(f"nimmt:cowheadking seats={seats}" for seats in (2, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 9, 10)),
    *(f"nimmt:tactical deals=1 target=0 seats={seats}" for seats in (2, 3, 4, 4, 5, 6, 8)),
)
"""The rules of the deals, drawn at random."""

LAMBDA: Final = 0.8
PULL: Final = 0.15
"""Weight of the pull towards the slow average, in heads."""
FITTED_SOFTNESS: Final = 0.25
RATE: Final = 7e-4
CRITIC_RATE: Final = 1e-3
LOSSES: Final = ("heads", "win", "value", "winning", "fitted", "belief", "critic")
POOL: Final = 8
"""The most rivals. The first is the network as it was at the start."""


def make_rules(spec: str) -> Rules:
    """Return the rules of a table."""
    rules = make(spec)
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    return rules


def follow(slow: nn.Module, module: nn.Module, share: float) -> None:
    """Move a slow average towards the weights of a module."""
    with torch.no_grad():
        torch._foreach_lerp_([*slow.parameters()], [*module.parameters()], share)


class Training:
    """The state of a training run.

    Args:
        options: the options of the command.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.device = options, torch.device(options.device)
        self.step, self.seconds, self.decisions = 0, 0.0, 0
        torch.manual_seed(options.seed)
        self.generator = torch.Generator().manual_seed(options.seed)
        self.net, self.critic = SetNetwork(), Critic()
        if not options.fresh:
            self.net.load_weights(network.load())
        self.net.to(self.device)
        self.critic.to(self.device)
        start = (np.array(FIRST, np.float32), np.array(LAST, np.float32)) if options.fresh else fitted_policy.WEIGHTS
        self.fitted = FittedNetwork(start).to(self.device)
        self.mean, self.slow = copy.deepcopy(self.net), copy.deepcopy(self.critic)
        self.rival = copy.deepcopy(self.net)
        self.pool = [copy.deepcopy(self.net.state_dict())]
        fused = self.device.type == "cuda"
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), RATE, betas=(0.9, 0.99), weight_decay=0.01, fused=fused
        )
        self.critic_optimizer = torch.optim.AdamW(self.critic.parameters(), CRITIC_RATE, weight_decay=0.01, fused=fused)
        self.fitted_optimizer = torch.optim.Adam(self.fitted.parameters(), 5e-4)
        for parameter in (*self.net.parameters(), *self.critic.parameters(), *self.fitted.parameters()):
            parameter.grad = torch.zeros_like(parameter)  # a CUDA graph adds to them
        self.rate, self.sums = torch.ones((), device=self.device), torch.zeros(len(LOSSES), device=self.device)
        self.tables: dict[str, Table] = {}
        self.plays: dict[tuple[str, bool], Callable[[], None]] = {}
        self.memory = None
        options.folder.mkdir(parents=True, exist_ok=True)
        if self._checkpoint.exists():
            self._load()

    @property
    def _checkpoint(self) -> Path:
        return Path(self.options.folder) / "checkpoint.pt"

    @property
    def _random_module(self) -> Any:  # noqa: ANN401 -- a module
        return torch.cuda if self.device.type == "cuda" else torch

    def _parts(self) -> dict[str, Any]:  # Any: modules and optimizers
        return {
            "net": self.net, "mean": self.mean, "critic": self.critic, "slow": self.slow, "fitted": self.fitted,
            "optimizer": self.optimizer, "critic_optimizer": self.critic_optimizer,
            "fitted_optimizer": self.fitted_optimizer,
        }  # fmt: skip

    def _load(self) -> None:
        saved = torch.load(self._checkpoint, map_location=self.device, weights_only=True)
        for name, part in self._parts().items():
            part.load_state_dict(saved[name])
        self.pool, self.step, self.seconds, self.decisions = (
            saved[name] for name in ("pool", "step", "seconds", "decisions")
        )
        self.generator.set_state(saved["generator"].cpu())
        if len(saved["random"]) == len(self._random_module.get_rng_state()):  # the run was on this kind of device
            self._random_module.set_rng_state(saved["random"].cpu())

    def save(self) -> None:
        """Write a checkpoint. It does not hold the deals at hand, so a run that can be repeated drops them, too."""
        new = self._checkpoint.with_suffix(".new")
        state = {name: part.state_dict() for name, part in self._parts().items()}
        state |= {name: getattr(self, name) for name in ("pool", "step", "seconds", "decisions")}
        state |= {"generator": self.generator.get_state(), "random": self._random_module.get_rng_state()}
        torch.save(state, new)
        new.replace(self._checkpoint)
        if self.device.type == "cpu":
            self.tables.clear()
            self.plays.clear()

    def export(self, names: Sequence[str]) -> None:
        """Write the weights of these networks to the package."""
        if "network" in names:
            network.save(network.WEIGHTS_FILE, self.mean.weights())
        if "critic" in names:
            network.write_weights(critic.WEIGHTS_FILE, self.slow.weights(RIVAL)._asdict())
        if "fitted" in names:
            first, last = self.fitted.weights()
            np.savez(fitted_policy.WEIGHTS_FILE, allow_pickle=False, first=first, last=last)

    @property
    def progress(self) -> float:
        """The share of the run that is over, by steps or by time."""
        shares: list[float] = [1.0, self.step / self.options.steps]
        if self.options.minutes:
            shares[1] = max(shares[1], self.seconds / (60 * self.options.minutes))
        return min(shares)

    def _draw(self, most: int) -> int:
        return int(torch.randint(most, (1,), generator=self.generator))

    def _play_of(self, spec: str, *, only_critic: bool) -> Callable[[], None]:
        """Return a function that plays a turn of a table; with CUDA, a graph, which starts all kernels together."""
        if spec not in self.tables:
            rules = make_rules(spec)
            size = max(1, self.options.batch // (rules.seats * rules.hand))
            self.tables[spec] = Table(rules, size, self.device)
        table = self.tables[spec]
        if (spec, only_critic) not in self.plays:
            play = partial(self._play, table, only_critic=only_critic)
            if self.device.type == "cuda":
                stream = torch.cuda.Stream()
                stream.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(stream):
                    play()
                torch.cuda.current_stream().wait_stream(stream)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph, pool=self.memory):
                    play()
                self.memory = graph.pool()
                play = graph.replay
                self._zero_grads()
                self.sums.zero_()
            self.plays[spec, only_critic] = play
        self.decisions += table.kinds.numel()
        return self.plays[spec, only_critic]

    def _zero_grads(self) -> None:
        for module in (self.net, self.critic, self.fitted):
            module.zero_grad(set_to_none=False)

    def advance(self) -> None:
        """Take a step. The first steps train only the critic."""
        only_critic = self.step < self.options.critic_steps
        warm = min(1, (self.step - self.options.critic_steps + 1) / 200)
        factor = 0.02 + 0.49 * (1 + math.cos(math.pi * self.progress))
        self.critic_optimizer.param_groups[0]["lr"] = CRITIC_RATE * factor * min(1, (self.step + 1) / 100)
        self.optimizer.param_groups[0]["lr"] = RATE * factor * max(0, warm)
        self.rate.fill_(1 if self.step < self.options.critic_steps / 2 else LAMBDA)
        self.rival.load_state_dict(self.pool[0 if self._draw(3) else self._draw(len(self.pool))])
        play = self._play_of(SPECS[self._draw(len(SPECS))], only_critic=only_critic)
        play()
        trained: list[tuple[nn.Module, Any]] = [(self.critic, self.critic_optimizer)]  # Any: optimizers
        if not only_critic:
            trained += [(self.net, self.optimizer), (self.fitted, self.fitted_optimizer)]
        for module, optimizer in trained:
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
        self._zero_grads()
        self.step += 1
        follow(self.slow, self.critic, max(0.005, 1 / (self.step + 1)))
        if not only_critic:
            follow(self.mean, self.net, max(0.001, min(0.02, 1 / (self.step - self.options.critic_steps))))
        if self.step % self.options.keep == 0:
            self.pool.append(copy.deepcopy(self.mean.state_dict()))
            del self.pool[1 : max(1, len(self.pool) - POOL + 1)]

    def _mixed(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, cache_enabled=False)

    def _play(self, table: Table, *, only_critic: bool) -> None:
        """Play a turn of a table; add to the gradients and to the sums of the losses."""
        rules, lanes = table.rules, table.lanes
        inputs = encode(rules, lanes)
        shape = (*lanes.hands.shape, 2)
        with self._mixed(), torch.set_grad_enabled(not only_critic):
            policy, value, belief = self.net(*inputs, belief=not only_critic)
        with torch.no_grad(), self._mixed():
            of_rivals = (table.rivals(tensor.unflatten(0, shape[:2])) for tensor in inputs)
            rival = self.rival(*(tensor.flatten(0, 2) for tensor in of_rivals))[0]
            cards = table.choose(policy.detach().view(shape), rival.view(rules.hand, -1, *shape[1:]))
        if belief is None:
            losses = [*torch.zeros(len(LOSSES) - 1, device=self.device)]
        else:
            losses = self._losses(table, inputs, cards, policy, value)
            losses.append(0.2 * belief_loss(belief, inputs.context, holders(lanes)))
        knowledge, end = table.advance(cards)
        with torch.no_grad(), self._mixed():
            targets = returns(rules, knowledge, end, self.slow, self.rate)
        with self._mixed():
            outputs = self.critic(rules, knowledge)
        losses.append(critic_loss(outputs, targets))
        every = torch.stack(losses)
        every.sum().backward()
        self.sums += every.detach()

    def _losses(self, table: Table, inputs: Inputs, cards: Tensor, policy: Tensor, value: Tensor) -> list[Tensor]:
        """Return the losses of some seats of all lanes with more than one card left."""
        rules, lanes = table.rules, table.lanes
        size = table.size * (rules.hand - 1)
        order = torch.rand(size, rules.seats, device=self.device)
        seats = order.argsort(1)[:, : table.labelled]

        def of_seats(tensor: Tensor) -> Tensor:
            tensor = tensor.unflatten(0, lanes.heads.shape)[:size]
            index = seats.view(*seats.shape, *[1] * (tensor.dim() - 2))
            return tensor.gather(1, index.expand(*seats.shape, *tensor.shape[2:])).flatten(0, 1)

        with torch.no_grad(), self._mixed():
            labels = label(table, self.slow, cards, seats)
            old = of_seats(self.mean(*inputs)[0])
        cost, win = (labelled.flatten(0, 1) for labelled in labels)
        hands, policy, value = of_seats(inputs.hands), of_seats(policy), of_seats(value)
        learns, final = (
            of_seats((table.kinds == NETWORK).flatten()),
            table.final[:size].repeat_interleave(table.labelled),
        )
        mask = hands > 0
        count = mask.sum(1, keepdim=True)
        fewer = torch.where(mask, cost - cost.sum(1, keepdim=True) / count, 0)
        loses = torch.where(mask, win.sum(1, keepdim=True) / count - win, 0) * WIN_HEADS
        weights = ((learns & (~final | (count[:, 0] > LATE))).float(), (learns & final).float())

        def mean(loss: Tensor, weight: Tensor) -> Tensor:
            return (loss * weight).mean()

        losses, expected = [], []
        for measure, costs, outcome in ((0, fewer, cost), (1, loses, win)):
            loss, chances, logs = choice_loss(policy[:, :, measure], costs, hands, SOFTNESS)
            slow = torch.log_softmax(old[:, :, measure], 1).masked_fill(~mask, 0)
            losses.append(mean(loss + PULL * (chances * (logs - slow)).sum(1), weights[measure]))
            expected.append((chances.detach() * outcome).sum(1))
        losses.append(mean((value[:, 0] - expected[0] / HEADS_SCALE) ** 2, weights[0]))
        winning = functional.binary_cross_entropy_with_logits(value[:, 1], expected[1].clamp(0, 1), reduction="none")
        losses.append(0.5 * mean(winning, weights[1]))
        logits = self.fitted(of_seats(inputs.context[:, PLANES : PLANES + GENERAL]), of_seats(inputs.card), hands)
        losses.append(mean(choice_loss(logits, fewer, hands, FITTED_SOFTNESS)[0], weights[0]))
        return losses


class Strength(NamedTuple):
    """The share of wins and half its 95 % interval, and the same for the heads fewer than the mean of the others."""

    wins: float
    wins_error: float
    fewer: float
    fewer_error: float


def evaluate(net: SetNetwork, rival: SetNetwork | None, rules: Rules, size: int, *, seed: int) -> Strength:
    """Play the network at a table of rivals, or of `greedy`; every deal is played with it in each seat.

    All seats play to win with the last `LATE` cards, as in a single deal.

    Args:
        net: the network.
        rival: the network of the other seats.
        rules: the rules, of which one deal is played.
        size: number of deals.
        seed: seed of the deals.
    """
    device = next(net.parameters()).device
    seats = rules.seats
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        dealt = deal(rules, size, device)
    lanes = Lanes(*(tensor.repeat_interleave(seats, 0) for tensor in dealt))
    own = torch.arange(seats, device=device).repeat(size)[:, None] == torch.arange(seats, device=device)
    for turn in range(rules.hand):
        inputs, hands = encode(rules, lanes), lanes.hands
        chosen = []
        for module in (net, rival):
            if module:
                with torch.no_grad():
                    policy = module(*inputs)[0][:, :, int(rules.hand - turn <= LATE)]
                chosen.append(hands.gather(2, policy.argmax(1).view(*hands.shape[:2], 1))[:, :, 0])
            else:
                chosen.append(greedy_cards(rules, lanes))
        step(rules, lanes, torch.where(own, *chosen))
    measures = []
    for outcome in (win_shares(lanes.heads), -relative_heads(lanes.heads.float())):
        mean = outcome[own].view(size, seats).mean(1)
        measures += [float(mean.mean()), float(1.96 * mean.std() / math.sqrt(size))]
    return Strength(*(round(number, 4) for number in measures))


class Cell(NamedTuple):
    """What is evaluated: the rules, the number of deals, one network, and the others."""

    spec: str
    size: int
    network: str
    others: str


CELLS: Final = {
    "4 seats": Cell("nimmt:cowheadking seats=4", 2048, "mean", "first"),
    "4 seats, first": Cell("nimmt:cowheadking seats=4", 2048, "first", "mean"),
    "4 seats, greedy": Cell("nimmt:cowheadking seats=4", 2048, "mean", "greedy"),
    "2 seats": Cell("nimmt:cowheadking seats=2", 4096, "mean", "first"),
    "10 seats": Cell("nimmt:cowheadking seats=10", 512, "mean", "first"),
}
"""What is evaluated: the mean network, the one at the start of the run, and the bot `greedy`."""


def evaluations(training: Training, share: float) -> dict[str, float]:
    """Evaluate in a share of the deals of `CELLS`."""
    first = copy.deepcopy(training.net)
    first.load_state_dict(training.pool[0])
    networks = {"mean": training.mean, "first": first, "greedy": None}
    line: dict[str, float] = {}
    for name, cell in CELLS.items():
        net, size = networks[cell.network], max(2, int(cell.size * share))
        assert net  # noqa: S101 -- for the type checker
        strength = evaluate(net, networks[cell.others], make_rules(cell.spec), size, seed=987654321)
        columns = ("wins", "wins ±", "heads fewer", "heads fewer ±")
        line |= {f"{name}: {column}": number for column, number in zip(columns, strength, strict=True)}
    return line


def main() -> None:
    """Train until the last step, or export the weights."""
    parser = argparse.ArgumentParser(description="Train the networks of 6 nimmt!, or resume their training.")
    parser.add_argument("folder", type=Path, help="folder of the checkpoint and of the log")
    parser.add_argument("--steps", type=int, default=12_000, help="steps of the whole run")
    parser.add_argument("--minutes", type=float, help="end the run after so many minutes, even before the last step")
    parser.add_argument("--critic-steps", type=int, default=1000, help="steps at the start that train only the critic")
    parser.add_argument("--stop", type=int, help="stop after this step, as if the run was killed there")
    parser.add_argument("--batch", type=int, default=2048, help="decisions of a step")
    parser.add_argument("--keep", type=int, default=1000, help="steps between two networks that become rivals")
    parser.add_argument(
        "--save", type=int, default=250, help="steps between checkpoints; part of what a seed determines"
    )
    parser.add_argument("--evaluate", type=float, default=1.0, help="share of the evaluation's deals; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="start from random weights and the first rollout policy, not from the package",
    )
    parser.add_argument(
        "--export",
        nargs="+",
        choices=("network", "critic", "fitted"),
        help="write weights of the checkpoint to the package",
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    training = Training(options)
    if options.export:
        training.export(options.export)
        print(f"Wrote the weights after {training.step:,} steps to {os.path.relpath(network.WEIGHTS_FILE.parent)}.")
        return
    seconds, begin = training.seconds, perf_counter()
    start, before, count = begin, training.decisions, 0
    log = options.folder / "log.csv"
    stop = min(options.steps, options.steps if options.stop is None else options.stop)
    while training.step < stop and training.progress < 1:
        training.advance()
        count += 1
        training.seconds = seconds + perf_counter() - begin
        if training.step % options.save == 0 or training.step == stop or training.progress >= 1:
            sums = (training.sums / count).tolist()
            training.sums.zero_()
            training.save()
            line: dict[str, float] = {
                "step": training.step,
                "seconds": round(training.seconds),
                "decisions": training.decisions,
            }
            line["decisions per second"] = round((training.decisions - before) / (perf_counter() - start))
            line |= {name: round(loss, 5) for name, loss in zip(LOSSES, sums, strict=True)}
            if options.evaluate:
                line |= evaluations(training, options.evaluate)
            new = not log.exists()
            with log.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, [*line])
                if new:
                    writer.writeheader()
                writer.writerow(line)
            print(line, file=sys.stderr)
            start, before, count = perf_counter(), training.decisions, 0


if __name__ == "__main__":
    main()
