"""`faceup arena`: play programs against each other."""

from collections.abc import Callable
from typing import Final

from faceup.cli.arena import bots, bridge, check, doctor, league, match, recover, replay, report, schedules
from faceup.cli.options import Commands, group

__all__ = ["register"]


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
    """Add the commands."""
    inner = group(commands, "arena", "play programs against each other and compare them")
    for add in _REGISTER:
        add(inner)
