"""The doctor, which checks whether this machine can run fair matches between programs, and how many in parallel."""

from faceup.arena.doctor.examination import examine
from faceup.arena.doctor.system import Check, CheckStatus, Examination

__all__ = ["Check", "CheckStatus", "Examination", "examine"]
