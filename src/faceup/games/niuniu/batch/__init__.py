"""Niu Niu by the batch: whole matches in one call (`playouts`, `trace`), or step by step (`reset`, `from_states`).

Imports numba and numpy; nothing but what runs batches imports this.
"""

from faceup.games.lane_arrays import Piece, Stepped
from faceup.games.niuniu.batch.engine import Engine, from_states, memory, observations, reset
from faceup.games.niuniu.batch.learning import Learning
from faceup.games.niuniu.batch.measured import measured
from faceup.games.niuniu.batch.playouts import Playouts, Trace, playouts, playouts_memory, trace
from faceup.games.niuniu.batch.warming import warm
from faceup.games.pure_chance import POLICIES

__all__ = [
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
