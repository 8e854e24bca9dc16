"""Programs as players: started, asked one at a time against the clock, listened to, and ended with all they started."""

from faceup.arena.programs.breaking import Broken
from faceup.arena.programs.logs import columns
from faceup.arena.programs.program import Program
from faceup.arena.programs.running import Programs

__all__ = ["Broken", "Program", "Programs", "columns"]
