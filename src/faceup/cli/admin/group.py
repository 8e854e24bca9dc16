"""The commands of whoever runs a server, and what each module adds to them."""

from types import ModuleType
from typing import Final

from faceup.cli.admin import copies, house, people, tables
from faceup.cli.options import Commands, group

_MODULES: Final[tuple[ModuleType, ...]] = (tables, people, house, copies)
"""In the order in which `faceup admin --help` lists them; each has a function `register`."""


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "admin", "look after a server: tables, people, copies")
    for module in _MODULES:
        module.register(inner)
