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
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import torch
from critic_model import Critic, Known, critic_loss, relative_heads, win_shares
from deal_tensors import Inputs, Lanes, constant, deal, encode, greedy_cards, holders, place, step, without
from network_model import FittedNetwork, SetNetwork, belief_loss, choice_loss
from torch import Tensor, nn
from torch.nn import functional

from faceup.core import make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import network, set_network
from faceup.games.nimmt.batch.set_features import GENERAL, PLANES
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
RIVAL_TABLES: Final = 0.6
"""Share of tables with rivals."""
RIVALS: Final = 0.7
"""Probability that a seat of these has a rival."""
SIMPLE_TABLES: Final = 0.25
"""Share of the other tables that have many simple bots."""
FEW: Final = 0.06
MANY: Final = 0.6
"""Probability that a seat has a simple bot, where there are few or many."""
EXPLORE: Final = 0.03
"""Probability that a seat plays a random card in a turn."""
STARTED: Final = 0.4
"""Share of deals before which the seats have heads from earlier ones."""
FINAL: Final = 0.5
"""Share of deals that decide a match: with the last `LATE` cards, seats play to win them."""
LABELLED: Final = 4
"""The most seats of a turn to learn from."""
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


class Table:
    """Lanes under the same rules in as many cohorts as a hand has cards; cohort k has finished k turns.

    All shapes are constant, and nothing waits for the device, so that a turn can be one CUDA graph.

    Args:
        rules: the rules.
        size: number of lanes of a cohort.
        device: where the tensors are.
    """

    def __init__(self, rules: Rules, size: int, device: torch.device) -> None:
        self.rules, self.size = rules, size
        seats, hand = rules.seats, rules.hand
        self.lanes = deal(rules, size * hand, device)
        number = self.lanes.heads.new_zeros
        self.kinds, self.final = number(size * hand, seats), number(size * hand).bool()
        self.rows, self.heads = number(size * hand, hand, rules.rows), number(size * hand, hand, seats)
        self.hands = number(size * hand, hand, seats, MOST_HAND)
        self.labelled = min(LABELLED, seats)
        cohort = torch.arange(hand - 1, device=device)[:, None, None, None]
        lane = torch.arange(size, device=device)[:, None, None]
        slot, place = torch.arange(self.labelled, device=device)[:, None], torch.arange(hand, device=device)
        there = (place < hand - cohort).expand(hand - 1, size, self.labelled, hand)
        options = torch.broadcast_tensors(cohort * size + lane, slot, place)
        self.options = tuple(index[there] for index in options)
        self.restart()

    def restart(self) -> None:
        """Deal in all cohorts, and play until each has finished its turns, at random."""
        rules, hand, size = self.rules, self.rules.hand, self.size
        for tensor, new in zip(self.lanes, deal(rules, size * hand, self.kinds.device), strict=True):
            tensor.copy_(new)
        for cohort in range(hand):
            self._seat(slice(size * cohort, size * (cohort + 1)))
        for turn in range(hand - 1):
            later = slice(size * (turn + 1), None)
            self._remember(later)
            step(rules, self.lanes.take(later), self.draw(torch.zeros_like(self.lanes.hands[later]).float(), later))

    def _random(self, *shape: int) -> Tensor:
        return torch.rand(shape, device=self.kinds.device)

    def rivals(self, tensor: Tensor) -> Tensor:
        """Return the part of a tensor [lanes, ...] that belongs to tables with rivals: [cohorts, some, ...]."""
        return tensor.view(self.rules.hand, self.size, *tensor.shape[1:])[:, : math.ceil(RIVAL_TABLES * self.size)]

    def _seat(self, lanes: slice) -> None:
        """Decide who plays in new deals, with how many heads, and whether the deal is final."""
        size, seats = self.lanes.heads[lanes].shape
        device = self.kinds.device
        with_rivals = math.ceil(RIVAL_TABLES * self.size)
        table = (torch.arange(size, device=device) < with_rivals)[:, None]
        simple = torch.where(self._random(size, 1) < SIMPLE_TABLES, MANY, FEW)
        bot = constant(SIMPLE, device)[(self._random(size, 1) * len(SIMPLE)).long()]
        seat = self._random(size, seats)
        kinds = torch.where(table & (seat < RIVALS), RIVAL, torch.where(~table & (seat < simple), bot, NETWORK))
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
            rival: [cohorts, some, seats, MOST_HAND, 2]: those of the rival; see `rivals`.
        """
        hands, kinds = self.lanes.hands, self.kinds
        winning = (self.final & ((hands[:, 0] > 0).sum(1) <= LATE))[:, None, None]
        cards = self.draw(torch.where(winning, policy[..., 1], policy[..., 0]))
        some = self.rivals(hands)
        best = torch.where(self.rivals(winning), rival[..., 1], rival[..., 0]).masked_fill(some == 0, -torch.inf)
        by_rival = torch.zeros_like(cards)
        self.rivals(by_rival).copy_(some.gather(3, best.argmax(3, keepdim=True))[..., 0])
        choices = {
            RIVAL: by_rival,
            GREEDY: greedy_cards(self.rules, self.lanes),
            LOWEST: hands[:, :, 0],
            HIGHEST: hands.amax(2),
        }
        for kind, choice in choices.items():
            cards = torch.where(kinds == kind, choice, cards)
        explores = (kinds == RANDOM) | ((kinds == NETWORK) & (self._random(*kinds.shape) < EXPLORE))
        return torch.where(explores, self.draw(torch.zeros_like(hands).float()), cards)

    def advance(self, cards: Tensor) -> tuple[Known, Tensor]:
        """Play a turn. The last cohort ends its deals, and the first one gets new deals.

        Returns:
            The positions of the deals that are over, and the heads of their ends, both [deals * turns, ...].
        """
        rules, hand, size = self.rules, self.rules.hand, self.size
        self._remember(slice(None))
        step(rules, self.lanes, cards)
        known = Known(
            self.rows[-size:].flatten(0, 1).clone(),
            self.hands[-size:].flatten(0, 1).clone(),
            self.heads[-size:].flatten(0, 1).clone(),
            self.kinds[-size:].repeat_interleave(hand, 0),
            self.final[-size:].repeat_interleave(hand, 0),
        )
        end = self.lanes.heads[-size:].repeat_interleave(hand, 0)
        for tensor in (*self.lanes, self.kinds, self.final, self.rows, self.heads, self.hands):
            tensor[size:] = tensor[:-size].clone()
        for tensor, new in zip(self.lanes, deal(rules, size, self.kinds.device), strict=True):
            tensor[:size] = new
        self._seat(slice(size))
        return known, end


class Labels(NamedTuple):
    """What each card of a hand brings, [lanes, labelled, MOST_HAND]; 0 for missing cards.

    Attributes:
        cost: heads in the rest of the deal minus the mean of the others.
        win: share of the win of the deal.
    """

    cost: Tensor
    win: Tensor


def label(table: Table, critic: Critic, cards: Tensor, seats: Tensor) -> Labels:
    """Value every card of some seats, int64 [lanes, labelled], against the cards of the others."""
    rules, lanes = table.rules, table.lanes
    lane, slot, place_ = table.options
    seat = seats[lane, slot]
    card = lanes.hands[lane, seat, place_]
    played = cards[lane].scatter(1, seat[:, None], card[:, None])
    rows, gains = place(rules, lanes.rows[lane], played)
    hands, before = without(lanes.hands[lane], played)[:, :, : rules.hand - 1], lanes.heads[lane]
    heads = before + gains
    more = len(lane) - 2 * table.size * table.labelled  # in the last options, one card is left, which is placed
    heads[more:] += place(rules, rows[more:], hands[more:, :, 0])[1]
    known = Known(rows[:more], hands[:more], heads[:more], table.kinds[lane[:more]], table.final[lane[:more]])
    to_come, logits = critic(rules, known)
    relative, wins = relative_heads((heads - before).float()), win_shares(heads)
    relative[:more] += relative_heads(to_come)
    wins[:more] = logits.softmax(1)
    labels = torch.zeros(2, *seats.shape, MOST_HAND, device=lane.device)
    for tensor, outcome in zip(labels, (relative, wins), strict=True):
        tensor[lane, slot, place_] = outcome.gather(1, seat[:, None])[:, 0]
    return Labels(*labels)


def returns(rules: Rules, known: Known, end: Tensor, critic: Critic, rate: Tensor) -> tuple[Tensor, Tensor]:
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
        self.generator = torch.Generator().manual_seed(options.seed)
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
    def _random_module(self) -> Any:  # Any: a module
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
        self._random_module.set_rng_state(saved["random"].cpu())

    def save(self) -> None:
        """Write a checkpoint, and deal again, because a checkpoint does not hold the deals at hand."""
        new = self._checkpoint.with_suffix(".new")
        state = {name: part.state_dict() for name, part in self._parts().items()}
        state |= {name: getattr(self, name) for name in ("pool", "step", "seconds", "decisions")}
        state |= {"generator": self.generator.get_state(), "random": self._random_module.get_rng_state()}
        torch.save(state, new)
        new.replace(self._checkpoint)
        for table in self.tables.values():
            table.restart()

    @property
    def progress(self) -> float:
        """The share of the run that is over, by steps or by time."""
        share = self.step / self.options.steps
        return min(1, max(share, self.seconds / (60 * self.options.minutes)) if self.options.minutes else share)

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
        trained = [(self.critic, self.critic_optimizer)]
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
            some = (table.rivals(tensor.unflatten(0, shape[:2])) for tensor in inputs)
            rival = self.rival(*(tensor.flatten(0, 2) for tensor in some))[0]
            cards = table.choose(policy.detach().view(shape), rival.view(rules.hand, -1, *shape[1:]))
        if belief is None:
            losses = [*torch.zeros(len(LOSSES) - 1, device=self.device)]
        else:
            losses = self._losses(table, inputs, cards, policy, value)
            losses.append(0.2 * belief_loss(belief, inputs.context, holders(lanes)))
        known, end = table.advance(cards)
        with torch.no_grad(), self._mixed():
            targets = returns(rules, known, end, self.slow, self.rate)
        with self._mixed():
            outputs = self.critic(rules, known)
        losses.append(critic_loss(*outputs, *targets))
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
        learns, final = of_seats((table.kinds == NETWORK).flatten()), table.final[:size].repeat_interleave(table.labelled)
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
    return tuple(round(number, 4) for number in measures)  # type: ignore[return-value]  # four of them


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
        found = evaluate(net, networks[cell.others], make_rules(cell.spec), size, seed=987654321)
        wins, wins_error, fewer, fewer_error = found
        line |= {f"{name}: wins": wins, f"{name}: wins ±": wins_error}
        line |= {f"{name}: heads fewer": fewer, f"{name}: heads fewer ±": fewer_error}
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
    seconds, begin = training.seconds, perf_counter()
    start, before, count = begin, training.decisions, 0
    log = options.folder / "log.csv"
    stop = min(options.steps, options.stop or options.steps)
    while training.step < stop and training.progress < 1:
        training.advance()
        count += 1
        training.seconds = seconds + perf_counter() - begin
        if training.step % options.save == 0 or training.step == stop or training.progress >= 1:
            sums = (training.sums / count).tolist()
            training.sums.zero_()
            training.save()
            line: dict[str, float] = {"step": training.step, "seconds": round(training.seconds), "decisions": training.decisions}
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
