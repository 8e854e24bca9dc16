"""The arena, which plays matches between bot programs under equal conditions and computes which bot is better."""

from faceup.arena.match.protocols import Protocol, default_protocol, protocol
from faceup.arena.match.result import Cause, Fault, LatencyHistogram, Match, MatchResult, Transcript
from faceup.arena.match.terms import Bot, MatchTerms

__all__ = [
    "Bot",
    "Cause",
    "Fault",
    "LatencyHistogram",
    "Match",
    "MatchResult",
    "MatchTerms",
    "Protocol",
    "Transcript",
    "default_protocol",
    "protocol",
]
