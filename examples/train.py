"""Train a 6 nimmt! agent by self-play: PPO in one file, on a CPU, in under two minutes.

    pip install "faceup[train] @ https://github.com/faceup-games/faceup/archive/main.zip"
    python examples/train.py [--seconds 90 | --steps 500000] [--seed 1]

All four seats share one network. Its input is a seat's observation and action mask. It starts with random play and is
evaluated before and after training in new deals against three players of a policy it has never met.

Source: Schulman and others, "Proximal policy optimization algorithms" (2017).
"""

import argparse
from statistics import mean, stdev
from time import perf_counter
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from faceup.envs import parallel_env, single_env
from faceup.envs.parallel import AllSeatsEnv, Observation

GAME = "nimmt:cowheadking"
TABLES = 32  # run in parallel
STEPS = 16  # of each table between two updates
PASSES = 4  # over the collected steps
BATCH = 512
TRACE = 0.9  # lambda of the advantages; no discount, since deals are short
CLIP = 0.2
ENTROPY = 0.01
RATE = 1e-3
SCALE = 0.1  # of the rewards, which are heads


class Network(nn.Module):
    """Map observations `[n, size]` and masks `[n, actions]` to action probabilities and a value."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """Return the distribution over the legal actions, and the value."""
        features = self.body(seen)
        logits = self.actor(features).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(features)[:, 0]


class Played(NamedTuple):
    """Collected steps: `[STEPS, TABLES * seats, ...]`; `values` includes the next position's."""

    seen: Tensor
    mask: Tensor
    actions: Tensor
    likelihoods: Tensor
    values: Tensor
    rewards: Tensor
    over: Tensor


class Tables:
    """Parallel tables where the network plays all seats."""

    def __init__(self, seed: int) -> None:
        self.envs = [parallel_env(GAME, reward="heads") for _ in range(TABLES)]
        self.now = [env.reset(seed=seed * TABLES + number)[0] for number, env in enumerate(self.envs)]

    def tensors(self) -> tuple[Tensor, Tensor]:
        """Return the observations and masks of all seats of all tables."""
        return _tensors([view for seats in self.now for view in seats.values()])

    def step(self, actions: list[int]) -> tuple[list[float], list[bool]]:
        """Apply actions; return rewards and whether the deal is over, by seat. Finished deals are replaced."""
        rewards, over = [], []
        for number, env in enumerate(self.envs):
            seats = len(env.agents)
            mine = actions[number * seats : (number + 1) * seats]
            self.now[number], gains, ends, _, _ = env.step(dict(zip(env.agents, mine, strict=True)))
            rewards += gains.values()
            over += ends.values()
            if not env.agents:
                self.now[number], _ = env.reset()
        return rewards, over


def _tensors(views: list[Observation]) -> tuple[Tensor, Tensor]:
    seen = torch.from_numpy(np.stack([view["observation"] for view in views]))
    return seen, torch.from_numpy(np.stack([view["action_mask"] for view in views])).bool()


@torch.no_grad()
def play(network: Network, tables: Tables) -> Played:
    """Play `STEPS` steps at every table with sampled actions."""
    rows: list[tuple[Tensor, ...]] = []
    values: list[Tensor] = []
    for _ in range(STEPS):
        seen, mask = tables.tensors()
        choice, value = network(seen, mask)
        actions = choice.sample()
        rewards, over = tables.step(actions.tolist())
        likelihood = choice.log_prob(actions)
        rows.append((seen, mask, actions, likelihood, SCALE * torch.tensor(rewards), torch.tensor(over)))
        values.append(value)
    values.append(network(*tables.tensors())[1])
    seen, mask, actions, likelihoods, rewards_, over_ = (torch.stack(column) for column in zip(*rows, strict=True))
    return Played(seen, mask, actions, likelihoods, torch.stack(values), rewards_, over_)


def advantages(played: Played) -> Tensor:
    """Return the generalized advantage estimates."""
    gains, gain = [], torch.zeros_like(played.values[0])
    for step in reversed(range(STEPS)):
        continues = (~played.over[step]).float()
        surprise = played.rewards[step] + continues * played.values[step + 1] - played.values[step]
        gain = surprise + continues * TRACE * gain
        gains.append(gain)
    return torch.stack(gains[::-1])


def learn(network: Network, optimiser: torch.optim.Optimizer, played: Played) -> None:
    """Run PPO epochs in minibatches. Seats without a choice only train the value."""
    gains = advantages(played)
    goals = (gains + played.values[:-1]).flatten()
    columns = [part.flatten(0, 1) for part in (played.seen, played.mask, played.actions, played.likelihoods, gains)]
    for _ in range(PASSES):
        for some in torch.randperm(len(goals)).split(BATCH):
            seen, mask, actions, before, gain = (column[some] for column in columns)
            choice, value = network(seen, mask)
            asked = mask.sum(1) > 1
            gain = (gain - gain[asked].mean()) / (gain[asked].std() + 1e-8)
            ratio = (choice.log_prob(actions) - before).exp()
            won = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)[asked].mean()
            loss = ((value - goals[some]) ** 2).mean() - won - ENTROPY * choice.entropy()[asked].mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def heads(network: Network, opponents: str, deals: int = 1000) -> str:
    """Return the mean heads per deal of the network's most likely actions against three players of a policy."""
    env = single_env(GAME, opponents=opponents, reward="heads")
    taken = []
    for seed in range(10_000_000, 10_000_000 + deals):  # deals not used in training
        seen, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            mask = torch.from_numpy(info["action_mask"])[None].bool()
            choice, _ = network(torch.from_numpy(seen)[None], mask)
            seen, gain, over, _, info = env.step(int(choice.logits.argmax()))
            total -= gain
        taken.append(total)
    return f"{mean(taken):.2f} +- {1.96 * stdev(taken) / deals**0.5:.2f}"


def main() -> None:
    """Evaluate, train and evaluate again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=90, help="training time in seconds (default 90)")
    parser.add_argument("--steps", type=int, help="train for this many decisions instead, the same on every machine")
    parser.add_argument("--seed", type=int, default=1, help="seed of deals and network (default 1)")
    asked = parser.parse_args()
    if asked.seconds <= 0 or (asked.steps is not None and asked.steps < 1):
        parser.error("--seconds must be more than 0, and --steps 1 or more")
    torch.manual_seed(asked.seed)
    tables = Tables(asked.seed)
    env: AllSeatsEnv = tables.envs[0]
    network = Network(env.observation_space("seat_0")["observation"].shape[0], env.wait + 1)
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    for opponents in ("random", "greedy"):
        print(f"before, against {opponents}: {heads(network, opponents)} heads per deal")
    start, decisions = perf_counter(), 0
    while (done := (perf_counter() - start) / asked.seconds if asked.steps is None else decisions / asked.steps) < 1:
        optimiser.param_groups[0]["lr"] = RATE * (1 - done)
        learn(network, optimiser, play(network, tables))
        decisions += STEPS * TABLES * env.rules.seats
    print(f"{decisions:,} seat steps in {perf_counter() - start:.0f} s")
    for opponents in ("random", "greedy"):
        print(f"after, against {opponents}: {heads(network, opponents)} heads per deal")


if __name__ == "__main__":
    main()
