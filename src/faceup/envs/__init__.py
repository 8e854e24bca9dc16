"""The games as environments for learning and for solving."""

from faceup.envs.parallel import aec_env, parallel_env

__all__ = ["aec_env", "parallel_env"]
