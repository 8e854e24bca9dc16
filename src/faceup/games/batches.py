"""Which games have a batch engine, and where it is, without importing any."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from faceup.core.errors import Malformed
from faceup.core.registry import Game


def has_batch(game: Game) -> bool:
    """Whether the game's package has a module `batch`.

    >>> from faceup.core import find_game
    >>> has_batch(find_game("nimmt"))
    True
    """
    try:
        return find_spec(_name(game)) is not None
    except ModuleNotFoundError:  # a game that is one file, not a package
        return False


def find_batch(game: Game) -> Any:  # noqa: ANN401 -- a module; what it offers is in `faceup.games.batch_law`
    """The game's batch engine; imports numba and numpy. Raises `Malformed` if the game has none."""
    if not has_batch(game):
        raise Malformed(f"{game.title} has no batch engine", what=game.name, where="game")
    return import_module(_name(game))


def _name(game: Game) -> str:
    module: str = game.rules.__module__
    return f"{module.rpartition('.')[0] or module}.batch"
