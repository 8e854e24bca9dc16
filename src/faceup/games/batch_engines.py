"""Find and import the batch engine of a game."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from faceup.core.errors import Malformed
from faceup.core.registry import Game


def has_batch_engine(game: Game) -> bool:
    """Return whether the game's package has a module `batch`, without importing it.

    >>> from faceup.core import find_game
    >>> has_batch_engine(find_game("nimmt"))
    True
    """
    try:
        return find_spec(_name(game)) is not None
    except ModuleNotFoundError:  # the game is a module, not a package
        return False


def load_batch_engine(game: Game) -> Any:  # noqa: ANN401 -- a module, see `faceup.games.batch_law`
    """Import the game's batch engine, with numba and numpy. Raises `Malformed` if the game has none."""
    if not has_batch_engine(game):
        raise Malformed(f"{game.title} has no batch engine", what=game.name, where="game")
    return import_module(_name(game))


def _name(game: Game) -> str:
    module: str = game.rules.__module__
    return f"{module.rpartition('.')[0] or module}.batch"
