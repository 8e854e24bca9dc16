"""Tables of 6 nimmt! on which the network plays for `script/train`, and what each card of a hand would have brought."""

import math
from typing import Final, NamedTuple

import torch
from critic_model import Critic, Known, relative_heads, win_shares
from deal_tensors import constant, deal, greedy_cards, place, step, without
from torch import Tensor

from faceup.games.nimmt.objectives import LATE
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.rules import Rules

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
        exists = (place < hand - cohort).expand(hand - 1, size, self.labelled, hand)
        options = torch.broadcast_tensors(cohort * size + lane, slot, place)
        self.options = tuple(index[exists] for index in options)
        for finished in range(hand):
            self._seat(slice(size * finished, size * (finished + 1)))
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
        of_rivals = self.rivals(hands)
        best = torch.where(self.rivals(winning), rival[..., 1], rival[..., 0]).masked_fill(of_rivals == 0, -torch.inf)
        by_rival = torch.zeros_like(cards)
        self.rivals(by_rival).copy_(of_rivals.gather(3, best.argmax(3, keepdim=True))[..., 0])
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
        knowledge = Known(
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
        return knowledge, end


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
    unfinished = len(lane) - 2 * table.size * table.labelled  # in the last options, one card is left, which is placed
    heads[unfinished:] += place(rules, rows[unfinished:], hands[unfinished:, :, 0])[1]
    knowledge = Known(
        rows[:unfinished],
        hands[:unfinished],
        heads[:unfinished],
        table.kinds[lane[:unfinished]],
        table.final[lane[:unfinished]],
    )
    to_come, logits = critic(rules, knowledge)
    relative, wins = relative_heads((heads - before).float()), win_shares(heads)
    relative[:unfinished] += relative_heads(to_come)
    wins[:unfinished] = logits.softmax(1)
    labels = torch.zeros(2, *seats.shape, MOST_HAND, device=lane.device)
    for tensor, outcome in zip(labels, (relative, wins), strict=True):
        tensor[lane, slot, place_] = outcome.gather(1, seat[:, None])[:, 0]
    return Labels(*labels)


def returns(rules: Rules, knowledge: Known, end: Tensor, critic: Critic, rate: Tensor) -> tuple[Tensor, Tensor]:
    """Return TD(lambda) targets for the positions of deals that are over: heads to come, and shares of the win."""
    turns = rules.hand
    to_come, logits = critic(rules, knowledge)
    shape = (-1, turns, rules.seats)
    value, chance = to_come.view(shape), logits.softmax(1).view(shape)
    heads, last = knowledge.heads.view(shape), end.view(shape)[:, 0]
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
