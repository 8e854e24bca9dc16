"""The games, one folder each, found by name with `faceup.core.find_game`."""

from importlib import import_module


def repr_svg(what: object) -> str:
    """Draw a state or a view for a notebook, with `draw` of the game's module `view_svg`.

    The states and views of games have this function as their method `_repr_svg_`.
    """
    package = type(what).__module__.rpartition(".")[0]
    picture: str = import_module(f"{package}.view_svg").draw(what)
    return picture
