"""Train the networks of 6 nimmt! by self-play. See `script/train`.

All seats draw their cards from the present network, but for some that an earlier network or a simple bot plays. A
critic that sees all hands learns the heads to come and who wins. Each card of a decision is placed exactly against the
cards that the others chose, and the critic values the deal after it. The network learns to play the cards that cost
little and those that win; a pull towards its slow average keeps simultaneous choices from going in circles. The policy
`fitted`, which plays the rollouts of searches, learns from the same costs.

The lanes of one table are in ten cohorts, each a turn ahead of the one before, so that every step has decisions of all
turns, and one cohort ends its deals. From these the critic learns, by TD(lambda).

Sources: Sokota et al., "A unified approach to reinforcement learning, quantal response equilibria, and two-player
zero-sum games" (2023); Sutton, "Learning to predict by the methods of temporal differences" (1988).
"""

import argparse
import copy
import csv
import math
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import torch
from critic_model import Critic, Known, critic_loss, relative_heads, win_shares
from deal_tensors import Inputs, Lanes, deal, encode, greedy_cards, holders, place, step, without
from network_model import FittedNetwork, SetNetwork, belief_loss, choice_loss
from torch import Tensor, nn
from torch.nn import functional

from faceup.core import make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import network, set_network
from faceup.games.nimmt.batch.set_network import HEADS_SCALE, SOFTNESS, WIN_HEADS
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.python_search import LATE

SPECS: Final = (
    *(f"nimmt:cowheadking seats={seats}" for seats in (2, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 9, 10)),
    *(f"nimmt:tactical deals=1 target=0 seats={seats}" for seats in (2, 3, 4, 4, 5, 6, 8)),
)
"""The rules of the deals, drawn at random."""

NETWORK, RIVAL, GREEDY, LOWEST, HIGHEST, RANDOM = range(6)
"""Kinds of players. A rival is an earlier network, which plays its best card."""
SIMPLE: Final = (GREEDY, GREEDY, GREEDY, LOWEST, HIGHEST, RANDOM)
TABLES: Final = ((0.7, 0.05, 0.05), (0.2, 0.6, 0.0), (0.1, 0.0, 0.6))
"""Kinds of tables: their share, and the probabilities that a seat has a rival or a simple bot."""
GROUPS: Final = 2
"""Tables, drawn from `SPECS`, of which a step plays one turn."""
EXPLORE: Final = 0.03
"""Probability that a seat plays a random card in a turn."""
STARTED: Final = 0.4
"""Share of deals before which the seats have heads from earlier ones."""
FINAL: Final = 0.5
"""Share of deals that decide a match: with the last `LATE` cards, seats play to win them."""
LABELLED: Final = 4
"""The mean number of seats of a deal to learn from, at most."""
LAMBDA: Final = 0.8
PULL: Final = 0.15
"""Weight of the pull towards the slow average, in heads."""
FITTED_SOFTNESS: Final = 0.25
RATE: Final = 1e-3
CRITIC_RATE: Final = 1e-3
POOL: Final = 8
"""The most rivals. The first is the network as it was at the start."""


def make_rules(spec: str) -> Rules:
    """Return the rules of a table."""
    rules = make(spec)
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    return rules


