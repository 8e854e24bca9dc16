"""The arena: other people's programs as players, fair matches between them, and a plain answer to who is better."""

from faceup.arena.bots import Bot
from faceup.arena.matches import Cause, Fault, Match, Result, Transcript
from faceup.arena.protocols import Protocol, protocol, usual_protocol
from faceup.arena.terms import Terms
from faceup.arena.times import Times

__all__ = [
    "Bot",
    "Cause",
    "Fault",
    "Match",
    "Protocol",
    "Result",
    "Terms",
    "Times",
    "Transcript",
    "protocol",
    "usual_protocol",
]
