"""Which board shows which game: the one place where the terminal knows games by name."""

from collections.abc import Mapping, Sequence
from typing import Final

from faceup.core import AnyRules
from faceup.terminal.boards.board import Board
from faceup.terminal.boards.nimmt import NimmtBoard
from faceup.terminal.boards.niuniu import NiuNiuBoard
from faceup.terminal.boards.plain import PlainBoard
from faceup.terminal.boards.war import WarBoard
from faceup.terminal.side import Side

BOARDS: Final[Mapping[str, type[Board]]] = {"nimmt": NimmtBoard, "niuniu": NiuNiuBoard, "war": WarBoard}


def board_for(rules: AnyRules, names: Sequence[str], side: Side) -> Board:
    """The board made for the game, or the plain one, which shows any."""
    return BOARDS.get(rules.game, PlainBoard)(rules, names, side)
