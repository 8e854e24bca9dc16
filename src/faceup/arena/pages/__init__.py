"""What the arena shows in a browser: the report of a run, and every match of a log."""

from faceup.arena.pages.replays import article
from faceup.arena.pages.report import Told, overview, report
from faceup.arena.pages.sheet import allowed, sheet

__all__ = ["Told", "allowed", "article", "overview", "report", "sheet"]
