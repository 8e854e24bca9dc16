"""Batch engine of War: whole games in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

This package imports numba and numpy, so import it only where batches run.
"""

from faceup.extras import needs

with needs("fast", __name__):
    from faceup.games.batch_base import POLICIES
    from faceup.games.war.batch.engine import ENDINGS, WarEngine, WarEnvAdapter, observations
    from faceup.games.war.batch.playouts import WarPlayouts, play_measured, playouts, playouts_memory, trace, warm

from_states, memory, reset = WarEngine.from_states, WarEngine.memory, WarEngine.reset
EnvAdapter = WarEnvAdapter

__all__ = [
    "ENDINGS",
    "POLICIES",
    "EnvAdapter",
    "WarEngine",
    "WarEnvAdapter",
    "WarPlayouts",
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
