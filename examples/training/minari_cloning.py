"""Export games of a bot as a Minari data set, and train a network to imitate the bot from it (behaviour cloning)."""

import argparse
import sys
from pathlib import Path

import minari
import numpy as np
import torch
from dataset import dataset_name, make_dataset
from evaluate import report
from network import Network
from torch.nn.functional import cross_entropy

from faceup.core import Malformed

EPOCHS, BATCH, RATE, DECAY = 10, 256, 1e-3, 1e-2
CHOICES = 9  # in a game, at least: ten cards, of which the last is no choice

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--variant", default="cowheadking", help="variant of 6 nimmt! (default %(default)s)")
parser.add_argument("--seats", type=int, default=4, help="number of seats (default 4)")
parser.add_argument("--bot", default="mc@1000", help="the bot whose games to export (default %(default)s)")
parser.add_argument("--games", type=int, help="number of games (default 2500, or as many as --steps needs)")
parser.add_argument("--seed", type=int, default=1, help="seed of the training, not of the games (default 1)")
parser.add_argument("--steps", type=int, help="decisions of these games to learn from (default all)")
parser.add_argument("--save", type=Path, help="folder for the weights, agent.npz")
options = parser.parse_args()
if any(count is not None and count < 1 for count in (options.games, options.steps)):
    parser.error("--games and --steps must be 1 or more")

rules = {"seats": options.seats, "deals": 1, "target": 0}
made = (options.bot, options.variant, options.seats)
games = options.games
if games is None:
    games = 2500 if options.steps is None else -(-options.steps // CHOICES)
DATA_SET = dataset_name(*made)
try:
    data = minari.load_dataset(DATA_SET) if DATA_SET in minari.list_local_datasets() else make_dataset(*made, games)
except Malformed as error:
    parser.error(str(error))
if data.total_episodes < games or (data.total_episodes > games and options.steps is None):
    has = f"{DATA_SET} has {data.total_episodes} games, not {games}"
    sys.exit(f"{has}: set --games {data.total_episodes}, or run `minari delete {DATA_SET}`")
print(f"{DATA_SET}: {data.total_episodes:,} games, {data.total_steps:,} decisions", flush=True)

torch.set_num_threads(1)
torch.manual_seed(options.seed)
episodes = [*data.iterate_episodes()]
seen = torch.from_numpy(np.concatenate([each.observations[:-1] for each in episodes]))
mask = torch.from_numpy(np.concatenate([each.infos["action_mask"][:-1] for each in episodes]))
action = torch.from_numpy(np.concatenate([each.actions for each in episodes]))
seen, mask, action = (part[mask.sum(dim=1) > 1] for part in (seen, mask, action))  # a last card is no choice
seen, mask, action = (part[: options.steps] for part in (seen, mask, action))

network = Network(data.recover_environment().unwrapped.rules)
optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
for epoch in range(EPOCHS):
    optimizer.param_groups[0]["lr"] = RATE * (1 - epoch / EPOCHS)
    losses = []
    for some in torch.randperm(len(action)).split(BATCH):
        loss = cross_entropy(network(seen[some], mask[some])[0], action[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}", flush=True)

if options.save:
    options.save.mkdir(parents=True, exist_ok=True)
    network.save(options.save / "agent.npz")
spec = f"nimmt:{options.variant} " + " ".join(f"{name}={value}" for name, value in rules.items())
report(network.choose, spec, encoding="planes")
