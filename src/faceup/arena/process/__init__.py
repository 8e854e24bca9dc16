"""Run bot programs: start them, ask one at a time against the clock, read their output, and end them."""

from faceup.arena.process.errors import ProgramError
from faceup.arena.process.program import Program, columns
from faceup.arena.process.runner import ProgramRunner

__all__ = ["Program", "ProgramError", "ProgramRunner", "columns"]
