"""Bots as programs of their own: on time, whatever else the machine does, and as one file to take elsewhere."""

from faceup.bots.programs.match import play_match
from faceup.bots.programs.players import Quick, Searching

__all__ = ["Quick", "Searching", "play_match"]
