"""`faceup admin`: administer a server's tables, players, settings and backups."""

from argparse import ArgumentParser
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
    research,
    server_state,
    tables,
)
from faceup.cli.options import Commands, add_group, add_subcommands

__all__ = ["add_commands", "register"]


_MODULES: Final[tuple[ModuleType, ...]] = (
    tables,
    events,
    players,
    bans,
    reports,
    audit,
    server_state,
    privacy,
    research,
    push,
    backup,
    compact,
    check,
    ready,
)
"""The modules that add commands, in the order of `faceup admin --help`."""


def register(commands: Commands) -> None:
    """Add the command `admin`, and its commands with `add_commands`."""
    add_group(commands, "admin", "administer a server: tables, players, settings, backups")


def add_commands(parser: ArgumentParser) -> None:
    """Add the commands."""
    inner = add_subcommands(parser)
    for module in _MODULES:
        module.register(inner)
