"""Train a population of 6 nimmt! agents at two seats: prioritised fictitious self-play (PFSP), in minutes on one core.

    pip install "faceup[envs] @ https://github.com/faceup-games/faceup/archive/main.zip"
    python examples/population.py runs/pfsp [--generations 6] [--updates 100] [--seed 1]

Each generation starts with the last agent's weights, and learns against the members so far. It meets a member more
often the less it wins against it. Then it joins, and the payoff matrix grows by its row and column. The folder has the
agents and the matrix, so the same command with more generations resumes.

Sources: Vinyals and others, "Grandmaster level in StarCraft II using multi-agent reinforcement learning" (2019), for
PFSP; Brown, "Iterative solution of games by fictitious play" (1951), for the mixture.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from faceup.core import make
from faceup.envs import vector_env
from faceup.envs.observation import observer
from faceup.envs.opponents import Pool

BOTS = ("random", "greedy")  # the first members
ENVS = 256  # games at a time
TURNS = 10  # steps between two updates
RATE = 3e-3
UNITS = 32
FEATURES = 10
HELD_OUT = 1_000_000  # the seed of the deals for the payoff matrix, which no agent trains on

TAKE = 104  # the action that takes the first row

Floats = NDArray[np.float32]
Masks = NDArray[np.int8]
Places = tuple[NDArray[np.intp], NDArray[np.intp]]


class Agent:
    """A policy that rates each card of the hand by the same small network. Of rows, it takes the cheapest."""

    encoding = "planes"

    def __init__(self, spec: str, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.parts = {part.piece.name: part.at for part in observer(make(spec), "planes").parts}
        self.cards = self.parts["hand"].stop

    @classmethod
    def new(cls, spec: str, rng: np.random.Generator) -> "Agent":
        """Return an agent with random weights."""
        shapes = {"first": (FEATURES, UNITS), "first_bias": (UNITS,), "last": (UNITS,)}
        return cls(spec, {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()})

    def features(self, seen: Floats) -> tuple[Places, Floats]:
        """Return the game and index of each card in the hands, and what the network sees of it: [k, FEATURES]."""
        piece = {name: seen[:, at] for name, at in self.parts.items()}
        game, card = piece["hand"].nonzero()
        places = game, card
        unseen, rank = piece["unseen"].cumsum(axis=1), piece["hand"].cumsum(axis=1)
        tail = card - np.rint(piece["gap"][places] * self.cards).astype(int)  # -1 for a card below all tails
        between = unseen[places] - np.where(tail >= 0, unseen[game, tail.clip(0)], 0)
        catching = piece["catching"].reshape(len(seen), -1, self.cards)[game, :, card]
        columns: list[NDArray[Any]] = [piece[name][places] for name in ("gap", "stake", "full", "below")]
        columns += [between / 10, (catching * piece["lengths"][game]).sum(axis=1), card / self.cards]
        columns += [rank[places] / 10, piece["left"][game, 0], unseen[game, -1] / self.cards]
        return places, np.stack(columns, axis=1, dtype=np.float32)

    def chances(self, places: Places, features: Floats, seen: Floats, masks: Masks) -> tuple[Floats, Floats]:
        """Return the probability of each action, and the units of each card."""
        units = np.maximum(features @ self.weights["first"] + self.weights["first_bias"], 0)
        logits = np.zeros(masks.shape, np.float32)
        logits[places] = units @ self.weights["last"]
        rows = -1000 * seen[:, self.parts["row_heads"]]
        logits[:, TAKE : TAKE + rows.shape[1]] = rows
        logits = np.where(masks, logits, -1e9)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), units

    def __call__(self, seen: Floats, masks: Masks) -> NDArray[np.int64]:
        """Return the most probable actions."""
        actions: NDArray[np.int64] = self.chances(*self.features(seen), seen, masks)[0].argmax(axis=1)
        return actions


def train(agent: Agent, spec: str, pool: Pool, updates: int, seed: int) -> None:
    """Improve an agent against a pool, by REINFORCE with Adam. The mean return of a step is the baseline."""
    rng = np.random.default_rng(seed)
    envs = vector_env(spec, num_envs=ENVS, opponents=pool, reward="relative", encoding="planes")
    seen, infos = envs.reset(seed=seed)
    masks = infos["action_mask"]
    moments = {name: [np.zeros_like(weight), np.zeros_like(weight)] for name, weight in agent.weights.items()}
    for update in range(1, updates + 1):
        steps = []
        for _ in range(TURNS):
            places, features = agent.features(seen)
            chances, units = agent.chances(places, features, seen, masks)
            actions = (chances.cumsum(axis=1) > rng.random((ENVS, 1)) * 0.9999).argmax(axis=1)
            choosing = (actions < TAKE) & (masks.sum(axis=1) > 1)
            error = ((actions[places[0]] == places[1]) - chances[places]) * choosing[places[0]]
            seen, rewards, ended, _, infos = envs.step(actions)
            masks = infos["action_mask"]
            steps.append((places[0], features, units, error, rewards, ended))
        later = np.zeros(ENVS)
        gradients = {name: np.zeros_like(weight) for name, weight in agent.weights.items()}
        for game, features, units, error, rewards, ended in reversed(steps):
            later = rewards + np.where(ended, 0, later)
            better = (later - later.mean()) / (later.std() + 1e-6) / (ENVS * TURNS)
            scaled = (error * better[game]).astype(np.float32)
            inner = scaled[:, None] * agent.weights["last"] * (units > 0)
            gradients["last"] += scaled @ units
            gradients["first"] += features.T @ inner
            gradients["first_bias"] += inner.sum(axis=0)
        for name, gradient in gradients.items():
            mean, square = moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**update) / (np.sqrt(square / (1 - 0.999**update)) + 1e-8)
            agent.weights[name] = agent.weights[name] + np.float32(RATE) * step


def win_share(agent: Agent, opponent: str | Agent, spec: str, deals: int) -> float:
    """Return the share of the win of an agent in the held-out deals."""
    envs = vector_env(spec, num_envs=deals, opponents=opponent, encoding="planes")
    seen, infos = envs.reset(seed=HELD_OUT)
    playing, won = np.ones(deals, bool), 0.0
    while playing.any():
        seen, _, ended, _, infos = envs.step(agent(seen, infos["action_mask"]))
        new = playing & ended
        if new.any():
            own, other = infos["final_info"]["scores"][new].T
            won += (own < other).sum() + (own == other).sum() / 2
        playing &= ~ended
    return won / deals


def priorities(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often to meet each member, by the share of the win against it: (1 - share)^2, and never quite 0."""
    weights = (1 - shares) ** 2 + 0.01
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances


