"""Train with PPO in one file, in the manner of CleanRL's `ppo.py`, on faceup's vector environment."""

import argparse
import json
from pathlib import Path
from time import process_time

import torch
from evaluate import interval, play, report
from network import Network
from torch import nn
from torch.distributions import Categorical

from faceup.envs import vector_env

ENVS, STEPS = 256, 32
EPOCHS, MINIBATCH, CLIP, ENTROPY, GAE_LAMBDA, RATE = 4, 1024, 0.2, 0.01, 0.95, 1e-3

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--game", default="nimmt:cowheadking seats=4", help="rules of one deal (default %(default)r)")
parser.add_argument("--updates", type=int, default=60, help="updates, of 8,192 decisions each (default 60)")
parser.add_argument("--steps", type=int, help="decisions to learn from, instead of --updates")
parser.add_argument("--seed", type=int, default=1, help="seed of deals and network (default 1)")
parser.add_argument("--save", type=Path, help="folder for the weights, agent.npz, and for the curve, curve.jsonl")
options = parser.parse_args()
if options.updates < 1 or (options.steps is not None and options.steps < 1):
    parser.error("--updates and --steps must be 1 or more")
if options.steps is not None:
    options.updates = -(-options.steps // (ENVS * STEPS))

torch.set_num_threads(1)
torch.manual_seed(options.seed)
envs = vector_env(options.game, num_envs=ENVS, opponents="greedy", reward="relative", encoding="planes")
network = Network(envs.rules)
optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)


def policy(seen, mask):
    """Return the distribution over the legal actions, and the value."""
    logits, value = network(seen, mask)
    return Categorical(logits=logits, validate_args=False), value


def tensors(observations, infos):
    return torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])


def save(update, seconds):
    """Write the weights, and a line of the curve: the results in 2,000 deals that are not used for training."""
    network.save(options.save / "agent.npz")
    found = play(network.choose, options.game, 2000, seed=2_000_000, encoding="planes")
    line = {"update": update, "decisions": update * ENVS * STEPS, "seconds": round(seconds)}
    line |= {name: [round(number, 4) for number in interval(values)] for name, values in found._asdict().items()}
    with (options.save / "curve.jsonl").open("a" if update else "w") as curve:
        print(json.dumps(line), file=curve)
    print("{decisions:>9,} decisions, {seconds:>4} s: {heads[0]:5.2f} heads a deal".format(**line), flush=True)


seen, mask = tensors(*envs.reset(seed=options.seed))
seconds = 0.0  # of the processor, for training alone
if options.save:
    options.save.mkdir(parents=True, exist_ok=True)
    save(0, seconds)
for update in range(options.updates):
    start = process_time()
    optimizer.param_groups[0]["lr"] = RATE * (1 - update / options.updates)
    steps = []
    with torch.no_grad():
        for _ in range(STEPS):
            choice, before = policy(seen, mask)
            action = choice.sample()
            step = [seen, mask, action, choice.log_prob(action), before]
            observations, rewards, ended, _, infos = envs.step(action.numpy())
            # A deal that ends restarts in the same step, so that the next observation is of another deal.
            steps.append([*step, torch.from_numpy(rewards).float() * 0.1, torch.from_numpy(ended)])
            seen, mask = tensors(observations, infos)
        value, advantage, advantages = network(seen, mask)[1], torch.zeros(ENVS), []
        for *_, before, reward, ended in reversed(steps):
            going = (~ended).float()
            advantage = reward + going * (value + GAE_LAMBDA * advantage) - before
            value = before
            advantages.insert(0, advantage)
    b_seen, b_mask, b_action, b_log_prob, b_value, *_ = (torch.cat(column) for column in zip(*steps, strict=True))
    b_advantage = torch.cat(advantages)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(b_action)).split(MINIBATCH):
            (choice, value), gain = policy(b_seen[some], b_mask[some]), b_advantage[some]
            asked = b_mask[some].sum(dim=1) > 1  # a seat that can only wait learns nothing about its policy
            ratio = (choice.log_prob(b_action[some]) - b_log_prob[some]).exp()
            scaled = (gain - gain[asked].mean()) / (gain[asked].std() + 1e-8)
            policy_loss = -torch.minimum(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled)[asked].mean()
            value_loss = (value - (gain + b_value[some])).square().mean()
            loss = policy_loss + 0.5 * value_loss - ENTROPY * choice.entropy()[asked].mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    seconds += process_time() - start
    if options.save and ((update + 1) % 20 == 0 or update + 1 == options.updates):
        save(update + 1, seconds)

report(network.choose, options.game, encoding="planes")
