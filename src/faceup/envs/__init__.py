"""Reinforcement learning environments for Gymnasium and PettingZoo. Those for OpenSpiel are in `faceup.envs.openspiel`.

Importing this package registers the environments with Gymnasium and PettingZoo.
"""

from faceup.extras import needs

with needs("envs", __name__):
    from faceup.envs.observation import encoding_names, layout, observe
    from faceup.envs.opponents import Pool
    from faceup.envs.parallel import aec_env, parallel_env
    from faceup.envs.registration import register
    from faceup.envs.rewards import reward_names
    from faceup.envs.single import single_env
    from faceup.envs.vector import vector_env

__all__ = [
    "Pool",
    "aec_env",
    "encoding_names",
    "layout",
    "observe",
    "parallel_env",
    "reward_names",
    "single_env",
    "vector_env",
]

register()
