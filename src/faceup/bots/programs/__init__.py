"""Bots as separate programs: the match protocol, time control, and export to a single file."""

from faceup.bots.programs.match import play_match
from faceup.bots.programs.players import PolicyPlayer, SearchPlayer

__all__ = ["PolicyPlayer", "SearchPlayer", "play_match"]
