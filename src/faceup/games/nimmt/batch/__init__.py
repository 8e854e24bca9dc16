"""6 nimmt! by the batch: whole playouts in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

Imports numba and numpy; nothing but what runs batches imports this.
"""

from faceup.games.lane_arrays import Piece, Stepped
from faceup.games.nimmt.batch.engine import Engine, from_states, reset
from faceup.games.nimmt.batch.layout import memory, observations
from faceup.games.nimmt.batch.learning import Learning
from faceup.games.nimmt.batch.measured import measured
from faceup.games.nimmt.batch.playouts import POLICIES, Playouts, Trace, playouts, playouts_memory, trace
from faceup.games.nimmt.batch.trials import Trials
from faceup.games.nimmt.batch.warming import warm

__all__ = [
    "POLICIES",
    "Engine",
    "Learning",
    "Piece",
    "Playouts",
    "Stepped",
    "Trace",
    "Trials",
    "from_states",
    "measured",
    "memory",
    "observations",
    "playouts",
    "playouts_memory",
    "reset",
    "trace",
    "warm",
]
