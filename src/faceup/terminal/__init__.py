"""The games in a terminal: line by line (`plain`), or as an application (`app`)."""

from faceup.terminal.saves import list_saved, load_record, save_record
from faceup.terminal.session import Session, seat_kinds

__all__ = ["Session", "list_saved", "load_record", "save_record", "seat_kinds"]
