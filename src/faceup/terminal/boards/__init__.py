"""The boards, by game. A game without one of its own is shown on `PlainBoard`."""

from faceup.terminal.boards.board import Board
from faceup.terminal.boards.registry import board_for

__all__ = ["Board", "board_for"]
