"""`faceup arena`: play programs against each other."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Final

from faceup.cli.arena import bots, bridge, check, doctor, league, match, recover, replay, report, schedules
from faceup.cli.options import Commands, add_group, add_subcommands

__all__ = ["add_commands", "register"]


_REGISTER: Final[tuple[Callable[[Commands], None], ...]] = (
    check.register,
    schedules.register,
    league.register,
    match.register,
    report.register_table,
    bots.register,
    report.register,
    report.register_view,
    replay.register,
    recover.register,
    bridge.register,
    doctor.register,
)
"""The functions that add the commands, in the order of `faceup arena --help`."""


def register(commands: Commands) -> None:
    """Add the command `arena`, and its commands with `add_commands`."""
    add_group(commands, "arena", "play programs against each other and compare them")


def add_commands(parser: ArgumentParser) -> None:
    """Add the commands."""
    inner = add_subcommands(parser)
    for add in _REGISTER:
        add(inner)
