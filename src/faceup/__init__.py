"""Table games in which everyone chooses in secret and all choices are revealed together.

>>> import faceup
>>> rules = faceup.make("nimmt:cowheadking", seats=3)
>>> state = rules.start()
>>> rules.to_act(state) == (faceup.CHANCE,)
True
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faceup.core import (
        CHANCE,
        FORFEIT,
        IllegalActionError,
        Malformed,
        RulesError,
        WrongSeatError,
        draw,
        generator,
        make,
        read,
        write,
    )

__all__ = [
    "CHANCE",
    "FORFEIT",
    "IllegalActionError",
    "Malformed",
    "RulesError",
    "WrongSeatError",
    "draw",
    "generator",
    "make",
    "read",
    "write",
]


def __getattr__(name: str) -> object:
    """Load the core when something of it is first used: the command's help has no use for it."""
    if name not in __all__:
        raise AttributeError(f"module 'faceup' has no attribute {name!r}")
    from faceup import core  # noqa: PLC0415 -- that is the point

    return getattr(core, name)
