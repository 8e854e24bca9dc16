"""6 nimmt! by the batch: whole playouts in one call (`playouts`, `trace`), or step by step with outside actions.

Imports numba and numpy; nothing but what runs batches imports this.
"""

from faceup.games.nimmt.batch.playouts import POLICIES, Playouts, Trace, playouts, playouts_memory, trace

__all__ = ["POLICIES", "Playouts", "Trace", "playouts", "playouts_memory", "trace"]
