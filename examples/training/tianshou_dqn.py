"""Train with DQN of Tianshou, on 16 of faceup's single-seat environments."""

import argparse

import gymnasium
import numpy as np
import torch
from evaluate import report
from gymnasium.spaces import Box, Dict
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from faceup.envs import single_env

GAME = "nimmt:cowheadking seats=4"


class WithMask(gymnasium.ObservationWrapper):
    """Put the mask into the observation, where Tianshou expects it."""

    def __init__(self, env):
        super().__init__(env)
        masks = Box(0, 1, (env.action_space.n,), np.int8)
        self.observation_space = Dict({"obs": env.observation_space, "mask": masks})

    def observation(self, observation):
        return {"obs": observation, "mask": self.env.action_masks()}


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--steps",
    type=int,
    default=60_000,
    help="decisions to learn from; small numbers only try the program (default %(default)s)",
)
options = parser.parse_args()
if options.steps < 1:
    parser.error("--steps must be 1 or more")

torch.set_num_threads(1)
torch.manual_seed(1)
np.random.seed(1)  # noqa: NPY002 -- Tianshou explores with this generator
envs = DummyVectorEnv([lambda: WithMask(single_env(GAME, opponents="greedy")) for _ in range(16)])
envs.seed(1)
spaces = single_env(GAME)
network = Net(state_shape=spaces.observation_space.shape, action_shape=spaces.action_space.n, hidden_sizes=(128, 128))
policy = DiscreteQLearningPolicy(model=network, action_space=spaces.action_space, eps_training=0.1)
algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, target_update_freq=500)
collector = Collector(algorithm, envs, VectorReplayBuffer(50_000, 16), exploration_noise=True)
collector.reset()
algorithm.run_training(
    OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=options.steps,
        collection_step_num_env_steps=160,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=256,
        show_progress=False,
        verbose=False,
    )
)


def choose(observations, masks):
    batch = Batch(obs=Batch(obs=observations, mask=np.asarray(masks, np.int8)), info=Batch())
    with torch.no_grad():
        return policy(batch).act


report(choose, GAME)
