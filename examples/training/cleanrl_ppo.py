"""Train with PPO in one file, in the manner of CleanRL's `ppo.py`, on faceup's vector environment."""

import gymnasium
import numpy as np
import torch
from evaluate import report
from torch import nn
from torch.distributions import Categorical

GAME = "nimmt:cowheadking seats=4"
ENVS, STEPS, UPDATES = 256, 32, 60
EPOCHS, MINIBATCH, CLIP, ENTROPY, GAE_LAMBDA = 4, 1024, 0.2, 0.01, 0.95

torch.set_num_threads(1)
torch.manual_seed(1)
envs = gymnasium.make_vec(
    "faceup.envs:faceup/nimmt-cowheadking-heads-v0", ENVS, "vector_entry_point", opponents="greedy"
)
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)


def network(outputs):
    return nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, outputs))


actor, critic = network(actions), network(1)
parameters = [*actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, lr=1e-3, eps=1e-5)


def policy(seen, mask):
    """Return the distribution over the legal actions: illegal ones have the logit minus infinity."""
    return Categorical(logits=actor(seen).masked_fill(~mask, -1e9), validate_args=False)


def tensors(observations, masks):
    return torch.from_numpy(observations), torch.from_numpy(np.asarray(masks)).bool()


observations, infos = envs.reset(seed=1)
seen, mask = tensors(observations, infos["action_mask"])
for _ in range(UPDATES):
    steps = []
    with torch.no_grad():
        for _ in range(STEPS):
            choice = policy(seen, mask)
            action = choice.sample()
            step = [seen, mask, action, choice.log_prob(action), critic(seen)[:, 0]]
            observations, rewards, ended, _, infos = envs.step(action.numpy())
            # A deal that ends restarts in the same step, so that the next observation is of another deal.
            steps.append([*step, torch.from_numpy(rewards).float() * 0.1, torch.from_numpy(ended)])
            seen, mask = tensors(observations, infos["action_mask"])
        value, advantage, advantages = critic(seen)[:, 0], torch.zeros(ENVS), []
        for *_, before, reward, ended in reversed(steps):
            going = (~ended).float()
            advantage = reward + going * (value + GAE_LAMBDA * advantage) - before
            value = before
            advantages.insert(0, advantage)
    b_seen, b_mask, b_action, b_log_prob, b_value, *_ = (torch.cat(column) for column in zip(*steps, strict=True))
    b_advantage = torch.cat(advantages)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(b_action)).split(MINIBATCH):
            choice, gain = policy(b_seen[some], b_mask[some]), b_advantage[some]
            ratio = (choice.log_prob(b_action[some]) - b_log_prob[some]).exp()
            scaled = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.minimum(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
            value_loss = (critic(b_seen[some])[:, 0] - (gain + b_value[some])).square().mean()
            loss = policy_loss + 0.5 * value_loss - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()


def choose(observations, masks):
    with torch.no_grad():
        return policy(*tensors(observations, masks)).logits.argmax(dim=1).numpy()


report(choose, GAME)
