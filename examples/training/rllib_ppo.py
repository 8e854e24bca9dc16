"""Train with PPO of RLlib, on 16 of faceup's single-seat environments."""

import argparse

import gymnasium
import numpy as np
import torch
from evaluate import report
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from faceup.envs import single_env

GAME = "nimmt:cowheadking seats=4"


class WithMask(gymnasium.ObservationWrapper):
    """Put the mask into the observation, where RLlib's module for action masks expects it."""

    def __init__(self, env):
        super().__init__(env)
        masks = Box(0, 1, (env.action_space.n,), np.float32)
        self.observation_space = Dict({"observations": env.observation_space, "action_mask": masks})

    def observation(self, observation):
        return {"observations": observation, "action_mask": self.env.action_masks().astype(np.float32)}


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--steps",
    type=int,
    default=61_440,
    help="decisions to learn from, 4,096 at a time; small numbers only try the program (default %(default)s)",
)
options = parser.parse_args()
if options.steps < 1:
    parser.error("--steps must be 1 or more")

torch.set_num_threads(1)
register_env("faceup", lambda options: WithMask(single_env(GAME, **options)))
config = (
    PPOConfig()
    .environment("faceup", env_config={"opponents": "greedy"})
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            model_config={"head_fcnet_hiddens": [128, 128], "fcnet_hiddens": [128]},
        )
    )
    .training(
        train_batch_size=4096,
        minibatch_size=512,
        num_epochs=6,
        lr=1e-3,
        gamma=1.0,
        entropy_coeff=0.01,
        vf_clip_param=1e6,
    )
    .debugging(seed=1, log_level="ERROR")
)
algorithm = config.build_algo()
for _ in range(-(-options.steps // 4096)):
    algorithm.train()
module = algorithm.get_module()


def choose(observations, masks):
    batch = {
        "observations": torch.from_numpy(observations),
        "action_mask": torch.from_numpy(np.asarray(masks, np.float32)),
    }
    with torch.no_grad():
        return module.forward_inference({"obs": batch})["action_dist_inputs"].argmax(dim=1).numpy()


report(choose, GAME)
algorithm.stop()