class Table:
    """Lanes under the same rules in as many cohorts as a hand has cards, and what they were before each turn.

    Args:
        rules: the rules.
        size: number of lanes of a cohort.
        generator: draws the deals.
    """

    def __init__(self, rules: Rules, size: int, generator: torch.Generator) -> None:
        self.rules, self.size, self.generator = rules, size, generator
        self.lanes = deal(rules, size * rules.hand, generator)
        self.turn = 0
        lanes, seats, hand = size * rules.hand, rules.seats, rules.hand
        number = self.lanes.heads.new_zeros
        self.kinds, self.final = number(lanes, seats), number(lanes).bool()
        self.rows, self.heads = number(lanes, hand, rules.rows), number(lanes, hand, seats)
        self.hands = number(lanes, hand, seats, MOST_HAND)
        for cohort in range(hand):
            self._seat(self._cohort(cohort))
        for turn in range(hand - 1):
            later = slice(size * (turn + 1), None)
            self._remember(later)
            step(rules, self.lanes.take(later), self.draw(torch.zeros_like(self.lanes.hands[later]).float(), later))

    def _cohort(self, number: int) -> slice:
        return slice(number * self.size, (number + 1) * self.size)

    def _random(self, *shape: int) -> Tensor:
        return torch.rand(shape, generator=self.generator, device=self.generator.device)

    def _seat(self, lanes: slice) -> None:
        """Decide who plays in new deals, with how many heads, and whether the deal is final."""
        size, seats = self.lanes.heads[lanes].shape
        lane, seat = self._random(size, 1), self._random(size, seats)
        shares = torch.tensor(TABLES, device=lane.device)
        table = (lane[:, :1] > shares[:, 0].cumsum(0)).sum(1).clamp(max=len(TABLES) - 1)
        rival, simple = shares[table, 1:2], shares[table, 2:3]
        bots = torch.tensor(SIMPLE, device=lane.device)
        bot = bots[(self._random(size, 1) * len(bots)).long()]
        kinds = torch.where(seat < rival, RIVAL, torch.where(seat < rival + simple, bot, NETWORK))
        learner = self._random(size, seats).argmax(1, keepdim=True)
        self.kinds[lanes] = kinds.scatter(1, learner, NETWORK)
        most = self._random(size, 1) * 60 * (self._random(size, 1) < STARTED)
        self.lanes.heads[lanes] = (most * self._random(size, seats)).long()
        self.final[lanes] = self._random(size) < FINAL

    def _remember(self, lanes: slice) -> None:
        now = self.lanes.take(lanes)
        index = torch.arange(len(now.turns), device=now.turns.device)
        self.rows[lanes][index, now.turns] = now.rows
        self.heads[lanes][index, now.turns] = now.heads
        self.hands[lanes][index, now.turns] = now.hands

    def draw(self, logits: Tensor, lanes: slice = slice(None)) -> Tensor:
        """Return the cards that players with these logits [lanes, seats, MOST_HAND] draw."""
        hands = self.lanes.hands[lanes]
        noise = -torch.log(-torch.log(self._random(*hands.shape).clamp(1e-9, 1 - 1e-7)))
        return hands.gather(2, (logits + noise).masked_fill(hands == 0, -torch.inf).argmax(2, keepdim=True))[:, :, 0]

    def choose(self, policy: Tensor, rival: Tensor) -> Tensor:
        """Return the cards that all seats play.

        Args:
            policy: [lanes, seats, MOST_HAND, 2]: the logits of the network.
            rival: the same for the rival.
        """
        hands, kinds = self.lanes.hands, self.kinds
        winning = (self.final & ((hands[:, 0] > 0).sum(1) <= LATE))[:, None, None]
        cards = self.draw(torch.where(winning, policy[..., 1], policy[..., 0]))
        best = torch.where(winning, rival[..., 1], rival[..., 0]).masked_fill(hands == 0, -torch.inf)
        choices = {
            RIVAL: hands.gather(2, best.argmax(2, keepdim=True))[:, :, 0],
            GREEDY: greedy_cards(self.rules, self.lanes),
            LOWEST: hands[:, :, 0],
            HIGHEST: hands.amax(2),
        }
        for kind, choice in choices.items():
            cards = torch.where(kinds == kind, choice, cards)
        explores = (kinds == RANDOM) | ((kinds == NETWORK) & (self._random(*kinds.shape) < EXPLORE))
        return torch.where(explores, self.draw(torch.zeros_like(hands).float()), cards)

    def advance(self, cards: Tensor) -> tuple[Known, Tensor, Tensor] | None:
        """Play a turn, and deal again where a deal is over.

        Returns:
            The positions of the deals that are over, turn by turn, with the heads of their ends, both
            [turns * cohort, ...], and the number of turns.
        """
        rules, hand = self.rules, self.rules.hand
        self._remember(slice(None))
        step(rules, self.lanes, cards)
        over = self._cohort((hand - 1 - self.turn) % hand)
        self.turn += 1
        known = Known(
            self.rows[over].flatten(0, 1),
            self.hands[over].flatten(0, 1),
            self.heads[over].flatten(0, 1),
            self.kinds[over].repeat_interleave(hand, 0),
            self.final[over].repeat_interleave(hand, 0),
        )
        end = self.lanes.heads[over].repeat_interleave(hand, 0)
        for tensor, new in zip(self.lanes.take(over), deal(rules, self.size, self.generator), strict=True):
            tensor.copy_(new)
        self._seat(over)
        return known, end