def mixture(payoffs: NDArray[np.float64], rounds: int = 10_000) -> NDArray[np.float64]:
    """Return the probabilities of an equilibrium of the payoff matrix, by fictitious play."""
    counts: NDArray[np.float64] = np.zeros(len(payoffs))
    counts[0] = 1
    for _ in range(rounds):
        counts[(payoffs @ counts).argmax()] += 1
    chances: NDArray[np.float64] = counts / counts.sum()
    return chances


class Population:
    """The members, and how much each one wins against each other, in memory and in a folder."""

    def __init__(self, folder: Path, spec: str, seed: int, deals: int) -> None:
        self.folder, self.spec, self.deals = folder, spec, deals
        self.settings = {"game": spec, "seed": seed, "deals": deals}
        self.members: list[str | Agent] = list(BOTS)
        self.payoffs = np.full((len(BOTS), len(BOTS)), np.nan)
        if (folder / "payoffs.json").exists():
            saved = json.loads((folder / "payoffs.json").read_text("utf-8"))
            if saved["settings"] != self.settings:
                raise SystemExit(f"{folder} has another population: {saved['settings']}")
            self.payoffs = np.array(saved["payoffs"], float)
            for number in range(len(self.payoffs) - len(BOTS)):
                with np.load(folder / f"agent-{number}.npz") as arrays:
                    self.members.append(Agent(spec, dict(arrays)))

    @property
    def agents(self) -> list[Agent]:
        """The members that were trained."""
        return [member for member in self.members if isinstance(member, Agent)]

    def add(self, agent: Agent) -> None:
        """Play a new agent against all members, add its row and column, and save both."""
        shares = [win_share(agent, member, self.spec, self.deals) for member in self.members]
        size = len(self.members)
        grown = np.full((size + 1, size + 1), np.nan)
        grown[:size, :size] = self.payoffs
        grown[size, :size], grown[:size, size] = shares, 1 - np.array(shares)
        self.payoffs = grown
        self.members.append(agent)
        self.folder.mkdir(parents=True, exist_ok=True)
        np.savez(self.folder / f"agent-{size - len(BOTS)}.npz", **agent.weights)  # type: ignore[arg-type]  # none of the weights is named like an option
        saved = {
            "settings": self.settings,
            "payoffs": [[None if np.isnan(won) else won for won in row] for row in grown.tolist()],
        }
        new = self.folder / "payoffs.json.new"  # replaced in one step, so that an interruption leaves a complete file
        new.write_text(json.dumps(saved), "utf-8")
        new.replace(self.folder / "payoffs.json")

    def opponents(self, rng: np.random.Generator) -> Pool:
        """Return 16 opponents for the next agent, drawn by the priorities of the last one."""
        if not self.agents:
            return Pool(self.members)
        shares = np.append(self.payoffs[-1, :-1], 0.5)  # half against itself
        return Pool([self.members[place] for place in rng.choice(len(shares), 16, p=priorities(shares))])


