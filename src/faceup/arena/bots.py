"""Who sits in a seat of the arena: a program, or one of our own players."""

from collections.abc import Mapping

import msgspec


class Bot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that is ready to play.

    Attributes:
        name: as it stands in results; `mine@2` is the second program that was called `mine`.
        command: the program and its arguments, run without a shell; empty for one of our own players.
        player: the name of that player, as `faceup.bots.policy` finds it; it sits at the table inside the referee.
        folder: where the program runs; empty for where the referee runs.
        environment: variables that it gets besides the few that every program gets.
        phase_last: whether it reads the phase behind the other lines of a decision.
        alive: whether it is willing to play one match after another without being started anew.
        digest: of the program and the files that it lists, so that another program is never taken for it.
    """

    name: str
    command: tuple[str, ...] = ()
    player: str = ""
    folder: str = ""
    environment: Mapping[str, str] = {}
    phase_last: bool = False
    alive: bool = False
    digest: str = ""
