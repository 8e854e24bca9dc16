"""A learner for 6 nimmt! in JAX: self-play with PPO, compiled together with the games.

Run it with `python -m faceup.jax.learner FOLDER`.
"""

from faceup.extras import needs

with needs("jax", __name__):
    from faceup.jax.learner.features import Inputs, encode
    from faceup.jax.learner.network import evaluate, new_weights
    from faceup.jax.learner.ppo import Learned, PpoSettings, start, update, wins

__all__ = ["Inputs", "Learned", "PpoSettings", "encode", "evaluate", "new_weights", "start", "update", "wins"]