class Labels(NamedTuple):
    """What each card of a hand brings, [n, MOST_HAND]; 0 for missing cards.

    Attributes:
        cost: heads in the rest of the deal minus the mean of the others.
        win: share of the win of the deal.
    """

    cost: Tensor
    win: Tensor


def label(table: Table, critic: Critic, cards: Tensor, labelled: Tensor) -> Labels:
    """Value every card of the labelled seats, bool [lanes, seats], against the cards of the others."""
    rules, lanes = table.rules, table.lanes
    options = (labelled[:, :, None] & (lanes.hands > 0)).nonzero()
    lane, seat, _ = options.T
    index = torch.arange(len(lane), device=lane.device)
    played = cards[lane]
    played[index, seat] = lanes.hands[*options.T]
    rows, gains = place(rules, lanes.rows[lane], played)
    hands = without(lanes.hands[lane], played)
    heads = lanes.heads[lane] + gains
    is_last = hands[:, 0, 1] == 0
    last, more = is_last.nonzero()[:, 0], (~is_last).nonzero()[:, 0]
    heads[last] += place(rules, rows[last], hands[last, :, 0])[1]
    relative = relative_heads((heads - lanes.heads[lane]).float())
    wins = win_shares(heads)
    known = Known(rows[more], hands[more], heads[more], table.kinds[lane[more]], table.final[lane[more]])
    to_come, logits = critic(rules, known)
    relative[more] += relative_heads(to_come)
    wins[more] = logits.softmax(1)
    labels = torch.zeros(2, *lanes.hands.shape, device=lane.device)
    labels[0][*options.T] = relative[index, seat]
    labels[1][*options.T] = wins[index, seat]
    return Labels(*labels.flatten(1, 2))


def returns(rules: Rules, known: Known, end: Tensor, critic: Critic, rate: float) -> tuple[Tensor, Tensor]:
    """Return TD(lambda) targets for the positions of deals that are over: heads to come, and shares of the win."""
    turns = rules.hand
    to_come, logits = critic(rules, known)
    shape = (-1, turns, rules.seats)
    value, chance = to_come.view(shape), logits.softmax(1).view(shape)
    heads, last = known.heads.view(shape), end.view(shape)[:, 0]
    future, wins = (last - heads[:, -1]).float(), win_shares(last)
    futures, shares = [future], [wins]
    for turn in range(turns - 2, -1, -1):
        exact = turn == turns - 2
        after = future if exact else torch.lerp(value[:, turn + 1], future, rate)
        future = (heads[:, turn + 1] - heads[:, turn]) + after
        wins = wins if exact else torch.lerp(chance[:, turn + 1], wins, rate)
        futures.append(future)
        shares.append(wins)
    return torch.stack(futures[::-1], 1).flatten(0, 1), torch.stack(shares[::-1], 1).flatten(0, 1)


def follow(slow: nn.Module, module: nn.Module, share: float) -> None:
    """Move a slow average towards the weights of a module."""
    with torch.no_grad():
        torch._foreach_lerp_([*slow.parameters()], [*module.parameters()], share)  # noqa: SLF001 -- documented