def main() -> None:
    """Train until the population has enough agents, and print the payoff matrix."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder for the agents and the payoff matrix; resumed if it has some")
    parser.add_argument("--game", default="nimmt:cowheadking seats=2", help="two seats, one deal (default %(default)r)")
    parser.add_argument("--generations", type=int, default=6, help="agents in the population (default 6)")
    parser.add_argument(
        "--updates", type=int, default=100, help="updates of each agent, of 2,560 decisions (default 100)"
    )
    parser.add_argument("--deals", type=int, default=2000, help="deals for each entry of the matrix (default 2,000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    population = Population(options.folder, options.game, options.seed, options.deals)
    while (number := len(population.agents)) < options.generations:
        rng = np.random.default_rng([options.seed, number])
        parent = population.agents[-1] if number else Agent.new(options.game, rng)
        agent = Agent(options.game, dict(parent.weights))
        train(agent, options.game, population.opponents(rng), options.updates, int(rng.integers(2**31)))
        population.add(agent)
        shares = population.payoffs[-1, :-1]
        print(f"agent {number}: wins {shares[0]:.1%} against random, {shares[1]:.1%} against greedy", flush=True)
    names = [*BOTS, *(f"agent-{number}" for number in range(len(population.agents)))]
    print(
        "\nshare of the win of each row against each column, and the mixture of an equilibrium of the trained agents:"
    )
    trained = np.nan_to_num(population.payoffs[len(BOTS) :, len(BOTS) :], nan=0.5)
    chances = [*[0.0] * len(BOTS), *mixture(trained)]
    print(" ".join(f"{name:>8}" for name in ["", *names, "mixture"]))
    for name, row, share in zip(names, population.payoffs, chances, strict=True):
        cells = ["-" if np.isnan(won) else f"{won:.1%}" for won in row]
        print(" ".join(f"{cell:>8}" for cell in [name, *cells, f"{share:.0%}"]))


if __name__ == "__main__":
    main()
