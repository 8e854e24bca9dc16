"""The board of each game; no other module of the terminal names games."""

from collections.abc import Mapping, Sequence
from typing import Final

from faceup.core import AnyRules
from faceup.terminal.boards.board import Board
from faceup.terminal.boards.generic import GenericBoard
from faceup.terminal.boards.nimmt import NimmtBoard
from faceup.terminal.boards.niuniu import NiuNiuBoard
from faceup.terminal.boards.war import WarBoard
from faceup.terminal.side_panel import SidePanel

__all__ = ["Board", "board_for"]


BOARDS: Final[Mapping[str, type[Board]]] = {"nimmt": NimmtBoard, "niuniu": NiuNiuBoard, "war": WarBoard}


def board_for(rules: AnyRules, names: Sequence[str], side: SidePanel) -> Board:
    """Return a new board for the game, or a `GenericBoard` if the game has none."""
    return BOARDS.get(rules.game, GenericBoard)(rules, names, side)
