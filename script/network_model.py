"""The set network in PyTorch, for `script/train`: the layers of `faceup.games.nimmt.batch.network`."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from faceup.games.nimmt.batch import fitted_policy, network
from faceup.games.nimmt.batch.network import CARD_UNITS, KEY, LATE, MIDDLE, SEAT_UNITS, VALUE_UNITS, WIDE
from faceup.games.nimmt.batch.network_inputs import CARD, CONTEXT, SEAT
from faceup.games.nimmt.cards import MOST_CARDS

_FITTED_INPUTS: Final = (fitted_policy.CARD_INPUTS, fitted_policy.INPUTS - fitted_policy.CARD_INPUTS)


def look_up(weight: Tensor, numbers: Tensor, kind: torch.dtype) -> Tensor:
    """Return rows of an embedding as numbers of a kind. A product with one-hot vectors has the faster gradient."""
    weight = weight.to(kind)
    if not torch.is_grad_enabled():
        return functional.embedding(numbers, weight)
    return (numbers[..., None] == torch.arange(len(weight), device=weight.device)).to(kind) @ weight


def layers(module: nn.Module) -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights of a module by the names that a compiled network gives them."""
    arrays = {}
    for name, tensor in module.state_dict().items():
        layer, _, kind = name.partition(".")
        array = tensor.float().cpu().numpy()
        if layer == "number" or kind == "bias":
            arrays[layer if layer == "number" else f"{layer}_bias"] = array
        else:
            arrays[layer] = np.ascontiguousarray(array.T)
    return arrays


class SetNetwork(nn.Module):
    """The network; `network.Weights` explains its layers."""

    def __init__(self) -> None:
        super().__init__()
        self.card_in = nn.Linear(CARD, CARD_UNITS)
        self.number = nn.Embedding(MOST_CARDS + 1, CARD_UNITS)
        self.card_mid = nn.Linear(CARD_UNITS, CARD_UNITS)
        self.seat_in = nn.Linear(SEAT, SEAT_UNITS)
        self.seat_mid = nn.Linear(SEAT_UNITS, SEAT_UNITS)
        self.wide = nn.Linear(CONTEXT + 2 * CARD_UNITS + 2 * SEAT_UNITS, WIDE)
        self.middle = nn.Linear(WIDE, MIDDLE)
        self.late_card = nn.Linear(CARD_UNITS, LATE, bias=False)
        self.late_context = nn.Linear(MIDDLE, LATE)
        self.last = nn.Linear(LATE, CARD_UNITS)
        self.policy = nn.Linear(CARD_UNITS, 2)
        self.value_in = nn.Linear(MIDDLE + CARD_UNITS, VALUE_UNITS)
        self.value = nn.Linear(VALUE_UNITS, 2)
        self.query_seat = nn.Linear(SEAT_UNITS, KEY, bias=False)
        self.query_context = nn.Linear(MIDDLE, KEY + 1)
        self.keys = nn.Parameter(torch.randn(MOST_CARDS, KEY) * 0.1)
        nn.init.normal_(self.number.weight, 0, 0.05)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.policy.bias)

    def forward(
        self, context: Tensor, card: Tensor, seat: Tensor, hands: Tensor, *, belief: bool = False
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the fields of `network.Outputs`, with the heads divided by `HEADS_SCALE`.

        Args:
            context: this and the next two arguments are the results of `network_inputs.inputs`.
            card: see `context`.
            seat: see `context`.
            hands: int64 [n, MOST_HAND].
            belief: whether to evaluate beliefs; otherwise the last result is None.
        """
        there = hands > 0
        mask, count = there[:, :, None], there.sum(1, keepdim=True)
        cards = self.card_in(card)
        cards = functional.relu(cards + look_up(self.number.weight, hands, cards.dtype))
        cards = functional.relu(self.card_mid(cards)) * mask
        seats = functional.relu(self.seat_mid(functional.relu(self.seat_in(seat))))
        pooled = torch.cat([context, cards.sum(1) / count, cards.amax(1), seats.mean(1), seats.amax(1)], 1)
        middle = functional.relu(self.middle(functional.relu(self.wide(pooled))))
        late = functional.relu(self.late_card(cards) + self.late_context(middle)[:, None])
        late = functional.relu(self.last(late))
        policy = self.policy(late).float().masked_fill(~there[:, :, None], -torch.inf)
        mean = (late * mask).sum(1) / count
        value = self.value(functional.relu(self.value_in(torch.cat([middle, mean], 1)))).float()
        if not belief:
            return policy, value, None
        query = self.query_context(middle)
        held = torch.einsum("nsk,ck->nsc", self.query_seat(seats) + query[:, None, :KEY], self.keys.to(query.dtype))
        nobody = query[:, None, KEY:].expand(-1, 1, MOST_CARDS)
        return policy, value, torch.cat([nobody, held], 1).float()

    def load_weights(self, weights: network.Weights) -> None:
        """Take the weights of a compiled network."""
        for name, tensor in self.state_dict().items():
            layer, _, kind = name.partition(".")
            array = weights._asdict()[f"{layer}_bias" if kind == "bias" else layer]
            tensor.copy_(torch.from_numpy(array if layer == "number" or kind == "bias" else array.T))

    def weights(self) -> network.Weights:
        """Return the weights for the compiled network."""
        return network.Weights(**layers(self))


class FittedNetwork(nn.Module):
    """The network of policy `fitted`, which plays the rollouts."""

    def __init__(self, weights: fitted_policy.Weights) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.tensor(weights[0]))
        self.lasts = nn.Parameter(torch.tensor(weights[1]))

    def forward(self, context: Tensor, card: Tensor, hands: Tensor) -> Tensor:
        """Return a logit for each card; the arguments are as for `SetNetwork`, the context without its planes."""
        own, shared = _FITTED_INPUTS
        general = context[:, None, :shared].expand(-1, hands.shape[1], -1)
        features = torch.cat([card[:, :, :own], general], 2)
        hidden = functional.relu(features @ self.first[:, :-1].T + self.first[:, -1])
        return (hidden @ self.lasts).masked_fill(hands == 0, -torch.inf)

    def weights(self) -> fitted_policy.Weights:
        """Return the weights for the kernels."""
        return self.first.detach().cpu().numpy(), self.lasts.detach().cpu().numpy()


def choice_loss(policy: Tensor, cost: Tensor, hands: Tensor, softness: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return the cost of the card played, minus `softness` times the entropy of the choice; and the choice.

    Costs enter linearly, so that noise in them does not bias the optimum, which is a softmax of the mean costs.

    Args:
        policy: [n, MOST_HAND]: the logits.
        cost: [n, MOST_HAND]: the costs in heads.
        hands: [n, MOST_HAND]: the cards, 0 for a missing one.
        softness: the temperature in heads.

    Returns:
        The loss of each position, and the probabilities of the cards and their logarithms.
    """
    logs = torch.log_softmax(policy, 1).masked_fill(hands == 0, 0)
    chances = logs.exp() * (hands > 0)
    return (chances * (cost + softness * logs)).sum(1), chances, logs


def belief_loss(belief: Tensor, context: Tensor, holders: Tensor) -> Tensor:
    """Return the cross-entropy of who holds each unseen card; `holders` is of `deal_tensors.holders`."""
    loss = functional.cross_entropy(belief, holders, reduction="none")
    unseen = context[:, :MOST_CARDS] > 0
    return (loss * unseen).sum() / unseen.sum()
