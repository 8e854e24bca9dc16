"""Batch engine of Niu Niu: whole matches in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

This package imports numba and numpy, so import it only where batches run.
"""

from faceup.extras import needs

with needs("fast", __name__):
    from faceup.games.batch_base import POLICIES
    from faceup.games.niuniu.batch.engine import NiuNiuEngine, NiuNiuEnvAdapter, observations
    from faceup.games.niuniu.batch.playouts import NiuNiuPlayouts, play_measured, playouts, playouts_memory, trace, warm

from_states, memory, reset = NiuNiuEngine.from_states, NiuNiuEngine.memory, NiuNiuEngine.reset
EnvAdapter = NiuNiuEnvAdapter

__all__ = [
    "POLICIES",
    "EnvAdapter",
    "NiuNiuEngine",
    "NiuNiuEnvAdapter",
    "NiuNiuPlayouts",
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
