"""The text protocol of the CodinGame arena: messages, the bot's client and memory, and the registered protocol.

The bot's side is plain Python without third-party packages, so that it can be exported.
"""

from faceup.games.nimmt.codingame.memory import Knowledge, MatchMemory
from faceup.games.nimmt.codingame.messages import (
    LINES,
    DecisionMessage,
    fallback_action,
    format_action,
    format_decision,
    format_start,
    parse_action,
    parse_decision,
    parse_start,
)
from faceup.games.nimmt.codingame.protocol import CODINGAME, TextProtocol, as_view

__all__ = [
    "CODINGAME",
    "LINES",
    "DecisionMessage",
    "Knowledge",
    "MatchMemory",
    "TextProtocol",
    "as_view",
    "fallback_action",
    "format_action",
    "format_decision",
    "format_start",
    "parse_action",
    "parse_decision",
    "parse_start",
]
