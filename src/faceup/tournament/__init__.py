"""Tournaments as pure values: players, rounds, pairings, standings and tie-breaks.

There is no clock, no table and no player id here: players have numbers, and the caller reports the results of tables.
`start_round` draws the next round, `record_result` adds a result, and `standings` ranks the players.
"""

from faceup.tournament.draw import start_round
from faceup.tournament.standings import Standing, points_at_table, standings
from faceup.tournament.table_sizes import TableSizes, table_sizes
from faceup.tournament.tournament import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    Entrant,
    Round,
    RoundTable,
    TableResult,
    Tournament,
    TournamentRules,
    add_entrant,
    admit_entrant,
    next_number,
    record_result,
    set_status,
)

__all__ = [
    "MAX_PLAYERS",
    "MAX_ROUNDS",
    "Entrant",
    "Round",
    "RoundTable",
    "Standing",
    "TableResult",
    "TableSizes",
    "Tournament",
    "TournamentRules",
    "add_entrant",
    "admit_entrant",
    "next_number",
    "points_at_table",
    "record_result",
    "set_status",
    "standings",
    "start_round",
    "table_sizes",
]
