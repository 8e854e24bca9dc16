"""One table of players, without I/O: sealed choices, the clock, stand-ins, what each viewer may see, the record.

Terminal, arena and server run this same code: `decide` says what follows from a command, `evolve` makes it so.

>>> from faceup.bots import policy
>>> from faceup.core import generator, make
>>> rng, table = generator(1), open_table(make("nimmt", seats=2, hand=1), policy("nimmt", "lowest"))
>>> for now, command in [(0, Join(None, "Ann")), (0, Join(None, "Bob")), (9_000, Choose(0, 45)), (30_000, Tick())]:
...     for entry in decide(table, command, now, rng):
...         table = evolve(table, entry)
...         for event in events_for(table, viewer=0):
...             print(event.words(table.names))
Ann sits down.
Bob sits down.
Ann is dealt 46.
Deal 1: the rows open with 58 86 21 20.
Ann has chosen.
Time is up: the table chooses for Bob.
Face up: Ann 46, Bob 45.
Bob's 45 goes to row 2.
Ann's 46 goes to row 2.
The deal is over. Heads: Ann 0, Bob 0.
Ann and Bob share the win.
"""

from faceup.table.commands import (
    Choose,
    Command,
    Forfeit,
    Join,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    Resume,
    Return,
    StandIn,
    Tick,
    Unchoose,
    Unpause,
)
from faceup.table.contributing import contribution_for, fair_step
from faceup.table.decide import Step, decide, step
from faceup.table.events import (
    CameBack,
    Chose,
    ClockRuns,
    ClockStopped,
    MoreTime,
    NewPace,
    PledgeMade,
    PledgeShown,
    PledgesListed,
    SatDown,
    SeatLeftOut,
    SecretSealed,
    SecretShown,
    StandInChose,
    TimeUp,
    TookBack,
    WentAway,
)
from faceup.table.evolve import evolve, fold, table_from
from faceup.table.fair import awaited
from faceup.table.refusals import Already, OnPause, Stale
from faceup.table.sight import FairSight, SeatSight, Sight, Told, events_for, fair_for, history_for, view_for
from faceup.table.table import Player, Round, Status, Table, due_of, last_due, open_table, to_choose, usual_terms
from faceup.table.verifying import Verdict, verify

__all__ = [
    "Already",
    "CameBack",
    "Choose",
    "Chose",
    "ClockRuns",
    "ClockStopped",
    "Command",
    "FairSight",
    "Forfeit",
    "Join",
    "Leave",
    "Mark",
    "MoreTime",
    "NewPace",
    "OnPause",
    "OpenPledge",
    "Pace",
    "Pause",
    "Player",
    "Pledge",
    "PledgeMade",
    "PledgeShown",
    "PledgesListed",
    "Resume",
    "Return",
    "Round",
    "SatDown",
    "SeatLeftOut",
    "SeatSight",
    "SecretSealed",
    "SecretShown",
    "Sight",
    "Stale",
    "StandIn",
    "StandInChose",
    "Status",
    "Step",
    "Table",
    "Tick",
    "TimeUp",
    "Told",
    "TookBack",
    "Unchoose",
    "Unpause",
    "Verdict",
    "WentAway",
    "awaited",
    "contribution_for",
    "decide",
    "due_of",
    "events_for",
    "evolve",
    "fair_for",
    "fair_step",
    "fold",
    "history_for",
    "last_due",
    "open_table",
    "step",
    "table_from",
    "to_choose",
    "usual_terms",
    "verify",
    "view_for",
]
