"""One table of players as an immutable value, without I/O: secret choices, clock, autoplay, views and record.

The terminal, the arena and the server all use it. `decide` turns a command into entries, and `evolve` applies an entry
to the table.

>>> from faceup.bots import policy
>>> from faceup.core import generator, make
>>> rng, table = generator(1), open_table(make("nimmt", seats=2, hand=1), policy("nimmt", "lowest"))
>>> joined = [(0, Join(None, "Ann")), (0, Join(None, "Bob"))]
>>> for now, command in [*joined, (9_000, Choose(0, 45)), (30_000, ExpireDeadline())]:
...     for entry in decide(table, command, now, rng):
...         table = evolve(table, entry)
...         for event in visible_events(table, viewer=0):
...             print(event.words(table.names))
Ann sits down.
Bob sits down.
Ann is dealt 46.
Deal 1: the rows open with 58 86 21 20.
Ann has chosen.
Time is up: the table chooses for Bob.
Face up: Ann 46, Bob 45.
Bob's 45 goes to row 3.
Ann's 46 goes to row 3.
The deal is over. Heads: Ann 0, Bob 0.
Ann and Bob share the win.
"""

from faceup.table.commands import Choose, ExpireDeadline, Join
from faceup.table.contribution import next_fair_command
from faceup.table.decide import decide, step
from faceup.table.evolve import evolve, fold
from faceup.table.table import Table, open_table
from faceup.table.verification import verify
from faceup.table.views import view_for, visible_events

__all__ = [
    "Choose",
    "ExpireDeadline",
    "Join",
    "Table",
    "decide",
    "evolve",
    "fold",
    "next_fair_command",
    "open_table",
    "step",
    "verify",
    "view_for",
    "visible_events",
]