class Training:
    """The state of a training run.

    Args:
        options: the options of the command.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.device = options, torch.device(options.device)
        self.step, self.seconds, self.decisions = 0, 0.0, 0
        torch.manual_seed(options.seed)
        self.generator = torch.Generator(self.device).manual_seed(options.seed)
        self.net, self.critic = SetNetwork(), Critic()
        if not options.fresh:
            self.net.load_weights(set_network.load())
        self.net.to(self.device)
        self.critic.to(self.device)
        self.fitted = FittedNetwork(network.WEIGHTS).to(self.device)
        self.mean, self.slow = copy.deepcopy(self.net), copy.deepcopy(self.critic)
        self.rival = copy.deepcopy(self.net)
        self.pool = [copy.deepcopy(self.net.state_dict())]
        fused = self.device.type == "cuda"
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), RATE, betas=(0.9, 0.99), weight_decay=0.01, fused=fused
        )
        self.critic_optimizer = torch.optim.AdamW(self.critic.parameters(), CRITIC_RATE, weight_decay=0.01, fused=fused)
        self.fitted_optimizer = torch.optim.Adam(self.fitted.parameters(), 5e-4)
        self.tables: dict[str, Table] = {}
        options.folder.mkdir(parents=True, exist_ok=True)
        if self._checkpoint.exists():
            self._load()

    @property
    def _checkpoint(self) -> Path:
        return Path(self.options.folder) / "checkpoint.pt"

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

    def save(self) -> None:
        """Write a checkpoint, and drop the deals at hand, because a checkpoint does not hold them."""
        self.tables.clear()
        new = self._checkpoint.with_suffix(".new")
        state = {name: part.state_dict() for name, part in self._parts().items()}
        state |= {name: getattr(self, name) for name in ("pool", "step", "seconds", "decisions")}
        torch.save(state | {"generator": self.generator.get_state()}, new)
        new.replace(self._checkpoint)

    @property
    def progress(self) -> float:
        """The share of the run that is over, by steps or by time."""
        share = self.step / self.options.steps
        return min(1, max(share, self.seconds / (60 * self.options.minutes)) if self.options.minutes else share)

    def _draw(self, most: int) -> int:
        return int(torch.randint(most, (1,), generator=self.generator, device=self.device))

    def _table(self) -> Table:
        spec = SPECS[self._draw(len(SPECS))]
        if spec not in self.tables:
            rules = make_rules(spec)
            size = max(1, self.options.batch // (GROUPS * rules.seats * rules.hand))
            self.tables[spec] = Table(rules, size, self.generator)
        return self.tables[spec]

    def advance(self) -> dict[str, Tensor]:
        """Take a step; return the losses. The first steps train only the critic."""
        only_critic = self.step < self.options.critic_steps
        warm = min(1, (self.step - self.options.critic_steps + 1) / 200)
        factor = 0.02 + 0.49 * (1 + math.cos(math.pi * self.progress))
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * factor * max(0, warm)
        for group in self.critic_optimizer.param_groups:
            group["lr"] = CRITIC_RATE * factor * min(1, (self.step + 1) / 100)
        self.rival.load_state_dict(self.pool[0 if self._draw(2) else self._draw(len(self.pool))])
        losses: dict[str, Tensor] = {}
        for _ in range(GROUPS):
            for name, loss in self._play(self._table(), only_critic=only_critic).items():
                losses[name] = losses.get(name, torch.zeros_like(loss)) + loss.detach() / GROUPS
        for module, optimizer in self._optimized(only_critic=only_critic):
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        self.step += 1
        follow(self.slow, self.critic, max(0.005, 1 / (self.step + 1)))
        if not only_critic:
            follow(self.mean, self.net, max(0.001, min(0.02, 1 / (self.step - self.options.critic_steps))))
        if self.step % self.options.keep == 0:
            self.pool.append(copy.deepcopy(self.mean.state_dict()))
            del self.pool[1 : max(1, len(self.pool) - POOL + 1)]
        return losses

    def _optimized(self, *, only_critic: bool) -> list[tuple[nn.Module, torch.optim.Optimizer]]:
        critic: tuple[nn.Module, torch.optim.Optimizer] = (self.critic, self.critic_optimizer)
        if only_critic:
            return [critic]
        return [critic, (self.net, self.optimizer), (self.fitted, self.fitted_optimizer)]

    def _mixed(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16)

    def _play(self, table: Table, *, only_critic: bool) -> dict[str, Tensor]:
        """Play a turn of a table; add to the gradients, and return the losses."""
        rules, lanes = table.rules, table.lanes
        inputs = encode(rules, lanes)
        believes = not only_critic and self._draw(4) == 0
        with self._mixed(), torch.set_grad_enabled(not only_critic):
            policy, value, belief = self.net(*inputs, belief=believes)
        shape = (*lanes.hands.shape, 2)
        with torch.no_grad(), self._mixed():
            rivals = (table.kinds.flatten() == RIVAL).nonzero()[:, 0]
            rival = torch.zeros_like(policy)
            rival[rivals] = self.rival(*(tensor[rivals] for tensor in inputs))[0]
            cards = table.choose(policy.detach().view(shape), rival.view(shape))
        losses = {} if only_critic else self._losses(table, inputs, cards, policy, value)
        if belief is not None:
            losses["belief"] = 0.2 * belief_loss(belief, inputs.context, holders(lanes))
        if losses:
            (torch.stack([*losses.values()]).sum() / GROUPS).backward()
        known, end = table.advance(cards)
        with torch.no_grad(), self._mixed():
            rate = 1 if self.step < self.options.critic_steps / 2 else LAMBDA
            targets = returns(rules, known, end, self.slow, rate)
        with self._mixed():
            outputs = self.critic(rules, known)
        losses["critic"] = critic_loss(*outputs, *targets)
        (losses["critic"] / GROUPS).backward()
        self.decisions += policy.shape[0]
        return losses

    def _losses(
        self, table: Table, inputs: Inputs, cards: Tensor, policy: Tensor, value: Tensor
    ) -> dict[str, Tensor]:
        rules, lanes = table.rules, table.lanes
        labelled = (table.kinds == NETWORK) & (lanes.hands[:, :, 1] > 0)
        labelled &= torch.rand(labelled.shape, generator=self.generator, device=self.device) < LABELLED / rules.seats
        with torch.no_grad(), self._mixed():
            labels = label(table, self.slow, cards, labelled)
            index = labelled.flatten().nonzero()[:, 0]
            cost, win = labels.cost[index], labels.win[index]
            part = Inputs(*(tensor[index] for tensor in inputs))
            slow = self.mean(*part)[0]
        hands = part.hands
        mask, count = hands > 0, (hands > 0).sum(1, keepdim=True)
        fewer = torch.where(mask, cost - cost.sum(1, keepdim=True) / count, 0)
        loses = torch.where(mask, win.sum(1, keepdim=True) / count - win, 0) * WIN_HEADS
        final = table.final[index // rules.seats]
        for_heads, for_win = (~final | (count[:, 0] > LATE)).float(), final.float()

        def mean(loss: Tensor, weights: Tensor) -> Tensor:
            return (loss * weights).sum() / len(loss)

        losses: dict[str, Tensor] = {}
        chosen = []
        for place_, (name, costs, weights) in enumerate((("heads", fewer, for_heads), ("win", loses, for_win))):
            loss, chances, logs = choice_loss(policy[index][:, :, place_], costs, hands, SOFTNESS)
            old = torch.log_softmax(slow[:, :, place_], 1).masked_fill(~mask, 0)
            losses[name] = mean(loss + PULL * (chances * (logs - old)).sum(1), weights)
            chosen.append(chances.detach())
        value = value[index]
        expected = (chosen[0] * cost).sum(1) / HEADS_SCALE
        losses["value"] = mean((value[:, 0] - expected) ** 2, for_heads)
        winning = functional.binary_cross_entropy_with_logits(
            value[:, 1], (chosen[1] * win).sum(1).clamp(0, 1), reduction="none"
        )
        losses["winning"] = 0.5 * mean(winning, for_win)
        logits = self.fitted(part.context, part.card, hands)
        losses["fitted"] = mean(choice_loss(logits, fewer, hands, FITTED_SOFTNESS)[0], for_heads)
        return losses


def evaluate(
    net: SetNetwork, rival: SetNetwork | None, rules: Rules, size: int, *, seed: int
) -> tuple[float, float, float, float]:
    """Play the network at a table of rivals, or of `greedy`; every deal is played with it in each seat.

    All seats play to win with the last `LATE` cards, as in a single deal.

    Args:
        net: the network.
        rival: the network of the other seats.
        rules: the rules, of which one deal is played.
        size: number of deals.
        seed: seed of the deals.

    Returns:
        The share of wins and half its 95 % interval, and the same for the heads fewer than the mean of the others.
    """
    device = next(net.parameters()).device
    seats = rules.seats
    dealt = deal(rules, size, torch.Generator(device).manual_seed(seed))
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
    return tuple(round(number, 4) for number in measures)  # type: ignore[return-value]  # four of them


CELLS: Final = {
    "4 seats": ("nimmt:cowheadking seats=4", 2048, False),
    "2 seats": ("nimmt:cowheadking seats=2", 4096, False),
    "10 seats": ("nimmt:cowheadking seats=10", 512, False),
    "4 seats, greedy": ("nimmt:cowheadking seats=4", 2048, True),
}
"""What is evaluated: the rules, the number of deals, and whether the others are `greedy` in place of the first rival."""


def evaluations(training: Training, share: float) -> dict[str, float]:
    """Evaluate the mean network in a share of the deals of `CELLS`."""
    rival = copy.deepcopy(training.net)
    rival.load_state_dict(training.pool[0])
    line: dict[str, float] = {}
    for name, (spec, size, greedy) in CELLS.items():
        found = evaluate(
            training.mean, None if greedy else rival, make_rules(spec), max(2, int(size * share)), seed=987654321
        )
        line |= dict(zip((f"{name}: wins", "±", "heads fewer", "±"), found, strict=True)) if False else {
            f"{name}: wins": found[0], f"{name}: wins ±": found[1],
            f"{name}: heads fewer": found[2], f"{name}: heads fewer ±": found[3],
        }  # fmt: skip
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
    parser.add_argument("--save", type=int, default=250, help="steps between checkpoints; part of what a seed determines")
    parser.add_argument("--evaluate", type=float, default=1.0, help="share of the evaluation's deals; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--fresh", action="store_true", help="start from random weights, not from those of the package")
    parser.add_argument("--export", action="store_true", help="write the weights of the checkpoint to the package")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    training = Training(options)
    if options.export:
        set_network.save(set_network.WEIGHTS_FILE, training.mean.weights())
        network.save(network.WEIGHTS_FILE, training.fitted.weights())
        print(f"Wrote the weights after {training.step:,} steps to {os.path.relpath(set_network.WEIGHTS_FILE)}.")
        return
    sums: dict[str, Tensor] = {}
    start, before, count = perf_counter(), training.decisions, 0
    log = options.folder / "log.csv"
    stop = min(options.steps, options.stop or options.steps)
    while training.step < stop and training.progress < 1:
        moment = perf_counter()
        for name, loss in training.advance().items():
            sums[name] = sums.get(name, torch.zeros_like(loss)) + loss
        count += 1
        training.seconds += perf_counter() - moment
        if training.step % options.save == 0 or training.step == stop or training.progress >= 1:
            training.save()
            line: dict[str, float] = {"step": training.step, "decisions": training.decisions}
            line["decisions per second"] = round((training.decisions - before) / (perf_counter() - start))
            names = ("heads", "win", "value", "winning", "belief", "fitted", "critic")
            line |= {name: round(float(sums.get(name, torch.zeros(()))) / count, 5) for name in names}
            if options.evaluate:
                line |= evaluations(training, options.evaluate)
            new = not log.exists()
            with log.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, [*line])
                if new:
                    writer.writeheader()
                writer.writerow(line)
            print(line, file=sys.stderr)
            sums.clear()
            start, before, count = perf_counter(), training.decisions, 0


if __name__ == "__main__":
    main()
