"""Records told again and judged, in a process of their own."""

from faceup.server.studies.studying import Studying, Topic

__all__ = ["Studying", "Topic"]
