"""The games as environments for learning and for solving; `faceup.envs.openspiel` has them as OpenSpiel games.

Importing it registers the single-seat environments with Gymnasium.
"""

try:
    from faceup.envs.observing import layout
    from faceup.envs.parallel import aec_env, parallel_env
    from faceup.envs.registration import register
    from faceup.envs.rewards import reward_names
    from faceup.envs.single import single_env
    from faceup.envs.vector import vector_env
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(f"{missing}: the environments need pip install 'faceup[envs]'") from None

__all__ = ["aec_env", "layout", "parallel_env", "reward_names", "single_env", "vector_env"]

register()
