"""A critic of 6 nimmt! that sees all hands, for `script/train`: the heads to come, and who wins the deal.

It treats all cards alike, and all seats. Every card goes through the same layers, with its row and the cards that are
held between them; their mean and maximum describe a seat, and those of the seats describe the table.
"""

from typing import Final, NamedTuple

import numpy as np
import torch
from deal_tensors import ROW_LENGTH, ROW_TAIL, count_up_to, heads_of, rows_under
from network_model import layers, look_up
from torch import Tensor, nn
from torch.nn import functional

from faceup.games.nimmt.batch import critic
from faceup.games.nimmt.batch.critic import (
    CARD_UNITS,
    CONTEXT,
    HEADS_SCALE,
    LATE,
    MIDDLE,
    ROW,
    SEAT_UNITS,
    TOKEN,
    WIDE,
)  # fmt: skip
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS
from faceup.games.nimmt.rules import Rules

KINDS: Final = 6
"""Kinds of players; a critic knows who plays how."""
SEAT: Final = critic.SEAT + KINDS


class Known(NamedTuple):
    """Positions of n deals between two turns, with all hands.

    Attributes:
        rows: int64 [n, rows]; see `deal_tensors`.
        hands: int64 [n, seats, cards]: ascending, then 0.
        heads: int64 [n, seats]: each seat's heads in the match.
        kinds: int64 [n, seats]: the kind of player in each seat.
        final: bool [n]: whether the deal decides the match, so that seats play to win it.
    """

    rows: Tensor
    hands: Tensor
    heads: Tensor
    kinds: Tensor
    final: Tensor


class Critic(nn.Module):
    """The critic."""

    def __init__(self) -> None:
        super().__init__()
        self.card_in = nn.Linear(TOKEN, CARD_UNITS)
        self.number = nn.Embedding(MOST_CARDS + 1, CARD_UNITS)
        self.card_mid = nn.Linear(CARD_UNITS, CARD_UNITS)
        self.seat_in = nn.Linear(SEAT + 2 * CARD_UNITS, SEAT_UNITS)
        self.wide = nn.Linear(CONTEXT + 2 * SEAT_UNITS, WIDE)
        self.middle = nn.Linear(WIDE, MIDDLE)
        self.late_card = nn.Linear(CARD_UNITS, LATE, bias=False)
        self.late_seat = nn.Linear(SEAT_UNITS, LATE, bias=False)
        self.late_context = nn.Linear(MIDDLE, LATE)
        self.last = nn.Linear(LATE, CARD_UNITS)
        self.value_in = nn.Linear(2 * CARD_UNITS + SEAT_UNITS + MIDDLE, SEAT_UNITS)
        self.value = nn.Linear(SEAT_UNITS, 2)
        nn.init.normal_(self.number.weight, 0, 0.05)

    def forward(self, rules: Rules, knowledge: Known) -> tuple[Tensor, Tensor]:
        """Return each seat's heads to come in this deal, and the logits of who wins: both [n, seats]."""
        hands = knowledge.hands
        tokens, seat, context = _inputs(rules, knowledge)
        mask, count = (hands > 0)[..., None], (hands > 0).sum(2, keepdim=True)
        # The numbers of a token are not adjacent, which makes it much faster to collect them.
        cards = torch.addmm(self.card_in.bias, tokens.flatten(1).T, self.card_in.weight.T).view(*hands.shape, -1)
        cards = functional.relu(cards + look_up(self.number.weight, hands, cards.dtype))
        cards = functional.relu(self.card_mid(cards)) * mask
        seats = functional.relu(self.seat_in(torch.cat([seat, cards.sum(2) / count, cards.amax(2)], 2)))
        table = torch.cat([context, seats.mean(1), seats.amax(1)], 1)
        middle = functional.relu(self.middle(functional.relu(self.wide(table))))
        shared = self.late_seat(seats) + self.late_context(middle)[:, None]
        late = functional.relu(self.late_card(cards) + shared[:, :, None])
        late = functional.relu(self.last(late)) * mask
        middles = middle[:, None].expand(-1, seats.shape[1], -1)
        inputs = torch.cat([late.sum(2) / count, late.amax(2), seats, middles], 2)
        value = self.value(functional.relu(self.value_in(inputs))).float()
        return value[:, :, 0] * HEADS_SCALE, value[:, :, 1]

    def weights(self, kind: int) -> critic.CriticWeights:
        """Return the weights for the compiled critic, for tables where all players are of one kind."""
        arrays = layers(self)
        of_seat = arrays["seat_in"]
        arrays["seat_in_bias"] = arrays["seat_in_bias"] + of_seat[critic.SEAT + kind]
        arrays["seat_in"] = np.concatenate([of_seat[: critic.SEAT], of_seat[SEAT:]])
        return critic.CriticWeights(**arrays)


