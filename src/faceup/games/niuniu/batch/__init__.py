"""Batch engine of Niu Niu: whole matches in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

This package imports numba and numpy, so import it only where batches run.
"""

from faceup.extras import needs

with needs("fast", __name__):
    from faceup.games.batch_base import POLICIES
    from faceup.games.niuniu.batch.engine import Engine, EnvAdapter, observations
    from faceup.games.niuniu.batch.playouts import Playouts, play_measured, playouts, playouts_memory, trace, warm

from_states, memory, reset = Engine.from_states, Engine.memory, Engine.reset

__all__ = [
    "POLICIES",
    "Engine",
    "EnvAdapter",
    "Playouts",
    "from_states",
    "memory",
    "observations",
    "play_measured",
    "playouts",
    "playouts_memory",
    "reset",
    "trace",
    "warm",
]
