"""The environments in the registries of Gymnasium and PettingZoo, under the names of `faceup.envs.names`."""

import gymnasium
import pettingzoo

from faceup.core import make
from faceup.envs.names import VERSION, settings
from faceup.envs.rewards import reward_names


def register() -> None:
    """Register an environment of each kind for each game, setting and reward: `faceup.envs` does it when imported.

    >>> gymnasium.make("faceup/nimmt-small-relative-v0").unwrapped.rules.cards
    12
    >>> pettingzoo.make("parallel", "faceup/nimmt-arena-heads-v0").rules.deals
    5
    """
    for game, setting, spec in settings():
        for reward in reward_names(make(spec)):
            name = f"faceup/{game}-{setting}-{reward}-v{VERSION}"
            given = {"spec": spec, "reward": reward}
            gymnasium.register(
                name,
                entry_point="faceup.envs.single:single_env",
                vector_entry_point="faceup.envs.vector:vector_env",
                kwargs=given,
            )
            pettingzoo.register("parallel", name, "faceup.envs.parallel:parallel_env", kwargs=given)
            pettingzoo.register("aec", name, "faceup.envs.parallel:aec_env", kwargs=given)
