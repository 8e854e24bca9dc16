"""Train with MaskablePPO of Stable-Baselines3's sb3-contrib, on faceup's vector environment."""

import argparse

import torch
from evaluate import report
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from faceup.envs import vector_env

GAME = "nimmt:cowheadking seats=4"


class FaceupVecEnv(VecEnv):
    """A vector environment of faceup as a `VecEnv`."""

    def __init__(self, envs):
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self):
        observations, infos = self.envs.reset(seed=self._seeds[0])
        self.masks = infos["action_mask"]
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, ended, _, infos = self.envs.step(self.actions)
        self.masks = infos["action_mask"]
        last = [{} for _ in range(self.num_envs)]
        for game in ended.nonzero()[0]:
            last[game] = {"terminal_observation": infos["final_obs"][game]}
        return observations, rewards, ended, last

    def env_method(self, method_name, *args, indices=None, **options):
        return list(self.masks)  # MaskablePPO calls no other method than `action_masks`

    def get_attr(self, attr_name, indices=None):
        return [self.env_method if attr_name == "action_masks" else getattr(self.envs, attr_name)] * self.num_envs

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.envs.close()


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--steps",
    type=int,
    default=500_000,
    help="decisions to learn from; small numbers only try the program (default %(default)s)",
)
options = parser.parse_args()
if options.steps < 1:
    parser.error("--steps must be 1 or more")

torch.set_num_threads(1)
envs = FaceupVecEnv(vector_env(GAME, num_envs=256, opponents="greedy"))
envs.seed(1)
model = MaskablePPO(
    "MlpPolicy", envs, n_steps=32, batch_size=1024, n_epochs=4, learning_rate=1e-3, gamma=1.0, ent_coef=0.01, seed=1
)
model.learn(options.steps)


def choose(observations, masks):
    return model.predict(observations, action_masks=masks, deterministic=True)[0]


report(choose, GAME)
