"""War by the batch: whole games in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

Imports numba and numpy; nothing but what runs batches imports this.
"""

from faceup.games.lane_arrays import Piece, Stepped
from faceup.games.pure_chance import POLICIES
from faceup.games.war.batch.engine import ENDINGS, Engine, from_states, memory, observations, reset
from faceup.games.war.batch.learning import Learning
from faceup.games.war.batch.measured import measured
from faceup.games.war.batch.playouts import Playouts, Trace, playouts, playouts_memory, trace
from faceup.games.war.batch.warming import warm

__all__ = [
    "ENDINGS",
    "POLICIES",
    "Engine",
    "Learning",
    "Piece",
    "Playouts",
    "Stepped",
    "Trace",
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
