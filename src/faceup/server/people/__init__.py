"""Who plays: guests and accounts, their sessions, tokens and passkeys, and what they may.

Functions of a connection to the database, for `Store.write` and `Store.query`: so whoever administers a server calls
the same ones as its API.
"""

from faceup.server.people.counting import Counting, recount
from faceup.server.people.erasing import erase, export, players_named
from faceup.server.people.history import (
    GameView,
    Name,
    Rung,
    Standing,
    Tally,
    bot_standings,
    history,
    ladder,
    standings,
    tallies,
)
from faceup.server.people.identity import Identity, Scope
from faceup.server.people.merging import also_known_as, merge
from faceup.server.people.players import Player, ban, find_handle, find_player, make_guest, rename, unban
from faceup.server.people.refusals import Forbidden, Missing, Refused, Taken, Unknown

__all__ = [
    "Counting",
    "Forbidden",
    "GameView",
    "Identity",
    "Missing",
    "Name",
    "Player",
    "Refused",
    "Rung",
    "Scope",
    "Standing",
    "Taken",
    "Tally",
    "Unknown",
    "also_known_as",
    "ban",
    "bot_standings",
    "erase",
    "export",
    "find_handle",
    "find_player",
    "history",
    "ladder",
    "make_guest",
    "merge",
    "players_named",
    "recount",
    "rename",
    "standings",
    "tallies",
    "unban",
]
