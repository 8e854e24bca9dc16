"""The environments in Gymnasium's registry, under the names of `faceup.envs.names`."""

import gymnasium

from faceup.core import make
from faceup.envs.names import VERSION, settings
from faceup.envs.rewards import reward_names


def register() -> None:
    """Register a single-seat environment for each game, setting and reward.

    >>> register()
    >>> gymnasium.make("faceup/nimmt-small-relative-v0").unwrapped.rules.cards
    12
    """
    for game, setting, spec in settings():
        for reward in reward_names(make(spec)):
            gymnasium.register(
                f"faceup/{game}-{setting}-{reward}-v{VERSION}",
                entry_point="faceup.envs.single:single_env",
                kwargs={"spec": spec, "reward": reward},
            )
