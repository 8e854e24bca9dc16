"""Online tables as immutable values, without I/O: seat owners, permissions, and the messages for each viewer.

>>> from faceup.core import generator
>>> rng = generator(1)
>>> batch = create_entries(TableConfig(game="nimmt", options={"seats": 2, "hand": 2}), "ann-id", "Ann", rng)
>>> room = fold_log([(batch, None)])
>>> after = evolve(room, decide(room, Sit("Bo"), "bo-id", 9_000, rng), "command-1")
>>> after.status, room_view_for(after, 1).actions
('active', ('play 58', 'play 86'))
>>> UpdateEncoder(room, after).line(None)[:74]
b'{"v":2,"at":9000,"events":[{"event":"seat_taken","seat":1,"name":"Bo","kin'
"""

from faceup.server.rooms.commands import Sit, Start
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.decide import create_entries, decide
from faceup.server.rooms.entries import dumps, loads
from faceup.server.rooms.evolve import evolve, fold_log
from faceup.server.rooms.replay import replay_lines
from faceup.server.rooms.room import Room
from faceup.server.rooms.updates import UpdateEncoder, snapshot_line
from faceup.server.rooms.view import room_view_for
from faceup.table import Choose

__all__ = [
    "Choose",
    "Room",
    "Sit",
    "Start",
    "TableConfig",
    "UpdateEncoder",
    "create_entries",
    "decide",
    "dumps",
    "evolve",
    "fold_log",
    "loads",
    "replay_lines",
    "room_view_for",
    "snapshot_line",
]
