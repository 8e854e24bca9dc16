"""A policy and value network for 6 nimmt! in PyTorch that treats all cards of the hand alike. `agent.py` plays it."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from faceup.core import AnyRules
from faceup.envs.observation import observer


class Network(nn.Module):
    """Map observations `[n, size]` in the encoding `planes` to logits of actions `[n, actions]` and values `[n]`.

    Every card of the hand goes through the same layers. Their inputs are the card's numbers in the planes, such as the
    heads of the row that catches it, a vector for its number, and the position, which has layers of its own.
    """

    def __init__(self, rules: AnyRules, units: int = 128, card_units: int = 64) -> None:
        super().__init__()
        parts = {part.piece.name: part for part in observer(rules, "planes").parts}
        size, self.cards = max(part.at.stop for part in parts.values()), parts["hand"].piece.shape[0]
        self.planes, self.plays = parts["choosing"].at.start // self.cards, 104
        self.first, self.second = nn.Linear(size, units), nn.Linear(units, units)
        self.card, self.position = nn.Linear(self.planes, card_units), nn.Linear(units, card_units)
        self.number = nn.Parameter(torch.zeros(self.cards, card_units))
        self.play, self.other = nn.Linear(card_units, 1), nn.Linear(units, rules.bounds.actions + 1 - self.plays)
        self.value = nn.Linear(units, 1)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits, which are minus a billion for illegal actions, and the values."""
        position = torch.relu(self.second(torch.relu(self.first(seen))))
        planes = seen[:, : self.planes * self.cards].view(-1, self.planes, self.cards)
        row, card = planes[:, 0].nonzero(as_tuple=True)
        units = torch.relu(self.card(planes[row, :, card]) + self.position(position)[row] + self.number[card])
        plays = torch.zeros(len(seen), self.plays).index_put((row, card), self.play(units)[:, 0])
        logits = torch.cat([plays, self.other(position)], dim=1).masked_fill(mask == 0, -1e9)
        return logits, self.value(position)[:, 0]

    @torch.no_grad()
    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the most probable actions."""
        return self(torch.from_numpy(observations), torch.from_numpy(masks))[0].argmax(dim=1).numpy()

    def save(self, path: Path) -> None:
        """Write the weights to an `.npz` file, with 16 bits each."""
        np.savez(path, **{name: part.numpy().astype(np.float16) for name, part in self.state_dict().items()})
