"""The arena's text protocol: what a program reads for each decision, what it answers, and what it remembers between.

The side of the bot is plain Python (`asks`, `recall`), the side of the referee knows our views (`writing`).
"""

from faceup.games.nimmt.codingame.asks import ARENA, LINES, Ask, read_ask, read_start, rescue, write_answer
from faceup.games.nimmt.codingame.corners import CORNERS, Corner
from faceup.games.nimmt.codingame.protocol import CODINGAME, Protocol
from faceup.games.nimmt.codingame.recall import Known, Played, Recall
from faceup.games.nimmt.codingame.viewing import as_view
from faceup.games.nimmt.codingame.writing import read_answer, write_ask, write_start

__all__ = [
    "ARENA",
    "CODINGAME",
    "CORNERS",
    "LINES",
    "Ask",
    "Corner",
    "Known",
    "Played",
    "Protocol",
    "Recall",
    "as_view",
    "read_answer",
    "read_ask",
    "read_start",
    "rescue",
    "write_answer",
    "write_ask",
    "write_start",
]
