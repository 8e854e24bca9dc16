"""The doctor: whether matches between programs are fair on this machine, and how many to run at once."""

from faceup.arena.doctor.checks import Check, Examination, Verdict
from faceup.arena.doctor.examining import examine

__all__ = ["Check", "Examination", "Verdict", "examine"]
