"""`faceup admin`: administer a server's tables, players, settings and backups."""

from types import ModuleType
from typing import Final

from faceup.cli.admin import (
    audit,
    backup,
    bans,
    check,
    compact,
    events,
    players,
    privacy,
    push,
    ready,
    reports,
    server_state,
    tables,
)
from faceup.cli.options import Commands, group

__all__ = ["register"]


_MODULES: Final[tuple[ModuleType, ...]] = (
    tables,
    events,
    players,
    bans,
    reports,
    audit,
    server_state,
    privacy,
    push,
    backup,
    compact,
    check,
    ready,
)
"""The modules that add commands, in the order of `faceup admin --help`."""


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "admin", "administer a server: tables, players, settings, backups")
    for module in _MODULES:
        module.register(inner)
