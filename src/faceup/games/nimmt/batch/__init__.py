"""The batch engine of 6 nimmt!.

It plays whole games in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

This package imports numba and numpy, so import it only where batches run.
"""

from faceup.extras import needs

with needs("fast", __name__):
    from faceup.games.nimmt.batch.engine import NimmtEngine
    from faceup.games.nimmt.batch.env_adapter import NimmtEnvAdapter
    from faceup.games.nimmt.batch.layout import observations
    from faceup.games.nimmt.batch.playouts import POLICIES, NimmtPlayouts, count_games, playouts, playouts_memory, trace
    from faceup.games.nimmt.batch.search import BatchSearchTrials
    from faceup.games.nimmt.batch.warmup import warm

from_states, memory, reset = NimmtEngine.from_states, NimmtEngine.memory, NimmtEngine.reset
EnvAdapter = NimmtEnvAdapter
SearchTrials = BatchSearchTrials

__all__ = [
    "POLICIES",
    "BatchSearchTrials",
    "EnvAdapter",
    "NimmtEngine",
    "NimmtEnvAdapter",
    "NimmtPlayouts",
    "SearchTrials",
    "count_games",
    "from_states",
    "memory",
    "observations",
    "playouts",
    "playouts_memory",
    "reset",
    "trace",
    "warm",
]
