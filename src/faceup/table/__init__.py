"""One table of players, without I/O: sealed choices, the clock, stand-ins, what each viewer may see, the record.

Terminal, arena and server run this same code: `decide` says what follows from a command, `evolve` makes it so.
"""

from faceup.table.commands import Choose, Command, Forfeit, Join, Leave, Mark, Resume, Return, Tick, Unchoose
from faceup.table.decide import decide
from faceup.table.events import CameBack, Chose, MoreTime, SatDown, TimeUp, TookBack, WentAway
from faceup.table.evolve import evolve, fold, table_from
from faceup.table.refusals import Stale
from faceup.table.sight import SeatSight, Sight, Told, events_for, history_for, view_for
from faceup.table.table import Player, Status, Table, open_table, to_choose, usual_terms

__all__ = [
    "CameBack",
    "Choose",
    "Chose",
    "Command",
    "Forfeit",
    "Join",
    "Leave",
    "Mark",
    "MoreTime",
    "Player",
    "Resume",
    "Return",
    "SatDown",
    "SeatSight",
    "Sight",
    "Stale",
    "Status",
    "Table",
    "Tick",
    "TimeUp",
    "Told",
    "TookBack",
    "Unchoose",
    "WentAway",
    "decide",
    "events_for",
    "evolve",
    "fold",
    "history_for",
    "open_table",
    "table_from",
    "to_choose",
    "usual_terms",
    "view_for",
]