def _inputs(rules: Rules, knowledge: Known) -> tuple[Tensor, Tensor, Tensor]:
    cards, rows = knowledge.hands, knowledge.rows.sort(1)[0]
    size, seats, most = cards.shape
    others, lines, device = seats - 1, rows.shape[1], rows.device
    exists, places = cards > 0, torch.arange(most, device=device)
    count = exists.sum(2, keepdim=True)
    under, low, row, end = rows_under(rows, cards)
    held = torch.zeros(size, MOST_CARDS + 1, dtype=torch.bool, device=device)
    held.scatter_(1, cards.flatten(1), True)[:, 0] = False
    up_to = count_up_to(held)
    tail = row // ROW_TAIL

    def all_up_to(numbers: Tensor) -> Tensor:
        return up_to.gather(1, numbers.flatten(1)).view_as(numbers)

    at_card, at_tail, at_end = all_up_to(cards), all_up_to(tail), all_up_to(end)
    above = (exists[..., None] & (under[..., None] >= torch.arange(-1, lines, device=device))).sum(2)
    own_above = above.gather(2, under + 1)
    own_between = own_above - (count - places)
    between = at_card - at_tail - 1
    cost = row % ROW_LENGTH
    cheapest = (rows % ROW_LENGTH).amin(1)
    slots = torch.where(low, 0, rules.capacity - row % ROW_TAIL // ROW_LENGTH)
    paid, heads = torch.where(low, cheapest[:, None, None], cost), heads_of(cards)
    total = up_to[:, -1, None, None]
    features = [
        low,
        slots * 0.2,
        paid * 0.1,
        ~low & (slots == 0),
        (between * 0.2).clamp(max=2),
        own_between * 0.2,
        ((between - own_between) * 0.2).clamp(max=2),
        between - own_between == 0,
        between - own_between >= slots,
        places / count,
        cards / MOST_CARDS,
        heads * 0.2,
        ((cards - tail) / 30).clamp(max=1),
        (cost + heads) * 0.1,
        ((at_end - at_card) * 0.2).clamp(max=2),
        at_card / total,
        places == count - 1,
        (under + 1) / lines,
    ]
    tokens = torch.stack([part.to(up_to.dtype).expand(size, seats, most) for part in features])
    points = knowledge.heads.float()
    mean = (points.sum(1, keepdim=True) - points) / others
    relative = [
        ((points - mean) / 15).clamp(-3, 3),
        ((points - points.amin(1, keepdim=True)) / 15).clamp(-3, 3),
        points == points.amin(1, keepdim=True),
        count[:, :, 0] * 0.1,
    ]
    kinds = functional.one_hot(knowledge.kinds, KINDS)
    seat = torch.cat([torch.stack([part.float() for part in relative], 2), kinds.float()], 2)
    free = rules.capacity - rows % ROW_TAIL // ROW_LENGTH
    ends = torch.cat([rows[:, 1:] // ROW_TAIL, torch.full_like(rows[:, :1], MOST_CARDS)], 1)
    inside = up_to.gather(1, ends) - up_to.gather(1, rows // ROW_TAIL)
    of_rows = [
        torch.ones_like(rows),
        rows // ROW_TAIL / MOST_CARDS,
        free * 0.2,
        rows % ROW_LENGTH * 0.1,
        rows % ROW_LENGTH == cheapest[:, None],
        free == 0,
        (inside / others / 3).clamp(max=2),
    ]
    context = torch.zeros(size, CONTEXT, device=device)
    context[:, : lines * ROW] = torch.stack([part.float() for part in of_rows], 2).flatten(1)
    context[:, MOST_ROWS * ROW] = knowledge.final.float()
    context[:, MOST_ROWS * ROW + 1] = count[:, 0, 0] / MOST_HAND
    context[:, MOST_ROWS * ROW + 2] = others / 8
    context[:, MOST_ROWS * ROW + 3] = rules.capacity * 0.2
    context[:, MOST_ROWS * ROW + 4] = rules.cards / MOST_CARDS
    context[:, MOST_ROWS * ROW + 5] = cheapest * 0.1
    context[:, MOST_ROWS * ROW + 6] = (count[:, 0, 0] == 2).float()
    return tokens, seat, context


def relative_heads(heads: Tensor) -> Tensor:
    """Return each seat's heads [n, seats] minus the mean of the others."""
    return heads - (heads.sum(1, keepdim=True) - heads) / (heads.shape[1] - 1)


def win_shares(heads: Tensor) -> Tensor:
    """Return each seat's share of the win, by the heads at the end [n, seats]."""
    winners = (heads == heads.amin(1, keepdim=True)).float()
    return winners / winners.sum(1, keepdim=True)


def critic_loss(outputs: tuple[Tensor, Tensor], targets: tuple[Tensor, Tensor]) -> Tensor:
    """Return the loss of a critic's outputs; the targets are heads to come, and shares of the win."""
    heads, logits = outputs
    target_heads, target_wins = targets
    relative = functional.mse_loss(relative_heads(heads), relative_heads(target_heads)) / HEADS_SCALE**2
    absolute = functional.mse_loss(heads, target_heads) / HEADS_SCALE**2
    return relative + 0.3 * absolute + 0.5 * functional.cross_entropy(logits, target_wins)
