"""The commands of the arena, and what each module adds to them."""

from types import ModuleType
from typing import Final

from faceup.cli.arena import bots, bridge, check, doctor, match, merge, playing, replay, report, table, view
from faceup.cli.options import Commands, group

_MODULES: Final[tuple[ModuleType, ...]] = (
    check,
    playing,
    match,
    table,
    bots,
    report,
    view,
    replay,
    merge,
    bridge,
    doctor,
)
"""In the order in which `faceup arena --help` lists them; each has a function `register`."""


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "arena", "play programs against each other, and say which is better")
    for module in _MODULES:
        module.register(inner)
