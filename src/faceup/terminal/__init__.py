"""Play games in a terminal: as plain text (`line_mode`) or in a full-screen app (`app`)."""

from faceup.terminal.saved_games import list_saved, load_record, save_record
from faceup.terminal.session import TerminalSession, seat_kinds

__all__ = ["TerminalSession", "list_saved", "load_record", "save_record", "seat_kinds"]
